"""What holds for every format: how options, order, names and doubts are dealt with."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.importing import FORMATS
from quota_constructs.errors import TraceError, UsageError
from quota_constructs.evaluator.traces import read_trace
from quota_constructs.evaluator.traces.importers import IMPORTERS, Options, Report, import_trace
from tests.builders import share, system
from tests.importing import imported, table

COLUMNS = "id,share,submit,duration,units,kind,level"
HOUR = 3600
DAY = 24 * HOUR


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return ten jobs of three teams, one an hour, of which the first team does most."""
    rows = [f"j{n},{'aab'[n % 3] if n else 'c'},{n * HOUR},{HOUR},{1 + n % 2},V100,{n}" for n in range(10)]
    return table(tmp_path / "log.csv", COLUMNS, *rows)


def submits(jobs: list[dict[str, Any]]) -> list[float]:
    return [job["submit"] / HOUR for job in jobs]


def test_the_command_line_knows_every_format() -> None:
    assert list(IMPORTERS) == list(FORMATS)


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_format_prefers_labels_that_it_has(name: str) -> None:
    importer = IMPORTERS[name]

    preferred = {*importer.teams, *filter(None, [importer.instance_type, importer.priority])}

    assert importer.description
    assert not importer.labels or preferred <= {*importer.labels, "file"}


