"""What real logs hold that an importer must survive: each of these occurs in a published one."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.traces import UnknownShares, read_trace
from quota_constructs.evaluator.traces.importers import IMPORTERS, Choices, Options, Report, import_trace
from tests.builders import LEND_AND_BORROW, share, system
from tests.importing import SHARED, imported, table

ITP = "job_id,submission_time,duration,num_gpu"
CSV = "id,submit,duration,share,units"
NASA = SHARED / "swf" / "NASA-iPSC-1993-3.1-cln.swf"
RUN_FOR_0_S = "ran for 0 s, which is less than was measured: counted as 1 s"
REPEATED = "has the id of another job: its number added"


def swf(path: Path, *jobs: str) -> Path:
    """Write a log of *jobs*, each `number submit run allocated requested status user group`."""
    lines: list[str] = []
    for each in jobs:
        number, submit, run, allocated, requested, status, user, group = each.split()
        lines.append(
            f"{number} {submit} -1 {run} {allocated} -1 -1 {requested} -1 -1 {status} {user} {group} -1 1 -1 -1 -1"
        )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def ids(jobs: list[dict[str, Any]]) -> list[str]:
    return [job["id"] for job in jobs]


# 1. units and times


@pytest.mark.parametrize(
    ("number_ms", "rows"),
    [
        pytest.param(1000, ["a,60,120,x,1", "b,120,600,x,1"], id="seconds"),
        pytest.param(1, ["a,60000,120000,x,1", "b,120000,600000,x,1"], id="milliseconds"),
        pytest.param(60_000, ["a,1,2,x,1", "b,2,10,x,1"], id="minutes"),
        pytest.param(1000, ["a,1600000060,120,x,1", "b,1600000120,600,x,1"], id="seconds of the epoch"),
        pytest.param(1000, ["a,2020-06-09 18:41:00,120,x,1", "b,2020-06-09 18:42:00,600,x,1"], id="text"),
        pytest.param(
            1000, ["a,2020-06-09T18:41:00+08:00,120,x,1", "b,2020-06-09T10:42:00Z,600,x,1"], id="text with zones"
        ),
    ],
)
def test_times_in_any_form_are_seconds_from_the_first_job(tmp_path: Path, number_ms: int, rows: list[str]) -> None:
    options = Options(choices=Choices(number_ms=number_ms))

    jobs, _ = imported("csv", table(tmp_path / "t.csv", CSV, *rows), options=options)

    assert [(job["submit"], job["duration"]) for job in jobs] == [(0, 120), (60, 600)]


def test_fails_for_milliseconds_taken_for_seconds(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", CSV, "a,0,7200000,x,1", "b,1,3600000,x,1")

    with pytest.raises(TraceError, match="looks like milliseconds taken for seconds"):
        imported("csv", path)


def test_a_zone_that_is_stated_is_used_where_the_log_has_none(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", CSV, "a,2020-06-09 18:41:00,120,x,1", "b,2020-06-09 10:42:00Z,600,x,1")
    options = Options(choices=Choices(zone=timezone(timedelta(hours=8))))

    jobs, _ = imported("csv", path, options=options)

    assert [(job["id"], job["submit"]) for job in jobs] == [("a", 0), ("b", 60)]


# 2. order


def test_jobs_are_sorted_and_those_of_one_second_stay_as_they_are(tmp_path: Path) -> None:
    path = table(tmp_path / "c.csv", ITP, "z,9,600,1", "y,5,600,1", "x,9,600,1", "w,5,600,1", "v,9,600,1")

    jobs, _ = imported("itp", path)

    assert ids(jobs) == ["y", "w", "z", "x", "v"]


# 3. ids


def test_a_job_without_an_id_is_named_by_its_number(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", "submit,duration,share,units", "5,60,x,1", "5,60,x,1")

    jobs, report = imported("csv", path)

    assert ids(jobs) == ["1", "2"]
    assert report.altered == {"has no id of its own: named by its number": 2}


def test_ids_that_are_unique_in_their_file_only_are_told_apart(tmp_path: Path) -> None:
    first, second = (table(tmp_path / f"{name}.csv", ITP, "0,5,600,1") for name in ("one", "two"))

    jobs, report = imported("itp", first, second)

    assert [(job["id"], job["share"]) for job in jobs] == [("0", "one"), ("0#2", "two")]
    assert report.altered == {REPEATED: 1}


def test_a_job_may_have_the_number_0(tmp_path: Path) -> None:
    jobs, report = imported("swf", swf(tmp_path / "t.swf", "0 5094.5 60.25 1 1 1 3 -1"))

    assert [(job["id"], job["duration"]) for job in jobs] == [("0", 60.25)]
    assert report.altered == {}


def test_rows_that_are_attempts_of_one_job_become_one(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    rows = [
        "7|a|2026-01-01T00:00:00|2026-01-01T00:01:00|2026-01-01T00:02:00|00:01:00|REQUEUED|gres/gpu=2",
        "7|a|2026-01-01T00:00:00|2026-01-01T00:05:00|2026-01-01T00:10:00|00:05:00|COMPLETED|gres/gpu=2",
    ]
    path.write_text("\n".join(["JobID|Account|Submit|Start|End|Elapsed|State|AllocTRES", *rows, ""]), encoding="utf-8")

    jobs, report = imported("slurm", path)

    assert [(job["id"], job["duration"]) for job in jobs] == [("7", 360)]
    assert report.altered == {"is another attempt of a job: added to it": 1}


# 4. and 5. run times, and jobs that never ran


def test_run_times_that_are_none_are_dropped_or_raised_and_counted(tmp_path: Path) -> None:
    path = swf(
        tmp_path / "t.swf",
        "1 0 -1 1 1 1 3 -1",
        "2 0 0 1 1 1 3 -1",
        "3 0 -1 1 1 5 3 -1",
        "4 0 60 1 1 1 3 -1",
    )

    jobs, report = imported("swf", path)

    assert [(job["id"], job["duration"]) for job in jobs] == [("2", 1), ("4", 60)]
    assert report.altered == {RUN_FOR_0_S: 1}
    assert report.dropped == {"no run time is recorded": 1, "was cancelled before it ran": 1}
    assert report.rows == report.kept + sum(report.dropped.values())


# 6. sizes


def test_sizes_that_are_no_whole_instances_are_rounded_up_and_what_that_costs_is_said(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", CSV, "a,0,3600,x,8", "b,0,3600,x,1", "c,0,3600,x,12", "d,0,3600,x,66.0")

    jobs, report = imported("csv", path, options=Options(units_per_instance=8))

    assert [job["instance_count"] for job in jobs] == [1, 1, 2, 9]
    assert any(
        "87 GPU-hours of work become 104 in whole instances of 8: 1.20 times as many" in it for it in report.notes
    )


def test_a_job_that_is_larger_than_its_quota_borrows_or_says_why_it_cannot_run(tmp_path: Path) -> None:
    paths = [table(tmp_path / f"{team}.csv", ITP, f"{team}-{size},0,60,{size}") for team, size in (("a", 3), ("b", 5))]
    arrangement = system(*(share(team, 2, LEND_AND_BORROW) for team in ("a", "b")))
    trace = tmp_path / "t.jsonl"
    trace.write_bytes(b"".join(import_trace("itp", IMPORTERS["itp"], paths, Options(), Report())))

    run = evaluate(arrangement, read_trace(trace, system=arrangement))

    assert {each.job.id: (each.state, each.reason) for each in run.history.jobs} == {
        "a-3": (State.SUCCEEDED, None),
        "b-5": (State.RUNNABLE, "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"),
    }


# 7. teams


def test_of_many_users_those_with_most_work_keep_their_name(tmp_path: Path) -> None:
    path = swf(tmp_path / "t.swf", "1 0 60 1 1 1 1 -1", "2 0 60 1 8 1 2 -1", "3 0 900 1 1 1 3 -1", "4 0 9 1 1 1 4 -1")

    jobs, report = imported("swf", path, options=Options(top=2))

    assert [job["share"] for job in jobs] == ["others", "user-2", "user-3", "others"]
    assert report.asked == {"of 2 smaller teams, put together as 'others'": 2}


def test_a_job_of_no_team_is_given_to_one_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.swf"
    path.write_text("1 0 -1 60 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", encoding="utf-8")

    jobs, report = imported("swf", path)

    assert [job["share"] for job in jobs] == ["unknown"]
    assert sum(report.altered.values()) == 1


def test_a_team_without_a_quota_is_an_error_or_rejected(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", CSV, "a,0,60,team,1", "b,0,60,tiny,1")
    trace = tmp_path / "t.jsonl"
    trace.write_bytes(b"".join(import_trace("csv", IMPORTERS["csv"], [path], Options(), Report())))
    arrangement = system(share("team", 1))

    with pytest.raises(TraceError, match="got 'tiny'"):
        read_trace(trace, system=arrangement)

    run = evaluate(arrangement, read_trace(trace, system=arrangement, unknown_shares=UnknownShares.REJECT))
    assert [each.state for each in run.history.jobs] == [State.SUCCEEDED, State.REJECTED]


# 8. windows


def test_a_window_has_its_warm_up_and_says_so(tmp_path: Path) -> None:
    path = table(tmp_path / "c.csv", ITP, "a,0,600,1", "b,100,600,1", "c,200,600,1", "d,300,600,1")

    jobs, report = imported("itp", path, options=Options(from_ms=200_000, to_ms=300_000, warm_up_ms=100_000))

    assert [(job["id"], job["submit"]) for job in jobs] == [("b", 0), ("c", 100)]
    assert report.asked == {"submitted outside the window": 2}
    assert "the first 100 s are warm-up, to be left out of what is concluded" in report.notes


def test_a_very_long_job_is_kept_whole_in_a_short_window(tmp_path: Path) -> None:
    days = 53 * 86_400
    path = table(tmp_path / "c.csv", ITP, f"a,0,{days},1", "b,100,600,1", "c,100,600,1")

    jobs, _ = imported("itp", path, options=Options(to_ms=1_000_000))

    assert jobs[0]["duration"] == days


# 9. text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("job_id,submission_time,duration,num_gpu\r\na,5,600,2\r\n", id="carriage returns"),
        pytest.param("job_id,submission_time,duration,num_gpu\r\na,5,600,2\n", id="mixed line ends"),
        pytest.param("job_id,submission_time,duration,num_gpu\na,5,600,2", id="no last line end"),
        pytest.param("\ufeffjob_id,submission_time,duration,num_gpu\na,5,600,2\n", id="a byte order mark"),
        pytest.param("job_id, submission_time ,duration,num_gpu\na,5,600.0,2.0\n", id="spaces and decimals"),
        pytest.param('job_id,submission_time,duration,num_gpu\n"a","5","600","2"\n\n', id="quotes and an empty line"),
    ],
)
@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
def test_text_in_any_form_is_read_alike(tmp_path: Path, text: str, compressed: bool) -> None:
    path = tmp_path / ("c.csv.gz" if compressed else "c.csv")
    path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())

    jobs, _ = imported("itp", path)

    assert jobs == [{"id": "a", "share": "c", "submit": 0, "duration": 600, "instance_count": 2}]


def test_a_column_may_have_a_space_in_its_name(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", "vc,node num,submit,duration", "x,4,0,60")
    options = Options(choices=Choices(columns={"units": "node num", "share": "vc"}))

    jobs, _ = imported("csv", path, options=options)

    assert [(job["share"], job["instance_count"]) for job in jobs] == [("x", 4)]


def test_what_stands_behind_the_18th_field_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "t.swf"
    path.write_text(
        "; Version: 2.2\r\n0 1356994800 -1 60 1 -1 -1 2 -1 -1 1 3 -1 -1 1 -1 -1 -1 {1129} q_2w 1:ppn=12\n",
        encoding="utf-8",
    )

    jobs, _ = imported("swf", path)

    assert jobs == [{"id": "0", "share": "user-3", "submit": 0, "duration": 60, "instance_count": 2}]


@pytest.mark.parametrize("name", ["helios", "alibaba-pai-2020", "alibaba-spot-2026", "openb", "acme", "philly-4vc"])
def test_fails_for_a_row_that_is_cut_off(tmp_path: Path, name: str) -> None:
    columns = {
        "helios": "job_id,user,vc,gpu_num,state,submit_time,start_time,end_time,duration",
        "alibaba-pai-2020": "job_id,submit_time,num_gpu,gpu_type,duration,user",
        "alibaba-spot-2026": "job_name,organization,gpu_model,gpu_request,worker_num,submit_time,duration,job_type",
        "openb": "name,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time",
        "acme": "job_id,user,gpu_num,type,state,submit_time,start_time,end_time,duration",
        "philly-4vc": "job_id,vc,num_gpu,submit_s,duration_s",
    }
    path = table(tmp_path / "t.csv", columns[name], "a,b")

    with pytest.raises(TraceError, match=r"t\.csv:2: the row has 2 cells and there are [0-9]+ columns; .*cut off"):
        imported(name, path)


def test_a_file_that_may_be_cut_off_within_its_last_cell_is_noted_and_refused_if_strict(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("job_id,vc,num_gpu,submit_s,duration_s\na,x,1,0,60", encoding="utf-8")

    _, report = imported("philly-4vc", path)

    assert report.notes[0] == "t.csv: its last line has no line end, so it may be cut off"
    with pytest.raises(TraceError, match="may be cut off"):
        imported("philly-4vc", path, options=Options(strict=True))


# 10. endings: see each format's own tests


@pytest.mark.parametrize("status", ["0", "5"])
def test_a_job_that_failed_or_was_cancelled_counts_as_recorded_and_is_reported(tmp_path: Path, status: str) -> None:
    jobs, report = imported("swf", swf(tmp_path / "t.swf", f"1 0 60 1 1 {status} 3 -1"))

    assert [job["duration"] for job in jobs] == [60]
    assert sum(report.remarks.values()) == 1


# 11. more work than machines


def test_a_log_in_which_more_runs_than_there_is_can_be_run(tmp_path: Path) -> None:
    path = swf(tmp_path / "t.swf", "1 0 60 128 -1 1 3 -1", "2 0 60 48 -1 1 3 -1")
    arrangement = system(share("user-3", 128))
    trace = tmp_path / "t.jsonl"
    trace.write_bytes(b"".join(import_trace("swf", IMPORTERS["swf"], [path], Options(), Report())))

    run = evaluate(arrangement, read_trace(trace, system=arrangement))

    assert [(each.state, each.finish_ms) for each in run.history.jobs] == [
        (State.SUCCEEDED, 60_000),
        (State.SUCCEEDED, 120_000),
    ]


# whole logs


@pytest.mark.skipif(not SHARED.exists(), reason="the logs are not part of the project")
def test_all_of_a_published_log_of_1993_is_read() -> None:
    jobs, report = imported("swf", NASA)

    assert (report.rows, len(jobs), report.dropped) == (18_239, 18_239, {})
    assert report.altered == {RUN_FOR_0_S: 173}
    assert max(job["instance_count"] for job in jobs) == 128


@pytest.mark.skipif(not SHARED.exists(), reason="the logs are not part of the project")
@pytest.mark.parametrize(
    ("name", "count", "hours"),
    [("philly_4vc.csv", 10_879, 1_529_001), ("philly_4vc_2weeks.csv", 1_577, 222_794)],
)
def test_all_of_four_virtual_clusters_is_read(name: str, count: int, hours: int) -> None:
    jobs, report = imported("philly-4vc", SHARED / "philly-4vc" / name)

    assert (report.rows, len(jobs), report.shares) == (count, count, 4)
    assert round(sum(job["duration"] * job["instance_count"] for job in jobs) / 3600) == hours


def test_a_trace_says_in_its_first_line_what_became_of_the_rows(tmp_path: Path) -> None:
    path = table(tmp_path / "c.csv", ITP, "a,0,600,1", "b,0,600,0")

    header, *_ = import_trace("itp", IMPORTERS["itp"], [path], Options(), Report())

    description = json.loads(header)["description"]
    assert description.startswith("imported: 2 rows read, 1 job of 1 share written; ")
    assert "holds no GPU" in description
