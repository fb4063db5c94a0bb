"""Shares in which everything is urgent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.preemption import IN_SHARE
from quota_constructs.evaluator.numbers import as_clock, as_percent
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.trace import PriorityUpdate
from quota_constructs.printable import shortened

FEWEST = 20
"""Of fewer jobs no growth is read."""

GROWTH = 1.5
"""How many times larger the urgent part of the later half must be."""

INFLATION = Rule(
    id="QC310",
    title="More and more jobs of a share are given its highest priority",
    severity=Severity.WARNING,
    what=f"Of a share's jobs in order of submission, at least {FEWEST}, more than half of the later half end up with "
    f"the highest priority that the share knows, and that part is at least {GROWTH:g} times that of the earlier half. "
    "Priority updates count.",
    why="Priority only orders the jobs of one share. Where most are urgent they wait for each other as if none was, "
    "and with in-share preemption they stop the few that are not.",
    fix="Agree on who may raise priorities and for what, keep the highest for a small part of the jobs, or give "
    "urgent work a share of its own.",
    example="Of the first 50 jobs 5 have priority 10, of the next 50 it is 40: the urgent ones wait 12 minutes at the "
    "median, up from 1.",
)


def check(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share whose highest priority loses its meaning."""
    updated = {event.job: event.priority for event in evaluation.trace.events if isinstance(event, PriorityUpdate)}

    def priority(each: JobHistory) -> int:
        return max(each.job.priority, updated.get(each.job.id, 0))

    for name, jobs in by_share(evaluation, lambda _: True).items():
        top = max(map(priority, jobs))
        ordered = sorted(jobs, key=lambda each: each.job.submit_ms)
        earlier, later = ordered[: len(ordered) // 2], ordered[len(ordered) // 2 :]
        before, after = ([each for each in half if priority(each) == top] for half in (earlier, later))
        if len(jobs) < FEWEST:
            continue
        was, now = len(before) / len(earlier), len(after) / len(later)
        if now <= 1 / 2 or now < GROWTH * was:
            continue
        yield INFLATION.on_trace(
            evaluation,
            name,
            IN_SHARE,
            message=f"of the later half of the jobs of share '{shortened(name)}', {as_percent(now)} have its highest "
            f"priority, {top:,}, up from {as_percent(was)} of the earlier half; {_waits(before, after)}",
            fix="keep the highest priority for a small part of the jobs and agree on who may raise it, or give urgent "
            "work a share of its own",
            figures={"priority": top, "earlier_percent": 100 * was, "later_percent": 100 * now, "jobs": len(jobs)},
        )


def _waits(before: Sequence[JobHistory], after: Sequence[JobHistory]) -> str:
    was, now = _median_wait_ms(before), _median_wait_ms(after)
    if now is None:
        return "none of these ever started"
    whence = "" if was is None else f", and {as_clock(was)} before"
    return f"half of these wait {as_clock(now)} and longer{whence}"


def _median_wait_ms(jobs: Sequence[JobHistory]) -> float | None:
    waits = [each.wait_ms for each in jobs if each.wait_ms is not None]
    return median(waits) if waits else None
