"""Tables with more columns than a narrow screen has room for: they go on in further tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from rich.cells import cell_len
from rich.table import Table

from quota_constructs.evaluator.report.screen import Screen, new_table, safe
from quota_constructs.printable import printable

_GAP = 3
"""Between two columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Columns that must stand beside each other; a heading may have several lines."""

    headings: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    """The cells of these columns, row by row."""

    @property
    def width(self) -> int:
        """How wide they are if nothing is folded, with a gap before each."""
        return sum(
            _GAP + max(*map(cell_len, heading.split("\n")), 0, *(cell_len(printable(row[place])) for row in self.rows))
            for place, heading in enumerate(self.headings)
        )


def folded(title: str, names: Columns, groups: Sequence[Columns], screen: Screen) -> Iterator[Table]:
    """
    Yield one table with the columns of all *groups*, or several where *screen* is too narrow for all of them.

    Each begins with *names*, which tell the rows apart and may be long: what *screen* leaves no room for is folded.
    """
    room = screen.width + _GAP - min(names.width, screen.width // 2)
    widths = [group.width for group in groups]
    first = 0
    while first < len(groups):
        last = first + 1
        while last < len(groups) and sum(widths[first : last + 1]) <= room:
            last += 1
        yield _table(f"{title}, continued" if first else title, names, groups[first:last])
        first = last


def _table(title: str, names: Columns, groups: Sequence[Columns]) -> Table:
    headings = (heading for group in groups for heading in group.headings)
    table = new_table(title, *names.headings, *headings, words=len(names.headings))
    for name, *cells in zip(names.rows, *(group.rows for group in groups), strict=True):
        table.add_row(*map(safe, (*name, *chain.from_iterable(cells))))
    return table
