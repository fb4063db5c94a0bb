"""The CSV of four of Philly's virtual clusters, put together from Muri's files (philly_4vc.csv)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import milliseconds, thousandths
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows

COLUMNS: Final = ("job_id", "vc", "num_gpu", "submit_s", "duration_s")


def philly_table_rows(file: SourceFile, _: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*, by the times that count from its beginning and know no change of clocks."""
    for row in table_rows(file, COLUMNS):
        yield Row(
            id=row["job_id"],
            submit_ms=milliseconds(row["submit_s"], "submit_s"),
            duration_ms=milliseconds(row["duration_s"], "duration_s"),
            milli_units=thousandths(row["num_gpu"], "num_gpu"),
            labels={"vc": row["vc"]},
        )
    file.note_an_open_end()


PHILLY_TABLES: Final = Importer(
    description="philly_4vc.csv: four virtual clusters of Microsoft's Philly (2017), derived",
    rows=philly_table_rows,
    teams=("vc",),
    labels=("vc",),
    remarks=("a reconstruction, not a published log: names and beginnings of the four clusters were inferred",),
)
