"""Single decisions: a state, an arriving job, who starts and who is stopped (scheduling model, 5 and 10)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quota_constructs.evaluator.simulation.model import VictimOrder
from quota_constructs.evaluator.system import QuotaShare
from quota_constructs.evaluator.trace import Job
from quota_constructs.policies.sharing import Strategy
from tests.builders import LEND, LEND_AND_BORROW, job, rearrange, share, system
from tests.runs import Runner

SHARED_DECISIONS = Path(__file__).parents[3].parent / "shared" / "cases" / "decisions.json"
FOR_EVER = 10_000_000
"""Seconds; long after everything that a case is about."""


Shares = Sequence[QuotaShare]


class Decision(NamedTuple):
    """What the scheduler does about one arriving job."""

    decision: str
    stopped: set[str]


def decide(run: Runner, shares: Shares, running: Sequence[Job], incoming: Job) -> Decision:
    """Submit *incoming* while *running* run: everyone may borrow anything until the real shares come into force."""
    at = 1000
    anything_goes = [share(each.name, each.limits, LEND_AND_BORROW) for each in shares]

    ran = run(
        system(*anything_goes),
        *running,
        rearrange(at, system(*shares)),
        incoming,
        stop=0,
        order=VictimOrder.NEWEST,
    )

    assert all(ran.started(each.id) == each.submit_ms / 1000 for each in running), "the state was not reached"
    stopped = {each.id for each in running if any(ended == at for _, ended in ran.attempts(each.id))}
    if ran.started(incoming.id) == at:
        return Decision("preempt" if stopped else "start", stopped)
    return Decision("never_fits" if ran[incoming.id].reason else "wait", stopped)


def running(name: str, home: str, size: int = 1, *, priority: int = 0, since: float = 0) -> Job:
    """Build a job that runs for ever."""
    return job(name, home, size, priority=priority, submit=since, duration=FOR_EVER)


def arriving(home: str, size: int = 1, *, priority: int = 0) -> Job:
    """Build the job to decide about."""
    return job("new", home, size, priority=priority, submit=1000, duration=FOR_EVER)


OWN_2_LENT_2 = (share("a", 2, LEND, in_share_preemption=True), share("b", 2, LEND_AND_BORROW, in_share_preemption=True))
RESERVED_2 = (share("r", 2), share("b", 2, LEND_AND_BORROW, borrow_limit=50))
THREE_OF_2 = tuple(share(name, 2, LEND_AND_BORROW) for name in "abc")

DECISIONS: dict[str, tuple[Shares, list[Job], Job, str, set[str]]] = {
    "an owner takes idle capacity of its own": (
        OWN_2_LENT_2,
        [running("b1", "b", 2)],
        arriving("a", 2),
        "start",
        set(),
    ),
    "an owner takes back what is lent": (OWN_2_LENT_2, [running("b1", "b", 4)], arriving("a"), "preempt", {"b1"}),
    "an owner stops the newest borrower": (
        OWN_2_LENT_2,
        [running("b1", "b", 2), running("b2", "b", since=1), running("b3", "b", since=2)],
        arriving("a"),
        "preempt",
        {"b3"},
    ),
    "an owner stops a more important borrower": (
        OWN_2_LENT_2,
        [running("b1", "b", 2, priority=9), running("b2", "b", 2, priority=9)],
        arriving("a", 2),
        "preempt",
        {"b2"},
    ),
    "an owner stops the less important job of the borrowing share": (
        OWN_2_LENT_2,
        [running("b1", "b", 2, priority=1), running("b2", "b", 2, priority=2, since=5)],
        arriving("a", 2),
        "preempt",
        {"b1"},
    ),
    "an owner leaves those at their quota alone": (
        THREE_OF_2,
        [running("a1", "a", 2), running("b1", "b", 3, since=5), running("c1", "c", since=9)],
        arriving("c"),
        "preempt",
        {"b1"},
    ),
    "an owner takes a little from two borrowers": (
        (share("a", 2, LEND), share("b", 1, LEND_AND_BORROW), share("c", 1, LEND_AND_BORROW)),
        [running("b1", "b"), running("c1", "c"), running("b2", "b", since=3), running("c2", "c", since=4)],
        arriving("a", 2),
        "preempt",
        {"b2", "c2"},
    ),
    "a small pick is dropped when a big one was needed anyway": (
        (share("a", 3, LEND), share("b", 1, LEND_AND_BORROW)),
        [running("b1", "b"), running("b2", "b", 2, since=1), running("b3", "b", since=2)],
        arriving("a", 2),
        "preempt",
        {"b2"},
    ),
    "a borrower takes what a lender leaves idle": (
        OWN_2_LENT_2,
        [running("b1", "b", 2)],
        arriving("b", 2),
        "start",
        set(),
    ),
    "a borrower waits for a busy lender": (
        OWN_2_LENT_2,
        [running("a1", "a", 2), running("b1", "b", 2)],
        arriving("b"),
        "wait",
        set(),
    ),
    "nobody borrows reserved capacity": (RESERVED_2, [running("b1", "b", 2)], arriving("b"), "wait", set()),
    "a job beyond the borrow limit can never start": (RESERVED_2, [], arriving("b", 4), "never_fits", set()),
    "a job beyond the reserved share's limit can never start": (RESERVED_2, [], arriving("r", 3), "never_fits", set()),
    "a more important job stops one of its own share": (
        OWN_2_LENT_2,
        [running("a1", "a"), running("a2", "a", since=1), running("b1", "b", 2)],
        arriving("a", priority=1),
        "preempt",
        {"a2"},
    ),
    "an equally important job stops nobody of its own share": (
        OWN_2_LENT_2,
        [running("a1", "a", 2), running("b1", "b", 2)],
        arriving("a"),
        "wait",
        set(),
    ),
    "own and borrowing jobs are stopped together": (
        OWN_2_LENT_2,
        [running("a1", "a"), running("b1", "b", 2), running("b2", "b", since=1)],
        arriving("a", 2, priority=1),
        "preempt",
        {"a1", "b2"},
    ),
    "a borrower stops its own job to borrow more": (
        OWN_2_LENT_2,
        [running("b1", "b", 2), running("a1", "a")],
        arriving("b", 3, priority=1),
        "preempt",
        {"b1"},
    ),
}


@pytest.mark.parametrize("case", DECISIONS.values(), ids=list(DECISIONS))
def test_decisions_worked_out_by_hand(run: Runner, case: tuple[Shares, list[Job], Job, str, set[str]]) -> None:
    shares, already, incoming, decision, stopped = case

    assert decide(run, shares, already, incoming) == Decision(decision, stopped)


def shared_decisions() -> list[dict[str, Any]]:
    """Read the decisions that another quota scheduler's code agrees on, where the file is there."""
    cases: list[dict[str, Any]] = json.loads(SHARED_DECISIONS.read_text())["cases"] if SHARED_DECISIONS.exists() else []
    return cases


@pytest.mark.skipif(not SHARED_DECISIONS.exists(), reason="the shared decisions are not here")
@pytest.mark.parametrize("case", shared_decisions(), ids=lambda case: case["id"])
def test_decisions_that_another_scheduler_agrees_on(run: Runner, case: Mapping[str, Any]) -> None:
    shares = [
        share(
            each["name"],
            each["limit"],
            Strategy(each["strategy"]),
            borrow_limit=-1 if each["borrow_limit"] is None else each["borrow_limit"],
            in_share_preemption=each["in_share_preemption"],
        )
        for each in case["shares"]
    ]
    already = [
        running(each["job"], each["share"], each["size"], priority=each["priority"], since=each["dispatched"])
        for each in case["running"]
    ]
    new = case["incoming"]

    found = decide(run, shares, already, arriving(new["share"], new["size"], priority=new["priority"]))

    assert found == Decision(case["decision"], set(case["stopped"]))
