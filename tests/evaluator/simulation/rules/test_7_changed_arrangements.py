"""Section 7 of the scheduling model, sentence by sentence: a change of arrangement in mid-trace."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.model import PREEMPTION_RETRIES_EXHAUSTED, QUOTA_SHARE_DELETED, State
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from quota_constructs.policies.sharing import Strategy
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, cancel, job, rearrange, share, system
from tests.runs import Run, Runner

LENDER_AND_BORROWER = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))
ONLY_A = system(share("a", 2, LEND))
ONLY_B = system(share("b", 2, LEND_AND_BORROW))


def test_running_jobs_keep_running(run: Runner) -> None:
    ran = run(
        system(share("a", 2), share("b", 1)), job("j", "a", 2), rearrange(10, system(share("a", 1), share("b", 2)))
    )

    assert ran.attempts("j") == [(0, 100)]


@pytest.mark.parametrize("strategy", [RESERVE, LEND, LEND_AND_BORROW])
def test_what_a_lowered_limit_no_longer_covers_is_stopped_when_another_owner_needs_it(
    run: Runner, strategy: Strategy
) -> None:
    ran = run(
        system(share("a", 2, strategy), share("b", 1)),
        *(job("a1", "a"), job("a2", "a"), job("b1", "b")),
        rearrange(10, system(share("a", 1, strategy), share("b", 2))),
        job("b2", "b", submit=40),
    )

    assert (ran.attempts("a2")[0], ran.attempts("b2")) == ((0, 60), [(60, 160)])
    assert ran.stopped() == {"a2"}


def test_a_raised_limit_is_used_at_once(run: Runner) -> None:
    ran = run(system(share("a", 1)), job("a1", "a"), job("a2", "a"), rearrange(10, system(share("a", 2))))

    assert ran.started("a2") == 10


def test_queued_and_dispatched_jobs_of_a_deleted_share_end_at_once(run: Runner) -> None:
    ran = run(system(share("a", 1), share("b", 1)), *(job("b1", "b"), job("b2", "b", submit=3)), rearrange(10, ONLY_A))

    assert ran.outcome("b1") == ran.outcome("b2") == (State.FAILED, QUOTA_SHARE_DELETED, 10)
    assert (ran.attempts("b1"), ran.attempts("b2"), ran["b1"].lost_ms) == ([(0, 10)], [], 0)


def test_a_job_submitted_to_a_deleted_share_is_rejected(run: Runner) -> None:
    ran = run(LENDER_AND_BORROWER, rearrange(10, ONLY_A), job("late", "b", submit=10))

    assert ran.outcome("late") == (State.REJECTED, None, None)


def reclaimed_at_10(run: Runner, *lines: Job | Event, retries: int | None = None) -> Run:
    """Stop `b2` at 10 for `a1`: it is released, and `a1` dispatched, at 30."""
    return run(
        LENDER_AND_BORROWER,
        *(job("b1", "b"), job("b2", "b", retries=retries), job("a1", "a", submit=10)),
        *lines,
    )


def test_a_stopping_job_of_a_deleted_share_ends_at_its_release(run: Runner) -> None:
    ran = reclaimed_at_10(run, rearrange(15, ONLY_A))

    assert ran.outcome("b2") == (State.FAILED, QUOTA_SHARE_DELETED, 30)
    assert (ran.attempts("b2"), ran["b2"].lost_ms, ran.preemptions("b2")) == ([(0, 30)], 10_000, (1, 0))


def test_an_awaiting_job_of_a_deleted_share_ends_when_it_would_be_dispatched(run: Runner) -> None:
    ran = reclaimed_at_10(run, rearrange(15, ONLY_B))

    assert ran.outcome("a1") == (State.FAILED, QUOTA_SHARE_DELETED, 30)
    assert (ran.attempts("a1"), ran["a1"].queued_ms) == ([], 20_000)
    assert ran.attempts("b2") == [(0, 30), (30, 130)]


def test_an_awaiting_job_of_a_deleted_share_keeps_its_capacity_from_others_until_then(run: Runner) -> None:
    ran = reclaimed_at_10(run, rearrange(15, ONLY_B), job("b3", "b", submit=16, priority=5))

    assert ran.started("b3") == 30


@pytest.mark.parametrize(("name", "without"), [("b2", ONLY_A), ("a1", ONLY_B)])
def test_jobs_of_a_deleted_share_end_even_if_it_comes_back(run: Runner, name: str, without: System) -> None:
    ran = reclaimed_at_10(run, rearrange(15, without), rearrange(20, LENDER_AND_BORROWER))

    assert ran.outcome(name) == (State.FAILED, QUOTA_SHARE_DELETED, 30)


def test_deletion_comes_before_exhausted_retries_and_those_before_a_cancel(run: Runner) -> None:
    all_three = reclaimed_at_10(run, rearrange(15, ONLY_A), cancel(16, "b2"), retries=0)
    without_deletion = reclaimed_at_10(run, cancel(16, "b2"), retries=0)
    only_cancelled = reclaimed_at_10(run, cancel(16, "b2"))

    assert all_three.outcome("b2") == (State.FAILED, QUOTA_SHARE_DELETED, 30)
    assert without_deletion.outcome("b2") == (State.FAILED, PREEMPTION_RETRIES_EXHAUSTED, 30)
    assert only_cancelled.outcome("b2") == (State.CANCELLED, None, 30)


def test_for_an_awaiting_job_deletion_comes_before_a_cancel(run: Runner) -> None:
    ran = reclaimed_at_10(run, cancel(14, "a1"), rearrange(15, ONLY_B))

    assert ran.outcome("a1") == (State.FAILED, QUOTA_SHARE_DELETED, 30)
