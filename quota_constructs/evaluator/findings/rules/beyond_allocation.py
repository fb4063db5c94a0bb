"""Objectives that the arrangement alone shows to be impossible, or to need more than the share is allocated."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.contracts import checkpoint_of
from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.agreements import POLICY
from quota_constructs.evaluator.findings.rules.lending import borrowers_from, can_be_stopped, most_borrowed
from quota_constructs.evaluator.promises import amount_text, promise_text, promised
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.objectives import Objective
from quota_constructs.printable import plural, shortened

NEVER_KEPT = Rule(
    id="QC211",
    title="An objective cannot be met whatever happens",
    severity=Severity.ERROR,
    what="An objective lies beyond what the figure it bounds can be: a hit rate above 100 %, a slowdown below 1, more "
    "finished work than all that the share may ever hold. The finding has the objective's own severity.",
    why="It fails on every trace, so that nobody looks when it fails for a reason.",
    example="goodput of at least 250 % for a share of 4 that may borrow 4 more: 200 % is all it could come to.",
    fix="Promise what can be measured, with some room for startup, checkpoints and waiting.",
)

BEYOND_ALLOCATION = Rule(
    id="QC212",
    title="An objective promises what the allocation alone cannot give",
    severity=Severity.WARNING,
    what="An objective holds only as long as others do not use what is theirs: no preemption, no lost work or no "
    "failed job for a share whose jobs may be stopped; more finished work than its own instances can do; a wait that "
    "is shorter than taking back what it lends.",
    why="The plan promises what is opportunistic. It is kept on quiet days and broken on the day that it was made for.",
    example="At most 0 preemptions a job for a share that may borrow 2; an entitled wait of at most 5 s for a lender, "
    "when stopping a borrower's job takes 20 s.",
    fix="Let the share own what the promise needs, or promise what the allocation gives and call the rest a chance.",
)


def check_impossible(system: System) -> Iterator[Finding]:
    """Yield a finding for each objective that no run could meet."""
    for share in system.shares:
        for name, objective in promised(share):
            best = _best(system, share, name)
            if best is None:
                continue
            possible, why = best
            if objective.bound < possible if name == "slowdown_p95" else objective.bound > possible:
                yield NEVER_KEPT.on_share(
                    system,
                    share,
                    f"{POLICY}/objectives/{name}",
                    severity=Severity(objective.severity),
                    message=f"share '{shortened(share.name)}' is promised {promise_text(name, objective)}, and "
                    f"{amount_text(name, possible)} is the best that there can be: {why}",
                    fix=f"promise no better than {amount_text(name, possible)}",
                    figures={"objective": name, "promised": objective.bound, "possible": possible},
                )


def check_promises(system: System, context: Context) -> Iterator[Finding]:
    """Yield a finding for each objective that rests on what others leave idle, or on nobody needing it back."""
    for share in system.shares:
        for name, objective in promised(share):
            why = _rests_on_others(system, share, name, objective, context)
            if why is not None:
                yield BEYOND_ALLOCATION.on_share(
                    system,
                    share,
                    f"{POLICY}/objectives/{name}",
                    message=f"share '{shortened(share.name)}' is promised {promise_text(name, objective)}, which its "
                    f"{plural(sum(share.limits.values()), 'own instance')} cannot give: {why}",
                    fix="let the share own what the promise needs, or promise less",
                    figures={"objective": name, "promised": objective.bound},
                )


def _best(system: System, share: QuotaShare, name: str) -> tuple[float, str] | None:
    """Return the best that the figure called *name* can be, and why; None where there is no such bound."""
    match name:
        case "deadline_hit_percent":
            return 100, "there are no more deadlines than all"
        case "slowdown_p95":
            return 1, "no job is faster than undisturbed"
        case "goodput_percent":
            own, borrowed = sum(share.limits.values()), sum(most_borrowed(system, share).values())
            return 100 * (own + borrowed) / max(own, 1), f"it may hold {own:,} of its own and borrow {borrowed:,}"
        case _:
            return None


def _rests_on_others(
    system: System, share: QuotaShare, name: str, objective: Objective, context: Context
) -> str | None:
    """Return why the share's own allocation cannot give what *objective* promises, None if it might."""
    match name:
        case "goodput_percent" if 100 < objective.bound <= _best_goodput(system, share):  # noqa: PLR2004 - all of its own
            return f"more than 100 % is done on what others leave idle, {_borrowed(system, share)}"
        case "entitled_wait_seconds" | "wait_max_seconds":
            return _why_later(system, share, objective, context.stop_ms / 1000)
        case "preemptions_per_job" | "lost_work_percent" | "all_jobs_finish" if can_be_stopped(system, share):
            return _why_interrupted(system, share, name, objective)
        case _:
            return None


def _why_later(system: System, share: QuotaShare, objective: Objective, stop_seconds: float) -> str | None:
    borrowers = sum(1 for _ in borrowers_from(system, share))
    if not borrowers or objective.bound >= stop_seconds:
        return None
    return f"{plural(borrowers, 'other share')} may hold what it lends, and to stop their jobs takes {stop_seconds:g} s"


def _why_interrupted(system: System, share: QuotaShare, name: str, objective: Objective) -> str | None:
    contract = share.policy.interruption
    stopped = f"its jobs may be stopped {_for_whom(system, share)}"
    if name == "preemptions_per_job":
        return stopped if objective.bound < 1 else None
    if name == "lost_work_percent":
        return None if objective.bound > 0 or _saves(share) else f"{stopped}, and no contract says that they save then"
    if objective.bound >= 1 or contract is None or contract.preemption_retries is None:
        return None
    return f"{stopped}, and fail when that happens more than {plural(contract.preemption_retries, 'time')}"


def _best_goodput(system: System, share: QuotaShare) -> float:
    best = _best(system, share, "goodput_percent")
    return 0 if best is None else best[0]


def _borrowed(system: System, share: QuotaShare) -> str:
    return " and ".join(f"{count:,} of {shortened(unit)}" for unit, count in most_borrowed(system, share).items())


def _for_whom(system: System, share: QuotaShare) -> str:
    borrowed = _borrowed(system, share)
    return " and ".join(
        [
            *([f"for the owners of what it may borrow ({borrowed})"] if borrowed else []),
            *(["for jobs of its own with a higher priority"] if share.in_share_preemption else []),
        ]
    )


def _saves(share: QuotaShare) -> bool:
    contract = share.policy.interruption
    checkpoint = None if contract is None else checkpoint_of(contract)
    return checkpoint is not None and checkpoint.on_stop
