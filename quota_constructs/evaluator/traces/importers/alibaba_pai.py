"""
`pai_job_*.csv` of Alibaba's PAI, 2020: the job table that its simulator runs.

See https://github.com/alibaba/clusterdata/tree/master/cluster-trace-gpu-v2020/simulator. `num_gpu` is what a job holds
in all, as that simulator has it: `num_inst` does not multiply it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import is_nothing, milliseconds, thousandths
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.table import table_rows

COLUMNS: Final = ("job_id", "submit_time", "num_gpu", "gpu_type", "duration", "user")
NO_GPU: Final = "0"


def alibaba_pai_rows(file: SourceFile, _: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*."""
    for row in table_rows(file, COLUMNS):
        yield Row(
            id=row["job_id"],
            submit_ms=milliseconds(row["submit_time"], "submit_time"),
            duration_ms=None if is_nothing(row["duration"]) else milliseconds(row["duration"], "duration"),
            milli_units=thousandths(NO_GPU if is_nothing(row["num_gpu"]) else row["num_gpu"], "num_gpu"),
            labels={"user": row["user"], "gpu_type": row["gpu_type"]},
        )
    file.note_an_open_end()


ALIBABA_PAI: Final = Importer(
    description="pai_job_*.csv of Alibaba's PAI (2020), as its simulator reads it",
    rows=alibaba_pai_rows,
    teams=("user",),
    labels=("user", "gpu_type"),
    instance_type="gpu_type",
    remarks=(
        "the log names users and no teams; see --top",
        "num_gpu is taken for the whole job, as in Alibaba's simulator: num_inst does not multiply it",
    ),
)
