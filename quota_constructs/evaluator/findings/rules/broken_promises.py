"""Promises that a trace shows not to be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.story import preemptions, story
from quota_constructs.evaluator.metrics import undisturbed_ms
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.promises import amount_text, holds_for, kept, measured, promise_text, promised
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.system import QuotaShare
from quota_constructs.policies.objectives import Objective
from quota_constructs.policies.share_policy import METADATA_KEY
from quota_constructs.printable import plural, shortened

BROKEN_PROMISE = Rule(
    id="QC306",
    title="A promise is not kept",
    severity=Severity.ERROR,
    what="An objective that is declared for a share is missed on a trace for which it holds. The severity is the "
    "objective's own. A wait, completion time or slowdown of which there is none, because none of the share's jobs got "
    "so far, is missed too.",
    why="The share's team plans with what it was promised. That it cannot have it is better known before the "
    "arrangement is deployed than when a job is late.",
    fix="Give the share what the promise takes (capacity of its own, more to borrow, checkpoints), or promise what the "
    "arrangement gives.",
    example="No job of a share is to wait longer than 600 s; on the trace one waits 1,820 s behind two others.",
)


def check(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each promise that this trace breaks."""
    bound = {
        name: missed for name, share in sorted(evaluation.shares.items()) if (missed := _missed(evaluation, share))
    }
    if not bound:
        return
    jobs_of = by_share(evaluation, lambda each: each.job.share in bound and each.state is not State.REJECTED)
    for name, missed in bound.items():
        for objective_name, objective, got in missed:
            yield _finding(evaluation, evaluation.shares[name], objective_name, objective, got=got, jobs=jobs_of[name])


def _missed(evaluation: Evaluation, share: QuotaShare) -> list[tuple[str, Objective, float | None]]:
    missed: list[tuple[str, Objective, float | None]] = []
    for name, objective in promised(share):
        if not holds_for(objective, evaluation.trace.name):
            continue
        got = measured(name, evaluation, share.name)
        if _unreached(evaluation, share.name, name) if got is None else not kept(name, objective, got):
            missed.append((name, objective, got))
    return missed


_STAGES = {
    "wait_p50_seconds": "started",
    "wait_p95_seconds": "started",
    "completion_p95_seconds": "succeeded",
    "slowdown_p95": "succeeded",
}
"""How far a job must get before these can be measured."""


def _unreached(evaluation: Evaluation, share: str, name: str) -> bool:
    """Return whether there is nothing to measure only because no job of *share* got far enough."""
    return name in _STAGES and bool(measured("all_jobs_finish", evaluation, share))


def _finding(
    evaluation: Evaluation,
    share: QuotaShare,
    name: str,
    objective: Objective,
    *,
    got: float | None,
    jobs: list[JobHistory],
) -> Finding:
    worst = _worst(name, jobs)
    gave = f"none of its {plural(len(jobs), 'job')} {_STAGES[name]}" if got is None else f"got {amount_text(name, got)}"
    figures: dict[str, int | float | str] = {"objective": name, "promised": objective.bound, "job": worst.job.id}
    if got is not None:
        figures["measured"] = got
    return BROKEN_PROMISE.on_trace(
        evaluation,
        share.name,
        f"Metadata/{METADATA_KEY}/objectives/{name}",
        severity=Severity(objective.severity),
        message=f"share '{shortened(share.name)}' was promised {promise_text(name, objective)}, and {gave}; "
        f"worst: {story(evaluation, worst)}",
        fix=_FIXES[name] + ("" if got is None else f", or promise {amount_text(name, got)}"),
        figures=figures,
    )


def _worst(name: str, jobs: list[JobHistory]) -> JobHistory:
    """Return the job that did worst by what the objective *name* measures, the first of them in the trace."""
    return max(jobs, key=_BADNESS[name])


_UNFINISHED = float("inf")


def _waited(each: JobHistory) -> float:
    if each.wait_ms is None:
        return -_UNFINISHED if each.state is State.CANCELLED else each.queued_ms
    return each.wait_ms


def _took(each: JobHistory) -> float:
    return each.completion_ms or 0 if each.state is State.SUCCEEDED else _waited(each)


def _slowed(each: JobHistory) -> float:
    return _took(each) / undisturbed_ms(each.job)


def _late(each: JobHistory) -> float:
    if each.job.deadline_ms is None or each.state is State.CANCELLED:
        return -_UNFINISHED
    if each.state is not State.SUCCEEDED or each.finish_ms is None:
        return _UNFINISHED
    return each.finish_ms - each.job.deadline_ms


def _lost(each: JobHistory) -> float:
    return each.lost_ms * sum(count for _, count in each.job.instances)


def _unfinished(each: JobHistory) -> float:
    return each.state in (State.FAILED, State.RUNNABLE)


_BADNESS: Mapping[str, Callable[[JobHistory], float]] = {
    "wait_p50_seconds": _waited,
    "wait_p95_seconds": _waited,
    "wait_max_seconds": _waited,
    "completion_p95_seconds": _took,
    "slowdown_p95": _slowed,
    "deadline_hit_percent": _late,
    "preemptions_per_job": preemptions,
    "lost_work_percent": _lost,
    "goodput_percent": _lost,
    "entitled_wait_seconds": lambda each: each.entitled_wait_ms,
    "all_jobs_finish": _unfinished,
}

_MORE_CAPACITY = "allocate the share more, or let it borrow more"
_FASTER = "allocate the share more, checkpoint its jobs so that less is repeated"
_FIXES: Mapping[str, str] = {
    "wait_p50_seconds": _MORE_CAPACITY,
    "wait_p95_seconds": _MORE_CAPACITY,
    "wait_max_seconds": _MORE_CAPACITY,
    "completion_p95_seconds": _FASTER,
    "slowdown_p95": _FASTER,
    "deadline_hit_percent": "allocate the share what its deadlines take, submit earlier",
    "preemptions_per_job": "allocate the share what its jobs need, so that they need not borrow, or reconsider its "
    "in-share preemption",
    "lost_work_percent": "checkpoint the share's jobs more often or when they are told to stop, run only short ones "
    "on borrowed capacity",
    "goodput_percent": "checkpoint the share's jobs so that less is repeated, allocate it no more than it uses",
    "entitled_wait_seconds": "make the limits of all shares add up to no more than the environment has, or let the "
    "share keep (RESERVE) what it cannot wait for",
    "all_jobs_finish": "allow the jobs more preemption retries and longer timeouts, checkpoint them, and correct those "
    "that can never start",
}
