"""Jobs that wait longer than the arrangement gives reason for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappush, heappushpop
from itertools import groupby

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.sharing import STRATEGY
from quota_constructs.evaluator.findings.rules.story import preemptions, story
from quota_constructs.evaluator.metrics import undisturbed_ms
from quota_constructs.evaluator.numbers import as_seconds
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.system import System
from quota_constructs.printable import plural, shortened

STOPS = 2
"""How many stops one start may take: what the first sets free, another owner may get."""

OVERTAKERS = 10
"""By how many later jobs of its share a job is overtaken before it is said to starve."""

STARVATION = Rule(
    id="QC308",
    title="A job starves behind others of its share",
    severity=Severity.WARNING,
    what=f"{OVERTAKERS} jobs or more that were submitted to the share after it started before it, and it waited longer "
    "than it runs.",
    why="While more urgent jobs keep coming, a job of low priority waits without end; in quota management nothing "
    "raises its priority with time.",
    fix="Give such work a share of its own, raise the priority of what has waited long, or keep urgent priorities for "
    "what is urgent.",
    example="A job of priority 0 waits nine hours while twelve of priority 5, all submitted later, go first.",
)

WAITS_FOR_ITS_OWN = Rule(
    id="QC309",
    title="Jobs wait although they fit what their share is allocated",
    severity=Severity.WARNING,
    what="A job at the head of its share fitted within the share's own allocation and did not run, for longer in all "
    f"than {STOPS} times what it takes to stop a borrower, each time that it had to start. Jobs that wait to the end "
    "are left to QC303.",
    why="Lending is meant to cost the lender no more than the time it takes to get its capacity back. This share "
    "waited longer, so the allocation is worth less than it says.",
    fix="Make the limits of all shares add up to no more than the environment has, give the share one job after "
    "another instead of many at once, or let it keep its capacity (RESERVE).",
    example="Stopping takes 20 s; a lender's job that fits its own 4 instances waits 600 s, because 10 are allocated "
    "and the environment has 8.",
)


def check_starvation(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share with jobs that others overtake without end."""
    for name, jobs in by_share(evaluation, lambda each: each.first_dispatch_ms is not None).items():
        starving = _starving(jobs)
        if not starving:
            continue
        worst = max(starving, key=_wait_ms)
        overtakers = sum(_start_ms(each) < _start_ms(worst) and _submit_ms(each) > _submit_ms(worst) for each in jobs)
        yield STARVATION.on_trace(
            evaluation,
            name,
            "Properties",
            message=f"{plural(len(starving), 'job')} of share '{shortened(name)}' waited longer than they run while "
            f"{OVERTAKERS} or more later ones went first; worst, overtaken by {overtakers:,}: "
            f"{story(evaluation, worst)}",
            fix="give such jobs a share of their own, or raise the priority of what has waited long",
            figures={
                "jobs": len(starving),
                "job": worst.job.id,
                "wait_ms": _wait_ms(worst),
                "overtaken_by": overtakers,
            },
        )


def check_own(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share whose jobs waited for what it is allocated, longer than stops take."""
    stop_ms = evaluation.assumptions.stop_ms
    late = by_share(
        evaluation,
        lambda each: each.entitled_wait_ms > STOPS * stop_ms * (1 + preemptions(each)) and bool(each.attempts),
    )
    oversubscribed = any(map(_is_oversubscribed, evaluation.systems))
    for name, jobs in late.items():
        worst = max(jobs, key=lambda each: each.entitled_wait_ms)
        yield WAITS_FOR_ITS_OWN.on_trace(
            evaluation,
            name,
            STRATEGY,
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' "
            "waited although they fitted its own allocation, "
            f"up to {as_seconds(worst.entitled_wait_ms)} where a stop takes {as_seconds(stop_ms)}; "
            f"worst: {story(evaluation, worst)}",
            fix="make the limits of all shares add up to no more than the environment has"
            if oversubscribed
            else "let the share keep what it cannot wait for (RESERVE), or do not count on less than that",
            figures={
                "jobs": len(jobs),
                "job": worst.job.id,
                "entitled_wait_ms": worst.entitled_wait_ms,
                "stop_ms": stop_ms,
            },
        )


def _is_oversubscribed(system: System) -> bool:
    return any(
        sum(share.limits.get(unit, 0) for share in system.shares) > system.environment.capacity.get(unit, 0)
        for unit in system.units
    )


def _starving(jobs: Sequence[JobHistory]) -> list[JobHistory]:
    """Return who of *jobs*, which all started, waited longer than it runs and was overtaken by enough."""
    starving: list[JobHistory] = []
    earliest: list[int] = []
    """The first few starts among the jobs submitted later, negative so that the heap gives up the last of them."""
    for _, together in groupby(sorted(jobs, key=_submit_ms, reverse=True), key=_submit_ms):
        submitted = list(together)
        if len(earliest) == OVERTAKERS:
            starving += [
                each
                for each in submitted
                if -earliest[0] < _start_ms(each) and _wait_ms(each) > undisturbed_ms(each.job)
            ]
        for each in submitted:
            if len(earliest) < OVERTAKERS:
                heappush(earliest, -_start_ms(each))
            else:
                heappushpop(earliest, -_start_ms(each))
    return starving


def _submit_ms(each: JobHistory) -> int:
    return each.job.submit_ms


def _start_ms(each: JobHistory) -> int:
    return each.attempts[0][0]


def _wait_ms(each: JobHistory) -> int:
    return _start_ms(each) - each.job.submit_ms
