"""Whether the environment has what its shares are allocated (scheduling model, 1: effective capacity)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.system import System
from quota_constructs.printable import plural, shortened

LIMITS = "Properties/CapacityLimits"

UNIT_MISSING = Rule(
    id="QC101",
    title="A share is allocated an instance type that the environment lacks",
    severity=Severity.ERROR,
    what="A capacity limit of a quota share names an instance type for which the service environment has no capacity.",
    why="Checks of the template's form do not notice. Each job that asks for the type comes to the head of the share "
    "and stays there as MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE, with every later job behind it.",
    example="The environment has ml.g5.xlarge, a share is allocated 2 of ml.g5.2xlarge.",
    fix="Give the environment capacity of that instance type, or correct the type in the share.",
)

SUM_ABOVE_ENVIRONMENT = Rule(
    id="QC102",
    title="The shares are allocated more than the environment has",
    severity=Severity.WARNING,
    what="The limits of all shares for one instance type add up to more than the service environment's capacity.",
    why="An allocation is then no promise: when all teams are busy, a team that is within its own limit waits for "
    "others that are within theirs, and there is nothing to take back, because nobody borrows.",
    example="Capacity 8, and three shares of 3: when all are busy, one owner waits for the third of its instances.",
    fix="Raise the environment's capacity to the sum of the limits, or lower the limits.",
)

SHARE_ABOVE_ENVIRONMENT = Rule(
    id="QC103",
    title="A share is allocated more than the whole environment",
    severity=Severity.ERROR,
    what="One share's limit for an instance type is above the service environment's capacity of that type.",
    why="The share can never hold what it is allocated, even with everything else idle. A job that asks for all of it "
    "never starts, and blocks its share as MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE.",
    example="Capacity 8, and a share of 10.",
    fix="Raise the environment's capacity, or lower the share's limit.",
)

RESERVED_AWAY = Rule(
    id="QC106",
    title="What others reserve leaves a share less than it is allocated",
    severity=Severity.ERROR,
    what="The environment's capacity of an instance type, less the limits of the other RESERVE shares, is below the "
    "share's own limit.",
    why="What a RESERVE share does not use is kept for it, whoever else is allocated it too. A job that needs more "
    "than is left waits for ever, even with everything idle, and the service names no reason for it.",
    example="Capacity 8, a RESERVE share of 6 and a share of 4: of its 4, only 2 are ever free for it.",
    fix="Make the limits add up to no more than the environment has, or let the other shares lend (LEND).",
)


def check_units(system: System) -> Iterator[Finding]:
    """Yield a finding for each unit of a share that the environment lacks."""
    environment = system.environment
    for share in system.shares:
        for unit, limit in sorted(share.limits.items()):
            if not environment.capacity.get(unit):
                units = sorted(each for each, capacity in environment.capacity.items() if capacity)
                has = ", ".join(map(shortened, units)) or "nothing"
                yield UNIT_MISSING.on_share(
                    system,
                    share,
                    LIMITS,
                    message=f"share '{shortened(share.name)}' is allocated {limit:,} of {shortened(unit)}, of which "
                    f"environment '{shortened(environment.name)}' has none (it has {has}): no such job will ever start",
                    fix=f"add capacity of {shortened(unit)} to the environment, or correct the share's instance type",
                    figures={"unit": unit, "limit": limit, "capacity": 0},
                )


def check_sum(system: System) -> Iterator[Finding]:
    """Yield a finding for each unit of the environment of which more is allocated than there is."""
    environment = system.environment
    for unit, capacity in sorted(environment.capacity.items()):
        allocated = sum(share.limits.get(unit, 0) for share in system.shares)
        if allocated > capacity > 0:
            yield SUM_ABOVE_ENVIRONMENT.finding(
                system,
                environment.source,
                LIMITS,
                message=f"the shares are allocated {allocated:,} of {shortened(unit)} and environment "
                f"'{shortened(environment.name)}' has {capacity:,}: when all are busy they are "
                f"{plural(allocated - capacity, 'instance')} short, and owners wait for each other",
                fix=f"raise the environment's capacity of {shortened(unit)} to {allocated:,}, "
                f"or lower the shares' limits by {allocated - capacity:,} in all",
                figures={"unit": unit, "allocated": allocated, "capacity": capacity},
            )


def check_each(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that is allocated more of a unit than the whole environment has."""
    environment = system.environment
    for share in system.shares:
        for unit, limit in sorted(share.limits.items()):
            capacity = environment.capacity.get(unit, 0)
            if limit > capacity > 0:
                yield SHARE_ABOVE_ENVIRONMENT.on_share(
                    system,
                    share,
                    LIMITS,
                    message=f"share '{shortened(share.name)}' is allocated {limit:,} of {shortened(unit)} and "
                    f"environment '{shortened(environment.name)}' has only {capacity:,}: "
                    f"a job of more than {capacity:,} will never start",
                    fix=f"raise the environment's capacity of {shortened(unit)} to at least {limit:,}, "
                    f"or lower the share's limit to {capacity:,} or less",
                    figures={"unit": unit, "limit": limit, "capacity": capacity},
                )


def check_reserves(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that other shares' reserves leave less of a unit than its limit."""
    for share in system.shares:
        for unit, limit in sorted(share.limits.items()):
            capacity = system.environment.capacity.get(unit, 0)
            reserved = sum(
                other.limits.get(unit, 0) for other in system.shares if other is not share and not other.strategy.lends
            )
            left = max(0, capacity - reserved)
            if left < min(limit, capacity):
                stuck = "no such job" if left == 0 else f"no job of more than {left:,}"
                yield RESERVED_AWAY.on_share(
                    system,
                    share,
                    LIMITS,
                    message=f"share '{shortened(share.name)}' is allocated {limit:,} of {shortened(unit)}, but of the "
                    f"{capacity:,} that environment '{shortened(system.environment.name)}' has, other shares reserve "
                    f"{reserved:,}: {stuck} will ever start",
                    fix=f"lower the limits or raise the environment's capacity of {shortened(unit)} "
                    f"by {min(limit, capacity) - left:,}, or let the other shares lend",
                    figures={"unit": unit, "limit": limit, "capacity": capacity, "reserved": reserved, "left": left},
                )
