"""What a trace asks for, as text and as JSON."""

from __future__ import annotations

import json

from quota_constructs.evaluator.demand import measure_demand
from quota_constructs.evaluator.report.demand_json import encode_demand
from quota_constructs.evaluator.report.demand_text import demand_text
from quota_constructs.evaluator.report.screen import Screen
from tests.builders import LEND_AND_BORROW, job, rearrange, share, system, trace

MARK = "\u202e"
"""Turns the direction of all text that follows."""

HOSTILE = measure_demand(system(share(f"a{MARK}", 1)), trace(*(job(name, f"a{MARK}") for name in "xy")))


def test_a_name_that_steers_a_terminal_is_shown_as_an_escape() -> None:
    text = demand_text(HOSTILE, Screen())

    assert MARK not in text
    assert text.count(r"a\u202e") > 1


def test_json_is_ascii_and_keeps_the_name() -> None:
    encoded = b"".join(encode_demand(HOSTILE))

    assert encoded.isascii()
    assert json.loads(encoded)["shares"][0]["share"] == f"a{MARK}"


def test_of_many_shares_over_their_limit_some_are_named_and_the_others_counted() -> None:
    names = [f"team-{number}" for number in range(7)]
    arrangement = system(*(share(name, 1, LEND_AND_BORROW) for name in names))

    text = demand_text(measure_demand(arrangement, trace(*(job(name, name, 2) for name in names))), Screen(width=200))

    assert "team-0, team-1, team-2, team-3 and 3 more" in text


def test_an_empty_trace_can_be_described() -> None:
    text = demand_text(measure_demand(system(share("a", 1)), trace()), Screen())

    assert "0 jobs of 0 shares" in text
    assert "The trace never contends" in text


def test_a_change_of_the_arrangement_is_told() -> None:
    arrangement = system(share("a", 1))

    text = demand_text(measure_demand(arrangement, trace(job("x", "a"), rearrange(1, arrangement))), Screen())

    assert "The trace changes the arrangement 1 time; these are the limits before that." in text
