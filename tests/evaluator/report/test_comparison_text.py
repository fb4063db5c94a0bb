from __future__ import annotations

import re

import pytest

from quota_constructs.evaluator.comparison import Comparison
from quota_constructs.evaluator.report.comparison_text import comparison_text
from quota_constructs.evaluator.report.screen import Screen
from quota_constructs.evaluator.side_by_side import compare_systems
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, job, share, system, trace

SHARING = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
OWNER_RETURNS = trace(job("guest", "a", 2, duration=7200), job("owner", "b", submit=3600, duration=3600))
COMPARISON = compare_systems(SHARING, OWNER_RETURNS, template="cdk.out")


def rows(comparison: Comparison, title: str) -> list[list[str]]:
    """Return the table called *title* as cells, without its headings; columns are parted by at least two spaces."""
    text = comparison_text([comparison], Screen(width=200))
    block = next(block for block in text.split("\n\n") if block.startswith(title))
    _, below = re.split(r"^-+\n", block, flags=re.MULTILINE)
    return [re.split(r"\s{2,}", line.strip()) for line in below.splitlines()]


def test_the_arrangements_are_explained_first() -> None:
    heading, explained, assumed, *_ = comparison_text([COMPARISON], Screen(width=200)).split("\n\n")

    assert heading == "Queue queue, trace test: 2 jobs in 2 shares under 3 arrangements"
    assert [line.partition(":")[0] for line in explained.splitlines()] == ["declared", "partition", "pool"]
    assert "declared: cdk.out" in explained
    assert "a job larger than its share may ever hold runs if it fits the pool" in explained
    assert assumed.startswith("Assumed, as AWS does not publish it: stop time 20 s")


def test_each_share_has_a_row_for_each_arrangement() -> None:
    assert rows(COMPARISON, "Jobs") == [
        ["a", "declared", "1", "1", "0:00:00", "0:00:00", "0:00:00", "4:00:20", "4:00:20", "1", "0"],
        ["a", "partition", "1", "0", "-", "-", "-", "-", "-", "0", "0"],
        ["a", "pool", "1", "1", "0:00:00", "0:00:00", "0:00:00", "2:00:00", "2:00:00", "0", "0"],
        ["b", "declared", "1", "1", "0:00:20", "0:00:20", "0:00:20", "1:00:20", "1:00:20", "0", "0"],
        ["b", "partition", "1", "1", "0:00:00", "0:00:00", "0:00:00", "1:00:00", "1:00:00", "0", "0"],
        ["b", "pool", "1", "1", "1:00:00", "1:00:00", "1:00:00", "2:00:00", "2:00:00", "0", "0"],
        ["all jobs", "declared", "2", "2", "0:00:00", "0:00:20", "0:00:20", "1:00:20", "4:00:20", "1", "0"],
        ["all jobs", "partition", "2", "1", "0:00:00", "0:00:00", "0:00:00", "1:00:00", "1:00:00", "0", "0"],
        ["all jobs", "pool", "2", "2", "0:00:00", "1:00:00", "1:00:00", "2:00:00", "2:00:00", "0", "0"],
    ]


def test_what_a_pool_does_not_have_is_a_dash_and_not_a_zero() -> None:
    declared, partition, pool, *_ = rows(COMPARISON, f"Instance-hours of {UNIT}")

    assert declared == ["a", "declared", "4.01", "3.00", "3.00", "6.00", "4.00", "74.9 %", "49.9 %", "2.00", "0.00"]
    assert partition == ["a", "partition", "2.00", "0.00", "0.00", "0.00", "0.00", "0.0 %", "0.0 %", "0.00", "0.00"]
    assert pool == ["a", "pool", "-", "-", "-", "4.00", "4.00", "66.7 %", "66.7 %", "0.00", "0.00"]


def test_goodput_and_repeated_work_stand_beside_utilization() -> None:
    assert rows(COMPARISON, "The environment's instance-hours") == [
        ["declared", "4:00:20", "8.01", "7.01", "5.00", "87.4 %", "62.4 %", "2.00", "0.00"],
        ["partition", "2:00:00", "4.00", "1.00", "1.00", "25.0 %", "25.0 %", "0.00", "0.00"],
        ["pool", "3:00:00", "6.00", "5.00", "5.00", "83.3 %", "83.3 %", "0.00", "0.00"],
    ]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_utilization_is_not_parted_from_them_on_a_narrow_screen(width: int) -> None:
    text = comparison_text([COMPARISON], Screen(width=width))

    headings = [line for line in text.splitlines() if "utilization" in line]
    assert len(headings) == 2
    assert all(re.search(r"utilization\s+goodput\s+work\s+head$", line) for line in headings)


