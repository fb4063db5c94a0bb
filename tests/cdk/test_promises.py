"""Promises that hold, and each of them broken in turn, through the plugin in a synthesis."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest

from quota_constructs import (
    Objective,
    Objectives,
    QuotaManagedJobQueue,
    QuotaPolicyValidation,
    ResourceSharing,
    ServiceEnvironment,
)
from tests.promised import BREAKS, FAILING, WORKLOAD, a_little_more, promises

SHARING = {"a": ResourceSharing.lend_and_borrow(borrow_limit_percent=100), "b": ResourceSharing.lend()}


def synthesize(
    folder: Path, bounds: Mapping[str, Mapping[str, float]], lines: Sequence[Mapping[str, object]] = WORKLOAD
) -> list[tuple[str, str, str]]:
    """Return each error of the report as its rule, share and objective, once the app is synthesized or has failed."""
    trace = folder / "trace.jsonl"
    trace.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    app = cdk.App(outdir=str(folder / "cdk.out"))
    stack = cdk.Stack(app, "Stack")
    environment = ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 2})
    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
    for name, sharing in SHARING.items():
        objectives = Objectives(**{each: Objective(bound=bound) for each, bound in bounds.get(name, {}).items()})
        queue.add_quota_share(name, capacity={"ml.g5.xlarge": 1}, sharing=sharing, objectives=objectives)
    cdk.Validations.of(app).add_plugins(QuotaPolicyValidation(traces=[trace]))
    failed = False
    try:
        app.synth()
    except RuntimeError as error:
        failed = "ValidationFailed" in str(error)
    report: dict[str, Any] = json.loads((folder / "cdk.out" / "validation-report.json").read_text(encoding="utf-8"))
    errors = [each for each in report["pluginReports"][0]["violations"] if each["severity"] == "error"]
    assert failed is bool(errors)
    return [
        (each["ruleName"], each["ruleMetadata"]["share"], each["ruleMetadata"].get("objective", "")) for each in errors
    ]


def test_promises_that_are_kept_let_the_synthesis_pass(tmp_path: Path) -> None:
    assert synthesize(tmp_path, promises()) == []


@pytest.mark.parametrize(("name", "share"), BREAKS.items())
def test_each_promise_fails_the_synthesis_when_it_is_broken(name: str, share: str, tmp_path: Path) -> None:
    assert synthesize(tmp_path, promises(**{name: a_little_more(name)})) == [("QC306", share, name)]


def test_a_job_that_does_not_finish_fails_the_synthesis(tmp_path: Path) -> None:
    assert ("QC306", "a", "all_jobs_finish") in synthesize(tmp_path, {"a": {"all_jobs_finish": 0}}, FAILING)
