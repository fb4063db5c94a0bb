"""
Standard Workload Format 2.2: one job a line, 18 numbers, -1 for what is not known.

https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import milliseconds, thousandths
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.refusal import Refused

FIELDS: Final = 18
UNKNOWN: Final = "-1"
LABELS: Final = {"user": 11, "group": 12, "application": 13, "queue": 14, "partition": 15}
"""Where the numbers stand that may tell whose a job is, from 0."""

FAILED: Final = "failed: runs for as long as it did before it failed"
CANCELLED: Final = "cancelled: runs for as long as it did before it was cancelled"
REMARKS: Final = {"0": (FAILED,), "5": (CANCELLED,)}
PARTS: Final = frozenset({"2", "3", "4"})
NEVER_RAN: Final = "was cancelled before it ran"
A_PART: Final = "is a part of a job that another line has the whole of"
MAX_JOBS: Final = re.compile(r";\s*MaxJobs:\s*([0-9]{1,12})\s*")


def _rows(file: SourceFile, _: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*; what stands behind the 18th field, as some logs have it, is passed over."""
    promised: int | None = None
    found = 0
    for line in file.lines():
        if line.lstrip().startswith(";"):
            header = MAX_JOBS.fullmatch(line.strip())
            promised = int(header[1]) if header else promised
        elif line.strip():
            found += 1
            yield _row(line.split(maxsplit=FIELDS))
    file.note_an_open_end()
    if promised is not None and promised != found:
        file.notes.append(f"its header promises {promised:,} jobs, and {found:,} are there; it may be cut off")


def _row(fields: list[str]) -> Row | Dropped:
    if len(fields) < FIELDS:
        raise Refused(f"a job has {FIELDS} fields, and here are {len(fields)}; if the file is cut off, fetch it again")
    submit_ms = milliseconds(fields[1], "submit time")
    run_ms = milliseconds(fields[3], "run time")
    requested, allocated = thousandths(fields[7], "requested"), thousandths(fields[4], "allocated")
    status = str(thousandths(fields[10], "status") // 1000)
    labels = {name: f"{name}-{number}" for name, place in LABELS.items() if (number := _known(fields[place], name))}
    if submit_ms < 0:
        return Dropped("the time of submission is not known")
    if status in PARTS:
        return Dropped(A_PART)
    if status == "5" and run_ms <= 0:
        return Dropped(NEVER_RAN)
    return Row(
        id=fields[0],
        submit_ms=submit_ms,
        duration_ms=None if run_ms < 0 else run_ms,
        milli_units=requested if requested > 0 else allocated,
        labels=labels,
        remarks=REMARKS.get(status, ()),
    )


def _known(text: str, field: str) -> str | None:
    """Return the number of a user, a group or the like without decimals, None for the -1 that it may be."""
    value = -1 if text == UNKNOWN else thousandths(text, field)
    return None if value < 0 else str(value // 1000)


SWF: Final = Importer(
    description="Standard Workload Format 2.2, as in the Parallel Workloads Archive (.swf, .swf.gz)",
    rows=_rows,
    teams=("group", "user", "queue", "partition"),
    labels=tuple(LABELS),
    unit="processor",
    instance_type="partition",
)
