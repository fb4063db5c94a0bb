"""Figures from histories written by hand, so that each number can be checked in one's head."""

from __future__ import annotations

import pytest
from msgspec import structs

from quota_constructs.evaluator.metrics import measure, measure_jobs, percentile, spread, undisturbed_ms
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.history import Attempt, History, JobHistory, Usage
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.trace import Job
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, checkpoint, job, ms, share, system, trace


def ran(each: Job, *attempts: Attempt, state: State = State.SUCCEEDED, reason: str | None = None) -> JobHistory:
    """Build what happened to a job; attempts are in seconds, and the last one's end is the job's."""
    history = JobHistory(each)
    history.state, history.reason = state, reason
    history.attempts = [(ms(start), ms(end)) for start, end in attempts]
    if state in (State.SUCCEEDED, State.FAILED):
        history.finish_ms = history.attempts[-1][1]
    return history


def history(*jobs: JobHistory, usage: dict[tuple[str, str], Usage] | None = None, capacity: int = 0) -> History:
    return History(jobs=jobs, usage=usage or {}, capacity={UNIT: capacity}, start_ms=0, end_ms=ms(100))


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        pytest.param([7], 50, 7, id="one value is every percentile"),
        pytest.param([1, 2], 50, 1, id="the lower of two is the median"),
        pytest.param([1, 2, 3], 50, 2, id="the middle of three"),
        pytest.param(list(range(1, 21)), 95, 19, id="19 of 20 do not exceed it"),
        pytest.param(list(range(1, 22)), 95, 20, id="rounded up"),
        pytest.param([1, 2, 3], 100, 3, id="the largest"),
        pytest.param([1, 2, 3], 0, 1, id="the smallest"),
    ],
)
def test_a_percentile_is_always_one_of_the_values(values: list[int], percent: int, expected: int) -> None:
    assert percentile(values, percent) == expected


def test_a_spread_of_nothing_is_none() -> None:
    assert spread([]) is None


def test_waits_are_over_the_jobs_that_started_and_completions_over_those_that_succeeded() -> None:
    jobs = [
        ran(job("quick", "a", submit=10), (20, 120)),
        ran(job("failed", "a", submit=10), (40, 50), state=State.FAILED, reason="TIMEOUT"),
        ran(job("waiting", "a", submit=10), state=State.RUNNABLE),
    ]

    figures = measure_jobs(jobs)

    assert (figures.jobs, figures.started) == (3, 2)
    assert figures.wait_ms == spread([ms(10), ms(30)])
    assert figures.completion_ms == spread([ms(110)])


def test_outcomes_are_counted_by_state_and_reason() -> None:
    jobs = [
        ran(job("1", "a"), (0, 1)),
        ran(job("2", "a"), (0, 1), state=State.FAILED, reason="TIMEOUT"),
        ran(job("3", "a"), (0, 1), state=State.FAILED, reason="TIMEOUT"),
        ran(job("4", "a"), state=State.CANCELLED),
    ]

    figures = measure_jobs(jobs)

    assert list(figures.outcomes.items()) == [
        ((State.CANCELLED, None), 1),
        ((State.FAILED, "TIMEOUT"), 2),
        ((State.SUCCEEDED, None), 1),
    ]
    assert figures.count(State.FAILED) == 2
    assert figures.count(State.REJECTED) == 0


def test_lost_work_and_overhead_count_for_every_instance_held() -> None:
    stopped = ran(job("stopped", "a", {UNIT: 3, OTHER_UNIT: 1}), (0, 10), (20, 120))
    stopped.lost_ms, stopped.overhead_ms = 1000, 50
    stopped.cross_share_preemptions, stopped.in_share_preemptions = 2, 1

    figures = measure_jobs([stopped, ran(job("other", "a"), (0, 100))])

    assert (figures.lost_instance_ms, figures.overhead_instance_ms) == (4000, 200)
    assert (figures.cross_share_preemptions, figures.in_share_preemptions, figures.preempted_jobs) == (2, 1, 1)


