"""Files with a row of column names: CSV, and whatever else parts its cells by one character."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence

from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.refusal import Refused, listed, shown


def table_rows(
    file: SourceFile, required: Sequence[str], *, delimiter: str = ",", quoted: bool = True
) -> Iterator[Mapping[str, str]]:
    """
    Yield each row of *file* by the names of its columns, among which those *required* must be.

    A row with more or fewer cells than there are columns is refused: it is cut off, or not of this file.
    """
    lines = (line for line in file.lines() if line.strip())
    first = next(lines, None)
    if first is None:
        raise Refused(f"the file is empty; its first row must name the columns, {listed(required)} among them")
    columns = [name.strip() for name in _cells(first, delimiter, quoted=quoted)]
    for name in required:
        if name not in columns:
            raise Refused(f"there is no column {shown(name)}; there are {listed(columns)}")
    for place, name in enumerate(columns):
        if name in columns[:place]:
            raise Refused(f"column {shown(name)} comes twice; keep one of them")
    for line in lines:
        cells = _cells(line, delimiter, quoted=quoted)
        if len(cells) != len(columns):
            raise Refused(
                f"the row has {len(cells)} cells and there are {len(columns)} columns; if it is cut off, fetch it again"
            )
        yield dict(zip(columns, cells, strict=True))


def _cells(line: str, delimiter: str, *, quoted: bool) -> list[str]:
    if not quoted or '"' not in line:
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise Refused(f"not CSV: {error}; write one job a row, without line breaks in cells") from None
