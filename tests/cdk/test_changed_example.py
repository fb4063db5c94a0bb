"""One line of the example is changed, as the documentation suggests: what the agreement promises is then not kept."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest

from quota_constructs import QuotaPolicyValidation
from quota_constructs.cli import main
from quota_constructs.cli.exits import FOUND_ERRORS
from stacks import three_shares
from stacks.three_shares import OWNER_RETURNS

EXAMPLE = Path(three_shares.__file__)
BROKEN_PROMISE = "QC306"


def synthesize(folder: Path, line: str, changed: str) -> Path:
    """Synthesize the example with *changed* in the place of *line*; the synthesis must fail. Return the assembly."""
    source = EXAMPLE.read_text(encoding="utf-8")
    assert source.count(line) == 1
    (folder / "changed.py").write_text(source.replace(line, changed), encoding="utf-8")
    stack = runpy.run_path(str(folder / "changed.py"))["ThreeShares"]
    app = cdk.App(outdir=str(folder / "cdk.out"))
    stack(app, "ThreeShares")
    cdk.Validations.of(app).add_plugins(QuotaPolicyValidation(traces=[OWNER_RETURNS]))
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()
    return folder / "cdk.out"


def errors_in(assembly: Path) -> list[dict[str, Any]]:
    (report,) = json.loads((assembly / "validation-report.json").read_text(encoding="utf-8"))["pluginReports"]
    return [violation for violation in report["violations"] if violation["severity"] == "error"]


def test_a_lender_that_keeps_what_it_leaves_idle_breaks_the_promise_to_the_borrower(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assembly = synthesize(tmp_path, "sharing=ResourceSharing.lend(),", "sharing=ResourceSharing.reserve(),")

    (error,) = errors_in(assembly)
    assert error["ruleName"] == BROKEN_PROMISE
    assert error["description"].startswith(
        "share 'background' was promised longest wait at most 7,200 s, and got 19,445 s; worst: 'background-encoder' "
    )
    capsys.readouterr()
    assert main(["check", str(assembly), "--trace", str(OWNER_RETURNS)]) == FOUND_ERRORS
    assert "share 'background' was promised longest wait at most 7,200 s" in capsys.readouterr().out


def test_an_environment_of_one_instance_less_breaks_the_promise_to_the_lender(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assembly = synthesize(tmp_path, 'capacity={"ml.g5.xlarge": 3}', 'capacity={"ml.g5.xlarge": 2}')

    errors = {error["ruleMetadata"]["share"]: error for error in errors_in(assembly)}
    assert {share: error["ruleName"] for share, error in errors.items()} == {
        "background": BROKEN_PROMISE,
        "medium": BROKEN_PROMISE,
    }
    assert "at most 180 s, and got 5,645 s; worst: 'medium-finetune' waited" in errors["medium"]["description"]
    capsys.readouterr()
    assert main(["check", str(assembly), "--trace", str(OWNER_RETURNS)]) == FOUND_ERRORS
    assert "share 'medium' was promised" in capsys.readouterr().out
