"""
`job_info_df.csv` of Alibaba's jobs on spot GPUs, 2026.

See https://github.com/alibaba/clusterdata/tree/master/cluster-trace-v2026-spot-gpu.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import milliseconds, number, thousandths
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows

COLUMNS: Final = (
    "job_name",
    "organization",
    "gpu_model",
    "gpu_request",
    "worker_num",
    "submit_time",
    "duration",
    "job_type",
)


def alibaba_spot_rows(file: SourceFile, _: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*, each of which holds the GPUs of all its workers at once."""
    for row in table_rows(file, COLUMNS):
        workers = number(row["worker_num"], "worker_num")
        yield Row(
            id=row["job_name"],
            submit_ms=milliseconds(row["submit_time"], "submit_time"),
            duration_ms=milliseconds(row["duration"], "duration"),
            milli_units=round(thousandths(row["gpu_request"], "gpu_request") * workers),
            labels={name: row[name] for name in ("organization", "job_type", "gpu_model")},
        )
    file.note_an_open_end()


ALIBABA_SPOT: Final = Importer(
    description="job_info_df.csv of Alibaba's jobs on spot GPUs (2026)",
    rows=alibaba_spot_rows,
    teams=("organization",),
    labels=("organization", "job_type", "gpu_model"),
    instance_type="gpu_model",
    remarks=("gpu_request is taken for one worker: a job holds gpu_request times worker_num GPUs",),
)
