"""Answers that are known from elsewhere (scheduling model, 10)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.system import System
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, job, reprioritise, share, system
from tests.runs import Runner

SHARED_CASES = Path(__file__).parents[3].parent / "shared" / "cases"


def test_the_services_own_example(run: Runner) -> None:
    arrangement = system(
        share("QS1", 1, LEND_AND_BORROW, borrow_limit=200, in_share_preemption=True),
        share("QS2", 1, LEND),
        share("QS3", 1),
    )

    ran = run(
        arrangement,
        job("high", "QS1", priority=3, duration=3600),
        job("med", "QS1", priority=2, duration=3600),
        job("low", "QS1", priority=1, duration=3600),
        job("lender's", "QS2", priority=1, duration=3600, submit=600),
        reprioritise(900, "low", 4),
    )

    assert ran.attempts("high") == [(0, 920), (4220, 7820)]
    assert (ran.preemptions("high"), ran["high"].lost_ms) == ((0, 1), 900_000)
    assert ran.attempts("med") == [(0, 620), (4520, 8120)]
    assert (ran.preemptions("med"), ran["med"].lost_ms) == ((1, 0), 600_000)
    assert ran.attempts("low") == [(920, 4520)]
    assert ran.attempts("lender's") == [(620, 4220)]


@pytest.mark.parametrize(
    ("arrangement", "most"),
    [
        pytest.param(system(share("s", 4), share("t", 4)), 4, id="own limit"),
        pytest.param(
            system(share("s", 2, LEND_AND_BORROW, borrow_limit=100), share("t", 4, LEND)), 4, id="borrow limit"
        ),
        pytest.param(
            system(share("s", 4, LEND_AND_BORROW, borrow_limit=200), share("t", 4, LEND), capacity=12),
            8,
            id="what others lend",
        ),
    ],
)
def test_the_services_examples_of_misconfiguration(run: Runner, arrangement: System, most: int) -> None:
    ran = run(arrangement, job("most", "s", most, duration=10), job("more", "s", most + 1, submit=20))

    assert ran.attempts("most") == [(0, 10)]
    assert ran.outcome("more") == (State.RUNNABLE, BlockedReason.QUOTA_EXCEEDED, None)


@pytest.mark.skipif(not SHARED_CASES.exists(), reason="the shared cases are not here")
@pytest.mark.parametrize("name", ["fifo-1000.jsonl", "fifo-10000.jsonl"])
def test_first_come_first_served_totals_that_other_simulators_agree_on(name: str) -> None:
    known = json.loads((SHARED_CASES / "fifo.json").read_text())[name]
    lines = [json.loads(line) for line in (SHARED_CASES / name).read_text().splitlines()][1:]
    jobs = [
        job(each["id"], "all", each["instance_count"], submit=each["submit"], duration=each["duration"])
        for each in lines
    ]

    ran = Runner(simulate)(system(share("all", 256)), *jobs)

    waits = [each.wait_ms for each in ran.history.jobs if each.wait_ms is not None]
    assert len(waits) == len(jobs)
    assert max(each.finish_ms or 0 for each in ran.history.jobs) == known["last_finish"] * 1000
    assert sum(waits) / len(waits) / 1000 == pytest.approx(known["mean_wait"], abs=0.005)
