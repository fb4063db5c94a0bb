"""Philly's log of jobs: JSON with several attempts a job, and the tables that were made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.errors import TraceError
from tests.importing import imported, table

WHOLE = {"start_time": "2017-10-07 01:00:00", "end_time": "2017-10-07 02:00:00"}
LATER = {"start_time": "2017-10-07 02:30:00", "end_time": "2017-10-07 03:00:00"}


def attempt(times: Mapping[str, str | None], *gpus: int) -> dict[str, Any]:
    machines = [{"ip": f"m{each}", "gpus": [f"gpu{gpu}" for gpu in range(each)]} for each in gpus]
    return {**times, "detail": machines}


def job(
    name: str, *attempts: dict[str, Any], status: str = "Pass", submitted: str | None = "2017-10-07 00:00:00"
) -> dict[str, Any]:
    fields = {"status": status, "vc": "ee9e8c", "jobid": name, "user": "u1", "submitted_time": submitted}
    return {**fields, "attempts": attempts}


def log(folder: Path, *jobs: dict[str, Any], indent: int | None = 1) -> Path:
    path = folder / "cluster_job_log"
    path.write_text(json.dumps(jobs, indent=indent), encoding="utf-8")
    return path


def test_a_job_holds_the_gpus_of_all_its_machines(tmp_path: Path) -> None:
    jobs, report = imported("philly", log(tmp_path, job("a", attempt(WHOLE, 8, 4))))

    assert jobs == [
        {"id": "a", "share": "ee9e8c", "submit": 0, "duration": 3600, "instance_count": 12},
    ]
    assert (report.dropped, report.altered, report.remarks) == ({}, {}, {})


@pytest.mark.parametrize(
    ("way", "seconds"),
    [
        pytest.param(None, 5400, id="by default the attempts are added up"),
        pytest.param("attempts", 5400, id="attempts"),
        pytest.param("first-to-last", 7200, id="with what lies between them"),
    ],
)
def test_attempts_are_one_job(tmp_path: Path, way: str | None, seconds: int) -> None:
    path = log(tmp_path, job("a", attempt(WHOLE, 8), attempt(LATER, 8)))

    jobs, _ = imported("philly", path, duration=way)

    assert [each["duration"] for each in jobs] == [seconds]


def test_attempts_of_other_sizes_are_reported(tmp_path: Path) -> None:
    jobs, report = imported("philly", log(tmp_path, job("a", attempt(WHOLE, 8), attempt(LATER, 2))))

    assert [each["instance_count"] for each in jobs] == [2]
    assert list(report.altered) == [
        "its attempts held different numbers of GPUs, and it holds those of the last one throughout"
    ]


@pytest.mark.parametrize("nothing", [None, "", "None"], ids=["null", "empty", "the word None"])
def test_an_attempt_that_is_not_over_leaves_the_duration_open(tmp_path: Path, nothing: str | None) -> None:
    running = attempt({**WHOLE, "end_time": nothing}, 8)
    path = log(tmp_path, job("a", attempt(WHOLE, 8)), job("b", attempt(WHOLE, 8), running))

    jobs, report = imported("philly", path)

    assert [each["id"] for each in jobs] == ["a"]
    assert report.dropped == {"still running where the log ends, so how long it works is not known": 1}


def test_an_attempt_without_times_in_the_midst_counts_for_nothing(tmp_path: Path) -> None:
    path = log(tmp_path, job("a", attempt({"start_time": None, "end_time": None}, 8), attempt(WHOLE, 8)))

    jobs, report = imported("philly", path)

    assert [each["duration"] for each in jobs] == [3600]
    assert report.altered == {"an attempt without a start or an end counts for nothing": 1}


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        pytest.param(job("b"), "never ran, so there is no work to repeat", id="no attempt"),
        pytest.param(
            job("b", attempt({"start_time": None, "end_time": None}, 8)),
            "never ran, so there is no work to repeat",
            id="no start",
        ),
        pytest.param(
            job("b", attempt({"start_time": WHOLE["end_time"], "end_time": WHOLE["start_time"]}, 8)),
            "ends before it starts",
            id="an end before the start, as clocks that are put back make it",
        ),
        pytest.param(job("b", attempt(WHOLE, 8), submitted="None"), "has no time of submission", id="no submission"),
        pytest.param(job("b", attempt(WHOLE)), "holds no GPU", id="no GPU"),
    ],
)
def test_what_is_no_job_is_dropped_with_its_reason(tmp_path: Path, made: dict[str, Any], reason: str) -> None:
    jobs, report = imported("philly", log(tmp_path, job("a", attempt(WHOLE, 1)), made))

    assert [each["id"] for each in jobs] == ["a"]
    assert report.dropped == {reason: 1}


@pytest.mark.parametrize("status", ["Killed", "Failed"])
def test_a_job_that_was_cut_short_counts_as_recorded_and_is_reported(tmp_path: Path, status: str) -> None:
    jobs, report = imported("philly", log(tmp_path, job("a", attempt(WHOLE, 1), status=status)))

    assert [each["duration"] for each in jobs] == [3600]
    assert list(report.remarks) == [f"ended as {status.lower()}: the time recorded may be less than the job needed"]


def test_the_log_may_be_one_line_and_its_strings_may_hold_brackets(tmp_path: Path) -> None:
    path = log(tmp_path, job('a}{"', attempt(WHOLE, 1)), job("b\\", attempt(WHOLE, 1)), indent=None)

    jobs, _ = imported("philly", path)

    assert [each["id"] for each in jobs] == ['a}{"', "b\\"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[", "cut off", id="no job"),
        pytest.param("", "cut off", id="nothing"),
        pytest.param("[{}", "row 1: no job of this log: object missing required field `jobid`", id="an empty job"),
        pytest.param('[{"jobid": 1}]', "expected `str`, got `int` - at `$.jobid`", id="a number for a name"),
        pytest.param("{}", "no array of JSON objects: '[' must come before one, got ''", id="no array"),
        pytest.param("[[{}]]", "'[' must come before one, got '[['", id="an array in an array"),
        pytest.param('[{"x": ' + "[" * 9999 + "]" * 9999 + "}]", "row 1: nested too deeply", id="a deep nest"),
        pytest.param('[{"jobid": "\\ud800"}]', "row 1: no job of this log: ", id="half a character"),
        pytest.param("[1, 2]", "no array of JSON objects: '[1, 2]' stands between two of them", id="numbers"),
    ],
)
def test_fails_for_what_is_no_such_log(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "cluster_job_log"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(TraceError) as refused:
        imported("philly", path)

    assert str(refused.value).startswith(f"{path}:")
    assert said in str(refused.value)


@pytest.mark.parametrize("left", [3, 40, 200, 500])
def test_fails_for_a_log_that_is_cut_off_wherever_it_is(tmp_path: Path, left: int) -> None:
    path = log(tmp_path, job("a", attempt(WHOLE, 1)), job("b", attempt(WHOLE, 1)))
    path.write_text(path.read_text(encoding="utf-8")[:-left], encoding="utf-8")

    with pytest.raises(TraceError, match="cut off"):
        imported("philly", path)


def test_fails_for_two_jobs_without_a_comma(tmp_path: Path) -> None:
    path = log(tmp_path, job("a", attempt(WHOLE, 1)), job("b", attempt(WHOLE, 1)))
    path.write_text(path.read_text(encoding="utf-8").replace("\n },\n {", "\n }\n {"), encoding="utf-8")

    with pytest.raises(TraceError, match="',' must come before one, got ''"):
        imported("philly", path)


def test_the_table_of_four_clusters_counts_seconds_from_its_beginning(tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv",
        "job_id,vc,num_gpu,submit_time,submit_s,duration_s",
        "b-0,b,8,2017-10-02 00:48:11,100,60",
        "a-0,a,1,2017-10-02 00:48:01,90,3600",
    )

    jobs, report = imported("philly-4vc", path)

    assert jobs == [
        {"id": "a-0", "share": "a", "submit": 0, "duration": 3600, "instance_count": 1},
        {"id": "b-0", "share": "b", "submit": 10, "duration": 60, "instance_count": 8},
    ]
    assert any("reconstruction" in note for note in report.notes)


def test_fails_for_a_log_without_jobs(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"^no row became a job: there is none$"):
        imported("philly", log(tmp_path))


def test_fails_for_a_log_of_which_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"^no row became a job: 2 dropped: never ran, so there is no work to repeat$"):
        imported("philly", log(tmp_path, job("a"), job("b")))
