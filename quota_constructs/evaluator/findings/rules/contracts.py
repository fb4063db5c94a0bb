"""Whether the jobs of a share that borrows survive being stopped, as its interruption contract says."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.agreements import POLICY, says_something
from quota_constructs.evaluator.findings.rules.lending import most_borrowed
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.interruption import SIGTERM_WINDOW_SECONDS, InterruptionContract
from quota_constructs.printable import plural, shortened

CONTRACT = f"{POLICY}/interruption"

NO_CONTRACT = Rule(
    id="QC203",
    title="A borrower has no interruption contract",
    severity=Severity.WARNING,
    what="A share that can borrow does not say how its jobs survive being stopped, in a queue where shares say "
    "something.",
    why="What is borrowed is taken back whenever its owner returns; no setting turns that off. Whether that costs "
    "minutes or days depends on what the contract would say.",
    example="A share of 4 that may borrow 4 more, with an owner and no InterruptionContract.",
    fix="Declare an InterruptionContract for the share, or let it not borrow.",
)

CANNOT_RESUME = Rule(
    id="QC204",
    title="A borrower's jobs cannot resume",
    severity=Severity.WARNING,
    what="A share can borrow, and its interruption contract says that a stopped job starts again from nothing.",
    why="Each time a lender's owner returns, all that the stopped job did is thrown away. A job that is longer than "
    "the usual time between two returns may never finish.",
    example="can_resume = false on a share that may borrow 8 instances.",
    fix="Checkpoint the jobs, or let the share not borrow and own what it needs.",
)

NO_EVIDENCE = Rule(
    id="QC205",
    title="Nobody has shown that a borrower's jobs resume",
    severity=Severity.WARNING,
    what="A share can borrow, and its interruption contract says that its jobs resume, without evidence that it was "
    "tried.",
    why="Resuming that was never tried fails when it is needed: a path that is not synchronized, a seed or an "
    "optimizer that is not restored.",
    example="can_resume = true, and no evidence.",
    fix="Stop a real job, let it resume, and put the date and a link into the contract.",
)

NOBODY_TO_TELL = Rule(
    id="QC206",
    title="Retries run out and nobody is told",
    severity=Severity.WARNING,
    what="An interruption contract bounds how often a job may be preempted, and does not say what happens then, or "
    "whom to tell.",
    why="The job fails for good, at a time when capacity is short, and its owner finds out from a dashboard.",
    example="preemption_retries = 3, and no escalate_to.",
    fix="State when_retries_run_out (reclassify, resubmit or other-capacity) and escalate_to.",
)

SAVES_TOO_SLOWLY = Rule(
    id="QC207",
    title="Saving at SIGTERM takes longer than there is",
    severity=Severity.WARNING,
    what="An interruption contract counts on saving when the job is told to stop, which takes longer than the 120 s "
    "that SageMaker lets it go on.",
    why="The job is killed in the middle of saving: as good as not saving, and the copy may be damaged. The evaluator "
    "counts it as not saved.",
    example="saves_on_sigterm = true, save_on_sigterm_seconds = 300.",
    fix="Save faster or less, or checkpoint at intervals and do not count on SIGTERM.",
)

COUNTS_ON_CONTINUITY = Rule(
    id="QC208",
    title="Estimates count on borrowed capacity staying",
    severity=Severity.WARNING,
    what="A share can borrow, and its interruption contract says that the completion times that people were given "
    "assume continuous access.",
    why="Borrowed capacity can be taken back at any time, so the dates hold only as long as its owners stay away. The "
    "delay is nobody's fault and everybody's surprise.",
    example="A share of 1 that may hold 3, and a date that was computed with 3.",
    fix="Estimate with the share's own allocation, and call what borrowing adds a chance.",
)


def check_contracts(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that can borrow and has no contract, where anything is agreed on."""
    for share in system.shares:
        borrowed = most_borrowed(system, share)
        if borrowed and share.policy.interruption is None and says_something(system):
            yield NO_CONTRACT.on_share(
                system,
                share,
                POLICY,
                message=f"share '{shortened(share.name)}' can borrow {_amounts(borrowed)} and has no interruption "
                "contract: nobody has said what it costs when owners take that back",
                fix="declare an interruption contract, or let the share not borrow",
                figures={"borrowed": sum(borrowed.values())},
            )


