"""Capacity that is kept from everybody: by shares that all reserve, or by one that takes no jobs."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.lending import borrowers_from
from quota_constructs.evaluator.system import System
from quota_constructs.printable import plural, shortened

ALL_RESERVE = Rule(
    id="QC112",
    title="Every share reserves",
    severity=Severity.NOTE,
    what="Two shares or more have an instance type in common, and all shares of the queue are RESERVE.",
    why="The queue is a set of partitions: what one team leaves idle stays idle while another team waits. That may be "
    "what was agreed on; it is also what one gets by copying the first example.",
    example="Three RESERVE shares of 4: a team with 12 jobs runs 4 at a time, also when it is alone.",
    fix="Let a team that can spare its idle time lend (LEND), and one whose jobs survive being stopped borrow.",
)

DISABLED_HOLDER = Rule(
    id="QC115",
    title="A disabled share still holds capacity",
    severity=Severity.WARNING,
    what="A quota share is DISABLED and has capacity limits, as it must.",
    why="It takes no new jobs, and its allocation stays its own (AWS does not say; the evaluator takes it so): under "
    "RESERVE nobody can use it, and a lender's is used only as far as shares that take jobs may borrow.",
    example="A RESERVE share of 4, DISABLED for the holidays: 4 instances are idle until somebody remembers.",
    fix="Delete the share once its jobs are done and allocate its capacity to others, or enable it.",
)


def check_reserves(system: System) -> Iterator[Finding]:
    """Yield a finding if shares could lend to each other and none does."""
    if any(share.strategy.lends for share in system.shares):
        return
    common = [unit for unit in system.units if sum(unit in share.limits for share in system.shares) > 1]
    if common:
        count = sum(share.limits.get(unit, 0) for share in system.shares for unit in common)
        yield ALL_RESERVE.finding(
            system,
            system.source,
            "Properties",
            message=f"all {len(system.shares)} shares of queue '{shortened(system.name)}' are RESERVE: of the "
            f"{plural(count, 'instance')} that they could lend each other, what one leaves idle nobody else can use",
            fix="let a share lend and another borrow, or accept this with a reason",
            figures={"shares": len(system.shares), "instances": count},
        )


def check_disabled(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that takes no jobs and owns capacity."""
    for share in system.shares:
        held = sum(share.limits.values())
        if share.enabled or not held:
            continue
        borrowers = sum(other.enabled for other in borrowers_from(system, share))
        idle = (
            f"only {plural(borrowers, 'other share')} can borrow some of it" if borrowers else "nobody else can use it"
        )
        yield DISABLED_HOLDER.on_share(
            system,
            share,
            "Properties/State",
            message=f"share '{shortened(share.name)}' is DISABLED and takes no new jobs, but is allocated "
            f"{plural(held, 'instance')}: {idle}",
            fix="enable the share, or delete it once its jobs are done and allocate its capacity to others",
            figures={"instances": held, "borrowers": borrowers},
        )
