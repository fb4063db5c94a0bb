"""CSV files of Microsoft's ITP clusters, 2021, one a cluster (https://github.com/microsoft/elasticflow-traces)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import milliseconds, thousandths
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows

COLUMNS: Final = ("job_id", "submission_time", "duration", "num_gpu")


def itp_rows(file: SourceFile, _: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*, whose name is all there is to tell one team from another."""
    for row in table_rows(file, COLUMNS):
        yield Row(
            id=row["job_id"],
            submit_ms=milliseconds(row["submission_time"], "submission_time"),
            duration_ms=milliseconds(row["duration"], "duration"),
            milli_units=thousandths(row["num_gpu"], "num_gpu"),
            labels={},
        )


ITP: Final = Importer(
    description="CSV files of Microsoft's ITP clusters (2021), one file a cluster, as ElasticFlow used them",
    rows=itp_rows,
    teams=("file",),
    labels=("file",),
    remarks=(
        "each file is a cluster of its own and counts as a team here; that they share a beginning is an assumption",
        "jobs of less than 600 s are not in the published files",
    ),
)