def test_a_trace_that_is_read_again_has_the_same_jobs(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "it.jsonl"
    to.write_bytes(b"".join(import_trace("csv", IMPORTERS["csv"], [log], Options(), Report())))

    trace = read_trace(to, system=system(share("a", 1), share("b", 1), share("c", 1)))

    assert [(job.id, job.submit_ms) for job in trace.jobs] == [(f"j{n}", n * HOUR * 1000) for n in range(10)]
    assert trace.source == "csv: log.csv"
    assert trace.description.startswith("imported: 10 rows read, 10 jobs of 3 shares written")


def test_the_header_says_what_the_report_says_and_names_no_folder(log: Path) -> None:
    report = Report()

    header, *_ = import_trace("csv", IMPORTERS["csv"], [log], Options(units_per_instance=2), report)

    described = json.loads(header)
    assert all(line in described["description"] for line in report.lines())
    assert str(log.parent) not in header.decode()


def test_jobs_are_written_by_submission_and_then_as_they_came(tmp_path: Path) -> None:
    rows = ["d,x,30,60,1,,", "b,x,10,60,1,,", "c,x,10,60,1,,", "a,x,20,60,1,,"]

    jobs, _ = imported("csv", table(tmp_path / "log.csv", COLUMNS, *rows))

    assert [job["id"] for job in jobs] == ["b", "c", "a", "d"]
    assert [job["submit"] for job in jobs] == [0, 0, 10, 20]


def test_several_files_become_one_trace_and_an_id_of_both_is_told_apart(tmp_path: Path) -> None:
    first = table(tmp_path / "first.csv", COLUMNS, "a,x,10,60,1,,", "a#3,x,10,60,1,,")
    second = table(tmp_path / "second.csv", COLUMNS, "a,x,5,60,1,,")

    jobs, report = imported("csv", first, second)

    assert [job["id"] for job in jobs] == ["a#3#3", "a", "a#3"]
    assert report.altered == {"has the id of another job: its number added": 1}


def test_the_file_can_be_the_team(log: Path) -> None:
    jobs, report = imported("csv", log, options=Options(team="file"))

    assert {job["share"] for job in jobs} == {"log"}
    assert report.shares == 1


def test_a_job_of_no_team_is_given_to_one_that_says_so(tmp_path: Path) -> None:
    [job], report = imported("csv", table(tmp_path / "log.csv", COLUMNS, "a,,0,60,1,,"))

    assert job["share"] == "unknown"
    assert report.altered == {"names no team: given to 'unknown'": 1}


def test_the_teams_with_most_work_keep_their_names(log: Path) -> None:
    jobs, report = imported("csv", log, options=Options(top=1, others="rest"))

    assert {job["share"] for job in jobs} == {"a", "rest"}
    assert report.asked == {"of 2 smaller teams, put together as 'rest'": 4}


def test_teams_can_be_called_otherwise(log: Path) -> None:
    jobs, _ = imported("csv", log, options=Options(shares={"a": "research", "c": "research"}))

    assert {job["share"] for job in jobs} == {"research", "b"}


def test_whole_instances_are_rounded_up_and_the_inflation_is_reported(log: Path) -> None:
    jobs, report = imported("csv", log, options=Options(units_per_instance=8))

    assert {job["instance_count"] for job in jobs} == {1}
    assert report.notes[-1] == "15 GPU-hours of work become 80 in whole instances of 8: 5.33 times as many"


def test_a_fraction_of_a_unit_is_rounded_up_and_counted(tmp_path: Path) -> None:
    [job], report = imported("csv", table(tmp_path / "log.csv", COLUMNS, "a,x,0,3600,0.25,,"))

    assert job["instance_count"] == 1
    assert report.altered == {"holds a fraction of a GPU: counted as whole ones": 1}


def test_all_jobs_can_be_of_one_instance_type(log: Path) -> None:
    jobs, _ = imported("csv", log, options=Options(instance_types={"*": "ml.g5.xlarge"}))

    assert {job["instance_type"] for job in jobs} == {"ml.g5.xlarge"}


def test_kinds_of_machine_are_instance_types_by_the_mapping(tmp_path: Path) -> None:
    columns = "id,share,submit,duration,units,instance_type"
    path = table(tmp_path / "log.csv", columns, "a,x,0,60,1,V100", "b,x,0,60,1,T4", "c,x,0,60,1,")

    jobs, _ = imported("csv", path, options=Options(instance_types={"V100": "ml.p3.2xlarge", "*": "ml.g5.xlarge"}))

    assert [job["instance_type"] for job in jobs] == ["ml.p3.2xlarge", "ml.g5.xlarge", "ml.g5.xlarge"]


def test_fails_for_a_kind_of_machine_without_an_instance_type(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", "id,share,submit,duration,units,instance_type", "a,x,0,60,1,V100")

    with pytest.raises(TraceError, match=r"log.csv:2: 'V100' is no kind .* --instance-type 'V100'=TYPE"):
        imported("csv", path, options=Options(instance_types={"T4": "ml.g4dn.xlarge"}))


def test_priorities_come_from_a_label(log: Path) -> None:
    jobs, _ = imported("csv", log, options=Options(priority="level", priorities={"9": 100}))

    assert [job.get("priority", 0) for job in jobs] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 100]


def test_a_window_begins_at_the_traces_zero(log: Path) -> None:
    jobs, report = imported("csv", log, options=Options(from_ms=3500 * 1000, to_ms=6 * HOUR * 1000))

    assert [job["id"] for job in jobs] == ["j1", "j2", "j3", "j4", "j5"]
    assert jobs[0]["submit"] == 100
    assert report.asked == {"submitted outside the window": 5}


def test_a_warm_up_comes_before_the_window_and_is_said(log: Path) -> None:
    options = Options(from_ms=4 * HOUR * 1000, to_ms=6 * HOUR * 1000, warm_up_ms=2 * HOUR * 1000)

    jobs, report = imported("csv", log, options=options)

    assert submits(jobs) == [0, 1, 2, 3]
    assert "the first 7,200 s are warm-up, to be left out of what is concluded" in report.notes


def test_a_sample_is_the_same_each_time_and_another_for_another_seed(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", COLUMNS, *(f"j{n},x,{n},60,1,," for n in range(1000)))

    first, again, other = (
        imported("csv", path, options=Options(sample=Fraction(1, 10), seed=seed)) for seed in (1, 1, 2)
    )

    assert first[0] == again[0] != other[0]
    assert 70 < len(first[0]) < 130
    assert first[1].asked == {"not in the sample": 1000 - len(first[0])}


def test_times_can_be_scaled(log: Path) -> None:
    options = Options(submit_scale=Fraction(1, 2), duration_scale=Fraction(1, 3))

    jobs, _ = imported("csv", log, options=options)

    assert submits(jobs) == [n / 2 for n in range(10)]
    assert {job["duration"] for job in jobs} == {1200}


@pytest.mark.parametrize(("rebase", "first"), [(True, 0), (False, 500)])
def test_times_count_from_the_first_job_unless_told_otherwise(rebase: bool, first: int, tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", COLUMNS, "a,x,500,60,1,,")

    [job], _ = imported("csv", path, options=Options(rebase=rebase))

    assert job["submit"] == first


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("b,x,0,0,1,,", id="an alteration"),
        pytest.param("b,x,0,60,0,,", id="a drop"),
        pytest.param("a,x,0,60,1,,", id="an id that there is already"),
    ],
)
def test_fails_where_strict_for_the_first_row_that_is_not_taken_as_it_is(row: str, tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", COLUMNS, "a,x,0,60,1,,", row)

    imported("csv", path)
    with pytest.raises(TraceError, match=r"log.csv:3: .*--strict"):
        imported("csv", path, options=Options(strict=True))


def test_strict_minds_nothing_that_was_asked_for(log: Path) -> None:
    options = Options(strict=True, top=1, to_ms=8 * HOUR * 1000, units_per_instance=8)

    jobs, _ = imported("csv", log, options=options)

    assert len(jobs) == 8


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param([f"a,x,0,{1001 * DAY},1,,"], "1 of 1 jobs work for more than 1,000 days", id="years"),
        pytest.param(
            [f"a,x,0,{15 * DAY},1,,", f"b,x,0,{15 * DAY},1,,", "c,x,0,60,1,,"],
            "2 of 3 jobs work for more than 14 days",
            id="weeks, most of them",
        ),
        pytest.param(["a,x,0,60,1,,", "b,x,1700000000,60,1,,"], "days lie between", id="one time of another kind"),
    ],
)
def test_fails_for_what_looks_like_milliseconds(rows: list[str], said: str, tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", COLUMNS, *rows)

    with pytest.raises(TraceError) as caught:
        imported("csv", path)

    assert said in str(caught.value)
    assert len(imported("csv", path, options=Options(long_jobs=True))[0]) == len(rows)


def test_long_jobs_among_many_short_ones_are_no_matter(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", COLUMNS, f"a,x,0,{54 * DAY},1,,", "b,x,0,60,1,,")

    assert len(imported("csv", path)[0]) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(Options(top=1, others="a"), "there is a team called 'a'", id="the others' name is taken"),
        pytest.param(Options(top=1, others="\udcff"), "'--others' must be UTF-8", id="half a character"),
        pytest.param(Options(shares={"z": "y"}), "--share: no row has 'z'", id="no such team"),
        pytest.param(Options(team="lab"), "--team: no row has 'lab'", id="no such label"),
        pytest.param(
            Options(instance_types={"T4": "ml.g4dn.xlarge", "*": "ml.g5.xlarge"}),
            "--instance-type: no row has 'T4'",
            id="no such machine",
        ),
        pytest.param(Options(priority="urgency"), "--priority: no row has 'urgency'", id="no such priority"),
    ],
)
def test_fails_for_options_that_fit_nothing(options: Options, said: str, log: Path) -> None:
    with pytest.raises(UsageError) as caught:
        imported("csv", log, options=options)

    assert said in str(caught.value)


