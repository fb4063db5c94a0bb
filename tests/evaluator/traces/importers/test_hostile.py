"""Files that are cut off, mixed up, or no logs at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers import IMPORTERS, Options, Report, import_trace
from tests.importing import imported

LOGS = {
    "swf": "; MaxJobs: 3\n"
    + "".join(f"{n} {n * 100} 5 {n}60 {n}6 -1 -1 -1 -1 -1 1 12 34 -1 -1 -1 -1 -1\n" for n in (1, 2, 3)),
    "slurm": "JobID|Account|State|Submit|Start|Elapsed|AllocTRES\n"
    + "".join(
        f"1{n}|a|COMPLETED|2026-03-02T08:00:1{n}|2026-03-02T08:00:20|01:00:1{n}|gres/gpu=1{n}\n" for n in (1, 2, 3)
    ),
    "csv": "id,share,submit,duration,units\n" + "".join(f"j1{n},a,1{n},1{n}.25,1{n}\n" for n in (1, 2, 3)),
    "helios": "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
    + "".join(
        f"1{n},u,v,1{n},1,1,COMPLETED,2020-06-09 18:41:0{n},2020-06-09 18:41:05,2020-06-10 04:55:09,3684{n},0\n"
        for n in (1, 2, 3)
    ),
    "itp": "job_id,submission_time,num_gpu,duration\n" + "".join(f"j{n},1{n},1{n},60{n}\n" for n in (1, 2, 3)),
    "philly": json.dumps(
        [
            {
                "status": "Pass",
                "vc": "v",
                "jobid": f"j{n}",
                "user": "u",
                "submitted_time": f"2017-10-07 01:11:3{n}",
                "attempts": [
                    {
                        "start_time": "2017-10-07 01:12:09",
                        "end_time": f"2017-10-07 01:13:2{n}",
                        "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}],
                    }
                ],
            }
            for n in (1, 2, 3)
        ],
        indent=1,
    ),
}


def attempt(name: str, path: Path) -> tuple[list[dict[str, Any]], Report] | None:
    """Return what the import makes of *path*, None if it refuses it in one line."""
    try:
        return imported(name, path)
    except TraceError as error:
        said = str(error)
    assert said.isprintable()
    return None


ENDING_OPEN = {"itp"}
"""Formats whose published files have no line end behind their last line, so that a missing one says nothing."""


@pytest.mark.parametrize("name", sorted(LOGS.keys() - ENDING_OPEN))
def test_a_log_that_is_cut_off_is_refused_or_noted_or_only_shorter(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    whole = LOGS[name].encode()
    path.write_bytes(whole)
    every, _ = imported(name, path)

    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        outcome = attempt(name, path)
        if outcome is not None:
            jobs, report = outcome
            doubted = any("cut off" in note for note in report.notes)
            assert jobs[:-1] == every[: len(jobs) - 1]
            assert doubted or jobs[-1] == every[len(jobs) - 1], f"after {length} bytes, in silence"


@pytest.mark.parametrize("name", ["swf", "slurm", "csv", "helios", "itp"])
def test_two_jobs_parted_by_a_bare_carriage_return_are_not_taken_for_one(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    *lines, last = LOGS[name].splitlines()
    path.write_bytes("\n".join(lines).encode() + b"\r" + last.encode() + b"\n")

    with pytest.raises(TraceError, match=r"log:3: a carriage return stands inside the line"):
        imported(name, path)


@pytest.mark.parametrize("name", LOGS)
def test_line_ends_of_another_system_make_no_difference(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(LOGS[name], encoding="utf-8", newline="\n")
    expected, _ = imported(name, path)
    path.write_text(LOGS[name], encoding="utf-8", newline="\r\n")

    jobs, _ = imported(name, path)

    assert jobs == expected


@pytest.mark.parametrize("name", IMPORTERS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
def test_what_is_no_log_is_refused_in_one_line(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)

    with pytest.raises(TraceError) as caught:
        list(import_trace(name, IMPORTERS[name], [path], Options(), Report()))

    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", LOGS)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_log_with_a_mistake_is_read_or_refused(name: str, data: st.DataObject, tmp_path: Path) -> None:
    text = LOGS[name]
    at = data.draw(st.integers(0, len(text)))
    until = data.draw(st.integers(at, min(len(text), at + 12)))
    slip = data.draw(
        st.sampled_from(["", "-", "9" * 20, "1e99", "NaN", "None", '"', "\x00", "🚀", "{", "-1", "0", "\n", "\x1b[2J"])
    )
    path = tmp_path / "log"
    path.write_text(text[:at] + slip + text[until:], encoding="utf-8")

    outcome = attempt(name, path)

    if outcome is not None:
        assert all(job["duration"] > 0 and job["instance_count"] >= 1 and job["submit"] >= 0 for job in outcome[0])
