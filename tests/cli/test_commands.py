from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from tests.templates import queue, write_template, write_trace

SHARES = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
ONE_JOB = {"id": "it", "share": "a", "submit": 0, "duration": 100}


@pytest.fixture
def template(tmp_path: Path) -> str:
    return str(write_template(tmp_path / "t.json", queue("main", SHARES, capacity=2)))


@pytest.fixture
def trace(tmp_path: Path) -> str:
    return str(write_trace(tmp_path / "t.jsonl", ONE_JOB))


def test_simulate_shows_tables(template: str, trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["simulate", template, "--trace", trace])

    shown = capsys.readouterr()
    assert (code, shown.err) == (GOOD, "")
    assert shown.out.startswith("Queue main, trace ")
    assert "\x1b" not in shown.out


def test_simulate_writes_json_with_the_knobs_that_were_set(
    template: str, trace: str, capsys: pytest.CaptureFixture[str]
) -> None:
    knobs = ["--stop", "0.5", "--victim-order", "oldest", "--queueing", "backfill"]

    code = main(["simulate", template, "--trace", trace, "--format", "json", *knobs])

    result = json.loads(capsys.readouterr().out)
    assert code == GOOD
    assert result["assumptions"] == {"stop_seconds": 0.5, "victim_order": "oldest", "queueing": "backfill"}
    assert [job["state"] for job in result["jobs"]] == ["SUCCEEDED"]


def test_simulate_ends_well_however_the_jobs_end(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = write_trace(tmp_path / "big.jsonl", ONE_JOB | {"instance_count": 9})

    code = main(["simulate", template, "--trace", str(trace)])

    assert code == GOOD
    assert "still waiting" in capsys.readouterr().out


def test_check_of_a_sound_template_leaves_it_at_notes(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", template, "--no-sensitivity"])

    assert code == GOOD
    assert capsys.readouterr().out.splitlines()[-1] == "3 notes."


def test_check_with_warnings_alone_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = write_template(tmp_path / "t.json", queue("main", SHARES, capacity=1))

    code = main(["check", str(template), "--no-scenarios"])

    assert code == GOOD
    assert capsys.readouterr().out.endswith("\n1 warning, 3 notes.\n")


def test_check_with_an_error_on_any_trace_ends_with_one(
    template: str, trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    big = str(write_trace(tmp_path / "big.jsonl", ONE_JOB | {"instance_count": 9}))

    code = main(["check", template, "--trace", trace, "--trace", big, "--format", "json"])

    result = json.loads(capsys.readouterr().out)
    assert code == FOUND_ERRORS
    assert result["check"] == 1
    assert result["summary"]["error"] == 1
    errors = [finding for finding in result["findings"] if finding["severity"] == "error"]
    assert [(finding["rule_id"], finding["trace"]) for finding in errors] == [("QC301", big)]


def test_parameters_are_given_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = write_template(
        tmp_path / "t.json",
        queue("main", SHARES, capacity={"Ref": "Size"}),
        parameters={"Size": {"Type": "Number"}},
    )

    assert main(["check", str(template), "--parameter", "Size=2"]) == GOOD
    assert main(["check", str(template)]) == BAD_INPUT
    assert "Size" in capsys.readouterr().err


def test_a_queue_is_chosen_by_name(tmp_path: Path, trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    queues = queue("one", SHARES, capacity=2), queue("two", SHARES, capacity=2)
    template = str(write_template(tmp_path / "t.json", *queues))

    assert main(["simulate", template, "--trace", trace, "--queue", "two"]) == GOOD
    assert main(["simulate", template, "--trace", trace]) == BAD_INPUT
    assert "several quota-managed job queues (one, two)" in capsys.readouterr().err


def test_jobs_of_unknown_shares_are_rejected_on_demand(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typo = ONE_JOB | {"share": "typo", "instance_type": "ml.g5.xlarge"}
    trace = str(write_trace(tmp_path / "typo.jsonl", typo))

    assert main(["check", template, "--trace", trace]) == BAD_INPUT
    assert main(["check", template, "--trace", trace, "--unknown-shares", "reject"]) == GOOD
    assert "QC305" in capsys.readouterr().out


def test_notes_go_to_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fair_share = queue("other", {}, capacity=1)
    fair_share["otherPolicy"]["Properties"] = {"Name": "fair", "FairsharePolicy": {}}
    template = write_template(tmp_path / "t.json", queue("main", SHARES, capacity=2), fair_share)

    code = main(["check", str(template), "--format", "json"])

    shown = capsys.readouterr()
    assert (code, json.loads(shown.out)["summary"]["error"]) == (GOOD, 0)
    assert shown.err.startswith("quota-constructs: note: ")
    assert "other" in shown.err
