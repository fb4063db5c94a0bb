"""Any CSV, by the names of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers import Choices, Options
from tests.importing import imported, table


def told(number_ms: int = 1000, **columns: str) -> Options:
    return Options(choices=Choices(columns=columns, number_ms=number_ms))


def test_columns_are_what_the_map_says(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", "job,group,when,took,n,level", "a,blue,100,60,2,5", "b,red,90,30.5,1,")
    options = told(id="job", share="group", submit="when", duration="took", units="n", priority="level")

    jobs, report = imported("csv", path, options=options)

    assert jobs == [
        {"id": "b", "share": "red", "submit": 0, "duration": 30.5, "instance_count": 1},
        {"id": "a", "share": "blue", "submit": 10, "duration": 60, "instance_count": 2, "priority": 5},
    ]
    assert (report.dropped, report.altered, report.remarks) == ({}, {}, {})


def test_columns_of_the_fields_names_need_no_map(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", "id,share,submit,duration,units,instance_type", "a,x,0,60,2,ml.g5.xlarge")

    jobs, _ = imported("csv", path)

    assert jobs == [
        {"id": "a", "share": "x", "submit": 0, "duration": 60, "instance_count": 2, "instance_type": "ml.g5.xlarge"}
    ]


def test_rows_without_ids_are_numbered(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", "share,submit,duration,units", "x,0,60,1", "x,0,60,1")

    jobs, report = imported("csv", path)

    assert [job["id"] for job in jobs] == ["1", "2"]
    assert report.altered == {"has no id of its own: named by its number": 2}


@pytest.mark.parametrize(
    ("cells", "options", "submit", "duration"),
    [
        pytest.param(("1000", "60000"), told(1), 0, 60, id="milliseconds"),
        pytest.param(("1000", "2.5"), told(60_000), 0, 150, id="minutes"),
        pytest.param(("2026-01-01 00:00:00", "01:00:00"), told(), 0, 3600, id="a calendar time and a clock's span"),
        pytest.param(("2026-01-01T00:00:00Z", "60"), told(1), 0, 0.06, id="the unit is that of numbers only"),
    ],
)
def test_units_are_those_that_were_chosen(
    cells: tuple[str, str], options: Options, submit: float, duration: float, tmp_path: Path
) -> None:
    path = table(tmp_path / "log.csv", "id,share,submit,duration,units", f"a,x,{','.join(cells)},1")

    [job], _ = imported("csv", path, options=options)

    assert (job["submit"], job["duration"]) == (submit, duration)


def test_durations_can_come_from_two_times(tmp_path: Path) -> None:
    path = table(
        tmp_path / "log.csv",
        "id,share,submit,start,end,units",
        "a,x,2026-01-01 00:00:00,2026-01-01 01:00:00,2026-01-01 02:30:00,1",
        "b,x,2026-01-01 00:00:00,2026-01-01 01:00:00,,1",
        "c,x,2026-01-01 00:00:00,2026-01-01 03:00:00,2026-01-01 02:30:00,1",
    )

    jobs, report = imported("csv", path)

    assert [(job["id"], job["duration"]) for job in jobs] == [("a", 5400)]
    assert sorted(report.dropped) == [
        "ends before it starts",
        "still running where the log ends, so how long it works is not known",
    ]


def test_any_column_can_be_the_team_or_the_priority(tmp_path: Path) -> None:
    path = table(tmp_path / "log.csv", "id,lab,class,submit,duration,units", "a,blue,gold,0,60,1")
    options = Options(team="lab", priority="class", priorities={"gold": 9})

    [job], _ = imported("csv", path, options=options)

    assert (job["share"], job["priority"]) == ("blue", 9)


def test_without_a_column_of_units_each_job_holds_one_and_that_is_said(tmp_path: Path) -> None:
    [job], report = imported("csv", table(tmp_path / "log.csv", "id,share,submit,duration", "a,x,0,60"))

    assert job["instance_count"] == 1
    assert report.remarks == {"says nothing of GPUs: holds 1": 1}


def test_quotes_line_ends_and_the_mark_of_windows_make_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(b'\xef\xbb\xbfid,share,submit,duration,units\r\n"a, or ""b""",x,0,60,1\n\r\nc,x,0,60,1.0\r\n')

    jobs, _ = imported("csv", path)

    assert [(job["id"], job["instance_count"]) for job in jobs] == [('a, or "b"', 1), ("c", 1)]


@pytest.mark.parametrize(
    ("columns", "row", "options", "said"),
    [
        pytest.param("id,submit,duration", "a,0", {}, "log.csv:2: the row has 2 cells", id="cut off"),
        pytest.param("id,submit,duration", "a,0,1,2", {}, "log.csv:2: the row has 4 cells", id="one cell more"),
        pytest.param("id,submit,submit", "a,0,0", {}, "column 'submit' comes twice", id="a column twice"),
        pytest.param("id,when,duration", "a,0,1", {}, "there is no column 'submit'", id="no submission"),
        pytest.param("id,submit,took", "a,0,1", {}, "no column for 'duration', nor for 'start', 'end'", id="no length"),
        pytest.param("id,submit,end", "a,0,1", {}, "nor for 'start'", id="half a length"),
        pytest.param("id,submit,duration", "a,0,1", {"units": "n"}, "there is no column 'n'", id="a map to nowhere"),
        pytest.param("id,submit,duration", "a,0,1", {"unit": "id"}, "did you mean 'units'?", id="no such field"),
        pytest.param("id,submit,duration", "a,0,1h", {}, "'duration' must be a number", id="no number"),
        pytest.param("id,submit,duration", "a,01.02.2026,1", {}, "'submit' must be a time", id="some other calendar"),
        pytest.param("id,submit,duration,units", "a,0,1,", {}, "'units' must be a number, got nothing", id="no units"),
        pytest.param("id,submit,duration", '"a,0,1', {}, "not CSV", id="an open quote"),
        pytest.param("id,submit,duration,priority", "a,0,1,high", {}, "--priority-of 'high'=NUMBER", id="a word"),
        pytest.param("id,submit,duration,priority", "a,0,1,10000", {}, "from 0 to 9999", id="too high a priority"),
    ],
)
def test_fails_for_what_cannot_be_meant(
    columns: str, row: str, options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = table(tmp_path / "log.csv", columns, row)

    with pytest.raises(TraceError) as caught:
        imported("csv", path, options=told(**options))

    assert said in str(caught.value)


def test_fails_for_a_file_without_a_row(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.touch()

    with pytest.raises(TraceError, match="the file is empty"):
        imported("csv", path)
