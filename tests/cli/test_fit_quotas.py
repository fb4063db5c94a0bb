"""`quota-constructs trace fit-quotas`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from quota_constructs.evaluator.template import read_systems
from tests.builders import UNIT
from tests.templates import write_trace

LINE: dict[str, Any] = {"id": "a", "share": "x", "submit": 0, "duration": 100, "instance_count": 4}


def fit(folder: Path, *arguments: str, lines: tuple[dict[str, Any], ...] = (LINE,)) -> int:
    return main(["trace", "fit-quotas", str(write_trace(folder / "t.jsonl", *lines)), *arguments])


def test_writes_a_template_that_says_it_is_a_starting_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = fit(tmp_path, "--instance-type", UNIT, "-o", str(tmp_path / "fit.json"))

    (system,) = read_systems(tmp_path / "fit.json").systems
    shown = capsys.readouterr()
    assert (code, shown.out) == (GOOD, "")
    assert [(share.name, share.limits) for share in system.shares] == [("x", {UNIT: 5})]
    description = json.loads((tmp_path / "fit.json").read_text(encoding="utf-8"))["Description"]
    assert description.startswith("A starting point, no recommendation: each share's limit is 1.25 x the mean demand")
    assert f"note: limits of 1 share come to 5 {UNIT}\n" in shown.err
    assert "they are a starting point" in shown.err
    assert "never contends under these limits" in shown.err


def test_what_is_written_can_be_checked_with_the_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fit(tmp_path, "--instance-type", UNIT, "--factor", "2", "--multiple-of", "3", "-o", str(tmp_path / "fit.json"))

    code = main(["simulate", str(tmp_path / "fit.json"), "--trace", str(tmp_path / "t.jsonl"), "--format", "json"])

    result = json.loads(capsys.readouterr().out)
    assert code == GOOD
    assert [job["state"] for job in result["jobs"]] == ["SUCCEEDED"]
    (system,) = read_systems(tmp_path / "fit.json").systems
    assert system.environment.capacity == {UNIT: 9}


def test_standard_output_gets_the_template(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fit(tmp_path, "--instance-type", UNIT) == GOOD

    assert "Resources" in json.loads(capsys.readouterr().out)


def test_says_which_jobs_the_limits_are_small_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = LINE | {"id": "b", "instance_count": 7, "duration": 1, "share": "y"}
    largest = LINE | {"id": "c", "instance_count": 40, "duration": 1, "share": "y"}

    fit(tmp_path, "--instance-type", UNIT, lines=(LINE | {"duration": 10_000}, LINE | {"id": "d"}, large, largest))

    said = capsys.readouterr().err
    assert "1 job can run by borrowing only: they hold more than their share's limit" in said
    assert "1 job can never start: they hold more than all limits together" in said
    assert "never contends" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "state no instance type", id="no instance type"),
        pytest.param(["--instance-type", UNIT, "-o", "t.yaml"], "must name a file that ends in .json", id="YAML"),
        pytest.param(["--instance-type", UNIT, "--factor", "0"], "must be a number above 0", id="nothing"),
        pytest.param(
            ["--instance-type", UNIT, "--multiple-of", "0"], "must be a whole number from 1", id="no multiple"
        ),
        pytest.param(["--instance-type", "p4 d"], "cannot be an instance type", id="no instance type's name"),
    ],
)
def test_fails_with_one_line(
    arguments: list[str], said: str, *, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = fit(tmp_path, *arguments)

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert said in shown.err
    assert shown.err.count("\n") == 1
