"""Section 8 of the scheduling model, sentence by sentence: what is recorded of jobs and shares."""

from __future__ import annotations

from quota_constructs.evaluator.simulation.history import Usage
from quota_constructs.evaluator.simulation.model import State
from tests.builders import LEND, LEND_AND_BORROW, UNIT, cancel, job, rearrange, reprioritise, share, system
from tests.runs import Run, Runner

LENDER_AND_BORROWER = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))


def reclaimed(run: Runner) -> Run:
    """Stop `b2` at 10 for `a1`; it waits from its release at 30 until `b1` ends at 100, and works until 205."""
    return run(
        LENDER_AND_BORROWER,
        *(job("b1", "b"), job("b2", "b", startup=5), job("a1", "a", submit=10)),
    )


def test_wait_goes_from_submission_to_the_first_dispatch(run: Runner) -> None:
    ran = reclaimed(run)

    assert (ran["b2"].wait_ms, ran["a1"].wait_ms) == (0, 20_000)


def test_completion_goes_from_submission_to_the_finish_however_it_ended(run: Runner) -> None:
    ran = run(system(share("s", 1)), job("done", "s"), job("dropped", "s", submit=5), cancel(60, "dropped"))

    assert (ran["done"].completion_ms, ran["dropped"].completion_ms) == (100_000, 55_000)


def test_queued_is_all_time_runnable_or_awaiting(run: Runner) -> None:
    ran = reclaimed(run)

    assert (ran["a1"].queued_ms, ran["b2"].queued_ms, ran["b1"].queued_ms) == (20_000, 70_000, 0)


def test_overhead_adds_up_over_attempts(run: Runner) -> None:
    assert reclaimed(run)["b2"].overhead_ms == 10_000


def test_a_stopped_attempt_ends_at_its_release(run: Runner) -> None:
    assert reclaimed(run).attempts("b2") == [(0, 30), (100, 205)]


def test_a_job_still_waiting_is_queued_to_the_end_of_the_horizon(run: Runner) -> None:
    ran = run(
        system(share("s", 1), share("t", 1), capacity=3),
        *(job("bad", "s", 2, submit=10), job("t1", "t", submit=50), reprioritise(900, "bad", 1)),
    )

    assert (ran["bad"].queued_ms, ran.history.end_ms) == (140_000, 150_000)


def test_a_rejected_job_has_no_times(run: Runner) -> None:
    rejected = run(system(share("s", 1)), job("j", "t", submit=5))["j"]

    assert (rejected.state, rejected.reason, rejected.finish_ms) == (State.REJECTED, None, None)
    assert (rejected.queued_ms, rejected.wait_ms, rejected.completion_ms) == (0, None, None)


def test_the_horizon_goes_from_the_first_submission_to_the_last_change_of_state(run: Runner) -> None:
    ran = run(
        system(share("s", 1)),
        *(reprioritise(1, "j", 3), job("j", "s", submit=10), reprioritise(500, "j", 4)),
        *(job("never was", "s", submit=700), cancel(600, "never was")),
    )

    assert (ran.history.start_ms, ran.history.end_ms, ran.history.horizon_ms) == (10_000, 110_000, 100_000)


def test_a_rejection_changes_a_jobs_state(run: Runner) -> None:
    ran = run(
        system(share("s", 1)), job("first", "t", submit=5), job("j", "s", submit=10), job("last", "t", submit=300)
    )

    assert (ran.history.start_ms, ran.history.end_ms) == (5_000, 300_000)


def test_nothing_submitted_is_no_horizon(run: Runner) -> None:
    ran = run(system(share("s", 1)), rearrange(50, system(share("s", 2))))

    assert (ran.history.start_ms, ran.history.end_ms, ran.usage("s")) == (0, 0, Usage(used=0, borrowed=0, allocated=0))


def test_usage_counts_dispatched_and_awaiting_but_not_stopping_jobs(run: Runner) -> None:
    ran = reclaimed(run)

    # b: two until 10, b1 alone until 100, b2 until 205; a: a1 from 10, awaiting, to 130
    assert ran.usage("b") == Usage(used=20_000 + 90_000 + 105_000, borrowed=10_000, allocated=205_000)
    assert ran.usage("a") == Usage(used=120_000, borrowed=0, allocated=205_000)
    assert (ran.usage("a").idle_own, ran.usage("b").idle_own) == (85_000, 0)
    assert ran.history.capacity == {UNIT: 2 * 205_000}


def test_the_services_example_in_instance_seconds(run: Runner) -> None:
    arrangement = system(
        share("QS1", 1, LEND_AND_BORROW, borrow_limit=200, in_share_preemption=True),
        share("QS2", 1, LEND),
        share("QS3", 1),
    )

    ran = run(
        arrangement,
        *(job(name, "QS1", priority=rank, duration=3600) for name, rank in (("high", 3), ("med", 2), ("low", 1))),
        *(job("lender's", "QS2", priority=1, duration=3600, submit=600), reprioritise(900, "low", 4)),
    )

    # QS1: high to 900, med to 600, low from 900, awaiting, to 4520, then high and med an hour each;
    # two at once until 600, from 4220 (high) to 4520 (low), and from 4520 (med) to 7820 (high)
    assert ran.usage("QS1") == Usage(
        used=(900 + 600 + 3620 + 7200) * 1000, borrowed=(600 + 300 + 3300) * 1000, allocated=8_120_000
    )
    assert ran.usage("QS2") == Usage(used=3_620_000, borrowed=0, allocated=8_120_000)
    assert ran.usage("QS3") == Usage(used=0, borrowed=0, allocated=8_120_000)


def test_a_change_of_arrangement_changes_what_is_allocated_and_borrowed(run: Runner) -> None:
    ran = run(
        system(share("a", 2), share("b", 1)),
        *(job("j", "a", 2), rearrange(40, system(share("a", 1), share("b", 1), share("c", 3)))),
    )

    assert ran.usage("a") == Usage(used=200_000, borrowed=60_000, allocated=2 * 40_000 + 60_000)
    assert ran.usage("b") == Usage(used=0, borrowed=0, allocated=100_000)
    assert ran.usage("c") == Usage(used=0, borrowed=0, allocated=3 * 60_000)
    assert ran.history.capacity == {UNIT: 3 * 40_000 + 5 * 60_000}


def test_a_deleted_shares_awaiting_job_uses_what_it_does_not_own(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("b1", "b"), job("b2", "b"), job("a1", "a", submit=10)),
        rearrange(15, system(share("b", 2, LEND_AND_BORROW))),
    )

    assert ran.usage("a") == Usage(used=20_000, borrowed=15_000, allocated=15_000)
