"""Acme's logs of jobs, one of which counts the time in the queue as run time."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_constructs.evaluator.traces.importers import Options
from tests.importing import SAMPLES, imported, table

COLUMNS = "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time"
WITH_QUEUE = "its column 'duration' is not end less start, as where it counts the time in the queue too"


def row(
    name: str,
    *,
    gpus: str = "8",
    start: str = "2023-03-01 00:01:00+08:00",
    end: str = "2023-03-01 00:03:00+08:00",
    duration: str = "120",
    state: str = "COMPLETED",
) -> str:
    return f"{name},u1,1,{gpus},128,Debug,{state},2023-03-01 00:00:00+08:00,{start},{end},{duration},60,960.0"


def test_a_job_of_a_user(tmp_path: Path) -> None:
    jobs, report = imported("acme", table(tmp_path / "t.csv", COLUMNS, row("1")))

    assert jobs == [{"id": "1", "share": "u1", "submit": 0, "duration": 120, "instance_count": 8}]
    assert (report.dropped, report.altered, report.remarks) == ({}, {}, {})


def test_a_job_of_a_type(tmp_path: Path) -> None:
    jobs, _ = imported("acme", table(tmp_path / "t.csv", COLUMNS, row("1")), options=Options(team="type"))

    assert [job["share"] for job in jobs] == ["Debug"]


@pytest.mark.parametrize("duration", ["180", "118"])
def test_the_times_count_where_the_duration_is_another(tmp_path: Path, duration: str) -> None:
    jobs, report = imported("acme", table(tmp_path / "t.csv", COLUMNS, row("1", duration=duration)))

    assert [job["duration"] for job in jobs] == [120]
    assert report.altered == {WITH_QUEUE: 1}


@pytest.mark.parametrize("duration", ["121", "119.0", ""])
def test_a_duration_that_is_rounded_or_missing_is_no_other(tmp_path: Path, duration: str) -> None:
    _, report = imported("acme", table(tmp_path / "t.csv", COLUMNS, row("1", duration=duration)))

    assert report.altered == {}


def test_times_with_different_offsets_are_compared_as_instants(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", COLUMNS, row("1", end="2023-02-28 16:03:00+00:00"))

    jobs, _ = imported("acme", path)

    assert [job["duration"] for job in jobs] == [120]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"start": "", "end": ""}, "never ran, so there is no work to repeat", id="no start"),
        pytest.param({"end": ""}, "still running where the log ends, so how long it works is not known", id="no end"),
        pytest.param({"end": "2023-03-01 00:00:30+08:00"}, "ends before it starts", id="an end before the start"),
        pytest.param({"gpus": "0"}, "holds no GPU", id="no GPU"),
    ],
)
def test_what_is_no_job_is_dropped_with_its_reason(tmp_path: Path, fields: dict[str, str], reason: str) -> None:
    jobs, report = imported("acme", table(tmp_path / "t.csv", COLUMNS, row("1", **fields), row("2")))

    assert [job["id"] for job in jobs] == ["2"]
    assert report.dropped == {reason: 1}


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not part of the project")
@pytest.mark.parametrize(
    ("cluster", "expected", "with_queue"),
    [
        pytest.param("seren", [(0, 117, 8), (336, 2693, 8)], {}, id="seren"),
        pytest.param("kalos", [(0, 8, 64), (1664, 70, 64)], {WITH_QUEUE: 2}, id="kalos, whose durations are wrong"),
    ],
)
def test_the_published_examples_are_read_whole(
    cluster: str, expected: list[tuple[int, int, int]], with_queue: dict[str, int]
) -> None:
    jobs, report = imported("acme", SAMPLES / f"acme_{cluster}.sample.csv")

    assert [(job["submit"], job["duration"], job["instance_count"]) for job in jobs] == expected
    assert report.altered == with_queue
