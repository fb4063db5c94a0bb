from __future__ import annotations

import pytest

from quota_constructs.evaluator.numbers import as_clock, as_hours, as_percent, as_seconds


@pytest.mark.parametrize(
    ("instance_ms", "expected"),
    [(0, "0.00"), (1, "<0.01"), (18_000, "0.01"), (3_600_000, "1.00"), (4_444_444_400_000, "1,234,567.89")],
)
def test_instance_hours_have_two_decimals_and_separators(instance_ms: int, expected: str) -> None:
    assert as_hours(instance_ms) == expected


@pytest.mark.parametrize(
    ("ms", "expected"),
    [(0, "0:00:00"), (1, "1 ms"), (999, "999 ms"), (1000, "0:00:01"), (59_999, "0:01:00"), (3_909_000, "1:05:09")],
)
def test_a_clock_shows_seconds_and_milliseconds_below_one(ms: int, expected: str) -> None:
    assert as_clock(ms) == expected


def test_a_clock_parts_thousands_of_hours() -> None:
    assert as_clock(12_345 * 3_600_000) == "12,345:00:00"


@pytest.mark.parametrize(("part", "expected"), [(None, "-"), (0.0, "0.0 %"), (0.6543, "65.4 %"), (1.0, "100.0 %")])
def test_a_percentage_has_one_decimal(part: float | None, expected: str) -> None:
    assert as_percent(part) == expected


@pytest.mark.parametrize(("ms", "expected"), [(0, "0 s"), (20_000, "20 s"), (500, "0.5 s"), (3_600_000, "3,600 s")])
def test_seconds_have_decimals_only_where_there_are_some(ms: int, expected: str) -> None:
    assert as_seconds(ms) == expected
