from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest

from quota_constructs import Agreement, QuotaManagedJobQueue, QuotaPolicyValidation, ServiceEnvironment


@pytest.fixture
def app(tmp_path: Path) -> cdk.App:
    """Return an app with a share that is allocated more than its environment has, and an overdue agreement."""
    app = cdk.App(outdir=str(tmp_path / "cdk.out"))
    stack = cdk.Stack(app, "Stack")
    environment = ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 2})
    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
    queue.add_quota_share(
        "research",
        capacity={"ml.g5.xlarge": 3},
        agreement=Agreement(owner="research", review_by=date(2026, 6, 30)),
    )
    return app


def accept(tmp_path: Path, *entries: str) -> Path:
    path = tmp_path / "accepted.toml"
    path.write_text("".join(f"[[suppressions]]\n{entry}\n" for entry in entries), encoding="utf-8")
    return path


def synthesize(app: cdk.App, plugin: QuotaPolicyValidation) -> dict[str, Any]:
    cdk.Validations.of(app).add_plugins(plugin)
    app.synth()
    report = json.loads((Path(app.outdir) / "validation-report.json").read_text(encoding="utf-8"))
    (ours,) = report["pluginReports"]
    found: dict[str, Any] = ours
    return found


def test_a_suppressed_error_passes_and_is_shown_with_its_reason(app: cdk.App, tmp_path: Path) -> None:
    accepted = accept(tmp_path, 'rule = "QC103"\nshare = "research"\nreason = "more is coming\\u001b[2J"')

    report = synthesize(app, QuotaPolicyValidation(scenarios=(), suppressions=accepted))

    (shown,) = [each for each in report["violations"] if each["ruleName"] == "QC103"]
    assert (report["conclusion"], shown["severity"]) == ("success", "info")
    assert shown["description"].startswith(r"suppressed (more is coming\x1b[2J): share 'research' is allocated 3")


def test_entries_that_match_nothing_or_have_expired_are_warnings(app: cdk.App, tmp_path: Path) -> None:
    accepted = accept(
        tmp_path,
        'rule = "QC103"\nreason = "more is coming"',
        'rule = "QC105"\nreason = "of old"',
        'rule = "QC102"\nreason = "for a month"\nuntil = 2026-10-31',
    )

    plugin = QuotaPolicyValidation(scenarios=(), suppressions=str(accepted), today=date(2026, 11, 29))
    report = synthesize(app, plugin)

    warnings = [each["ruleName"] for each in report["violations"] if each["severity"] == "warning"]
    assert warnings == ["QC102", "QC209", "QC401", "QC402"]


def test_without_a_day_no_date_is_judged_and_the_report_says_so(app: cdk.App, tmp_path: Path) -> None:
    accepted = accept(tmp_path, 'rule = "QC103"\nreason = "more is coming"')

    report = synthesize(app, QuotaPolicyValidation(scenarios=(), suppressions=accepted))

    assert "QC209" not in [each["ruleName"] for each in report["violations"]]
    assert "1 date of agreements or suppressions not judged: no day was given" in str(report["metadata"])


def test_fails_with_one_line_for_a_file_that_cannot_be_used(app: cdk.App, tmp_path: Path) -> None:
    accepted = accept(tmp_path, 'rule = "QC103"')
    cdk.Validations.of(app).add_plugins(QuotaPolicyValidation(scenarios=(), suppressions=accepted))

    with pytest.raises(RuntimeError, match="suppression 1: 'reason' is missing"):
        app.synth()
