"""Section 3 of the scheduling model, sentence by sentence: what happens at one instant, in which order."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.model import QUOTA_SHARE_DELETED, Queueing, State
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, cancel, job, rearrange, reprioritise, share, system
from tests.runs import Runner

LENDER_AND_BORROWER = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))


# 1: ends, releases, dispatches, time limits


def test_1_a_completion_beats_a_preemption_at_the_same_instant(run: Runner) -> None:
    ran = run(LENDER_AND_BORROWER, job("b1", "b", duration=500), job("b2", "b"), job("a1", "a", submit=100))

    assert ran.outcome("b2") == (State.SUCCEEDED, None, 100)
    assert (ran.started("a1"), ran.stopped()) == (100, set())


def test_1_a_timeout_beats_a_preemption_at_the_same_instant(run: Runner) -> None:
    ran = run(LENDER_AND_BORROWER, job("b1", "b", duration=500), job("b2", "b", timeout=60), job("a1", "a", submit=60))

    assert (ran.finished("b2"), ran.stopped()) == (60, set())


def test_1_an_end_beats_a_cancel_at_the_same_instant(run: Runner) -> None:
    ran = run(system(share("s", 1)), job("j", "s"), cancel(100, "j"))

    assert ran["j"].state is State.SUCCEEDED


def test_1_a_released_job_may_start_again_at_that_instant(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("b1", "b", duration=30), job("b2", "b"), job("a1", "a", submit=10)),
    )

    assert ran.attempts("b2") == [(0, 30), (30, 130)]


def test_1_a_time_limit_beats_a_cancel_at_the_same_instant(run: Runner) -> None:
    arrangement = system(share("s", 1), capacity=2, time_limits={BlockedReason.QUOTA_EXCEEDED: 600})

    ran = run(arrangement, job("bad", "s", 2), cancel(600, "bad"))

    assert ran.outcome("bad") == (State.FAILED, BlockedReason.QUOTA_EXCEEDED, 600)


def test_1_a_time_limit_beats_the_change_of_arrangement_that_would_have_helped(run: Runner) -> None:
    arrangement = system(share("s", 1), capacity=2, time_limits={BlockedReason.QUOTA_EXCEEDED: 600})

    ran = run(arrangement, job("bad", "s", 2), rearrange(600, system(share("s", 2))))

    assert ran["bad"].state is State.FAILED


def test_1_a_time_limit_counts_for_the_heads_that_the_last_pass_left(run: Runner) -> None:
    arrangement = system(
        share("a", 1, LEND), share("b", 1, LEND_AND_BORROW), time_limits={BlockedReason.ENVIRONMENT_EXCEEDED: 600}
    )

    ran = run(
        arrangement,
        *(job("b1", "b", duration=2000), job("b2", "b", priority=5, duration=2000)),
        *(job("bad", "b", 9, submit=1), job("a1", "a", submit=581)),
    )

    assert ran.attempts("b2")[0] == (0, 601)
    assert ran.outcome("bad") == (State.FAILED, BlockedReason.ENVIRONMENT_EXCEEDED, 601)


# 2: events


def test_2_a_change_of_arrangement_comes_before_cancels_wherever_it_stands(run: Runner) -> None:
    arrangement = system(share("a", 1), share("b", 1))

    ran = run(arrangement, job("j", "b"), cancel(10, "j"), rearrange(10, system(share("a", 1))))

    assert ran.outcome("j") == (State.FAILED, QUOTA_SHARE_DELETED, 10)


def test_2_priority_updates_come_in_file_order(run: Runner) -> None:
    ran = run(
        system(share("s", 1)),
        *(job("running", "s", duration=50), job("p", "s", submit=1, priority=5), job("q", "s", submit=1)),
        *(reprioritise(10, "q", 9), reprioritise(10, "q", 1)),
    )

    assert (ran.started("p"), ran.started("q")) == (50, 150)


def test_2_several_arrangements_at_one_instant_come_in_file_order(run: Runner) -> None:
    without, smaller = system(share("a", 1)), system(share("a", 1), share("b", 1))

    ran = run(
        system(share("a", 1), share("b", 2)),
        *(job("j", "b", duration=50), rearrange(10, without), rearrange(10, smaller)),
        job("later", "b", submit=10),
    )

    assert ran.outcome("j") == (State.FAILED, QUOTA_SHARE_DELETED, 10)
    assert ran.started("later") == 10


def test_2_a_cancel_at_the_instant_of_submission_comes_first(run: Runner) -> None:
    ran = run(system(share("s", 1)), job("j", "s", submit=10), cancel(10, "j"))

    assert ran.outcome("j") == (State.CANCELLED, None, None)


# 3: submissions


def test_3_a_submission_to_an_unknown_share_is_rejected(run: Runner) -> None:
    assert run(system(share("s", 1)), job("j", "t")).outcome("j") == (State.REJECTED, None, None)


def test_3_a_submission_to_a_disabled_share_is_rejected(run: Runner) -> None:
    assert run(system(share("s", 1, enabled=False)), job("j", "s")).outcome("j") == (State.REJECTED, None, None)


def test_3_a_disabled_share_keeps_its_queued_jobs(run: Runner) -> None:
    ran = run(
        system(share("s", 1)),
        *(job("running", "s"), job("queued", "s", submit=5), job("late", "s", submit=20)),
        rearrange(10, system(share("s", 1, enabled=False))),
    )

    assert ran.attempts("queued") == [(100, 200)]
    assert ran["late"].state is State.REJECTED


def test_3_a_disabled_share_keeps_its_limit_and_its_lending(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND, enabled=False), share("b", 1, LEND_AND_BORROW))

    ran = run(arrangement, job("b1", "b"), job("b2", "b"))

    assert ran.started("b2") == 0


# 4: the pass


def test_4_own_capacity_comes_before_borrowing(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("a1", "a", duration=50), job("b1", "b", duration=500), job("b2", "b", submit=5)),
        job("a2", "a", submit=40),
    )

    assert (ran.started("a2"), ran.started("b2")) == (50, 150)


def test_4_owners_go_by_head_since(run: Runner) -> None:
    overcommitted = system(share("a", 1, LEND), share("b", 1, LEND), share("c", 1, LEND), capacity=1)

    ran = run(overcommitted, job("c1", "c"), job("b1", "b", submit=1), job("a1", "a", submit=2))

    assert (ran.started("b1"), ran.started("a1")) == (100, 200)


def test_4_after_every_start_it_begins_again_with_own_capacity(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND_AND_BORROW), share("b", 1, LEND_AND_BORROW), share("c", 1, LEND))

    ran = run(arrangement, job("b1", "b"), job("b2", "b"), *(job(f"a{n}", "a") for n in range(4)))

    assert [ran.started(f"a{n}") for n in range(4)] == [0, 0, 0, 100]
    assert (ran.started("b1"), ran.started("b2")) == (0, 100)


@pytest.mark.parametrize("queueing", list(Queueing))
def test_4_a_misconfigured_head_is_passed_over(run: Runner, queueing: Queueing) -> None:
    arrangement = system(share("a", 1, in_share_preemption=True), share("b", 1))

    ran = run(
        arrangement,
        *(
            job("a1", "a"),
            job("bad", "a", 2, priority=9, submit=1),
            job("behind", "a", submit=2),
            job("b1", "b", submit=3),
        ),
        queueing=queueing,
    )

    assert (ran["bad"].state, ran.stopped(), ran.started("b1")) == (State.RUNNABLE, set(), 3)
    assert ran.started("behind") == (None if queueing is Queueing.STRICT else 100)


def test_4a_an_owner_reclaims_what_is_lent(run: Runner) -> None:
    ran = run(LENDER_AND_BORROWER, job("b1", "b"), job("b2", "b"), job("a1", "a", submit=10))

    assert (ran.attempts("b2")[0], ran.started("a1")) == ((0, 30), 30)


def test_4a_an_owner_waits_for_capacity_that_is_on_its_way(run: Runner) -> None:
    arrangement = system(share("a", 2, LEND), share("b", 2, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("b1", "b", 2, duration=500), job("b2", "b", 1), job("b3", "b", 1)),
        *(job("a1", "a", submit=10), job("a2", "a", submit=11)),
    )

    assert (ran.started("a1"), ran.started("a2")) == (30, 31)
    assert ran.preemptions("b2") == ran.preemptions("b3") == (1, 0)


def test_4b_a_borrower_never_reclaims(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW), share("c", 0, LEND_AND_BORROW))

    ran = run(arrangement, job("c1", "c"), job("b1", "b", submit=1), job("b2", "b", submit=2, priority=9))

    assert (ran.stopped(), ran.started("b2")) == (set(), 100)


def test_4c_a_head_that_can_borrow_does_so_instead(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW, in_share_preemption=True))

    ran = run(arrangement, job("b1", "b"), job("b2", "b", submit=10, priority=5))

    assert (ran.started("b2"), ran.stopped()) == (10, set())


@pytest.mark.parametrize("enabled", [True, False])
def test_4c_only_a_share_that_has_it_enabled_preempts_in_itself(run: Runner, *, enabled: bool) -> None:
    arrangement = system(share("s", 1, in_share_preemption=enabled))

    ran = run(arrangement, job("low", "s"), job("high", "s", submit=10, priority=1))

    assert ran.preemptions("low") == ((0, 1) if enabled else (0, 0))
    assert ran.started("high") == (30 if enabled else 100)


def test_4c_a_head_that_only_waits_for_its_capacity_to_be_free_stops_nobody_of_its_own(run: Runner) -> None:
    arrangement = system(share("a", 3, LEND, in_share_preemption=True), share("b", 2, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("b1", "b", 2), job("b2", "b", 2), job("a0", "a")),
        *(job("a1", "a", submit=10), job("a2", "a", submit=15, priority=9)),
    )

    assert (ran.stopped(), ran.started("a2")) == ({"b2"}, 30)


def test_4d_backfill_may_borrow(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("b1", "b"), job("wide", "b", 2, submit=1), job("small", "b", submit=2)),
        queueing=Queueing.BACKFILL,
    )

    assert (ran.started("small"), ran.started("wide")) == (2, 102)
