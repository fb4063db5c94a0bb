"""Section 4 of the scheduling model, sentence by sentence: work, checkpoints, stopping, awaiting, cancels."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.model import PREEMPTION_RETRIES_EXHAUSTED, TIMEOUT, State
from quota_constructs.evaluator.trace import Checkpoint, Event, Job
from tests.builders import LEND, LEND_AND_BORROW, cancel, checkpoint, job, share, system
from tests.runs import Run, Runner

ONE = system(share("s", 1))
LENDER_AND_BORROWER = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))


def preempted_at_80(run: Runner, keeps: Checkpoint | None) -> Run:
    """Stop `j`, 100 s of work after 10 s of startup, at 80; its instance is free again at 200."""
    return run(
        LENDER_AND_BORROWER,
        job("own", "b", duration=1000),
        job("j", "b", duration=100, startup=10, checkpoint=keeps),
        job("owner", "a", submit=80, duration=100),
    )


def test_startup_comes_before_the_work(run: Runner) -> None:
    ran = run(ONE, job("j", "s", duration=100, startup=10))

    assert (ran.finished("j"), ran["j"].overhead_ms) == (110, 10_000)


@pytest.mark.parametrize(
    ("duration", "keeps", "finish"),
    [
        pytest.param(100, checkpoint(30, cost=2), 106, id="four pieces, three checkpoints"),
        pytest.param(90, checkpoint(30, cost=2), 94, id="the last whole piece needs none"),
        pytest.param(30, checkpoint(30, cost=2), 30, id="one piece"),
        pytest.param(30.001, checkpoint(30, cost=2), 32.001, id="one piece and a millisecond"),
        pytest.param(100, checkpoint(on_stop=True, cost=2), 100, id="no interval"),
        pytest.param(100, checkpoint(30, restore=9), 100, id="nothing saved, nothing restored"),
    ],
)
def test_work_goes_in_pieces_with_a_checkpoint_between(
    run: Runner, duration: float, keeps: Checkpoint, finish: float
) -> None:
    assert run(ONE, job("j", "s", duration=duration, checkpoint=keeps)).finished("j") == finish


@pytest.mark.parametrize(
    ("duration", "keeps", "outcome"),
    [
        pytest.param(100, None, (State.FAILED, TIMEOUT, 70), id="60 s after the work began"),
        pytest.param(60, None, (State.SUCCEEDED, None, 70), id="exactly enough"),
        pytest.param(60, checkpoint(30, cost=1), (State.FAILED, TIMEOUT, 70), id="checkpoints count"),
    ],
)
def test_an_attempt_fails_a_timeout_after_its_work_began(
    run: Runner, duration: float, keeps: Checkpoint | None, outcome: tuple[State, str | None, float]
) -> None:
    ran = run(ONE, job("j", "s", duration=duration, startup=10, timeout=60, checkpoint=keeps))

    assert ran.outcome("j") == outcome


def test_the_timeout_is_of_each_attempt(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("own", "b", duration=500), job("j", "b", duration=50, timeout=50)),
        job("owner", "a", submit=40, duration=10),
    )

    assert ran.attempts("j") == [(0, 60), (70, 120)]


@pytest.mark.parametrize(
    ("keeps", "lost", "overhead", "second_attempt"),
    [
        pytest.param(checkpoint(30, cost=2, restore=5), 6, 25, (200, 257), id="two checkpoints of 30 are kept"),
        pytest.param(checkpoint(30, restore=5), 10, 25, (200, 255), id="checkpoints that cost nothing"),
        pytest.param(checkpoint(68, cost=2, restore=5), 0, 25, (200, 247), id="a checkpoint completed just now"),
        pytest.param(checkpoint(68, cost=3, restore=5), 68, 20, (200, 313), id="a checkpoint all but completed"),
        pytest.param(checkpoint(on_stop=True, restore=5), 0, 25, (200, 245), id="everything is saved on stop"),
        pytest.param(checkpoint(30, cost=2, on_stop=True), 0, 20, (200, 246), id="66 saved on stop, 34 in two pieces"),
        pytest.param(checkpoint(restore=5), 70, 20, (200, 310), id="nothing says when to save"),
        pytest.param(None, 70, 20, (200, 310), id="nothing is kept"),
    ],
)
def test_stopping_saves_what_checkpoints_cover_and_loses_the_rest(
    run: Runner, keeps: Checkpoint | None, lost: float, overhead: float, second_attempt: tuple[float, float]
) -> None:
    ran = preempted_at_80(run, keeps)

    assert ran.attempts("j") == [(0, 100), second_attempt]
    assert (ran["j"].lost_ms, ran["j"].overhead_ms) == (lost * 1000, overhead * 1000)


def test_work_saved_by_earlier_attempts_is_never_lost_again(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        job("own", "b", duration=1000),
        job("j", "b", duration=100, checkpoint=checkpoint(30, restore=5)),
        *(job("first", "a", submit=40, duration=10), job("second", "a", submit=100, duration=10)),
    )

    assert ran.attempts("j") == [(0, 60), (70, 120), (130, 205)]
    assert ran["j"].lost_ms == 10_000 + 25_000


def test_a_job_stopped_during_startup_has_spent_only_that(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("own", "b", duration=500), job("j", "b", startup=60, duration=10)),
        job("owner", "a", submit=40, duration=10),
    )

    assert ran.attempts("j") == [(0, 60), (70, 140)]
    assert (ran["j"].overhead_ms, ran["j"].lost_ms) == (100_000, 0)


@pytest.mark.parametrize(
    ("retries", "outcome"),
    [
        pytest.param(0, (State.FAILED, PREEMPTION_RETRIES_EXHAUSTED, 30), id="0 fails at the first"),
        pytest.param(1, (State.FAILED, PREEMPTION_RETRIES_EXHAUSTED, 80), id="1 fails at the second"),
        pytest.param(2, (State.SUCCEEDED, None, 190), id="2 survives both"),
        pytest.param(None, (State.SUCCEEDED, None, 190), id="none is unlimited"),
    ],
)
def test_a_job_fails_when_its_preemptions_exceed_its_retries(
    run: Runner, retries: int | None, outcome: tuple[State, str | None, float]
) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("own", "b", duration=500), job("j", "b", retries=retries, duration=100)),
        *(job("first", "a", submit=10, duration=10), job("second", "a", submit=60, duration=10)),
    )

    assert ran.outcome("j") == outcome


def test_the_preemption_that_exhausts_the_retries_loses_work_too(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER, *(job("own", "b"), job("j", "b", retries=0)), job("owner", "a", submit=10, duration=10)
    )

    assert (ran["j"].lost_ms, ran.attempts("j")) == (10_000, [(0, 30)])


def test_a_job_that_awaits_capacity_cannot_be_stopped_but_may_be_at_its_very_dispatch(run: Runner) -> None:
    arrangement = system(share("a", 1, LEND, in_share_preemption=True), share("b", 1, LEND_AND_BORROW))

    ran = run(
        arrangement,
        *(job("b1", "b"), job("b2", "b")),
        *(job("a1", "a", submit=10), job("a2", "a", submit=15, priority=5)),
    )

    assert ran.attempts("a1")[0] == (30, 50)
    assert (ran.preemptions("a1"), ran["a1"].lost_ms) == ((0, 1), 0)
    assert ran.attempts("a2") == [(50, 150)]


def test_with_a_stop_of_zero_all_is_immediate(run: Runner) -> None:
    ran = run(
        LENDER_AND_BORROWER,
        *(job("b1", "b", duration=50), job("b2", "b"), job("b3", "b", retries=0, priority=1, submit=50)),
        *(job("a1", "a", submit=10, duration=30), job("a2", "a", submit=70, duration=5)),
        stop=0,
    )

    assert ran.attempts("b2")[0] == (0, 10)
    assert ran.attempts("a1") == [(10, 40)]
    assert ran.attempts("a2") == [(70, 75)]
    assert ran.outcome("b3") == (State.FAILED, PREEMPTION_RETRIES_EXHAUSTED, 70)


def cancelled(run: Runner, at: float, *lines: Job | Event, retries: int | None = None) -> Run:
    """Cancel `j` at some time; it is dispatched at 0 and stopped at 10 for `owner`, who is dispatched at 30."""
    return run(
        LENDER_AND_BORROWER,
        *(job("own", "b"), job("j", "b", retries=retries), job("owner", "a", submit=10, duration=10)),
        *(cancel(at, "j"), *lines),
    )


def test_a_cancel_ends_a_dispatched_job_at_once(run: Runner) -> None:
    ran = cancelled(run, 5)

    assert ran.outcome("j") == (State.CANCELLED, None, 5)
    assert (ran.attempts("j"), ran["j"].lost_ms, ran.started("owner")) == ([(0, 5)], 0, 10)


def test_a_cancel_ends_a_queued_job_at_once(run: Runner) -> None:
    ran = run(ONE, job("running", "s"), job("j", "s", submit=10), cancel(25, "j"))

    assert ran.outcome("j") == (State.CANCELLED, None, 25)
    assert (ran.attempts("j"), ran["j"].queued_ms) == ([], 15_000)


def test_a_job_cancelled_before_its_submission_never_was(run: Runner) -> None:
    ran = run(ONE, job("j", "elsewhere", submit=20), cancel(10, "j"))

    assert ran.outcome("j") == (State.CANCELLED, None, None)
    assert (ran["j"].queued_ms, ran.history.horizon_ms) == (0, 0)


def test_a_cancel_ends_a_stopping_job_at_its_release(run: Runner) -> None:
    ran = cancelled(run, 15)

    assert ran.outcome("j") == (State.CANCELLED, None, 30)
    assert (ran.attempts("j"), ran.preemptions("j")) == ([(0, 30)], (1, 0))


def test_a_stopping_job_that_fails_at_its_release_anyway_is_not_cancelled(run: Runner) -> None:
    ran = cancelled(run, 15, retries=0)

    assert ran.outcome("j") == (State.FAILED, PREEMPTION_RETRIES_EXHAUSTED, 30)


def test_a_cancel_ends_a_job_that_awaits_capacity_when_it_would_be_dispatched(run: Runner) -> None:
    ran = cancelled(run, 500, cancel(15, "owner"))

    assert ran.outcome("owner") == (State.CANCELLED, None, 30)
    assert (ran.attempts("owner"), ran["owner"].queued_ms) == ([], 20_000)
    assert ran.attempts("j") == [(0, 30), (30, 130)]


def test_an_event_for_a_job_that_has_ended_does_nothing(run: Runner) -> None:
    ran = cancelled(run, 5, cancel(7, "j"))

    assert ran.outcome("j") == (State.CANCELLED, None, 5)
