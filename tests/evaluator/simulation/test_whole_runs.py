"""Small traces with every start and end worked out by hand, in seconds (scheduling model, 10)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from quota_constructs.evaluator.simulation.model import Queueing
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, cancel, checkpoint, job, reprioritise, share, system
from tests.runs import Runner


class Case(NamedTuple):
    """A system, what happens on it, and each job's attempts."""

    system: System
    lines: list[Job | Event]
    attempts: dict[str, list[tuple[float, float]]]
    queueing: Queueing = Queueing.STRICT


ONE_SHARE_OF_4 = system(share("s", 4))
OWNER_AND_BORROWER = system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW))

CASES = {
    "jobs of one instance run side by side": Case(
        ONE_SHARE_OF_4,
        [job(name, "s", duration=10) for name in "pqrst"],
        {"p": [(0, 10)], "q": [(0, 10)], "r": [(0, 10)], "s": [(0, 10)], "t": [(10, 20)]},
    ),
    "a wide job waits for all of its instances": Case(
        ONE_SHARE_OF_4,
        [job("p", "s", 3, duration=10), job("q", "s", 1, duration=25), job("wide", "s", 4, submit=1, duration=5)],
        {"p": [(0, 10)], "q": [(0, 25)], "wide": [(25, 30)]},
    ),
    "a blocked head holds up the small jobs behind it": Case(
        ONE_SHARE_OF_4,
        [
            job("p", "s", 3, duration=30),
            job("wide", "s", 2, submit=1, duration=10),
            job("small", "s", submit=2, duration=5),
        ],
        {"p": [(0, 30)], "wide": [(30, 40)], "small": [(30, 35)]},
    ),
    "backfill lets a small job pass a blocked head": Case(
        ONE_SHARE_OF_4,
        [
            job("p", "s", 3, duration=30),
            job("wide", "s", 2, submit=1, duration=10),
            job("small", "s", submit=2, duration=5),
        ],
        {"p": [(0, 30)], "wide": [(30, 40)], "small": [(2, 7)]},
        Queueing.BACKFILL,
    ),
    "an endless stream of backfill starves a wide head": Case(
        ONE_SHARE_OF_4,
        [
            job("p", "s", 2, duration=10),
            job("q", "s", 2, duration=14),
            job("wide", "s", 4, submit=1, duration=10),
            job("x", "s", 2, submit=2, duration=8),
            job("y", "s", 2, submit=3, duration=8),
        ],
        {"p": [(0, 10)], "q": [(0, 14)], "x": [(10, 18)], "y": [(14, 22)], "wide": [(22, 32)]},
        Queueing.BACKFILL,
    ),
    "a more important job goes first": Case(
        ONE_SHARE_OF_4,
        [
            job("p", "s", 4, duration=10),
            job("low", "s", 4, submit=1, duration=10),
            job("high", "s", 4, submit=2, duration=10, priority=1),
        ],
        {"p": [(0, 10)], "high": [(10, 20)], "low": [(20, 30)]},
    ),
    "a priority update turns the queue round": Case(
        ONE_SHARE_OF_4,
        [
            job("p", "s", 4, duration=10),
            job("q", "s", 4, submit=1, duration=10),
            job("r", "s", 4, submit=2, duration=10),
            reprioritise(5, "r", 7),
        ],
        {"p": [(0, 10)], "r": [(10, 20)], "q": [(20, 30)]},
    ),
    "a cancelled head makes room at once": Case(
        ONE_SHARE_OF_4,
        [
            job("p", "s", 3, duration=30),
            job("wide", "s", 2, submit=1, duration=10),
            job("small", "s", submit=2, duration=5),
            cancel(4, "wide"),
        ],
        {"p": [(0, 30)], "wide": [], "small": [(4, 9)]},
    ),
    "units do not stand in for one another": Case(
        system(share("s", {UNIT: 1, OTHER_UNIT: 1})),
        [
            job("p", "s", {UNIT: 1}, duration=10),
            job("q", "s", {OTHER_UNIT: 1}, submit=1, duration=20),
            job("both", "s", {UNIT: 1, OTHER_UNIT: 1}, submit=2, duration=5),
        ],
        {"p": [(0, 10)], "q": [(1, 21)], "both": [(21, 26)]},
    ),
    "startup holds instances without working": Case(
        ONE_SHARE_OF_4,
        [job("p", "s", 4, duration=10, startup=3), job("q", "s", 4, duration=10, startup=3)],
        {"p": [(0, 13)], "q": [(13, 26)]},
    ),
    "a borrower gives back and begins again": Case(
        OWNER_AND_BORROWER,
        [job("b1", "b", duration=300), job("b2", "b", duration=50), job("a1", "a", submit=40, duration=10)],
        {"b1": [(0, 300)], "b2": [(0, 60), (70, 120)], "a1": [(60, 70)]},
    ),
    "a borrower that saves its work goes on where it was": Case(
        OWNER_AND_BORROWER,
        [
            job("b1", "b", duration=300),
            job("b2", "b", duration=50, checkpoint=checkpoint(15, restore=4)),
            job("a1", "a", submit=40, duration=10),
        ],
        {"b1": [(0, 300)], "b2": [(0, 60), (70, 94)], "a1": [(60, 70)]},
    ),
    "two owners take back what one borrower holds, one after the other": Case(
        system(share("a", 1, LEND), share("b", 1, LEND_AND_BORROW), share("c", 1, LEND)),
        [
            job("b1", "b", duration=100),
            job("b2", "b", duration=100),
            job("b3", "b", duration=100),
            job("a1", "a", submit=10, duration=20),
            job("c1", "c", submit=20, duration=100),
        ],
        {
            "b1": [(0, 100)],
            "a1": [(30, 50)],
            "c1": [(40, 140)],
            "b3": [(0, 30), (100, 200)],
            "b2": [(0, 40), (50, 150)],
        },
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_runs_worked_out_by_hand(run: Runner, case: Case) -> None:
    ran = run(case.system, *case.lines, queueing=case.queueing)

    assert {name: ran.attempts(name) for name in case.attempts} == case.attempts
