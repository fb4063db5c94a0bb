"""Jobs that can never start, and what they hold up (scheduling model, 6)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.capacity import LIMITS
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.borrowing import misconfiguration
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import Queueing, State
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import Instances
from quota_constructs.policies.time_limits import BlockedReason
from quota_constructs.printable import plural, shortened

NEVER_STARTS = Rule(
    id="QC301",
    title="Jobs of the trace can never start",
    severity=Severity.ERROR,
    what="A job needs more of an instance type than the environment has, or than its share can ever hold with all "
    "that it may borrow.",
    why="The service accepts the job, and finds out when it comes to the head of its share. There it stays, with "
    "every later job of the share behind it, until a time limit of the queue terminates it; without one, for ever.",
    example="A job of 7 in a share of 4 that may borrow 2.",
    fix="Ask for fewer instances, or allow the share more. Give the queue a JobStateTimeLimitActions entry with the "
    "reason, so that one mistake does not stop a team.",
)

_MISCONFIGURATIONS = (BlockedReason.ENVIRONMENT_EXCEEDED, BlockedReason.QUOTA_EXCEEDED)


def check(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share and reason for which jobs can never start."""
    stuck = never_starting(evaluation)
    for (name, reason), jobs in sorted(stuck.items()):
        system, share = _judged_by(evaluation, name, reason, jobs)
        example, unit, need, most = _largest(system, share, reason, jobs)
        held_up = _held_up(evaluation, name, jobs, besides={job.job.id for each in stuck.values() for job in each})
        where, whose = (
            (system.environment.source, f"environment '{shortened(system.environment.name)}' has")
            if reason is BlockedReason.ENVIRONMENT_EXCEEDED
            else (share.source, "the share can hold, borrowing included,")
        )
        yield NEVER_STARTS.finding(
            system,
            where,
            LIMITS,
            share=name,
            trace=evaluation.trace.name,
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' can never start ({reason}): "
            f"'{shortened(example.job.id)}' needs {need:,} of {shortened(unit)} and {whose} at most {most:,}; "
            f"{_consequence(evaluation, system, reason, held_up)}",
            fix=f"ask for at most {most:,} of {shortened(unit)}, or allow {need:,}"
            + ("" if _time_limit_ms(system, reason) else f", and give the queue a time limit for {reason}"),
            figures={
                "reason": reason,
                "jobs": len(jobs),
                "unit": unit,
                "need": need,
                "most": most,
                "blocked_to_the_end": held_up.to_the_end,
                "delayed": held_up.for_a_time,
            },
        )


def never_starting(evaluation: Evaluation) -> dict[tuple[str, BlockedReason], list[JobHistory]]:
    """Return the jobs that never could start, by share and reason, in the order of the trace."""
    last = evaluation.systems[-1]
    shares = {share.name: share for share in last.shares}
    judged: dict[tuple[str, Instances], BlockedReason | None] = {}
    found: dict[tuple[str, BlockedReason], list[JobHistory]] = {}
    for each in evaluation.history.jobs:
        if each.state is State.FAILED:
            reason = next((known for known in _MISCONFIGURATIONS if known == each.reason), None)
        elif each.state is State.RUNNABLE and each.job.share in shares:
            # Only a head carries its reason; the ones behind it have yet to be found out, and there may be many.
            shape = (each.job.share, each.job.instances)
            if shape not in judged:
                judged[shape] = misconfiguration(last, shares[each.job.share], each.job.instances)
            reason = judged[shape]
        else:
            continue
        if reason is not None:
            found.setdefault((each.job.share, reason), []).append(each)
    return found


@dataclass(frozen=True, slots=True)
class _HeldUp:
    to_the_end: int
    for_a_time: int


def _held_up(evaluation: Evaluation, share: str, stuck: Sequence[JobHistory], *, besides: set[str]) -> _HeldUp:
    """
    Count the jobs that waited behind the *stuck* ones: while a job is the head, all others of its share are behind it.

    With backfill a blocked head holds up nobody.
    """
    if evaluation.assumptions.queueing is Queueing.BACKFILL:
        return _HeldUp(0, 0)
    terminated = sorted(each.finish_ms for each in stuck if each.finish_ms is not None)
    for_ever = any(each.state is State.RUNNABLE and each.reason is not None for each in stuck)
    to_the_end = for_a_time = 0
    for each in evaluation.history.jobs:
        if each.job.share != share or each.state is State.REJECTED or each.job.id in besides:
            continue
        if each.state is State.RUNNABLE:
            to_the_end += for_ever
            continue
        waited_until = each.finish_ms if each.first_dispatch_ms is None else each.first_dispatch_ms
        if waited_until is not None:
            before_it = bisect_right(terminated, each.job.submit_ms)
            for_a_time += bisect_right(terminated, waited_until) > before_it
    return _HeldUp(to_the_end, for_a_time)


def _consequence(evaluation: Evaluation, system: System, reason: BlockedReason, held_up: _HeldUp) -> str:
    if evaluation.assumptions.queueing is Queueing.BACKFILL:
        return "with backfill, others pass it"
    limit_ms = _time_limit_ms(system, reason)
    if limit_ms is None:
        return f"no time limit ends it, and {plural(held_up.to_the_end, 'job')} behind it never started"
    delayed = plural(held_up.for_a_time, "job")
    return f"the time limit of {limit_ms / 1000:,.0f} s ends it, and held up {delayed} behind it until then"


def _time_limit_ms(system: System, reason: BlockedReason) -> int | None:
    return min((limit.max_time_ms for limit in system.time_limits if limit.reason is reason), default=None)


def _judged_by(
    evaluation: Evaluation, name: str, reason: BlockedReason, jobs: Sequence[JobHistory]
) -> tuple[System, QuotaShare]:
    """Return the arrangement, the latest of the run, under which the first of *jobs* cannot start, and its share."""
    for system in reversed(evaluation.systems):
        share = system.share(name)
        if share is not None and misconfiguration(system, share, jobs[0].job.instances) is reason:
            return system, share
    raise AssertionError(f"job {jobs[0].job.id!r} can start under every arrangement and ended as {reason}")


def _largest(
    system: System, share: QuotaShare, reason: BlockedReason, jobs: Sequence[JobHistory]
) -> tuple[JobHistory, str, int, int]:
    """Return the first of the jobs that exceed a bound by the most, with the unit, its need and the bound."""
    capacity: Mapping[str, int] = system.environment.capacity
    worst: tuple[JobHistory, str, int, int] | None = None
    for each in jobs:
        for unit, need in each.job.instances:
            exceeds_environment = reason is BlockedReason.ENVIRONMENT_EXCEEDED
            most = capacity.get(unit, 0) if exceeds_environment else system.most_usable(share, unit)
            if need > most and (worst is None or need - most > worst[2] - worst[3]):
                worst = (each, unit, need, most)
    if worst is None:
        raise AssertionError(f"no job of {share.name!r} exceeds a bound, and they ended as {reason}")
    return worst
