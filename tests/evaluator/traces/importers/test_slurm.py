"""Slurm's accounting."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers import Choices, Options
from tests.importing import imported, table

COLUMNS = "JobID|Account|User|Partition|State|Submit|Start|End|Elapsed|AllocTRES"


def row(**cells: str) -> str:
    """Return the row of a job that completed, with *cells* in the place of the usual ones."""
    usual = {
        "id": "1",
        "account": "vision",
        "user": "ann",
        "partition": "a100",
        "state": "COMPLETED",
        "submit": "2026-03-01T08:00:00",
        "start": "2026-03-01T08:10:00",
        "end": "2026-03-01T09:10:00",
        "elapsed": "01:00:00",
        "tres": "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1",
    }
    return "|".join((usual | cells).values())


def test_a_job_is_what_its_row_says(tmp_path: Path) -> None:
    jobs, report = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row()))

    assert jobs == [{"id": "1", "share": "vision", "submit": 0, "duration": 3600, "instance_count": 2}]
    assert (report.rows, report.dropped, report.altered) == (1, {}, {})


@pytest.mark.parametrize(
    ("tres", "gpus"),
    [
        pytest.param("cpu=8,gres/gpu=4,node=1", 4, id="without a kind"),
        pytest.param("cpu=8,gres/gpu:a100=4,node=1", 4, id="with a kind"),
        pytest.param("gres/gpu:a100=4,gres/gpu:v100=2", 6, id="of two kinds"),
        pytest.param("gres/gpu=6,gres/gpu:a100=4,gres/gpu:v100=2", 6, id="of two kinds and together"),
        pytest.param("gres/gpu=4,gres/gpumem=80G,gres/gpuutil=90", 4, id="beside what only begins like it"),
    ],
)
def test_gpus_are_counted_once(tres: str, gpus: int, tmp_path: Path) -> None:
    [job], _ = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row(tres=tres)))

    assert job["instance_count"] == gpus


@pytest.mark.parametrize("text", ["gpu:4", "gpu:a100:4", "gpu:a100:4(IDX:0-3)"])
def test_older_columns_count_gpus_too(text: str, tmp_path: Path) -> None:
    path = table(tmp_path / "log.txt", COLUMNS.replace("AllocTRES", "AllocGRES"), row(tres=text))

    [job], _ = imported("slurm", path)

    assert job["instance_count"] == 4


@pytest.mark.parametrize(
    ("elapsed", "seconds"),
    [("00:00:05", 5), ("05:07", 307), ("1-02:03:04", 93_784), ("10-00:00:00", 864_000), ("00:00:01.500", 1.5)],
)
def test_spans_are_read_as_slurm_writes_them(elapsed: str, seconds: float, tmp_path: Path) -> None:
    [job], _ = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row(elapsed=elapsed)))

    assert job["duration"] == seconds


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        pytest.param({"id": "1.batch"}, "is a step of a job", id="the batch step"),
        pytest.param({"id": "1.extern"}, "is a step of a job", id="the extern step"),
        pytest.param({"id": "12_3.0"}, "is a step of a job", id="the step of an array's task"),
        pytest.param({"state": "CANCELLED by 1000", "start": "Unknown"}, "never ran", id="cancelled while waiting"),
        pytest.param({"state": "CANCELLED by 1000", "start": "None"}, "never ran", id="likewise, of a later version"),
        pytest.param({"id": "9_[1-20%4]", "state": "PENDING", "start": "Unknown"}, "never ran", id="tasks to come"),
        pytest.param({"state": "RUNNING", "end": "Unknown"}, "still running", id="still running"),
        pytest.param({"submit": "Unknown"}, "the time of submission is not known", id="no submission"),
        pytest.param({"tres": "billing=8,cpu=8"}, "holds no GPU", id="processors only"),
    ],
)
def test_what_is_no_job_is_dropped_with_its_reason(cells: dict[str, str], reason: str, tmp_path: Path) -> None:
    jobs, report = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row(id="77"), row(**cells)))

    assert [job["id"] for job in jobs] == ["77"]
    assert [each.startswith(reason) for each in report.dropped] == [True]


def test_tasks_of_an_array_are_jobs(tmp_path: Path) -> None:
    jobs, _ = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row(id="12_3"), row(id="12_4")))

    assert [job["id"] for job in jobs] == ["12_3", "12_4"]


def test_a_killed_job_is_kept_and_remarked_on(tmp_path: Path) -> None:
    jobs, report = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row(state="CANCELLED by 1000")))

    assert len(jobs) == 1
    assert report.remarks == {"ended as cancelled: the time recorded may be less than the job needed": 1}


def test_rows_of_a_requeued_job_are_its_attempts(tmp_path: Path) -> None:
    path = table(
        tmp_path / "log.txt",
        COLUMNS,
        row(state="REQUEUED", submit="2026-03-01T08:30:00", elapsed="00:10:00"),
        row(id="2", submit="2026-03-01T08:00:00"),
        row(state="PREEMPTED", submit="2026-03-01T08:20:00", elapsed="00:20:00"),
        row(elapsed="01:00:00", submit="2026-03-01T08:40:00"),
    )

    jobs, report = imported("slurm", path)

    assert [(job["id"], job["submit"], job["duration"]) for job in jobs] == [("2", 0, 3600), ("1", 1200, 5400)]
    assert report.altered == {"is another attempt of a job: added to it": 2}


def test_durations_can_come_from_the_times(tmp_path: Path) -> None:
    path = table(tmp_path / "log.txt", COLUMNS, row(elapsed="00:30:00"))

    [job], _ = imported("slurm", path, duration="end-start")

    assert job["duration"] == 3600


def test_the_zone_is_that_of_the_cluster(tmp_path: Path) -> None:
    # Clocks in Berlin went from 02:00 to 03:00 on 2026-03-29.
    path = table(
        tmp_path / "log.txt",
        COLUMNS,
        row(submit="2026-03-29T01:00:00", start="2026-03-29T01:30:00", end="2026-03-29T03:30:00"),
    )

    lengths = [
        imported("slurm", path, options=Options(choices=Choices(zone=zone, duration="end-start")))[0][0]["duration"]
        for zone in (UTC, ZoneInfo("Europe/Berlin"))
    ]

    assert lengths == [7200, 3600]


@pytest.mark.parametrize("label", ["partition", "user", "gpu_type", "state"])
def test_the_team_can_be_something_else(label: str, tmp_path: Path) -> None:
    [job], _ = imported("slurm", table(tmp_path / "log.txt", COLUMNS, row()), options=Options(team=label))

    assert job["share"] == {"partition": "a100", "user": "ann", "gpu_type": "a100", "state": "COMPLETED"}[label]


@pytest.mark.parametrize(
    ("columns", "rows", "said"),
    [
        pytest.param(COLUMNS, [row() + "|x"], "log.txt:2: the row has 11 cells", id="a bar within a name"),
        pytest.param(COLUMNS, [row(), "2|vis"], "log.txt:3: the row has 2 cells", id="cut off"),
        pytest.param(COLUMNS.replace("Submit", "Eligible"), [row()], "there is no column 'Submit'", id="no column"),
        pytest.param(COLUMNS.replace("AllocTRES", "NNodes"), [row()], "that counts GPUs", id="no GPUs"),
        pytest.param(COLUMNS.replace("Elapsed", "CPUTime"), [row()], "no column 'Elapsed'", id="no length"),
        pytest.param(COLUMNS, [row(elapsed="3600")], "'Elapsed' must be a span", id="seconds as a span"),
        pytest.param(COLUMNS, [row(submit="1772352000")], "'Submit' must be a time", id="an epoch as a time"),
        pytest.param(COLUMNS, [row(submit="2026-02-30T00:00:00")], "no time there is", id="a day there is not"),
        pytest.param(COLUMNS, [row(tres="gres/gpu=many")], "GPUs must be a whole number", id="no count"),
    ],
)
def test_fails_for_what_cannot_be_meant(columns: str, rows: list[str], said: str, tmp_path: Path) -> None:
    path = table(tmp_path / "log.txt", columns, *rows)

    with pytest.raises(TraceError) as caught:
        imported("slurm", path)

    assert said in str(caught.value)
