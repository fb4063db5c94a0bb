from __future__ import annotations

import re

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.report.screen import Screen
from quota_constructs.evaluator.report.text import result_text
from quota_constructs.evaluator.simulation.model import Assumptions, VictimOrder
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objective, Objectives
from tests.builders import LEND, LEND_AND_BORROW, job, share, system, trace

SCREEN = Screen(width=100)

SHARING = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
OWNER_RETURNS = trace(job("guest", "a", 2, duration=7200), job("owner", "b", submit=3600, duration=3600))


def rows(arrangement: System, jobs: Trace, title: str, screen: Screen = SCREEN) -> list[list[str]]:
    """Return the table called *title* as cells; columns are parted by at least two spaces."""
    text = result_text(evaluate(arrangement, jobs), screen)
    block = next(block for block in text.split("\n\n") if block.startswith(title))
    _, *lines = block.splitlines()
    return [re.split(r"\s{2,}", line.strip()) for line in lines if not line.startswith("--")]


def test_allocated_and_borrowed_instance_hours_are_apart() -> None:
    assert rows(SHARING, OWNER_RETURNS, "Instance-hours") == [
        ["share", "instance type", "allocated", "used own", "borrowed", "idle own"],
        ["a", "ml.g5.xlarge", "4.01", "3.00", "3.00", "1.01"],
        ["b", "ml.g5.xlarge", "4.01", "1.01", "0.00", "3.00"],
    ]


def test_waits_and_completions_are_percentiles_for_each_share_and_for_all() -> None:
    assert rows(SHARING, OWNER_RETURNS, "Wait for the first start")[1:] == [
        ["a", "1", "1", "0:00:00", "0:00:00", "0:00:00"],
        ["b", "1", "1", "0:00:20", "0:00:20", "0:00:20"],
        ["all jobs", "2", "2", "0:00:00", "0:00:20", "0:00:20"],
    ]
    assert rows(SHARING, OWNER_RETURNS, "Completion")[1] == [
        "a",
        "1",
        "4:00:20",
        "4:00:20",
        "4:00:20",
        "2.00",
        "2.00",
    ]


def test_what_rests_on_a_contract_is_said_before_the_figures() -> None:
    contract = InterruptionContract(can_resume=True, checkpoint_interval_seconds=60, preemption_retries=1)
    arrangement = system(share("a", 1, interruption=contract), share("b", 1))
    jobs = trace(job("one", "a"), job("two", "a", retries=0), job("other", "b"))

    text = result_text(evaluate(arrangement, jobs), Screen(width=200))

    assert text.split("\n\n")[2] == (
        "Lost work, overhead and endings of 'a' rest on its interruption contract where the trace is silent: "
        "checkpoints of 2 jobs, retries of 1 job"
    )


def test_promises_stand_beside_what_was_measured() -> None:
    promises = Objectives(
        wait_max_seconds=Objective(bound=3600),
        lost_work_percent=Objective(bound=10),
        deadline_hit_percent=Objective(bound=95),
        slowdown_p95=Objective(bound=1, traces=("another.jsonl",)),
    )
    arrangement = system(share("a", 1, LEND_AND_BORROW, objectives=promises), share("b", 1, LEND))

    assert rows(arrangement, OWNER_RETURNS, "Promises") == [
        ["share", "what is measured", "promised", "measured", "kept"],
        ["a", "longest wait", "at most 3,600 s", "0 s", "yes"],
        ["a", "deadlines met", "at least 95 %", "-", "-"],
        ["a", "work lost to preemptions", "at most 10 % of the work done", "33.333 %", "NO"],
    ]


def test_a_run_without_promises_shows_none() -> None:
    assert "Promises" not in result_text(evaluate(SHARING, OWNER_RETURNS), SCREEN)


def test_preemptions_are_told_apart_with_what_they_cost() -> None:
    assert rows(SHARING, OWNER_RETURNS, "Preemptions") == [
        ["share", "cross-share", "in-share", "jobs preempted", "lost work", "overhead"],
        ["a", "1", "0", "1", "2.00", "0.00"],
        ["b", "0", "0", "0", "0.00", "0.00"],
        ["all jobs", "1", "0", "1", "2.00", "0.00"],
    ]


def test_goodput_stands_beside_utilization() -> None:
    header, unit = rows(SHARING, OWNER_RETURNS, "Environment")

    assert header == ["instance type", "capacity", "held", "utilization", "finished work", "goodput"]
    assert unit == ["ml.g5.xlarge", "8.01", "7.01", "87.4 %", "5.00", "62.4 %"]


def test_final_states_come_with_their_reasons() -> None:
    jobs = trace(job("slow", "a", timeout=1), job("fine", "b"))

    assert rows(SHARING, jobs, "How jobs ended")[1:3] == [
        ["a", "FAILED", "TIMEOUT", "1"],
        ["b", "SUCCEEDED", "1"],
    ]


def test_the_assumptions_fit_one_line() -> None:
    evaluation = evaluate(SHARING, OWNER_RETURNS, Assumptions(stop_ms=500, victim_order=VictimOrder.MOST_BORROWED))

    assert (
        "Assumed, as AWS does not publish it: stop time 0.5 s, victim order most-borrowed, queueing strict\n"
        in result_text(evaluation, SCREEN)
    )


def test_jobs_that_wait_at_the_end_are_pointed_out() -> None:
    text = result_text(evaluate(SHARING, trace(job("big", "b", 2), job("next", "b"))), SCREEN)

    assert text.endswith("The run ended with 2 jobs still waiting, and nothing more can happen that starts them.\n")


def test_nothing_is_said_about_waiting_when_all_is_done() -> None:
    assert "still waiting" not in result_text(evaluate(SHARING, OWNER_RETURNS), SCREEN)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    arrangement = system(*(share(f"{'team-' * 25}{number}", 1) for number in range(3)))
    jobs = trace(job("it", arrangement.shares[0].name))

    text = result_text(evaluate(arrangement, jobs), Screen(width=width))

    assert max(map(len, text.splitlines())) <= width


def test_a_long_name_is_folded_and_not_cut() -> None:
    name = "".join(chr(ord("a") + number % 26) for number in range(128))

    text = result_text(evaluate(system(share(name, 1)), trace(job("it", name))), Screen(width=80))

    [*folded] = re.findall(r"^([a-z]+)(?: .*)?$", text, flags=re.MULTILINE)
    assert name in "".join(folded)


def test_names_are_neither_markup_nor_control_sequences() -> None:
    hostile = "[red]\x1b[31m\u202e:boom:[/nonsense]"

    text = result_text(evaluate(system(share(hostile, 1)), trace(job("it", hostile))), Screen(width=200))

    assert r"[red]\x1b[31m\u202e:boom:[/nonsense]" in text
    assert text.replace("\n", "").isprintable()


def test_without_colour_there_are_no_escape_sequences_and_with_it_there_are() -> None:
    evaluation = evaluate(SHARING, OWNER_RETURNS)

    assert "\x1b" not in result_text(evaluation, Screen())
    assert "\x1b[1m" in result_text(evaluation, Screen(colour=True))
