from __future__ import annotations

from collections.abc import Callable

import pytest

from quota_constructs.evaluator.arrangements import partition, partitioned, pooled, restored
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Trace
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import (
    LEND,
    LEND_AND_BORROW,
    OTHER_UNIT,
    RESERVE,
    UNIT,
    cancel,
    job,
    rearrange,
    reprioritise,
    share,
    system,
    trace,
)

SHARING = system(
    share("a", 1, LEND_AND_BORROW, borrow_limit=50, in_share_preemption=True),
    share("b", {UNIT: 2, OTHER_UNIT: 3}, LEND, enabled=False),
    capacity={UNIT: 9},
    time_limits={BlockedReason.QUOTA_EXCEEDED: 60},
)


def in_pool(arrangement: System, jobs: Trace) -> list[JobHistory]:
    return list(restored(simulate(*pooled(arrangement, jobs)), jobs).jobs)


def test_in_a_partition_every_share_reserves_and_nothing_else_changes() -> None:
    result = partition(SHARING)

    assert [each.strategy for each in result.shares] == [RESERVE, RESERVE]
    assert [(each.name, each.limits, each.enabled, each.in_share_preemption) for each in result.shares] == [
        (each.name, each.limits, each.enabled, each.in_share_preemption) for each in SHARING.shares
    ]
    assert (result.environment, result.time_limits) == (SHARING.environment, SHARING.time_limits)


def test_a_partition_is_its_own_partition() -> None:
    once = partition(SHARING)

    assert partition(once) == once


def test_a_pool_holds_the_limits_of_all_shares_and_lets_nobody_be_stopped() -> None:
    result, _ = pooled(SHARING, trace())

    [pool] = result.shares
    assert pool.limits == {UNIT: 3, OTHER_UNIT: 3}
    assert (pool.strategy, pool.in_share_preemption, pool.enabled) == (RESERVE, False, True)
    assert (result.environment, result.time_limits) == (SHARING.environment, SHARING.time_limits)


@pytest.mark.parametrize("transform", [partitioned, pooled])
def test_an_arrangement_that_the_trace_changes_to_is_transformed_too(
    transform: Callable[[System, Trace], tuple[System, Trace]],
) -> None:
    later = system(share("a", 4, LEND_AND_BORROW), share("c", 1, LEND))

    first, jobs = transform(SHARING, trace(job("it", "a"), rearrange(5, later), rearrange(9, later)))

    changes = [event.system for event in jobs.events if isinstance(event, ArrangementChange)]
    assert first == transform(SHARING, trace())[0]
    assert changes == [transform(later, trace())[0]] * 2
    assert changes[0] is changes[1]


@pytest.mark.parametrize("transform", [partitioned, pooled])
def test_other_events_stay_as_they_are(
    transform: Callable[[System, Trace], tuple[System, Trace]],
) -> None:
    jobs = trace(job("it", "a"), reprioritise(5, "it", 3), cancel(9, "it"))

    assert transform(SHARING, jobs)[1].events == jobs.events


def test_the_pool_is_one_queue_by_priority_then_submission() -> None:
    arrangement = system(share("a", 1), share("b", 1))
    jobs = trace(
        job("first", "a", 2, duration=100),
        job("later", "a", 2, submit=1, duration=100),
        job("urgent", "b", 2, submit=2, duration=100, priority=1),
    )

    finished = {each.job.id: each.finish_ms for each in in_pool(arrangement, jobs)}

    assert finished == {"first": 100_000, "urgent": 200_000, "later": 300_000}


def test_a_job_beyond_its_shares_ceiling_may_run_in_the_pool() -> None:
    arrangement, jobs = system(share("a", 1), share("b", 1)), trace(job("big", "a", 2))

    assert [each.state for each in simulate(arrangement, jobs).jobs] == [State.RUNNABLE]
    assert [each.state for each in in_pool(arrangement, jobs)] == [State.SUCCEEDED]


def test_a_run_in_the_pool_is_about_the_jobs_of_the_trace() -> None:
    jobs = trace(job("one", "a"), job("two", "b"))

    assert tuple(each.job for each in in_pool(SHARING, jobs)) == jobs.jobs


def test_the_pool_rejects_what_a_share_would() -> None:
    later = system(share("a", 1, enabled=False), share("b", 1))
    jobs = trace(
        job("a before", "a"),
        job("b before", "b"),
        job("unknown", "c"),
        job("nameless", ""),
        rearrange(50, later),
        job("a after", "a", submit=50),
        job("b after", "b", submit=50),
    )

    states = {each.job.id: each.state for each in in_pool(SHARING, jobs)}

    assert states == {
        "a before": State.SUCCEEDED,
        "b before": State.REJECTED,
        "unknown": State.REJECTED,
        "nameless": State.REJECTED,
        "a after": State.REJECTED,
        "b after": State.SUCCEEDED,
    }


def test_nobody_is_stopped_in_a_pool_that_shrinks() -> None:
    jobs = trace(job("one", "a"), job("two", "a", priority=9, submit=20), rearrange(10, system(share("a", 1))))

    run = in_pool(system(share("a", 1), share("b", 1)), jobs)

    assert [(each.finish_ms, each.in_share_preemptions + each.cross_share_preemptions) for each in run] == [
        (100_000, 0),
        (200_000, 0),
    ]
