"""Section 1 of the scheduling model, sentence by sentence: limits, ceilings, what is used, entitled and idle."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.model import State, VictimOrder
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, cancel, job, share, system
from tests.runs import Runner

LENDER_AND_BORROWER = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))


def test_time_counts_milliseconds(run: Runner) -> None:
    ran = run(system(share("s", 1)), job("j", "s", submit=1.001, duration=0.002))

    assert ran["j"].attempts == [(1001, 1003)]


def test_units_never_mix(run: Runner) -> None:
    both = system(share("s", {UNIT: 1, OTHER_UNIT: 1}))

    ran = run(both, job("p", "s", {UNIT: 1}), job("q", "s", {UNIT: 1}), job("r", "s", {OTHER_UNIT: 1}, priority=1))

    assert (ran.started("p"), ran.started("q"), ran.started("r")) == (0, 100, 0)


def test_a_unit_without_a_limit_may_not_be_used_nor_borrowed(run: Runner) -> None:
    arrangement = system(share("a", {OTHER_UNIT: 2}, LEND), share("b", {UNIT: 1}, LEND_AND_BORROW))

    ran = run(arrangement, job("j", "b", {OTHER_UNIT: 1}))

    assert ran.outcome("j") == (State.RUNNABLE, BlockedReason.QUOTA_EXCEEDED, None)


def test_a_limit_of_zero_may_be_borrowed_on(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 0, LEND_AND_BORROW))

    assert run(arrangement, job("j", "b")).started("j") == 0


def test_shares_are_taken_by_name(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND_AND_BORROW), share("c", 1, LEND))

    ran = run(arrangement, job("b1", "b"), job("b2", "b"), job("a1", "a"), job("a2", "a"))

    assert (ran.started("a2"), ran.started("b2")) == (0, 100)


def test_a_job_holds_all_its_instances_or_none(run: Runner) -> None:
    ran = run(system(share("s", 2)), job("j", "s", 1, duration=30), job("wide", "s", 2))

    assert ran.started("wide") == 30


@pytest.mark.parametrize(
    ("borrow_limit", "at_once"),
    [
        pytest.param(0, 3, id="0 percent is nothing"),
        pytest.param(50, 4, id="50 percent of 3 is 1, rounded down"),
        pytest.param(66, 4, id="66 percent of 3 is 1, rounded down"),
        pytest.param(67, 5, id="67 percent of 3 is 2"),
        pytest.param(-1, 6, id="-1 is unlimited"),
    ],
)
def test_the_ceiling_is_the_limit_and_a_part_of_it(run: Runner, borrow_limit: int, at_once: int) -> None:
    arrangement = system(share("a", 3, LEND), share("b", 3, LEND_AND_BORROW, borrow_limit=borrow_limit))

    ran = run(arrangement, *(job(f"b{n}", "b") for n in range(7)))

    assert sum(ran.started(f"b{n}") == 0 for n in range(7)) == at_once


def test_the_ceiling_of_a_share_that_does_not_borrow_is_its_limit(run: Runner) -> None:
    arrangement = system(share("a", 3, LEND), share("b", 1, LEND, borrow_limit=200))

    ran = run(arrangement, job("b1", "b"), job("b2", "b"))

    assert ran.started("b2") == 100


def test_capacity_that_no_share_owns_cannot_be_used(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 2, LEND_AND_BORROW), capacity=5)

    ran = run(arrangement, *(job(f"b{n}", "b") for n in range(4)))

    assert [ran.started(f"b{n}") for n in range(4)] == [0, 0, 0, 100]


def test_limits_beyond_the_capacity_make_owners_wait_for_each_other(run: Runner) -> None:
    overcommitted = system(share("a", 2, LEND), share("b", 2, LEND), capacity=3)

    ran = run(overcommitted, job("a1", "a", 2), job("b1", "b", 2))

    assert (ran.started("a1"), ran.started("b1"), ran.stopped()) == (0, 100, set())


def test_two_idle_reserves_on_the_capacity_of_one_start_nobody(run: Runner) -> None:
    overcommitted = system(share("a", 2), share("b", 2), capacity=2)

    assert run(overcommitted, job("a1", "a")).outcome("a1") == (State.RUNNABLE, None, None)


def test_a_job_that_awaits_capacity_counts_as_using_it(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("b1", "b"), job("b2", "b")),
        *(job("a1", "a", submit=10), job("a2", "a", submit=15)),
    )

    assert ran.attempts("a1") == [(30, 130)]
    assert ran.attempts("a2") == [(130, 230)]
    assert ran.preemptions("b2") == (1, 0)


def test_a_stopping_job_no_longer_counts_as_using_its_instances(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW, borrow_limit=100), share("c", 1, LEND))

    ran = run(
        arrangement,
        *(job("b1", "b", duration=500), job("b2", "b", duration=500)),
        *(job("c1", "c", duration=12), job("a1", "a", submit=10)),
        job("b3", "b", submit=11, priority=1, duration=50),
    )

    assert ran.attempts("b2")[0] == (0, 30)
    assert ran.started("b3") == 12


def test_a_job_borrows_where_the_earlier_ones_of_its_share_use_up_the_limit(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 2, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("own", "b"), job("partly", "b", 2, submit=1, priority=9)),
        job("a1", "a", submit=10),
    )

    assert ran.stopped() == {"partly"}


def test_jobs_dispatched_together_stand_on_the_limit_by_their_place_in_the_trace(run: Runner) -> None:
    ran = run(LENDER_AND_BORROWER, job("first", "b"), job("second", "b", priority=9), job("a1", "a", submit=10))

    assert ran.stopped() == {"second"}


def test_a_later_job_moves_onto_own_capacity_that_becomes_free(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND), share("b", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("b1", "b", duration=50), job("b2", "b", submit=1, duration=500)),
        job("b3", "b", submit=2, priority=5, duration=500),
        job("a1", "a", 2, submit=60),
    )

    assert ran.stopped() == {"b3"}


def test_a_reserved_share_idle_capacity_is_never_anybody_elses(run: Runner) -> None:
    arrangement = system(share("b", 1, LEND_AND_BORROW), share("r", 1))

    ran = run(arrangement, job("b1", "b"), job("b2", "b"))

    assert ran.started("b2") == 100


def test_a_lenders_idle_capacity_is_lent(run: Runner) -> None:
    ran = run(LENDER_AND_BORROWER, job("b1", "b"), job("b2", "b"))

    assert ran.started("b2") == 0


def test_what_is_still_being_stopped_is_not_there_at_once(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND), share("b", 2, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("b1", "b", 2, duration=1000), job("b2", "b", 2)),
        *(job("a1", "a", submit=10), job("a2", "a", submit=15)),
    )

    assert (ran.attempts("a1"), ran.attempts("a2")) == ([(30, 130)], [(30, 130)])
    assert ran.attempts("b2") == [(0, 30), (130, 230)]


def test_what_a_waiting_job_was_promised_is_not_there_for_others(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND), share("b", 2, LEND_AND_BORROW), share("c", 2, LEND))

    ran = run(
        arrangement,
        job("b1", "b", 2, priority=3, duration=500),
        *(job("b2", "b", 2, priority=0), job("b3", "b", 1, priority=1), job("b4", "b", 1, priority=2)),
        *(job("a1", "a", submit=10), job("c1", "c", 2, submit=12), cancel(15, "b4")),
        job("a2", "a", submit=15),
        order=VictimOrder.NEWEST,
    )

    assert (ran.preemptions("b2"), ran.preemptions("b3")) == ((1, 0), (1, 0))
    assert (ran.started("a1"), ran.started("c1")) == (30, 32)
    assert ran.started("a2") == 30


def test_only_what_the_victims_do_not_cover_is_promised(run: Runner) -> None:
    arrangement = system(share("a", 3, LEND), share("b", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("b1", "b"), job("b2", "b", 2)),
        *(job("a1", "a", 2, submit=10), job("a2", "a", submit=12)),
    )

    assert (ran.started("a1"), ran.started("a2")) == (30, 12)
