"""Section 5 of the scheduling model, sentence by sentence: who is stopped for whom."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.model import VictimOrder
from quota_constructs.evaluator.trace import Job
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, checkpoint, job, share, system
from tests.runs import Runner

LONG = 1000


def long(name: str, home: str, size: int = 1, *, since: float = 0, priority: int = 0) -> Job:
    """Build a job that outlasts the test."""
    return job(name, home, size, submit=since, priority=priority, duration=LONG)


# cross-share


def test_reclaim_looks_only_at_shares_with_excess(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW), share("c", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(long("b1", "b", priority=9), long("b2", "b", since=1, priority=9), long("c1", "c", since=2)),
        long("a1", "a", since=10),
        order=VictimOrder.NEWEST,
    )

    assert ran.stopped() == {"b2"}


def test_reclaim_may_stop_any_job_of_a_share_with_excess(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(long("own", "b"), long("borrows", "b", since=1, priority=1), long("a1", "a", since=10)),
        order=VictimOrder.NEWEST,
    )

    assert ran.stopped() == {"own"}


def test_reclaim_looks_only_at_units_that_are_lacking(run: Runner) -> None:
    arrangement = system(
        share("a", {UNIT: 1, OTHER_UNIT: 2}, LEND), share("b", {UNIT: 1, OTHER_UNIT: 1}, LEND_AND_BORROW)
    )

    ran = run(
        arrangement,
        job("b1", "b", {UNIT: 2}, duration=LONG),
        *(job("b2", "b", {OTHER_UNIT: 1}, duration=LONG), job("b3", "b", {OTHER_UNIT: 1}, submit=1, duration=LONG)),
        job("a1", "a", {UNIT: 1, OTHER_UNIT: 1}, submit=10),
    )

    assert ran.stopped() == {"b1"}


def test_reclaim_skips_a_share_that_the_picks_leave_without_excess(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND), share("b", 2, LEND_AND_BORROW), share("c", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(long("c1", "c"), long("c2", "c", since=1)),
        *(long("b1", "b", since=2), long("b2", "b", since=3), long("b3", "b", since=4)),
        long("a1", "a", 2, since=10),
        order=VictimOrder.NEWEST,
    )

    assert ran.stopped() == {"b3", "c2"}


def test_reclaim_that_would_not_be_enough_stops_nobody(run: Runner) -> None:
    overcommitted = system(share("a", 3, LEND), share("b", 2, LEND_AND_BORROW), capacity=4)

    ran = run(
        overcommitted,
        *(long("b1", "b"), long("b2", "b"), long("b3", "b"), job("a1", "a", 3, submit=10)),
    )

    assert (ran.stopped(), ran.started("a1")) == (set(), LONG)


def test_reclaim_drops_picks_that_later_ones_made_unnecessary(run: Runner) -> None:
    arrangement = system(share("a", 3, LEND), share("b", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(long("b1", "b"), long("wide", "b", 2, since=1), long("small", "b", since=2), long("a1", "a", 2, since=10)),
    )

    assert ran.stopped() == {"wide"}


def test_the_owners_priority_does_not_matter(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))

    ran = run(arrangement, long("b1", "b", priority=9999), long("b2", "b", priority=9999), long("a1", "a", since=10))

    assert ran.stopped() == {"b2"}


# in-share


def test_in_share_only_strictly_lower_priorities_are_stopped(run: Runner) -> None:
    arrangement = system(share("s", 2, in_share_preemption=True))

    ran = run(
        arrangement,
        long("equal", "s", priority=5),
        long("lower", "s", priority=4),
        long("j", "s", since=10, priority=5),
    )

    assert ran.stopped() == {"lower"}


def test_in_share_nobody_is_stopped_if_no_prefix_will_do(run: Runner) -> None:
    arrangement = system(share("s", 3, in_share_preemption=True))

    ran = run(
        arrangement,
        *(long("equal", "s", 2, priority=5), long("lower", "s"), job("j", "s", 2, submit=10, priority=5)),
    )

    assert ran.stopped() == set()


def test_in_share_drops_picks_that_later_ones_made_unnecessary(run: Runner) -> None:
    arrangement = system(share("s", 3, in_share_preemption=True))

    ran = run(
        arrangement,
        *(long("wide", "s", 2), long("small", "s", since=1), long("j", "s", 2, since=10, priority=5)),
    )

    assert ran.stopped() == {"wide"}


def test_in_share_and_cross_share_victims_go_together(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND, in_share_preemption=True), share("b", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(long("a1", "a"), long("b1", "b"), long("b2", "b", since=1)),
        long("a2", "a", 2, since=10, priority=1),
    )

    assert (ran.preemptions("a1"), ran.preemptions("b2")) == ((0, 1), (1, 0))
    assert (ran.preemptions("b1"), ran.started("a2")) == ((0, 0), 30)


def test_a_head_may_preempt_in_its_share_in_order_to_borrow(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW, in_share_preemption=True), share("l", 2, LEND))

    ran = run(arrangement, long("a1", "a"), long("a2", "a", 3, since=10, priority=1))

    assert (ran.stopped(), ran.started("a2")) == ({"a1"}, 30)


def test_a_head_that_needs_to_borrow_reclaims_from_nobody_else(run: Runner) -> None:
    arrangement = system(
        share("a", 1, LEND_AND_BORROW, in_share_preemption=True), share("b", 1, LEND_AND_BORROW), share("l", 1, LEND)
    )

    ran = run(
        arrangement,
        *(long("b1", "b"), long("b2", "b"), long("a1", "a"), long("a2", "a", 2, since=10, priority=1)),
    )

    assert ran.stopped() == set()


def test_together_in_share_victims_are_kept_while_the_head_must_fit_own(run: Runner) -> None:
    arrangement = system(
        share("a", 3, LEND_AND_BORROW, in_share_preemption=True),
        share("b", 1, LEND_AND_BORROW, in_share_preemption=True),
    )

    ran = run(
        arrangement,
        *(long("a1", "a"), long("a2", "a", since=1), long("b1", "b", 2, since=2)),
        long("a3", "a", 3, since=10, priority=1),
    )

    assert ran.stopped() == {"a1", "a2", "b1"}


# victim order


def test_in_share_a_search_in_other_shares_that_failed_leaves_nothing_behind(run: Runner) -> None:
    arrangement = system(
        share("a", 4, LEND, in_share_preemption=True),
        *(share("b", 1, LEND_AND_BORROW), share("c", 4, LEND)),
        capacity=6,
    )

    ran = run(
        arrangement,
        *(long("a1", "a"), long("a2", "a"), long("b1", "b"), long("b2, which borrows", "b"), long("c", "c", 2)),
        # It fits own with one lesser job gone, but neither then nor with both is enough there without the borrower.
        long("head", "a", 3, since=100, priority=5),
    )

    assert ran.stopped() == {"a1", "a2", "b2, which borrows"}


@pytest.mark.parametrize(
    ("order", "victim"),
    [
        (VictimOrder.BORROWING_FIRST, "borrows, last"),
        (VictimOrder.NEWEST, "own, third"),
        (VictimOrder.OLDEST, "own, first"),
        (VictimOrder.MOST_BORROWED, "borrows, wide"),
        (VictimOrder.LEAST_LOST_WORK, "own, saves"),
    ],
)
def test_each_victim_order_finds_another_victim(run: Runner, order: VictimOrder, victim: str) -> None:
    arrangement = system(share("a", 4, LEND), share("b", 3, LEND_AND_BORROW))

    ran = run(
        arrangement,
        long("own, first", "b"),
        job("own, saves", "b", submit=5, duration=LONG, checkpoint=checkpoint(on_stop=True)),
        long("own, third", "b", since=8),
        long("borrows", "b", since=10, priority=1),
        long("borrows, wide", "b", 2, since=20, priority=1),
        long("borrows, last", "b", since=30, priority=1),
        job("a1", "a", submit=100, duration=10),
        order=order,
    )

    assert ran.stopped() == {victim}


@pytest.mark.parametrize(
    ("order", "victim"),
    [
        (VictimOrder.BORROWING_FIRST, "newest"),
        (VictimOrder.NEWEST, "newest"),
        (VictimOrder.OLDEST, "oldest"),
        (VictimOrder.MOST_BORROWED, "newest"),
        (VictimOrder.LEAST_LOST_WORK, "saves"),
    ],
)
def test_in_share_whether_and_how_much_a_job_borrows_is_not_asked(run: Runner, order: VictimOrder, victim: str) -> None:
    arrangement = system(share("l", 4, LEND), share("s", 1, LEND_AND_BORROW, in_share_preemption=True))

    ran = run(
        arrangement,
        long("oldest", "s"),
        job("saves", "s", submit=5, duration=LONG, checkpoint=checkpoint(on_stop=True)),
        long("borrows more", "s", 2, since=8, priority=1),
        long("newest", "s", since=9),
        long("head", "s", since=100, priority=5),
        order=order,
    )

    assert ran.stopped() == {victim}


@pytest.mark.parametrize("order", [VictimOrder.NEWEST, VictimOrder.BORROWING_FIRST, VictimOrder.MOST_BORROWED])
def test_of_two_dispatched_together_the_later_in_the_trace_is_newer(run: Runner, order: VictimOrder) -> None:
    arrangement = system(share("s", 2, in_share_preemption=True))

    ran = run(arrangement, long("first", "s"), long("second", "s"), long("j", "s", since=10, priority=1), order=order)

    assert ran.stopped() == {"second"}


def test_lost_work_is_counted_on_every_instance(run: Runner) -> None:
    arrangement = system(share("s", 3, in_share_preemption=True))

    ran = run(
        arrangement,
        *(long("wide, 140 to lose", "s", 2, since=30), long("narrow, 100 to lose", "s")),
        long("j", "s", since=100, priority=1),
        order=VictimOrder.LEAST_LOST_WORK,
    )

    assert ran.stopped() == {"narrow, 100 to lose"}