@pytest.mark.parametrize(
    ("state", "deadline", "hit", "missed"),
    [
        pytest.param(State.SUCCEEDED, 100, 1, 0, id="finished on the dot"),
        pytest.param(State.SUCCEEDED, 99.999, 0, 1, id="a millisecond late"),
        pytest.param(State.FAILED, 100, 0, 1, id="failed in time is not done in time"),
        pytest.param(State.RUNNABLE, 100, 0, 1, id="never finished"),
        pytest.param(State.CANCELLED, 100, 0, 0, id="nobody wants it any more"),
        pytest.param(State.REJECTED, 100, 0, 0, id="never taken on"),
        pytest.param(State.SUCCEEDED, None, 0, 0, id="no deadline"),
    ],
)
def test_a_deadline_is_hit_by_success_in_time(state: State, deadline: float | None, hit: int, missed: int) -> None:
    due = structs.replace(job("it", "a"), deadline_ms=None if deadline is None else ms(deadline))

    figures = measure_jobs([ran(due, (0, 100), state=state)])

    assert (figures.deadlines_hit, figures.deadlines_missed) == (hit, missed)


@pytest.mark.parametrize(
    ("each", "seconds"),
    [
        pytest.param(job("it", "a", duration=100), 100, id="work alone"),
        pytest.param(job("it", "a", duration=100, startup=5), 105, id="and startup"),
        pytest.param(job("it", "a", duration=100, checkpoint=checkpoint(30, cost=2)), 106, id="three checkpoints"),
        pytest.param(job("it", "a", duration=90, checkpoint=checkpoint(30, cost=2)), 94, id="none at the end"),
        pytest.param(job("it", "a", duration=90, checkpoint=checkpoint(cost=2)), 90, id="none without an interval"),
    ],
)
def test_slowdown_is_relative_to_the_time_undisturbed(each: Job, seconds: int) -> None:
    figures = measure_jobs([ran(each, (0, 2 * seconds))])

    assert undisturbed_ms(each) == ms(seconds)
    assert figures.slowdown == spread([2.0])


def test_goodput_counts_only_the_work_of_jobs_that_succeeded() -> None:
    stopped = ran(job("stopped", "a", 2, duration=10), (0, 5), (20, 30))
    failed = ran(job("failed", "a", 2, duration=40), (30, 50), state=State.FAILED)

    figures = measure(
        history(
            stopped,
            failed,
            usage={("a", UNIT): Usage(used=ms(70), borrowed=ms(20), allocated=ms(100))},
            capacity=ms(200),
        )
    )

    [unit] = figures.units
    assert (unit.used, unit.borrowed, unit.good) == (ms(70), ms(20), ms(20))
    assert (unit.utilization, unit.goodput) == (0.35, 0.1)


def test_utilization_of_no_capacity_is_undefined() -> None:
    [unit] = measure(history()).units

    assert (unit.utilization, unit.goodput) == (None, None)


def test_shares_come_by_name_and_the_total_holds_jobs_of_undeclared_shares_too() -> None:
    none = Usage(used=0, borrowed=0, allocated=0)

    figures = measure(
        history(
            ran(job("1", "b"), (0, 100)),
            ran(job("2", "a"), (5, 100)),
            ran(job("3", "typo"), state=State.REJECTED),
            usage={("b", UNIT): none, ("a", UNIT): none, ("a", OTHER_UNIT): none},
        )
    )

    assert [(share.share, share.jobs.jobs, list(share.usage)) for share in figures.shares] == [
        ("a", 1, [UNIT, OTHER_UNIT]),
        ("b", 1, [UNIT]),
    ]
    assert figures.jobs.jobs == 3
    assert figures.jobs.wait_ms == spread([0, ms(5)])


def test_the_longest_waits_of_shares_add_up_to_the_longest_of_all() -> None:
    # One share's owner waits by right and its guest is stopped; the other's job never starts.
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND), share("c", 1))
    jobs = (job("guest", "a", 2), job("owner", "b", submit=50), job("big", "c", 2))

    figures = measure(simulate(arrangement, trace(*jobs)))

    of_share = {each.share: each.jobs for each in figures.shares}
    assert {name: each.longest_wait_ms for name, each in of_share.items()} == {"a": 0, "b": 20_000, "c": 270_000}
    assert {name: each.longest_entitled_wait_ms for name, each in of_share.items()} == {"a": 0, "b": 20_000, "c": 0}
    assert {name: each.most_preemptions for name, each in of_share.items()} == {"a": 1, "b": 0, "c": 0}
    total = figures.jobs
    assert (total.longest_wait_ms, total.longest_entitled_wait_ms, total.most_preemptions) == (270_000, 20_000, 1)
