"""Capacity of the environment that belongs to no share, which nobody can use (scheduling model, 1)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.capacity import LIMITS
from quota_constructs.evaluator.system import System
from quota_constructs.printable import plural, shortened

SUM_BELOW_ENVIRONMENT = Rule(
    id="QC107",
    title="The shares are allocated less than the environment has",
    severity=Severity.WARNING,
    what="The limits of all shares for one instance type add up to less than the service environment's capacity.",
    why="What can be borrowed is what other shares are allocated and leave idle, as AWS's examples of misconfigured "
    "jobs show. The rest belongs to nobody: no share may start a job on it, however long its queue is.",
    example="Capacity 8; one share of 3 and one of 2, unlimited borrowing: 3 instances stay idle for ever.",
    fix="Allocate the rest to a share, or lower the environment's capacity to the sum of the limits.",
)

UNIT_UNUSED = Rule(
    id="QC108",
    title="No share may use an instance type of the environment",
    severity=Severity.WARNING,
    what="The service environment has capacity of an instance type for which no quota share has a limit.",
    why="A share may only use the instance types that it has a limit for, borrowing included, so no job of the queue "
    "can ever run on this one.",
    example="Capacity of ml.g5.xlarge and ml.p4d.24xlarge; every share has a limit for ml.g5.xlarge alone.",
    fix="Give a share a limit for the instance type, or take it out of the environment.",
)


def check_sum(system: System) -> Iterator[Finding]:
    """Yield a finding for each unit of which the shares are allocated something, and less than there is."""
    environment = system.environment
    for unit, capacity in sorted(environment.capacity.items()):
        allocated = sum(share.limits.get(unit, 0) for share in system.shares)
        if 0 < allocated < capacity:
            left = capacity - allocated
            yield SUM_BELOW_ENVIRONMENT.finding(
                system,
                environment.source,
                LIMITS,
                message=f"environment '{shortened(environment.name)}' has {capacity:,} of {shortened(unit)} and the "
                f"shares are allocated {allocated:,}: {plural(left, 'instance')} will stay idle however many jobs "
                "wait, as nobody can borrow what no share owns",
                fix=f"raise the shares' limits by {left:,} in all, "
                f"or lower the environment's capacity of {shortened(unit)} to {allocated:,}",
                figures={"unit": unit, "allocated": allocated, "capacity": capacity},
            )


def check_units(system: System) -> Iterator[Finding]:
    """Yield a finding for each unit of the environment that no share of the queue has a limit for."""
    environment = system.environment
    if not system.shares:
        return
    for unit, capacity in sorted(environment.capacity.items()):
        if capacity and not any(unit in share.limits for share in system.shares):
            yield UNIT_UNUSED.finding(
                system,
                environment.source,
                LIMITS,
                message=f"environment '{shortened(environment.name)}' has {capacity:,} of {shortened(unit)}, "
                f"and none of its {plural(len(system.shares), 'share')} has a limit for it: no job can run there",
                fix=f"give a share a limit for {shortened(unit)}, or take it out of the environment",
                figures={"unit": unit, "capacity": capacity, "shares": len(system.shares)},
            )