def test_gains_and_payments_are_shown_by_share() -> None:
    assert rows(COMPARISON, "Who gains and who pays") == [
        ["partition", "a", "0", "0:00:00", "0", "0:00:00", "0", "-", "1", "0"],
        ["partition", "b", "0", "0:00:00", "1", "0:00:20", "0", "0:00:20 later", "0", "0"],
        ["partition", "all jobs", "0", "0:00:00", "1", "0:00:20", "0", "0:00:20 later", "1", "0"],
        ["pool", "a", "0", "0:00:00", "1", "2:00:20", "0", "2:00:20 later", "0", "0"],
        ["pool", "b", "1", "0:59:40", "0", "0:00:00", "0", "0:59:40 sooner", "0", "0"],
        ["pool", "all jobs", "1", "0:59:40", "1", "2:00:20", "0", "1:00:40 later", "0", "0"],
    ]


def test_the_bottom_line_comes_last() -> None:
    *_, partition, pool = comparison_text([COMPARISON], Screen(width=200)).split("\n\n")

    assert partition.startswith("Against partition: ")
    assert "share 'b' pays most, 0:00:20 later" in partition
    assert pool.startswith("Against pool: ")
    assert "share 'a' pays most, 2:00:20 later" in pool


def test_shares_that_a_base_lacks_are_named_with_what_that_rejects() -> None:
    wide = system(*(share(f"s{number}", 1) for number in range(5)), share("common", 1))
    jobs = trace(*(job(f"job {number}", f"s{number}") for number in range(4)), job("it", "common"))

    comparison = compare_systems(wide, jobs, bases={"base.json": system(share("common", 1))})

    assert "\nbase: base.json; it lacks 's0', 's1', 's2' and 1 more, and so rejects 4 jobs\n" in comparison_text(
        [comparison], Screen(width=200)
    )
    base = [row[:5] for row in rows(comparison, "Jobs") if row[1] == "base"]
    assert base[1] == ["s0", "base", "1", "0", "1"]
    assert base[-1] == ["all jobs", "base", "5", "1", "4"]


def test_deadlines_are_shown_where_there_are_any() -> None:
    due = trace(job("in time", "a", deadline=100), job("late", "a", deadline=99))

    comparison = compare_systems(system(share("a", 2)), due)

    assert "deadlines" in comparison_text([comparison], Screen(width=200))
    assert [row[-2:] for row in rows(comparison, "Jobs")] == [["1", "1"]] * 6
    assert "deadlines" not in comparison_text([COMPARISON], Screen(width=200))


def test_each_unit_has_a_table_of_its_own() -> None:
    arrangement = system(share("a", {UNIT: 1, OTHER_UNIT: 2}))
    comparison = compare_systems(arrangement, trace(job("it", "a", {OTHER_UNIT: 2}, duration=3600)))

    assert [row[5] for row in rows(comparison, f"Instance-hours of {UNIT}")] == ["0.00"] * 3
    assert [row[5] for row in rows(comparison, f"Instance-hours of {OTHER_UNIT}")] == ["2.00"] * 3


def test_what_rests_on_contracts_is_said() -> None:
    contract = InterruptionContract(can_resume=True)
    comparison = compare_systems(system(share("a", 1, interruption=contract)), trace(job("it", "a")))

    assert "'a' rest on its interruption contract" in comparison_text([comparison], Screen(width=200))
    assert "contract" not in comparison_text([COMPARISON], Screen(width=200))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    arrangement = system(*(share(f"{'team-' * 25}{number}", 1, LEND_AND_BORROW) for number in range(3)))
    jobs = trace(*(job(str(number), arrangement.shares[0].name) for number in range(5)))

    text = comparison_text([compare_systems(arrangement, jobs)], Screen(width=width))

    assert max(map(len, text.splitlines())) <= width


def test_names_are_neither_markup_nor_control_sequences() -> None:
    hostile = "[red]\x1b[31m\u202e:boom:[/nonsense]"
    arrangement = system(share(hostile, {"[bold]\x07": 1}, LEND_AND_BORROW), share("b", {"[bold]\x07": 1}, LEND))
    jobs = trace(job("it", hostile, {"[bold]\x07": 1}), job("big", hostile, {"[bold]\x07": 2}, submit=1))

    text = comparison_text([compare_systems(arrangement, jobs, bases={"\x1b.json": SHARING})], Screen(width=200))

    assert r"[red]\x1b[31m\u202e:boom:[/nonsense]" in text
    assert r"Instance-hours of [bold]\x07" in text
    assert r"base: \x1b.json; it lacks" in text
    assert text.replace("\n", "").isprintable()