def check_resuming(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that can borrow and whose jobs start again from nothing."""
    for share, contract, borrowed in _borrowers(system):
        if not contract.can_resume:
            yield CANNOT_RESUME.on_share(
                system,
                share,
                f"{CONTRACT}/can_resume",
                message=f"share '{shortened(share.name)}' can borrow {_amounts(borrowed)}, and its jobs cannot resume: "
                "one that is stopped for an owner has done its work for nothing",
                fix="checkpoint the jobs, or let the share not borrow",
                figures={"borrowed": sum(borrowed.values())},
            )


def check_evidence(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that can borrow and is only said to resume."""
    for share, contract, borrowed in _borrowers(system):
        if contract.can_resume and contract.evidence is None:
            yield NO_EVIDENCE.on_share(
                system,
                share,
                CONTRACT,
                message=f"share '{shortened(share.name)}' can borrow {_amounts(borrowed)} because its jobs are said to "
                "resume, and there is no evidence that it was tried",
                fix="stop a real job, let it resume, and put date and link into the contract's evidence",
                figures={"borrowed": sum(borrowed.values())},
            )


def check_escalation(system: System) -> Iterator[Finding]:
    """Yield a finding for each contract with retries that run out, and no plan or nobody to tell."""
    for share in system.shares:
        contract = share.policy.interruption
        if contract is None or contract.preemption_retries is None:
            continue
        missing = [
            *(["what happens then"] if contract.when_retries_run_out is None else []),
            *([] if contract.escalate_to.strip() else ["whom to tell"]),
        ]
        if missing:
            yield NOBODY_TO_TELL.on_share(
                system,
                share,
                f"{CONTRACT}/preemption_retries",
                message=f"a job of share '{shortened(share.name)}' fails when it is preempted more than "
                f"{plural(contract.preemption_retries, 'time')}, and the contract does not say {' or '.join(missing)}",
                fix="state when_retries_run_out and escalate_to",
                figures={"preemption_retries": contract.preemption_retries},
            )


def check_saving(system: System) -> Iterator[Finding]:
    """Yield a finding for each contract that saves at SIGTERM and is too slow for it."""
    for share in system.shares:
        contract = share.policy.interruption
        if contract is None or not contract.saves_on_sigterm:
            continue
        takes = contract.save_on_sigterm_seconds or 0
        if takes > SIGTERM_WINDOW_SECONDS:
            yield SAVES_TOO_SLOWLY.on_share(
                system,
                share,
                f"{CONTRACT}/save_on_sigterm_seconds",
                message=f"jobs of share '{shortened(share.name)}' take {takes:,g} s to save at SIGTERM, and are killed "
                f"after {SIGTERM_WINDOW_SECONDS} s: as good as not saving",
                fix=f"save within {SIGTERM_WINDOW_SECONDS} s, or count on checkpoints alone",
                figures={"save_on_sigterm_seconds": takes, "window_seconds": SIGTERM_WINDOW_SECONDS},
            )


def check_estimates(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that can borrow and plans as if that could not be taken back."""
    for share, contract, borrowed in _borrowers(system):
        if contract.assumes_continuous_access:
            own = sum(share.limits.values())
            yield COUNTS_ON_CONTINUITY.on_share(
                system,
                share,
                f"{CONTRACT}/assumes_continuous_access",
                message=f"completion times of share '{shortened(share.name)}' assume continuous access, and beyond its "
                f"{plural(own, 'instance')} it can borrow {_amounts(borrowed)}, which owners may take back at any time",
                fix="estimate with the share's own allocation alone",
                figures={"own": own, "borrowed": sum(borrowed.values())},
            )


def _borrowers(system: System) -> Iterator[tuple[QuotaShare, InterruptionContract, dict[str, int]]]:
    for share in system.shares:
        borrowed = most_borrowed(system, share)
        if borrowed and share.policy.interruption is not None:
            yield share, share.policy.interruption, borrowed


def _amounts(by_unit: dict[str, int]) -> str:
    return " and ".join(f"{count:,} of {shortened(unit)}" for unit, count in by_unit.items())
