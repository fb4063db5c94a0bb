"""Any other CSV with a row of column names, of which it is told what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import (
    CLOCK,
    NUMBER,
    clock,
    is_nothing,
    milliseconds,
    moment,
    thousandths,
)
from quota_constructs.evaluator.traces.importers.endings import ENDS_BEFORE_IT_STARTS, STILL_RUNNING
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows
from quota_constructs.evaluator.traces.refusal import Refused, listed, shown, unknown

SHARE: Final = "share"
PRIORITY: Final = "priority"
INSTANCE_TYPE: Final = "instance_type"
LABELS: Final = (SHARE, PRIORITY, INSTANCE_TYPE)
FIELDS: Final = ("id", "submit", "duration", "start", "end", "units", *LABELS)
"""What a column can be; one that is not mapped is the column of its own name, if there is one."""

UNKNOWN_SUBMIT: Final = "the time of submission is not known"
ONE_UNIT: Final = "says nothing of GPUs: holds 1"


def csv_rows(file: SourceFile, choices: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*; every column can be the team or the priority, by its own name."""
    for field in choices.columns:
        if field not in FIELDS:
            raise Refused(unknown("field for --map", field, FIELDS))
    columns = {field: choices.columns.get(field, field) for field in FIELDS}
    required = (columns["submit"], *choices.columns.values())
    for row in table_rows(file, tuple(dict.fromkeys(required))):
        yield _row(row, {field: row.get(column, "").strip() for field, column in columns.items()}, columns, choices)
    file.note_an_open_end()


def _row(
    row: Mapping[str, str], cells: Mapping[str, str], columns: Mapping[str, str], choices: Choices
) -> Row | Dropped:
    if is_nothing(cells["submit"]):
        return Dropped(UNKNOWN_SUBMIT)
    by_times = columns["duration"] not in row
    if by_times:
        missing = [field for field in ("start", "end") if columns[field] not in row]
        if missing:
            raise Refused(
                f"there is no column for 'duration', nor for {listed(missing)}; say which it is with --map "
                f"duration=COLUMN, or with both --map start=COLUMN and --map end=COLUMN"
            )
        if is_nothing(cells["end"]) or is_nothing(cells["start"]):
            return Dropped(STILL_RUNNING)
        duration_ms: int | None = _time(cells["end"], "end", choices) - _time(cells["start"], "start", choices)
    else:
        duration_ms = _length(cells["duration"], choices)
    if duration_ms is not None and duration_ms < 0 and by_times:
        return Dropped(ENDS_BEFORE_IT_STARTS)
    has_units = columns["units"] in row
    if has_units and is_nothing(cells["units"]):
        raise Refused(f"{shown(columns['units'])} must be a number, got nothing; correct or remove the row")
    labels = {name: cell for name, cell in row.items() if not is_nothing(cell)}
    return Row(
        id=None if is_nothing(cells["id"]) else cells["id"],
        submit_ms=_time(cells["submit"], "submit", choices),
        duration_ms=duration_ms,
        milli_units=thousandths(cells["units"], "units") if has_units else 1000,
        labels=labels | {field: cells[field] for field in LABELS if not is_nothing(cells[field])},
        remarks=() if has_units else (ONE_UNIT,),
    )


def _time(text: str, field: str, choices: Choices) -> int:
    """Return a time that is either a number, in the unit that was chosen, or a calendar time."""
    if NUMBER.fullmatch(text):
        return milliseconds(text, field, number_ms=choices.number_ms)
    return moment(text, field, choices.zone)


def _length(text: str, choices: Choices) -> int | None:
    """Return a span that is either a number, in the unit that was chosen, or a clock's."""
    if is_nothing(text):
        return None
    if CLOCK.fullmatch(text):
        return clock(text, "duration")
    return milliseconds(text, "duration", number_ms=choices.number_ms)


CSV: Final = Importer(
    description="any CSV with a row of column names, with --map FIELD=COLUMN for those that are called otherwise",
    rows=csv_rows,
    teams=(SHARE,),
    labels=(),
    instance_type=INSTANCE_TYPE,
    states_instance_type=True,
    priority=PRIORITY,
    takes_zone=True,
    takes_columns=True,
)
