"""What borrowing costs, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from quota_constructs.evaluator.arrangements import partitioned
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.sharing import BORROW_LIMIT, STRATEGY
from quota_constructs.evaluator.findings.rules.story import preemptions, story
from quota_constructs.evaluator.numbers import as_hours, as_seconds
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.trace import ArrangementChange, Job
from quota_constructs.printable import plural, shortened

WORTH_TELLING_MS = 3_600_000
"""What borrowing must cost, in instance-time, before anybody need know."""

COSTS_MORE = Rule(
    id="QC311",
    title="Borrowing costs a share more than it delivers",
    severity=Severity.WARNING,
    what="Of the instance-hours that a share borrowed, less is left than its jobs lost in work and spent in starting "
    "and restoring again after they were stopped for other shares. A job that was stopped for its own share too "
    "counts in proportion. Less than an instance-hour of cost is passed over.",
    why="The borrowed instances look busy, and the share would be about as far without them: a busy instance is not "
    "finished work.",
    fix="Checkpoint what runs on borrowed capacity, run only short jobs there, lower the borrow limit, or allocate the "
    "share more.",
    example="A share borrows 10 instance-hours, and its stopped jobs do 6 of work again: 4 were delivered, at the cost "
    "of 6.",
)

OPPORTUNISTIC = Rule(
    id="QC312",
    title="Deadlines are met only with borrowed capacity",
    severity=Severity.WARNING,
    what="Jobs that meet their deadline on this trace would miss it if every share kept to its own allocation: the "
    "same trace is run on the same arrangement with every share RESERVE, without those jobs that are larger than "
    "their share's allocation, which count as missing it.",
    why="Borrowed capacity is there as long as its owner is not. A plan that takes it for granted fails on the day "
    "the owner returns, and nothing in the service tells the one from the other.",
    fix="Allocate the share what its deadlines take, or tell those who plan with them that they are a matter of luck.",
    example="A share of 2 runs a job of 6 instances by Friday on what it borrows; on its own 2 it could not.",
)


def check_cost(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share that borrows at a loss."""
    borrowed_of = {
        figures.share: sum(usage.borrowed for usage in figures.usage.values()) for figures in evaluation.figures.shares
    }
    stopped = by_share(
        evaluation, lambda each: each.cross_share_preemptions > 0 and borrowed_of.get(each.job.share, 0) > 0
    )
    for name, jobs in stopped.items():
        borrowed = borrowed_of[name]
        lost, again = sum(map(_lost, jobs)), sum(map(_started_again, jobs))
        delivered = max(0, borrowed - lost - again)
        if lost + again < WORTH_TELLING_MS or lost + again <= delivered:
            continue
        worst = max(jobs, key=lambda each: _lost(each) + _started_again(each))
        yield COSTS_MORE.on_trace(
            evaluation,
            name,
            BORROW_LIMIT,
            message=f"share '{shortened(name)}' borrowed {as_hours(borrowed)} instance-hours, and being stopped for "
            f"other shares cost it {as_hours(lost)} in lost work and {as_hours(again)} in starting again: "
            f"{as_hours(delivered)} were delivered; worst: {story(evaluation, worst)}",
            fix="checkpoint what runs on borrowed capacity, run only short jobs there, or lower the borrow limit",
            figures={
                "borrowed_instance_ms": borrowed,
                "lost_instance_ms": lost,
                "restart_instance_ms": again,
                "delivered_instance_ms": delivered,
                "job": worst.job.id,
            },
        )


def check_deadlines(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each borrower with deadlines that its own allocation would not meet."""
    borrowers = {
        figures.share
        for figures in evaluation.figures.shares
        if figures.jobs.deadlines_hit and any(usage.borrowed for usage in figures.usage.values())
    }
    if not borrowers:
        return
    alone = _alone(evaluation)
    hit = by_share(evaluation, lambda each: each.job.share in borrowers and _in_time(each))
    for name, jobs in hit.items():
        lucky = [each for each in jobs if each.job.id not in alone or not _in_time(alone[each.job.id])]
        if not lucky:
            continue
        first = lucky[0]
        yield OPPORTUNISTIC.on_trace(
            evaluation,
            name,
            STRATEGY,
            message=f"share '{shortened(name)}' meets {plural(len(jobs), 'deadline')}, {len(lucky):,} of them only "
            f"with borrowed capacity, that of '{shortened(first.job.id)}' first in the trace: with what the share is "
            f"allocated it would {_fate(alone.get(first.job.id))}",
            fix="allocate the share what its deadlines take, or plan with the deadlines that it meets by itself",
            figures={"deadlines_met": len(jobs), "met_by_borrowing": len(lucky), "job": first.job.id},
        )


def _alone(evaluation: Evaluation) -> dict[str, JobHistory]:
    """Return what becomes of the jobs when every share keeps to itself; those too large for that are left out."""
    limits: dict[str, dict[str, int]] = {}
    for system in evaluation.systems:
        for share in system.shares:
            most = limits.setdefault(share.name, {})
            for unit, limit in share.limits.items():
                most[unit] = max(limit, most.get(unit, 0))

    def fits(job: Job) -> bool:
        return all(count <= limits.get(job.share, {}).get(unit, 0) for unit, count in job.instances)

    kept = tuple(job for job in evaluation.trace.jobs if fits(job))
    names = {job.id for job in kept}
    events = tuple(
        event for event in evaluation.trace.events if isinstance(event, ArrangementChange) or event.job in names
    )
    system, trace = partitioned(evaluation.system, structs.replace(evaluation.trace, jobs=kept, events=events))
    return {each.job.id: each for each in simulate(system, trace, evaluation.assumptions).jobs}


def _in_time(each: JobHistory) -> bool:
    deadline = each.job.deadline_ms
    return (
        deadline is not None
        and each.state is State.SUCCEEDED
        and each.finish_ms is not None
        and each.finish_ms <= deadline
    )


def _fate(each: JobHistory | None) -> str:
    if each is None:
        return "not fit at all"
    if each.state is not State.SUCCEEDED or each.finish_ms is None:
        return "not finish"
    late = each.finish_ms - (each.job.deadline_ms or 0)
    return f"finish {as_seconds(late)} too late"


def _lost(each: JobHistory) -> int:
    return _for_others(each, each.lost_ms)


def _started_again(each: JobHistory) -> int:
    """Return what restarts cost: the overhead beyond the startup that the job needs anyway."""
    return _for_others(each, max(0, each.overhead_ms - each.job.startup_ms))


def _for_others(each: JobHistory, ms: int) -> int:
    instances = sum(count for _, count in each.job.instances)
    return ms * instances * each.cross_share_preemptions // preemptions(each)
