from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.promises import MEASURES, amount_text, holds_for, kept, measured, promise_text, promised
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from quota_constructs.policies.objectives import Objective, Objectives
from tests.builders import LEND, LEND_AND_BORROW, cancel, checkpoint, job, share, system, trace

ALONE = system(share("a", 1))


def got(name: str, arrangement: System, *lines: Job | Event, of: str = "a") -> float | None:
    return measured(name, evaluate(arrangement, trace(*lines)), of)


def test_every_objective_has_its_measure_in_order() -> None:
    assert tuple(MEASURES) == Objectives.__struct_fields__


def test_a_share_without_objectives_is_promised_nothing() -> None:
    assert list(promised(share("a", 1))) == []


def test_what_is_promised_comes_by_name_and_in_order() -> None:
    wait, goodput = Objective(bound=60), Objective(bound=50)
    objectives = Objectives(goodput_percent=goodput, wait_max_seconds=wait)

    found = list(promised(share("a", 1, objectives=objectives)))

    assert found == [("wait_max_seconds", wait), ("goodput_percent", goodput)]


@pytest.mark.parametrize("name", MEASURES)
def test_a_share_without_jobs_has_nothing_to_measure(name: str) -> None:
    arrangement = system(share("a", 1), share("idle", 1))

    assert got(name, arrangement, job("1", "a"), of="idle") is None
    assert got(name, arrangement, job("1", "a"), of="unknown") is None


@pytest.mark.parametrize(
    ("name", "amount"),
    [
        ("wait_p50_seconds", 100),
        ("wait_p95_seconds", 200),
        ("wait_max_seconds", 200),
        ("completion_p95_seconds", 300),
        ("slowdown_p95", 3),
        ("preemptions_per_job", 0),
        ("lost_work_percent", 0),
        ("goodput_percent", 100),
        ("entitled_wait_seconds", 0),
        ("all_jobs_finish", 0),
    ],
)
def test_three_jobs_in_a_row(name: str, amount: float) -> None:
    assert got(name, ALONE, job("1", "a"), job("2", "a"), job("3", "a")) == amount


def test_a_job_that_never_starts_waits_to_the_end_of_the_trace() -> None:
    jobs = (job("1", "a", duration=50), job("big", "a", 2, submit=10), job("b", "b", duration=500))

    assert got("wait_max_seconds", system(share("a", 1), share("b", 1)), *jobs) == 490
    assert got("wait_p95_seconds", system(share("a", 1), share("b", 1)), *jobs) == 0
    assert got("all_jobs_finish", system(share("a", 1), share("b", 1)), *jobs) == 1


def test_a_job_that_is_cancelled_while_it_waits_is_not_measured() -> None:
    assert got("wait_max_seconds", ALONE, job("1", "a"), job("2", "a"), cancel(60, "2")) == 0
    assert got("all_jobs_finish", ALONE, job("1", "a"), job("2", "a"), cancel(60, "2")) == 0


def test_deadlines_count_whoever_does_not_succeed_in_time() -> None:
    jobs = (job("1", "a", deadline=100), job("2", "a", deadline=199), job("3", "a", 2, deadline=900), job("4", "a"))

    assert got("deadline_hit_percent", ALONE, *jobs) == pytest.approx(100 / 3)


def test_lost_work_is_counted_against_all_work_done() -> None:
    # The guest loses 300 s on two instances and does 900 s again; its share finishes no other work.
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
    jobs = (job("guest", "a", 2, duration=900), job("owner", "b", submit=300))

    assert got("lost_work_percent", arrangement, *jobs) == 25
    assert got("preemptions_per_job", arrangement, *jobs) == 1


def test_an_owner_waits_by_right_while_a_borrower_is_stopped() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
    jobs = (job("guest", "a", 2, checkpoint=checkpoint(on_stop=True)), job("owner", "b", submit=50))

    assert got("entitled_wait_seconds", arrangement, *jobs, of="b") == 20


@pytest.mark.parametrize(
    ("name", "amount", "good"),
    [
        ("wait_max_seconds", 60, True),
        ("wait_max_seconds", 60.001, False),
        ("deadline_hit_percent", 60, True),
        ("deadline_hit_percent", 59.999, False),
        ("goodput_percent", 61, True),
    ],
)
def test_a_promise_is_kept_up_to_its_bound(name: str, amount: float, *, good: bool) -> None:
    assert kept(name, Objective(bound=60), amount) is good


@pytest.mark.parametrize("trace", ["owner-returns", "week.jsonl", "traces/week.jsonl"])
def test_a_promise_for_named_traces_holds_for_these(trace: str) -> None:
    assert holds_for(Objective(bound=1, traces=("owner-returns", "week.jsonl")), trace)


@pytest.mark.parametrize("trace", ["owner-returns.jsonl", "traces/owner", "week.jsonl/other", "week"])
def test_a_promise_for_named_traces_does_not_hold_for_others(trace: str) -> None:
    assert not holds_for(Objective(bound=1, traces=("owner-returns", "week.jsonl")), trace)


def test_a_promise_without_traces_holds_for_all() -> None:
    assert holds_for(Objective(bound=1), "anything")


def test_promises_and_amounts_in_words() -> None:
    assert promise_text("wait_max_seconds", Objective(bound=1200)) == "longest wait at most 1,200 s"
    assert promise_text("deadline_hit_percent", Objective(bound=99.5)) == "deadlines met at least 99.5 %"
    assert amount_text("preemptions_per_job", 0) == "0"
    assert amount_text("all_jobs_finish", 10) == "10"