def test_fails_for_a_label_that_the_format_does_not_have(tmp_path: Path) -> None:
    path = table(tmp_path / "log.swf", "; Version: 2.2")

    with pytest.raises(UsageError, match=r"--team must be one of .*'group'.*, got 'vc'"):
        imported("swf", path, options=Options(team="vc"))


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        pytest.param([], Options(), "no row became a job: there is none", id="no row"),
        pytest.param(["a,x,0,60,0,,"], Options(), "no row became a job: 1 dropped: holds no GPU", id="no job"),
        pytest.param(["a,x,0,60,1,,"], Options(from_ms=10), "no job is submitted in the window", id="no job left"),
        pytest.param(["a,x,-5,60,1,,"], Options(rebase=False), "submitted at -5 s", id="before the zero"),
        pytest.param(["a,x,0,60,1e10,,"], Options(), "log.csv:2: a job must hold at most", id="too many units"),
        pytest.param([f"{'i' * 257},x,0,60,1,,"], Options(), "log.csv:2: 'id' must have at most 256", id="a long id"),
        pytest.param(["a,x,0,9999999999999,1,,"], Options(), "the run time must be at most", id="no end"),
        pytest.param(["a,x,999999999999999999,1,1,,"], Options(), "log.csv:2: the time of submission", id="no time"),
        pytest.param(["a,x,0,1e99,1,,"], Options(), "the run time must be at most", id="no end at all"),
        pytest.param(["a,x,0,60,1,,"], Options(shares={"x": "\udcff"}), "'share' must be UTF-8", id="half a character"),
        pytest.param(["a,x,0,-60,1,,"], Options(), "1 dropped: the run time is negative", id="a negative run time"),
    ],
)
def test_fails_for_a_log_without_a_trace_in_it(rows: list[str], options: Options, said: str, tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", COLUMNS, *rows)

    with pytest.raises(TraceError) as caught:
        imported("csv", path, options=options)

    assert said in str(caught.value)


def test_fails_for_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"none\.csv: cannot be read: no such file or directory"):
        imported("csv", tmp_path / "none.csv")


def test_progress_is_told_of_every_byte(log: Path) -> None:
    told: list[int] = []

    list(import_trace("csv", IMPORTERS["csv"], [log], Options(), Report(), progress=told.append))

    assert sum(told) == log.stat().st_size


def test_endless_reasons_are_counted_and_not_listed(tmp_path: Path) -> None:
    report = Report()
    path = table(tmp_path / "log.txt", "JobID|State|Submit|Start|End|Elapsed|AllocTRES")
    with path.open("a", encoding="utf-8") as file:
        for n in range(1000):
            file.write(f"{n}|STATE{n}|2026-01-01T00:00:00|2026-01-01T00:00:00||00:01:00|gres/gpu=1\n")

    list(import_trace("slurm", IMPORTERS["slurm"], [path], Options(), report))

    assert len(report.remarks) <= 201
    assert sum(report.remarks.values()) == 1000
