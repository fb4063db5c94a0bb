"""
Pods of Alibaba's cluster of 2023 (`openb_pod_list_*.csv`).

See https://github.com/alibaba/clusterdata/tree/master/cluster-trace-gpu-v2023.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quota_constructs.evaluator.traces.importers.cells import is_nothing, milliseconds, number
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

COLUMNS: Final = (
    "name",
    "num_gpu",
    "gpu_milli",
    "gpu_spec",
    "qos",
    "pod_phase",
    "creation_time",
    "deletion_time",
    "scheduled_time",
)
LOG_END_MS: Final = 12_902_960_000
CUT_OFF: Final = "deleted in the last second of the log, so it may have run on"
GOOD_PHASES: Final = frozenset({"SUCCEEDED", "RUNNING"})


def openb_rows(file: SourceFile, _: Choices) -> Iterator[Row | Dropped]:
    """Yield the pods of *file*; one that was never scheduled was only waiting, however long it was there."""
    for row in table_rows(file, COLUMNS):
        if is_nothing(row["scheduled_time"]):
            yield Dropped(NEVER_RAN)
            continue
        if is_nothing(row["deletion_time"]):
            yield Dropped(STILL_RUNNING)
            continue
        end_ms = milliseconds(row["deletion_time"], "deletion_time")
        duration_ms = end_ms - milliseconds(row["scheduled_time"], "scheduled_time")
        if duration_ms < 0:
            yield Dropped(ENDS_BEFORE_IT_STARTS)
            continue
        cut_off = (CUT_OFF,) if end_ms == LOG_END_MS else ()
        yield Row(
            id=row["name"],
            submit_ms=milliseconds(row["creation_time"], "creation_time"),
            duration_ms=duration_ms,
            milli_units=round(number(row["num_gpu"], "num_gpu") * number(row["gpu_milli"], "gpu_milli")),
            labels={"qos": row["qos"], "pod_phase": row["pod_phase"], **_gpu_spec(row["gpu_spec"])},
            remarks=(*ending_remarks(row["pod_phase"], GOOD_PHASES), *cut_off),
        )
    file.note_an_open_end()


def _gpu_spec(text: str) -> dict[str, str]:
    """Return the models that *text* allows, parted by `|`, each once though the log repeats some."""
    models = dict.fromkeys(model for model in text.strip().split("|") if model)
    return {"gpu_spec": "|".join(models)} if models else {}


OPENB: Final = Importer(
    description="openb_pod_list_*.csv, pods of Alibaba's cluster of 2023",
    rows=openb_rows,
    teams=("qos",),
    labels=("qos", "pod_phase", "gpu_spec"),
    instance_type="gpu_spec",
    remarks=("the log names neither teams nor users: classes of service (qos) take the place of teams",),
)
