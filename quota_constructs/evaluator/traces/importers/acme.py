"""`trace_seren.csv` and `trace_kalos.csv` of Shanghai AI Laboratory, 2023 (https://github.com/InternLM/AcmeTrace)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import is_nothing, milliseconds, moment, thousandths
from quota_constructs.evaluator.traces.importers.endings import (
    ENDS_BEFORE_IT_STARTS,
    NEVER_RAN,
    STILL_RUNNING,
    ending_remarks,
)
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows

COLUMNS: Final = ("job_id", "user", "gpu_num", "type", "state", "submit_time", "start_time", "end_time", "duration")
WITH_QUEUE: Final = "its column 'duration' is not end less start, as where it counts the time in the queue too"
TOLERANCE_MS: Final = 1000
"""By how much the column may differ from the times: they are whole seconds."""


def acme_rows(file: SourceFile, choices: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*, with durations of its times: in Kalos's, the column counts the queue too."""
    for row in table_rows(file, COLUMNS):
        if is_nothing(row["start_time"]):
            yield Dropped(NEVER_RAN)
            continue
        if is_nothing(row["end_time"]):
            yield Dropped(STILL_RUNNING)
            continue
        start_ms = moment(row["start_time"], "start_time", choices.zone)
        duration_ms = moment(row["end_time"], "end_time", choices.zone) - start_ms
        if duration_ms < 0:
            yield Dropped(ENDS_BEFORE_IT_STARTS)
            continue
        yield Row(
            id=row["job_id"],
            submit_ms=moment(row["submit_time"], "submit_time", choices.zone),
            duration_ms=duration_ms,
            milli_units=thousandths(row["gpu_num"], "gpu_num"),
            labels={name: row[name] for name in ("user", "type", "state")},
            altered=() if _agrees(row["duration"], duration_ms) else (WITH_QUEUE,),
            remarks=ending_remarks(row["state"], {"COMPLETED"}),
        )
    file.note_an_open_end()


def _agrees(column: str, duration_ms: int) -> bool:
    return is_nothing(column) or abs(milliseconds(column, "duration") - duration_ms) <= TOLERANCE_MS


ACME: Final = Importer(
    description="trace_seren.csv or trace_kalos.csv of Shanghai AI Laboratory's Acme (2023)",
    rows=acme_rows,
    teams=("user",),
    labels=("user", "type", "state"),
    takes_zone=True,
    remarks=("the log names users and types of job, and no teams",),
)
