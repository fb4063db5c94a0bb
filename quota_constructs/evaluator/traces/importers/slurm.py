"""
What Slurm's `sacct -P` prints: one row a job, cells parted by `|`, column names in the first row.

https://slurm.schedmd.com/sacct.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import clock, is_nothing, milliseconds, moment
from quota_constructs.evaluator.traces.importers.endings import (
    ENDS_BEFORE_IT_STARTS,
    NEVER_RAN,
    STILL_RUNNING,
    ending_remarks,
)
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer, RepeatedIds
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows
from quota_constructs.evaluator.traces.refusal import Refused, listed, shown

ELAPSED: Final = "elapsed"
FROM_TIMES: Final = "end-start"
REQUIRED: Final = ("JobID", "Submit", "State")
RESOURCES: Final = ("AllocTRES", "ReqTRES", "AllocGRES", "ReqGRES")
"""Where the GPUs may stand; the first that says something holds."""

LABELS: Final = {
    "account": "Account",
    "user": "User",
    "partition": "Partition",
    "qos": "QOS",
    "priority": "Priority",
    "cluster": "Cluster",
}
GPU: Final = "gpu_type"
GPUS: Final = re.compile(r"(?<![A-Za-z])(?:gres/)?gpu(?::(?P<type>[^=:,]+))?[=:](?P<count>[^,(]*)")
STEP: Final = "is a step of a job, whose own row has the whole of it"
UNKNOWN_SUBMIT: Final = "the time of submission is not known"
GOOD: Final = frozenset({"COMPLETED", "REQUEUED"})
"""A requeued attempt was cut short too, but the job went on with the next."""

WAITING: Final = frozenset({"PENDING", "REVOKED"})
RUNNING: Final = frozenset({"RUNNING", "SUSPENDED", "RESIZING", "COMPLETING", "CONFIGURING"})


def slurm_rows(file: SourceFile, choices: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*; rows of one job that was requeued, as `sacct -D` has them, are its attempts."""
    for row in table_rows(file, REQUIRED, delimiter="|", quoted=False):
        yield _row(row, choices)
    file.note_an_open_end()


def _row(row: Mapping[str, str], choices: Choices) -> Row | Dropped:
    state = row["State"].partition(" ")[0].rstrip("+")  # 'CANCELLED by 1000'; cut to a width it ends in '+'
    if "." in row["JobID"]:
        return Dropped(STEP)
    if is_nothing(row["Submit"]):
        return Dropped(UNKNOWN_SUBMIT)
    if state in RUNNING:
        return Dropped(STILL_RUNNING)
    if state in WAITING or is_nothing(row.get("Start", "there is no such column")):
        return Dropped(NEVER_RAN)
    duration_ms = _duration_ms(row, choices)
    if duration_ms is not None and duration_ms < 0:
        return Dropped(ENDS_BEFORE_IT_STARTS)
    gpus, kinds = _gpus(row)
    labels = {label: row[column] for label, column in LABELS.items() if not is_nothing(row.get(column, ""))}
    return Row(
        id=row["JobID"],
        submit_ms=moment(row["Submit"], "Submit", choices.zone),
        duration_ms=duration_ms,
        milli_units=gpus * 1000,
        labels={**labels, "state": state, **({GPU: kinds} if kinds else {})},
        remarks=ending_remarks(state, GOOD),
    )


def _duration_ms(row: Mapping[str, str], choices: Choices) -> int | None:
    """Return how long the job worked, by the clock of Slurm, which stands still while a job is suspended."""
    if choices.duration == FROM_TIMES:
        start, end = _cell(row, "Start"), _cell(row, "End")
        return None if is_nothing(end) else moment(end, "End", choices.zone) - moment(start, "Start", choices.zone)
    if "Elapsed" not in row and "ElapsedRaw" in row:
        return None if is_nothing(row["ElapsedRaw"]) else milliseconds(row["ElapsedRaw"], "ElapsedRaw")
    elapsed = _cell(row, "Elapsed")
    return None if is_nothing(elapsed) else clock(elapsed, "Elapsed")


def _cell(row: Mapping[str, str], column: str) -> str:
    if column not in row:
        raise Refused(f"there is no column {shown(column)}; print it too, with sacct -o, or choose another --duration")
    return row[column]


def _gpus(row: Mapping[str, str]) -> tuple[int, str]:
    """Return how many GPUs the job held, and of which kinds; a count without a kind is that of all kinds together."""
    columns = [column for column in RESOURCES if column in row]
    if not columns:
        raise Refused(f"there is no column that counts GPUs; print one of {listed(RESOURCES)} too, with sacct -o")
    text = next((row[column] for column in columns if not is_nothing(row[column])), "")
    counts: dict[str, int] = {}
    for found in GPUS.finditer(text):
        if not re.fullmatch("[0-9]{1,9}", found["count"]):
            raise Refused(f"GPUs must be a whole number, got {shown(found[0])}")
        kind = found["type"] or ""
        counts[kind] = counts.get(kind, 0) + int(found["count"])
    kinds = sorted(kind for kind in counts if kind)
    return counts.get("", sum(counts.values())), "|".join(kinds)


SLURM: Final = Importer(
    description="Slurm's accounting as sacct -P prints it, with a row of column names",
    rows=slurm_rows,
    teams=("account", "user"),
    labels=(*LABELS, "state", GPU),
    instance_type=GPU,
    durations=(ELAPSED, FROM_TIMES),
    takes_zone=True,
    repeated_ids=RepeatedIds.ATTEMPTS,
    remarks=("times are read as those of --zone; an hour that a change of clocks repeats is taken as its first",),
)
