"""Limits made of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.errors import TraceError, UsageError
from quota_constructs.evaluator.fitting import fit_limits, read_fitted_trace
from quota_constructs.evaluator.system import System
from quota_constructs.policies.sharing import Strategy
from tests.builders import OTHER_UNIT, UNIT, job, trace
from tests.templates import write_trace

LINE: dict[str, Any] = {"id": "a", "share": "x", "submit": 0, "duration": 60}


def limits(fitted: System) -> dict[str, Mapping[str, int]]:
    return {share.name: share.limits for share in fitted.shares}


def test_a_share_gets_a_quarter_more_than_its_jobs_hold_on_average() -> None:
    fitted = fit_limits(
        trace(
            job("a", "x", 8, submit=50, duration=50),
            job("b", "x", 4, submit=100, duration=100),
            job("c", "y", 1, submit=60, duration=190),
        )
    )

    # From 50 s to 250 s: x holds 8 for 50 s and 4 for 100 s, which is 4 on average; y holds 0.95.
    assert limits(fitted) == {"x": {UNIT: 5}, "y": {UNIT: 2}}
    assert fitted.environment.capacity == {UNIT: 7}
    assert {share.strategy for share in fitted.shares} == {Strategy.LEND_AND_BORROW}


@pytest.mark.parametrize(
    ("factor", "multiple_of", "limit"),
    [
        pytest.param(Fraction(1), 1, 6, id="exactly the mean"),
        pytest.param(Fraction(3, 2), 1, 9, id="half more"),
        pytest.param(Fraction("1.01"), 1, 7, id="rounded up"),
        pytest.param(Fraction(1), 8, 8, id="rounded up to a multiple"),
        pytest.param(Fraction("0.001"), 4, 4, id="never nothing"),
    ],
)
def test_how_much_more_and_what_it_is_rounded_to_can_be_chosen(factor: Fraction, multiple_of: int, limit: int) -> None:
    fitted = fit_limits(trace(job("a", "x", 6)), factor=factor, multiple_of=multiple_of)

    assert limits(fitted) == {"x": {UNIT: limit}}


def test_each_instance_type_has_its_own_limit() -> None:
    fitted = fit_limits(trace(job("a", "x", {UNIT: 4, OTHER_UNIT: 8}), job("b", "y", {OTHER_UNIT: 4})))

    assert limits(fitted) == {"x": {UNIT: 5, OTHER_UNIT: 10}, "y": {OTHER_UNIT: 5}}
    assert fitted.environment.capacity == {UNIT: 5, OTHER_UNIT: 15}


def test_jobs_that_state_no_instance_type_are_given_one(tmp_path: Path) -> None:
    path = write_trace(
        tmp_path / "t.jsonl",
        LINE | {"instance_count": 3},
        LINE | {"id": "b", "instance_type": OTHER_UNIT},
    )

    read = read_fitted_trace(path, instance_type="ml.p4d.24xlarge.test")

    assert [each.instances for each in read.jobs] == [(("ml.p4d.24xlarge.test", 3),), ((OTHER_UNIT, 1),)]


def test_fails_for_jobs_that_state_no_instance_type_if_none_is_given(tmp_path: Path) -> None:
    path = write_trace(tmp_path / "t.jsonl", LINE, LINE | {"id": "b", "instance_type": UNIT})

    with pytest.raises(UsageError, match=r"1 job of 2 state no instance type; .* --instance-type TYPE"):
        read_fitted_trace(path)


def test_a_trace_that_states_its_instance_types_needs_none(tmp_path: Path) -> None:
    path = write_trace(tmp_path / "t.jsonl", LINE | {"instance_type": UNIT})

    assert [each.instances for each in read_fitted_trace(path).jobs] == [((UNIT, 1),)]


def test_fails_for_a_name_that_no_share_can_have() -> None:
    with pytest.raises(TraceError, match=r"'a b\\x1b' cannot be a quota share's name, .* rename the team with --share"):
        fit_limits(trace(job("a", "a b\x1b")))


def test_fails_for_more_shares_than_one_template_can_have() -> None:
    with pytest.raises(TraceError, match=r"the trace has 201 shares, .* with --top N"):
        fit_limits(trace(*(job(f"{number}", f"user-{number}") for number in range(201))))


def test_fails_for_a_trace_without_jobs() -> None:
    with pytest.raises(TraceError, match="there is no job to fit limits to"):
        fit_limits(trace())
