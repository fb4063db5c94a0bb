"""`cluster_log.csv` of SenseTime's Helios clusters, 2020 (https://github.com/S-Lab-System-Group/HeliosData)."""

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

RECORDED: Final = "recorded"
FROM_TIMES: Final = "end-start"
COLUMNS: Final = ("job_id", "user", "vc", "gpu_num", "state", "submit_time", "start_time", "end_time", "duration")


def helios_rows(file: SourceFile, choices: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*, of which those that only use processors hold no GPU."""
    for row in table_rows(file, COLUMNS):
        if is_nothing(row["start_time"]):
            yield Dropped(NEVER_RAN)
            continue
        if choices.duration != FROM_TIMES:
            duration_ms = None if is_nothing(row["duration"]) else milliseconds(row["duration"], "duration")
        elif is_nothing(row["end_time"]):
            yield Dropped(STILL_RUNNING)
            continue
        else:
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
            labels={"vc": row["vc"], "user": row["user"], "state": row["state"]},
            remarks=ending_remarks(row["state"], {"COMPLETED"}),
        )
    file.note_an_open_end()


HELIOS: Final = Importer(
    description="cluster_log.csv of SenseTime's Helios clusters (2020)",
    rows=helios_rows,
    teams=("vc",),
    labels=("vc", "user", "state"),
    durations=(RECORDED, FROM_TIMES),
    takes_zone=True,
    remarks=("the log states no time zone; see --zone",),
)
