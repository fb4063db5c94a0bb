"""Helios's log of jobs."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers import Choices, Options
from tests.importing import SAMPLES, imported, table

COLUMNS = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue"
DAY = "2020-06-09"


def row(
    name: str,
    *,
    gpus: str = "1",
    state: str = "COMPLETED",
    start: str = f"{DAY} 01:00:00",
    end: str = f"{DAY} 02:00:00",
) -> str:
    return f"{name},u1,vcA,{gpus},4,1,{state},{DAY} 00:00:00,{start},{end},3500,3600"


@pytest.mark.parametrize(
    ("way", "seconds"),
    [
        pytest.param(None, 3500, id="by default what the log says"),
        pytest.param("recorded", 3500, id="what the log says"),
        pytest.param("end-start", 3600, id="by the times"),
    ],
)
def test_a_job_of_a_virtual_cluster(tmp_path: Path, way: str | None, seconds: int) -> None:
    jobs, report = imported("helios", table(tmp_path / "t.csv", COLUMNS, row("7", gpus="4")), duration=way)

    assert jobs == [{"id": "7", "share": "vcA", "submit": 0, "duration": seconds, "instance_count": 4}]
    assert (report.dropped, report.altered, report.remarks) == ({}, {}, {})


def test_jobs_that_only_use_processors_are_dropped(tmp_path: Path) -> None:
    jobs, report = imported("helios", table(tmp_path / "t.csv", COLUMNS, row("1", gpus="0"), row("2")))

    assert [job["id"] for job in jobs] == ["2"]
    assert report.dropped == {"holds no GPU": 1}


@pytest.mark.parametrize("nothing", ["", "None"], ids=["empty", "the word None"])
def test_a_job_that_never_started_is_dropped(tmp_path: Path, nothing: str) -> None:
    path = table(tmp_path / "t.csv", COLUMNS, row("1", start=nothing, end=nothing, state="CANCELLED"), row("2"))

    jobs, report = imported("helios", path)

    assert [job["id"] for job in jobs] == ["2"]
    assert report.dropped == {"never ran, so there is no work to repeat": 1}


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        pytest.param("", "still running where the log ends, so how long it works is not known", id="no end"),
        pytest.param(f"{DAY} 00:30:00", "ends before it starts", id="an end before the start"),
    ],
)
def test_times_that_give_no_duration(tmp_path: Path, end: str, reason: str) -> None:
    path = table(tmp_path / "t.csv", COLUMNS, row("1", end=end), row("2"))

    _, report = imported("helios", path, duration="end-start")

    assert report.dropped == {reason: 1}


@pytest.mark.parametrize("state", ["CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL"])
def test_a_job_that_was_cut_short_counts_as_recorded_and_is_reported(tmp_path: Path, state: str) -> None:
    jobs, report = imported("helios", table(tmp_path / "t.csv", COLUMNS, row("1", state=state)))

    assert len(jobs) == 1
    assert report.remarks == {f"ended as {state.lower()}: the time recorded may be less than the job needed": 1}


def test_the_zone_of_its_times_can_be_stated(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", COLUMNS, row("1"))

    def submitted(zone: timezone) -> int:
        jobs, _ = imported("helios", path, options=Options(choices=Choices(zone=zone), rebase=False))
        return int(jobs[0]["submit"])

    assert submitted(UTC) - submitted(timezone(timedelta(hours=8))) == 8 * 3600


def test_fails_for_another_file_of_the_same_log(tmp_path: Path) -> None:
    path = table(tmp_path / "cluster_gpu_number.csv", "date,vcA,total", "2020-09-01,64,64")

    with pytest.raises(TraceError, match="there is no column 'job_id'; there are 'date', 'vcA', 'total'"):
        imported("helios", path)


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not part of the project")
def test_the_published_example_is_read_whole() -> None:
    jobs, _ = imported("helios", SAMPLES / "helios_cluster_log.sample.csv")

    assert [(job["share"], job["submit"], job["duration"], job["instance_count"]) for job in jobs] == [
        ("vcJkd", 0, 36_848, 1),
        ("vchbv", 26, 249, 4),
        ("vcpDC", 27, 675_233, 1),
    ]
