"""The Standard Workload Format."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers import Options
from tests.importing import SHARED, imported

NASA = SHARED / "swf" / "NASA-iPSC-1993-3.1-cln.swf"


def line(**fields: object) -> str:
    """Return the line of a job that completed, with *fields* in the place of the usual ones."""
    usual: dict[str, object] = {
        "number": 1,
        "submit": 0,
        "wait": -1,
        "run": 60,
        "allocated": 4,
        "cpu": -1,
        "memory": -1,
        "requested": -1,
        "requested_time": -1,
        "requested_memory": -1,
        "status": 1,
        "user": 7,
        "group": 3,
        "application": -1,
        "queue": -1,
        "partition": -1,
        "preceding": -1,
        "think": -1,
    }
    return " ".join(str(value) for value in (usual | fields).values())


def swf(path: Path, *lines: str, end: str = "\n") -> Path:
    path.write_bytes("".join(f"{each}{end}" for each in lines).encode())
    return path


def test_a_job_is_what_its_line_says(tmp_path: Path) -> None:
    path = swf(tmp_path / "log.swf", "; Version: 2.2", ";", line(number=9, submit=100), "", line(number=10, submit=160))

    jobs, report = imported("swf", path)

    assert jobs == [
        {"id": "9", "share": "group-3", "submit": 0, "duration": 60, "instance_count": 4},
        {"id": "10", "share": "group-3", "submit": 60, "duration": 60, "instance_count": 4},
    ]
    assert (report.rows, report.kept, report.dropped, report.altered) == (2, 2, {}, {})


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"requested": 8}, {"instance_count": 8}, id="what was requested, before what was allocated"),
        pytest.param({"requested": 0}, {"instance_count": 4}, id="what was allocated, if nothing was requested"),
        pytest.param({"group": -1}, {"share": "user-7"}, id="the user, where there is no group"),
        pytest.param({"group": -1, "user": -1, "queue": 0}, {"share": "queue-0"}, id="the queue, without a user"),
        pytest.param({"group": -1, "user": -1, "partition": 2}, {"share": "partition-2"}, id="at last the partition"),
        pytest.param({"number": 0}, {"id": "0"}, id="a job number of 0"),
        pytest.param({"run": 59.5}, {"duration": 59.5}, id="a run time with decimals"),
        pytest.param({"run": "60.0"}, {"duration": 60}, id="a whole run time with decimals"),
        pytest.param({"requested_time": 5}, {"duration": 60}, id="the run time, not the requested"),
        pytest.param({"think": "-1 {1129,77} q_2w 1:ppn=12"}, {"duration": 60}, id="more than 18 fields"),
    ],
)
def test_each_field_has_its_rule(fields: dict[str, object], expected: dict[str, object], tmp_path: Path) -> None:
    [job], _ = imported("swf", swf(tmp_path / "log.swf", line(**fields)))

    assert {name: job[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"run": -1}, "no run time is recorded", id="an unknown run time"),
        pytest.param({"submit": -1}, "the time of submission is not known", id="an unknown submission"),
        pytest.param({"allocated": -1}, "holds no processor", id="no processors"),
        pytest.param({"status": 5, "run": 0}, "was cancelled before it ran", id="cancelled before it ran"),
        pytest.param({"status": 5, "run": -1}, "was cancelled before it ran", id="cancelled, run unknown"),
        pytest.param({"status": 2}, "is a part of a job that another line has the whole of", id="a part"),
    ],
)
def test_what_is_no_job_is_dropped_with_its_reason(fields: dict[str, object], reason: str, tmp_path: Path) -> None:
    path = swf(tmp_path / "log.swf", line(number=1), line(number=2, **fields))

    jobs, report = imported("swf", path)

    assert [job["id"] for job in jobs] == ["1"]
    assert report.dropped == {reason: 1}


def test_a_run_too_short_to_be_measured_counts_a_second(tmp_path: Path) -> None:
    [job], report = imported("swf", swf(tmp_path / "log.swf", line(run=0)))

    assert job["duration"] == 1
    assert report.altered == {"ran for 0 s, which is less than was measured: counted as 1 s": 1}


def test_failed_and_cancelled_jobs_are_kept_and_remarked_on(tmp_path: Path) -> None:
    path = swf(tmp_path / "log.swf", line(number=1, status=0), line(number=2, status=5), line(number=3))

    jobs, report = imported("swf", path)

    assert len(jobs) == 3
    assert sum(report.remarks.values()) == 2


def test_mixed_line_ends_and_gzip_make_no_difference(tmp_path: Path) -> None:
    content = f"; Version: 2.2\r\n{line()}\n{line(number=2)}\r\n".encode()
    packed = tmp_path / "log.swf.gz"
    packed.write_bytes(gzip.compress(content))
    plain = tmp_path / "log.swf"
    plain.write_bytes(content)

    assert imported("swf", packed)[0] == imported("swf", plain)[0]
    assert [job["id"] for job in imported("swf", plain)[0]] == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(f"{line()}\n1 2 3\n", "log.swf:2: a job has 18 fields, and here are 3", id="cut off in a line"),
        pytest.param(line(run="12x"), "log.swf:1: 'run time' must be a number, got '12x'", id="no number"),
        pytest.param(line(run="1_000"), "'run time' must be a number", id="digits that only Python takes"),
        pytest.param(line(run="nan"), "'run time' must be a number", id="no number at all"),
        pytest.param(line(run="9" * 30), "'run time' must be a number", id="a number beyond all bounds"),
        pytest.param("\x00\n", "log.swf:1: a job has 18 fields", id="zero bytes"),
    ],
)
def test_fails_for_a_line_that_cannot_be_meant(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(TraceError) as caught:
        imported("swf", path)

    assert said in str(caught.value)


def test_fails_for_a_gzip_file_that_is_cut_off(tmp_path: Path) -> None:
    whole = gzip.compress("\n".join(line(number=n) for n in range(500)).encode())
    path = tmp_path / "log.swf.gz"
    path.write_bytes(whole[: len(whole) // 2])

    with pytest.raises(TraceError, match="not a whole gzip file"):
        imported("swf", path)


def test_fewer_jobs_than_the_header_promises_are_noted(tmp_path: Path) -> None:
    path = swf(tmp_path / "log.swf", "; MaxJobs: 3", line(number=1), line(number=2))

    _, report = imported("swf", path)

    assert "log.swf: its header promises 3 jobs, and 2 are there; it may be cut off" in report.notes
    with pytest.raises(TraceError, match="promises 3 jobs"):
        imported("swf", path, options=Options(strict=True))


def test_a_last_line_without_an_end_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(line(), encoding="utf-8")

    _, report = imported("swf", path)

    assert "log.swf: its last line has no line end, so it may be cut off" in report.notes


@pytest.mark.skipif(not NASA.exists(), reason="the logs are not part of the project")
def test_the_log_of_nasa_is_read_as_published() -> None:
    jobs, report = imported("swf", NASA, options=Options(team="user"))

    assert (report.rows, report.kept, report.shares, report.dropped) == (18_239, 18_239, 69, {})
    assert sum(report.altered.values()) == 173
    assert sum(job["instance_count"] == 128 for job in jobs) == 420
    seconds = sum(job["duration"] * job["instance_count"] for job in jobs if job["duration"] > 1)
    assert seconds // 3600 == pytest.approx(131_733, abs=2)
