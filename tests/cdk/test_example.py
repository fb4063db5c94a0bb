"""The example that `cdk synth` starts with: its template, its trace, and what other tools think of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.json import JSONSnapshotExtension

from quota_constructs import QuotaPolicyValidation
from quota_constructs.evaluator.evaluation import simulate_path
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import State
from stacks.three_shares import OWNER_RETURNS, ThreeShares

RESOURCES = {
    "Environment78414C64": "AWS::Batch::ServiceEnvironment",
    "Queue4A7E3555": "AWS::Batch::JobQueue",
    "QueueSchedulingPolicy89414A76": "AWS::Batch::SchedulingPolicy",
    "QueuebackgroundC86684E8": "AWS::Batch::QuotaShare",
    "QueuemediumA4916CBC": "AWS::Batch::QuotaShare",
    "Queueprotected28E9C207": "AWS::Batch::QuotaShare",
}


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the cloud assembly of the example, evaluated while it was synthesized."""
    outdir = tmp_path_factory.mktemp("example")
    app = cdk.App(
        outdir=str(outdir), analytics_reporting=False, context={"@aws-cdk/core:validateAgainstDefaultRules": True}
    )
    ThreeShares(app, "ThreeShares")
    cdk.Validations.of(app).add_plugins(QuotaPolicyValidation(traces=[OWNER_RETURNS]))
    app.synth()
    return outdir


@pytest.fixture(scope="module")
def evaluation(assembly: Path) -> Evaluation:
    return simulate_path(assembly, OWNER_RETURNS)


def test_the_template_is_the_golden_one(assembly: Path, snapshot: SnapshotAssertion) -> None:
    template = read(assembly / "ThreeShares.template.json")

    assert template["Resources"] == snapshot(extension_class=JSONSnapshotExtension)


def test_logical_ids_do_not_change(assembly: Path) -> None:
    # Another id replaces the resource: whoever deploys the queue or a share anew terminates its jobs.
    resources = read(assembly / "ThreeShares.template.json")["Resources"]

    assert {logical_id: body["Type"] for logical_id, body in resources.items()} == RESOURCES


def test_cfn_lint_finds_nothing(assembly: Path) -> None:
    cfn_lint = Path(sys.executable).with_name("cfn-lint")
    options = ["--regions", "us-east-1", "--include-checks", "I", "--non-zero-exit-code", "informational"]

    run = subprocess.run(
        [cfn_lint, *options, "--template", assembly / "ThreeShares.template.json"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stdout) == (0, ""), run.stderr


def test_neither_the_cdk_nor_this_package_finds_more_than_notes(assembly: Path) -> None:
    reports = read(assembly / "validation-report.json")["pluginReports"]

    assert {violation["severity"] for report in reports for violation in report["violations"]} <= {"info"}


def test_the_lender_s_owner_gets_its_instance_back_after_the_stop_time(evaluation: Evaluation) -> None:
    jobs = {each.job.id: each for each in evaluation.history.jobs}

    assert jobs["medium-finetune"].first_dispatch_ms == 5_420_000
    assert jobs["background-encoder"].cross_share_preemptions == 1


def test_the_job_whose_priority_is_raised_stops_another_of_its_share(evaluation: Evaluation) -> None:
    jobs = {each.job.id: each for each in evaluation.history.jobs}

    assert jobs["background-sweep"].first_dispatch_ms == 7_220_000
    assert jobs["background-ranker"].in_share_preemptions == 1


def test_every_job_finishes_and_a_checkpoint_bounds_what_is_lost(evaluation: Evaluation) -> None:
    interval_ms = 900_000

    assert {each.state for each in evaluation.history.jobs} == {State.SUCCEEDED}
    for each in evaluation.history.jobs:
        preemptions = each.cross_share_preemptions + each.in_share_preemptions
        assert each.lost_ms <= preemptions * interval_ms


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
