"""`quota-constructs trace anonymize`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from tests.templates import queue, write_template, write_trace

NAMED = "alice-secret"
HEADER: dict[str, Any] = {"trace": 1, "defaults": {"priority": 3, "deadline": 1500}}
FIRST: dict[str, Any] = {"id": f"{NAMED}-7", "share": NAMED, "submit": 1000.5, "duration": 60}
SECOND: dict[str, Any] = FIRST | {"id": "bob-1", "share": "bob", "submit": 1200, "deadline": 900.5, "startup": 2}
THIRD: dict[str, Any] = FIRST | {
    "id": "x",
    "submit": 1300,
    "deadline": None,
    "checkpoint": {"interval": 60, "cost": 1, "restore": 0, "on_stop": True},
    "instances": {"ml.g5.xlarge": 2, "ml.p4d.24xlarge": 1},
    "preemption_retries": None,
    "timeout": 90.25,
}
CANCEL: dict[str, Any] = {"event": "cancel", "time": 1250, "job": "bob-1"}
PRIORITY: dict[str, Any] = {"event": "priority", "time": 1100, "job": f"{NAMED}-7", "priority": 9}


def anonymized(
    capsys: pytest.CaptureFixture[str], folder: Path, *lines: dict[str, Any], also: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    code = main(["trace", "anonymize", str(write_trace(folder / "t.jsonl", *lines)), *also])
    shown = capsys.readouterr()
    assert (code, shown.err) == (GOOD, "")
    return [json.loads(line) for line in shown.out.splitlines()]


def test_names_are_replaced_times_moved_and_nothing_else_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = anonymized(capsys, tmp_path, HEADER, FIRST, CANCEL, SECOND, PRIORITY, THIRD)

    assert lines == [
        {"trace": 1, "defaults": {"priority": 3, "deadline": 499.5}},
        FIRST | {"id": "job-1", "share": "team-1", "submit": 0},
        CANCEL | {"time": 249.5, "job": "job-2"},
        SECOND | {"id": "job-2", "share": "team-2", "submit": 199.5, "deadline": -100},
        PRIORITY | {"time": 99.5, "job": "job-1"},
        THIRD | {"id": "job-3", "share": "team-1", "submit": 299.5},
    ]


def test_an_event_before_all_jobs_is_the_new_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = anonymized(capsys, tmp_path, FIRST, {"event": "cancel", "time": 1000, "job": FIRST["id"]})

    assert [line.get("submit", line.get("time")) for line in lines] == [0.5, 0]


def test_a_table_becomes_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"id,share,submit,duration\n{NAMED},bob,5,60\n", encoding="utf-8")

    assert main(["trace", "anonymize", str(path)]) == GOOD

    assert json.loads(capsys.readouterr().out) == {"id": "job-1", "share": "team-1", "submit": 0, "duration": 60}


def test_the_run_is_the_same_but_for_the_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [
        {"id": f"{share}{number}", "share": share, "submit": 7 * number, "duration": 90, "instance_count": 2}
        for number in range(6)
        for share in ("owner", "guest")
    ]
    before = write_trace(tmp_path / "before.jsonl", *jobs)
    kinds = {"owner": (4, "LEND"), "guest": (2, "LEND_AND_BORROW")}
    names = {"owner": "team-2", "guest": "team-1"}

    main(["trace", "anonymize", str(before), "-o", str(tmp_path / "after.jsonl")])
    runs: list[Any] = []
    for trace, renamed in ((before, {name: name for name in names}), (tmp_path / "after.jsonl", names)):
        shares = {renamed[name]: kind for name, kind in kinds.items()}
        template = write_template(tmp_path / "t.json", queue("main", shares, capacity=6))
        main(["simulate", str(template), "--trace", str(trace), "--format", "json"])
        result = json.loads(capsys.readouterr().out)
        runs.append([{**job, "id": "", "share": names.get(job["share"], job["share"])} for job in result["jobs"]])

    assert runs[0] == runs[1]
    assert any(job["queued_ms"] for job in runs[0])


def test_shares_keep_their_order_however_many_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [FIRST | {"id": f"{number}", "share": f"{chr(ord('z') - number)}"} for number in range(11)]

    lines = anonymized(capsys, tmp_path, *jobs)

    assert [line["share"] for line in lines] == [f"team-{11 - number:02}" for number in range(11)]


def test_which_name_stands_for_which_can_be_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anonymized(capsys, tmp_path, FIRST, SECOND, also=("--names", str(tmp_path / "names.json")))

    assert json.loads((tmp_path / "names.json").read_text(encoding="utf-8")) == {
        "shares": {NAMED: "team-1", "bob": "team-2"},
        "jobs": {f"{NAMED}-7": "job-1", "bob-1": "job-2"},
    }


@pytest.mark.parametrize("field", ["description", "source"])
def test_says_that_what_the_header_tells_is_kept(
    field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_trace(tmp_path / "t.jsonl", {"trace": 1, field: "of Alice"}, FIRST)

    assert main(["trace", "anonymize", str(path)]) == GOOD

    shown = capsys.readouterr()
    assert json.loads(shown.out.splitlines()[0])[field] == "of Alice"
    assert "see that they name nobody" in shown.err


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param([FIRST, FIRST], "t.jsonl:2: 'id' must be unique", id="an id that comes twice"),
        pytest.param([FIRST, CANCEL], "t.jsonl:2: 'job' must be the 'id' of a job", id="an event of no job"),
        pytest.param([FIRST | {"submit": 0.0001}], "t.jsonl:1: 'submit' must have at most three decimals", id="finer"),
        pytest.param(
            [FIRST, {"event": "arrangement", "time": 0, "template": "t.json"}],
            "t.jsonl:2: 'arrangement' leads to a template",
            id="another arrangement",
        ),
        pytest.param(
            [FIRST | {"submit": 10**12, "deadline": -(10**12)}], "t.jsonl:1: 'deadline' would be before", id="too early"
        ),
        pytest.param([{"id": "a"}], "t.jsonl:1: 'share' is missing", id="no job"),
    ],
)
def test_fails_with_one_line_and_leaves_no_file(
    lines: list[dict[str, Any]], said: str, *, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_trace(tmp_path / "t.jsonl", *lines)

    code = main(["trace", "anonymize", str(path), "-o", str(tmp_path / "out.jsonl")])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert [each.name for each in tmp_path.iterdir()] == ["t.jsonl"]


def test_fails_for_a_file_that_is_no_trace_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_trace(tmp_path / "t.jsonl", FIRST)

    assert main(["trace", "anonymize", str(path), "-o", str(tmp_path / "out.csv")]) == BAD_INPUT

    assert "-o must name a file that ends in .jsonl" in capsys.readouterr().err
