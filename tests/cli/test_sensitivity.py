from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import FOUND_ERRORS, GOOD
from tests.templates import queue, write_template, write_trace

SHARES = {"a": (1, "LEND_AND_BORROW"), "b": (2, "LEND")}
SAVES = {"checkpoint": {"on_stop": True}}
LENT_BACK = (
    {"id": "own", "share": "a", "submit": 0, "duration": 1000} | SAVES,
    {"id": "keeper", "share": "a", "submit": 1, "duration": 1000} | SAVES,
    {"id": "loser", "share": "a", "submit": 2, "duration": 1000},
    {"id": "owner", "share": "b", "submit": 800, "duration": 100},
)
PROMISE = """\
[shares.a.objectives]
lost_work_percent = { bound = 10 }
"""


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    template = write_template(tmp_path / "t.json", queue("main", SHARES, capacity=3))
    trace = write_trace(tmp_path / "t.jsonl", *LENT_BACK)
    objectives = tmp_path / "promises.toml"
    objectives.write_text(PROMISE, encoding="utf-8")
    return [str(template), "--trace", str(trace), "--objectives", str(objectives)]


def test_check_says_on_which_assumption_a_broken_promise_hangs(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", *given])

    shown = capsys.readouterr().out
    assert code == FOUND_ERRORS
    assert "error QC306 A promise is not kept" in shown
    assert "if  depends on what is assumed: not with victim order oldest, or victim order least-lost-work" in shown


def test_check_for_programs_lists_the_assumptions(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", *given, "--format", "json"])

    findings = json.loads(capsys.readouterr().out)["findings"]
    [broken] = [finding for finding in findings if finding["rule_id"] == "QC306"]
    assert broken["robustness"]["depends_on"]["victim_order"] == ["oldest", "least-lost-work"]
    assert {finding["robustness"] for finding in findings if finding["trace"] is None} == {None}


def test_without_sensitivity_a_finding_is_reported_as_assumed(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", *given, "--no-sensitivity"])

    shown = capsys.readouterr().out
    assert code == FOUND_ERRORS
    assert "error QC306 A promise is not kept" in shown
    assert "depends on what is assumed" not in shown


def test_a_promise_that_only_other_assumptions_break_fails_no_check(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", *given, "--victim-order", "oldest"])

    shown = capsys.readouterr().out
    assert code == GOOD
    assert "note QC306 A promise is not kept" in shown
    assert "if  not as assumed, but with victim order borrowing-first" in shown
