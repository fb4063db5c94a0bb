"""`assert_no_findings`: what it takes, when it fails, and what it then says."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Template

from quota_constructs import (
    Agreement,
    Objective,
    Objectives,
    QuotaManagedJobQueue,
    ServiceEnvironment,
)
from quota_constructs.errors import TraceError, UsageError
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.testing import a_job, a_trace, assert_no_findings, findings_of
from quota_constructs.testing.synthesized import Synthesized

UNIT = "ml.g5.xlarge"


@pytest.fixture
def app() -> cdk.App:
    return cdk.App()


@pytest.fixture
def stack(app: cdk.App) -> cdk.Stack:
    """Return two shares, with nothing to object to."""
    stack = cdk.Stack(app, "Platform")
    environment = ServiceEnvironment(stack, "Environment", capacity={UNIT: 2})
    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
    agreed = Agreement(
        owner="Research",
        contact="research@example.com",
        purpose="Experiments",
        rationale="Half of what there is",
        review_by=date(2027, 6, 30),
    )
    queue.add_quota_share(
        "research",
        capacity={UNIT: 1},
        agreement=agreed,
        objectives=Objectives(wait_max_seconds=Objective(bound=60, traces=("crowded.jsonl",))),
    )
    queue.add_quota_share("product", capacity={UNIT: 1}, agreement=agreed)
    return stack


CROWDED = a_trace(a_job("first", "research"), a_job("second", "research"), name="crowded.jsonl")


def document_of(stack: cdk.Stack) -> dict[str, Any]:
    return dict(Template.from_stack(stack).to_json())


def test_passes_where_a_trace_shows_nothing(stack: cdk.Stack) -> None:
    assert_no_findings(stack, traces=[a_trace(a_job("only", "research", duration=60))])


def test_fails_for_a_promise_that_a_trace_breaks_and_says_all_of_it(stack: cdk.Stack) -> None:
    with pytest.raises(AssertionError) as failure:
        assert_no_findings(stack, traces=[CROWDED])

    text = str(failure.value)
    assert text.startswith("the quota shares are not as they should be\n\nerror QC")
    assert "Platform.template.json" in text
    assert "on  crowded.jsonl\n" in text
    assert "fix allocate the share more" in text
    assert text.endswith("1 error.")


def test_the_same_is_found_in_whatever_the_template_is_given_as(app: cdk.App, stack: cdk.Stack, tmp_path: Path) -> None:
    file = tmp_path / "Platform.template.json"
    file.write_text(json.dumps(document_of(stack)), encoding="utf-8")
    given: list[Synthesized] = [
        app,
        stack,
        Template.from_stack(stack),
        document_of(stack),
        file,
        str(file),
        app.synth().directory,
    ]

    found = [findings_of(each, traces=[CROWDED]) for each in given]

    assert "crowded.jsonl" in {each.trace for each in found[0]}
    assert len({tuple((each.rule_id, each.message, each.trace) for each in findings) for findings in found}) == 1


def test_what_was_made_for_the_occasion_leaves_no_path_behind(stack: cdk.Stack) -> None:
    found = findings_of(document_of(stack), traces=[CROWDED])

    assert {each.source.template for each in found} == {"Template.template.json"}
    assert {each.trace for each in found} == {None, "crowded.jsonl"}


def test_a_stack_is_named_by_its_file_in_the_assembly(app: cdk.App, stack: cdk.Stack) -> None:
    found = [*findings_of(app, traces=[CROWDED]), *findings_of(stack, traces=[CROWDED])]

    assert {each.source.template for each in found} == {"Platform.template.json"}


def test_traces_may_be_files_too(stack: cdk.Stack, tmp_path: Path) -> None:
    file = CROWDED.write(tmp_path)

    assert str(file) in {each.trace for each in findings_of(stack, traces=[file])}
    assert findings_of(stack, traces=[file]) == findings_of(stack, traces=[str(file)])


def test_severity_says_what_fails() -> None:
    warned = {"Resources": shares(capacity=3)}

    assert {each.severity for each in findings_of(warned, scenarios=[])} >= {Severity.WARNING}
    assert_no_findings(warned, scenarios=[], severity="error")
    for severity in ("warning", "note", Severity.NOTE):
        with pytest.raises(AssertionError):
            assert_no_findings(warned, scenarios=[], severity=severity)


def test_an_accepted_finding_fails_nothing(tmp_path: Path) -> None:
    warned = {"Resources": shares(capacity=3)}
    rules = {each.rule_id for each in findings_of(warned, scenarios=[])}
    accepted = tmp_path / "accepted.toml"
    accepted.write_text(
        "".join(f'[[suppressions]]\nrule = "{rule}"\nreason = "room to grow"\n' for rule in sorted(rules)),
        encoding="utf-8",
    )

    assert_no_findings(warned, scenarios=[], severity="note", suppressions=accepted)


def test_fails_for_a_share_that_a_trace_misspells(stack: cdk.Stack) -> None:
    with pytest.raises(TraceError, match=r"^trace\.jsonl:2: 'share' must be one of 'product', 'research'"):
        assert_no_findings(stack, traces=[a_trace(a_job("only", "reserach"))])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(
            {"severity": "fatal"}, "'severity' must be one of error, warning, note, got 'fatal'", id="severity"
        ),
        pytest.param(
            {"traces": CROWDED},
            f"'traces' must be a list of traces, got '{CROWDED.name}' itself",
            id="a trace",
        ),
        pytest.param({"traces": "a.jsonl"}, "'traces' must be a list of traces, got 'a.jsonl' itself", id="a path"),
        pytest.param({"scenarios": ["none"]}, "no scenario 'none'", id="scenario"),
    ],
)
def test_fails_for_an_option_that_makes_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        assert_no_findings({"Resources": shares(capacity=2)}, **options)

    assert message in str(refused.value)


@pytest.mark.parametrize("template", [3, None, ["Resources"]])
def test_fails_for_what_is_no_template(template: Any) -> None:  # noqa: ANN401 - what no type checker lets pass
    with pytest.raises(UsageError, match="a template must be given as a stack, an app or stage"):
        assert_no_findings(template)


def shares(*, capacity: int) -> dict[str, Any]:
    """Return the resources of one share that holds 2 of an environment's *capacity*."""
    return {
        "Environment": {
            "Type": "AWS::Batch::ServiceEnvironment",
            "Properties": {
                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                "CapacityLimits": [{"CapacityUnit": UNIT, "MaxCapacity": capacity}],
            },
        },
        "Policy": {
            "Type": "AWS::Batch::SchedulingPolicy",
            "Properties": {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}},
        },
        "Queue": {
            "Type": "AWS::Batch::JobQueue",
            "Properties": {
                "JobQueueType": "SAGEMAKER_TRAINING",
                "Priority": 1,
                "SchedulingPolicyArn": {"Ref": "Policy"},
                "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}],
            },
        },
        "Share": {
            "Type": "AWS::Batch::QuotaShare",
            "Properties": {
                "QuotaShareName": "research",
                "JobQueue": {"Ref": "Queue"},
                "CapacityLimits": [{"CapacityUnit": UNIT, "MaxCapacity": 2}],
                "ResourceSharingConfiguration": {"Strategy": "RESERVE"},
                "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
            },
        },
    }
