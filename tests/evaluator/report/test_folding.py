from __future__ import annotations

import pytest

from quota_constructs.evaluator.report.folding import Columns, folded
from quota_constructs.evaluator.report.screen import Screen, draw


def shown(names: list[list[str]], *groups: Columns, width: int) -> list[str]:
    columns = Columns(headings=("name",), rows=names)
    return draw(folded("Title", columns, groups, Screen(width=width)), Screen(width=width)).split("\n\n")


ONE_ROW = [
    Columns(headings=("first\n1", "\n2"), rows=[["11111", "22222"]]),
    Columns(headings=("3333333333",), rows=[["3"]]),
    Columns(headings=("4",), rows=[["44444"]]),
]
"""16, 13 and 8 wide with their gaps, beside a name of 4."""


@pytest.mark.parametrize(
    ("width", "tables"),
    [
        (41, [("first", "3333333333", "44444")]),
        (40, [("first", "3333333333"), ("44444",)]),
        (32, [("first",), ("3333333333", "44444")]),
        (20, [("first",), ("3333333333",), ("44444",)]),
    ],
)
def test_columns_go_on_below_where_the_screen_ends(width: int, tables: list[tuple[str, ...]]) -> None:
    result = shown([["it"]], *ONE_ROW, width=width)

    assert [tuple(word for word in ("first", "3333333333", "44444") if word in block) for block in result] == tables
    assert all("it" in block.split() for block in result)
    assert max(len(line) for block in result for line in block.splitlines()) <= width


def test_only_what_goes_on_says_so() -> None:
    result = shown([["it"]], *ONE_ROW, width=32)

    assert [block.splitlines()[0] for block in result] == ["Title", "Title, continued"]


def test_columns_of_one_group_are_never_parted() -> None:
    result = shown([["it"]], *ONE_ROW, width=8)

    assert len(result) == 3
    assert max(len(line) for block in result for line in block.splitlines()) <= 8


def test_a_long_name_leaves_the_numbers_their_room() -> None:
    result = shown([["n" * 200]], ONE_ROW[0], ONE_ROW[2], width=48)

    assert len(result) == 1
    assert "11111" in result[0]
    assert result[0].count("n") == 200 + len("name") - 3


def test_cells_are_neither_markup_nor_control_sequences() -> None:
    [block] = shown([["[red]\x1b[31m"]], Columns(headings=("it",), rows=[["[/x]\x07"]]), width=60)

    assert r"[red]\x1b[31m" in block
    assert r"[/x]\x07" in block
