"""CSV for people with spreadsheets: each row is the JSON object of one job, its cells under the field's names."""

from __future__ import annotations

import csv
import re
from typing import Any, Final

import msgspec
from msgspec import ValidationError

from quota_constructs.evaluator.traces.refusal import Refused, plain_object, refuse_field, shown, unknown
from quota_constructs.evaluator.traces.schema import CheckpointFields, JobLine
from quota_constructs.evaluator.traces.source import Lines
from quota_constructs.evaluator.traces.taker import LineTaker

CHECKPOINT_PREFIX: Final = "checkpoint_"
REQUIRED: Final = tuple(field.name for field in msgspec.structs.fields(JobLine) if field.required)
COLUMNS: Final = (
    *REQUIRED,
    *(field for field in JobLine.__struct_fields__ if field not in {*REQUIRED, "checkpoint"}),
    *(CHECKPOINT_PREFIX + field for field in CheckpointFields.__struct_fields__),
)
TEXTS: Final = frozenset({"id", "share", "instance_type"})
WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,300}")
NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
YES_NO: Final = {"true": True, "false": False}


def read_spreadsheet(lines: Lines, taker: LineTaker) -> None:
    """Give every row of *lines* to *taker*; the first names the columns."""
    columns: list[str] | None = None
    for line in lines:
        cells = _cells(line)
        if not any(cells):
            continue
        if columns is None:
            columns = _columns(cells)
        else:
            if len(cells) != len(columns):
                raise Refused(f"a row must have a cell for each of the {len(columns)} columns, got {len(cells)}")
            record = _record(columns, cells)
            try:
                job = msgspec.convert(record, JobLine)
            except ValidationError as error:
                refuse_field(record, error, JobLine)
            taker.add_job(job, lines.number)
    if columns is None:
        raise Refused(f"the file is empty; its first row must name the columns, such as {', '.join(REQUIRED)}")


def _cells(line: bytes) -> list[str]:
    """Return the cells of *line*, which is one row: a cell holds no line break."""
    try:
        text = line.decode().removesuffix("\n").removesuffix("\r")
        return next(csv.reader([text], strict=True))
    except UnicodeDecodeError as error:
        raise Refused(f"not UTF-8 (byte {error.start + 1} of the line); save the file as 'CSV UTF-8'") from None
    except csv.Error as error:
        raise Refused(f"not CSV: {error}; write one job a row, without line breaks in cells") from None


def _columns(cells: list[str]) -> list[str]:
    """Return the names in the first row, or refuse them."""
    for position, name in enumerate(cells):
        if name not in COLUMNS:
            raise Refused(unknown("column of a trace", name, COLUMNS))
        if name in cells[:position]:
            raise Refused(f"column {shown(name)} comes twice; keep one of them")
    return cells


def _record(columns: list[str], cells: list[str]) -> dict[str, Any]:
    """Return the JSON object that a row stands for; an empty cell leaves its field out."""
    record: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=True):
        if not cell:
            continue
        if column.startswith(CHECKPOINT_PREFIX):
            record.setdefault("checkpoint", {})[column.removeprefix(CHECKPOINT_PREFIX)] = _value(cell)
        elif column == "instances":
            record[column] = _object(column, cell)
        else:
            record[column] = cell if column in TEXTS else _value(cell)
    return record


def _object(column: str, cell: str) -> dict[str, Any]:
    try:
        return plain_object(cell.encode())
    except Refused as refused:
        raise Refused(f"'{column}': {refused}") from None


def _value(cell: str) -> object:
    """Return the number, the true or the false that *cell* spells, or else its text, which is refused later."""
    if WHOLE_NUMBER.fullmatch(cell):
        return int(cell)
    if NUMBER.fullmatch(cell):
        return float(cell)
    return YES_NO.get(cell.lower(), cell)
