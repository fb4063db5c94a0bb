"""`quota-constructs live snapshot`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quota_constructs.cli.exits import GOOD
from quota_constructs.live.operations import OPERATIONS, Command
from tests.live.account import START_MS, UNIT
from tests.live.endpoint import Endpoint

Live = Callable[..., Any]


@pytest.fixture
def borrowing(endpoint: Endpoint) -> Endpoint:
    """Let a guest run two instances of an owner that uses one of its six."""
    endpoint.account.add_queue(capacity=12)
    endpoint.account.add_share("guest", 4, "LEND_AND_BORROW")
    endpoint.account.add_share("owner", 6, "LEND")
    endpoint.account.add_share("walled", 2, "RESERVE")
    endpoint.account.add_job("guest", "RUNNING", instances=5)
    endpoint.account.add_job("guest", "SCHEDULED", created_ms=START_MS)
    endpoint.account.add_job("owner", "STARTING")
    endpoint.account.add_job("owner", "RUNNABLE", instances=9)
    endpoint.account.add_job("owner", "SUCCEEDED", instances=3)
    return endpoint


def by_share(shown: dict[str, Any]) -> dict[str, tuple[int, int, int, int]]:
    """Return what each share uses, borrows, has lent and has idle, at most."""
    return {
        each["share"]: (each["used"], each["borrowed"], each["lent"]["most"], each["idle"]["most"])
        for each in shown["shares"]
    }


def test_what_is_borrowed_lent_and_idle_is_shown_which_the_service_does_not_say(
    borrowing: Endpoint, live: Live
) -> None:
    ran = live("snapshot", "training", "--format", "json")

    assert (ran.code, ran.err) == (GOOD, "")
    assert by_share(ran.json) == {"guest": (6, 2, 0, 0), "owner": (1, 0, 2, 3), "walled": (0, 0, 0, 2)}
    assert ran.json["totals"] == [
        {"instance_type": UNIT, "capacity": 12, "allocated": 12, "used": 7, "borrowed": 2, "idle": 5}
    ]
    assert borrowing.actions == {operation.action for operation in OPERATIONS[Command.SNAPSHOT]}


def test_the_table_shows_one_row_for_each_share(borrowing: Endpoint, live: Live) -> None:
    arn = borrowing.account.queues["training"]["jobQueueArn"]

    ran = live("snapshot", arn)

    rows = [line.split() for line in ran.out.splitlines()]
    assert ran.code == GOOD
    assert ["guest", UNIT, "4", "6", "2", "0", "0"] in rows
    assert ["owner", UNIT, "6", "1", "0", "2", "3"] in rows


def test_what_is_lent_is_a_range_where_two_lenders_may_have_lent_it(endpoint: Endpoint, live: Live) -> None:
    endpoint.account.add_queue(capacity=5)
    endpoint.account.add_share("guest", 1, "LEND_AND_BORROW")
    for lender in ("one", "two"):
        endpoint.account.add_share(lender, 2, "LEND")
    endpoint.account.add_job("guest", "RUNNING", instances=4)

    ran = live("snapshot", "training", "--format", "json")

    lent = {each["share"]: each["lent"] for each in ran.json["shares"]}
    assert lent["one"] == lent["two"] == {"least": 1, "most": 2}


def test_instance_types_are_told_apart(endpoint: Endpoint, live: Live) -> None:
    endpoint.account.add_queue(capacity={UNIT: 4, "ml.p4d.24xlarge": 2})
    endpoint.account.add_share("x", {UNIT: 4, "ml.p4d.24xlarge": 2})
    endpoint.account.add_job("x", "RUNNING", instances={"ml.p4d.24xlarge": 2})

    ran = live("snapshot", "training", "--format", "json")

    used = {each["instance_type"]: each["used"] for each in ran.json["shares"]}
    assert used == {UNIT: 0, "ml.p4d.24xlarge": 2}


def test_shares_beyond_the_first_page_are_shown(
    endpoint: Endpoint, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.live.batch.MOST_ON_A_PAGE", 3)
    endpoint.account.add_queue(capacity=20)
    for number in range(20):
        endpoint.account.add_share(f"share-{number}")

    ran = live("snapshot", "training", "--format", "json")

    assert len(ran.json["shares"]) == 20
    assert len(endpoint.requests("ListQuotaShares")) == 7


def test_control_characters_in_a_name_do_not_reach_the_terminal(endpoint: Endpoint, live: Live) -> None:
    endpoint.account.add_queue()
    endpoint.account.add_share("a\x1b[2Jb")

    ran = live("snapshot", "training")

    assert ran.code == GOOD
    assert "\x1b" not in ran.out
