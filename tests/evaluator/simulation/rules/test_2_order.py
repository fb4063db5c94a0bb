"""Section 2 of the scheduling model, sentence by sentence: the order of a queue, its head, strict and backfill."""

from __future__ import annotations

from quota_constructs.evaluator.simulation.model import Queueing
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, cancel, job, reprioritise, share, system
from tests.runs import Runner

ONE_FOR_TWO_BORROWERS = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND_AND_BORROW), share("l", 1, LEND))


def contention(*lines: Job | Event) -> list[Job | Event]:
    """Fill every share's own capacity; the lender's becomes free at 50, the borrowers' at 200."""
    return [
        job("l1", "l", duration=50),
        job("a1", "a", duration=200),
        job("b1", "b", duration=200),
        job("b2", "b", submit=5),
        job("a2", "a", submit=10),
        *lines,
    ]


def test_a_queue_is_ordered_by_priority_then_submission_then_place_in_the_trace(run: Runner) -> None:
    ran = run(
        system(share("s", 1)),
        job("running", "s", duration=10),
        job("fourth", "s", submit=2, duration=10),
        job("fifth", "s", submit=2, duration=10),
        job("first", "s", submit=3, duration=10, priority=5),
        job("third", "s", submit=1, duration=10),
        job("second", "s", submit=4, duration=10, priority=1),
    )

    assert [ran.started(name) for name in ("first", "second", "third", "fourth", "fifth")] == [10, 20, 30, 40, 50]


def test_a_preempted_job_comes_back_with_its_original_submit_time(run: Runner) -> None:
    ran = run(
        system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW)),
        *(job("b1", "b"), job("b2", "b"), job("a1", "a", submit=10), job("b3", "b", submit=12)),
    )

    assert ran.attempts("b2") == [(0, 30), (100, 200)]
    assert ran.attempts("b3") == [(130, 230)]


def test_a_blocked_head_blocks_its_share_and_no_other(run: Runner) -> None:
    ran = run(
        system(share("a", 2), share("b", 2)),
        *(job("a1", "a"), job("a2", "a", 2, submit=1), job("a3", "a", submit=2), job("b1", "b", 2, submit=3)),
    )

    assert [ran.started(name) for name in ("a2", "a3", "b1")] == [100, 200, 3]


def test_backfill_lets_later_jobs_start_where_they_fit(run: Runner) -> None:
    ran = run(
        system(share("a", 2)),
        *(job("a1", "a"), job("a2", "a", 2, submit=1), job("a3", "a", submit=2, duration=10)),
        queueing=Queueing.BACKFILL,
    )

    assert [ran.started(name) for name in ("a2", "a3")] == [100, 2]


def test_backfill_stops_nobody(run: Runner) -> None:
    ran = run(
        system(share("a", 2, LEND), share("b", 2, LEND_AND_BORROW)),
        *(job("b1", "b", 2), job("b2", "b"), job("a0", "a")),
        *(job("a1", "a", 2, submit=10), job("a2", "a", submit=11)),
        queueing=Queueing.BACKFILL,
    )

    assert ran.stopped() == set()
    assert (ran.started("a1"), ran.started("a2")) == (100, 200)


def test_backfill_goes_by_name_and_then_by_queue_order(run: Runner) -> None:
    ran = run(
        system(share("a", 2, LEND_AND_BORROW), share("b", 2, LEND_AND_BORROW)),
        *(job("a1", "a", 2, duration=50), job("b1", "b", 1, duration=50), job("b2", "b", 4), job("a2", "a", 4)),
        *(job("b3", "b"), job("a3", "a"), job("a4", "a")),
        queueing=Queueing.BACKFILL,
    )

    assert ran.started("a3") == 0
    assert [ran.started(name) for name in ("a4", "b3")] == [50, 50]


def test_the_head_that_has_waited_longest_goes_first(run: Runner) -> None:
    ran = run(ONE_FOR_TWO_BORROWERS, *contention())

    assert (ran.started("b2"), ran.started("a2")) == (50, 150)


def test_heads_since_the_same_instant_go_by_name(run: Runner) -> None:
    lines: list[Job | Event] = [
        cancel(20, "a2"),
        cancel(20, "b2"),
        job("b3", "b", submit=30),
        job("a3", "a", submit=30),
    ]

    ran = run(ONE_FOR_TWO_BORROWERS, *contention(*lines))

    assert (ran.started("a3"), ran.started("b3")) == (50, 150)


def test_a_displaced_head_that_returns_begins_anew(run: Runner) -> None:
    ran = run(ONE_FOR_TWO_BORROWERS, *contention(job("b3", "b", submit=6, priority=1), cancel(20, "b3")))

    assert (ran.started("a2"), ran.started("b2")) == (50, 150)


def test_a_head_that_stays_keeps_its_place_whatever_its_priority_becomes(run: Runner) -> None:
    ran = run(ONE_FOR_TWO_BORROWERS, *contention(reprioritise(20, "b2", 9), reprioritise(30, "b2", 1)))

    assert (ran.started("b2"), ran.started("a2")) == (50, 150)


def test_a_head_found_by_a_repetition_of_the_pass_counts_from_then(run: Runner) -> None:
    ran = run(
        system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND_AND_BORROW), share("l", 2, LEND)),
        *(job("l1", "l", 2, duration=50), job("a1", "a", duration=20), job("b1", "b", duration=200)),
        *(job("a2", "a", submit=1, duration=200), job("a3", "a", submit=2), job("b2", "b", submit=10)),
        job("l2", "l", submit=45),
    )

    assert (ran.started("a2"), ran.started("l2")) == (20, 50)
    assert (ran.started("b2"), ran.started("a3")) == (50, 150)
