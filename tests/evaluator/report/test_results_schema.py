"""The published schema of results: it accepts what is written, and says all that is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from quota_constructs.evaluator.evaluation import check_systems, evaluate
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report import findings_json
from quota_constructs.evaluator.report.comparison_json import encode_comparisons
from quota_constructs.evaluator.report.findings_json import encode_findings
from quota_constructs.evaluator.report.review_json import encode_review
from quota_constructs.evaluator.reviewing import review_systems
from quota_constructs.evaluator.sensitivity import check_sensitivity
from quota_constructs.evaluator.shared_load import Load
from quota_constructs.evaluator.side_by_side import compare_systems
from quota_constructs.evaluator.trace import Trace
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, job, share, system, trace
from tests.findings import finding, hostile_finding
from tests.hostile import HOSTILE

PUBLISHED = Path(findings_json.__file__).with_name("results.schema.json")
SCHEMA: dict[str, Any] = json.loads(PUBLISHED.read_bytes())

BASE = system(
    share("a", 1, LEND_AND_BORROW, interruption=InterruptionContract(can_resume=False)),
    share("b", 1, LEND, agreement=Agreement(owner="bob")),
)
HEAD = system(share("a", 2, LEND_AND_BORROW), share("c", 1), capacity=2)
OWNER_RETURNS: Trace = trace(
    job("guest", "a", 2, duration=7200), job("owner", "b", submit=3600, duration=3600, deadline=1)
)


def closed(schema: object) -> object:
    """Return *schema* without room for a key that it does not describe."""
    if isinstance(schema, list):
        return [closed(each) for each in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    described = {key: closed(value) for key, value in cast("dict[str, object]", schema).items()}
    if "properties" in described and "allOf" not in described:
        described.setdefault("additionalProperties", False)
    return described


def validate(encoded: bytes, kind: str) -> dict[str, Any]:
    """Return the result *encoded*, of which the schema describes every key."""
    value: dict[str, Any] = json.loads(encoded)
    jsonschema.validate(value, SCHEMA)
    strict = cast("dict[str, Any]", closed(SCHEMA))
    definitions: dict[str, Any] = strict["$defs"] | {"suppressed": {}}  # a finding and more, for which one has no room
    jsonschema.validate(value, {"$defs": definitions, "$ref": f"#/$defs/{kind}"})
    return value


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_it_describes_what_a_check_writes() -> None:
    findings = [
        *check_systems([BASE, HEAD], scenarios=["owner-returns", "everyone-at-once"]),
        *check_sensitivity(evaluate(BASE, OWNER_RETURNS), lambda assumed: evaluate(BASE, OWNER_RETURNS, assumed)),
        finding(suppressed_because="agreed on"),
    ]

    value = validate(encode_findings(findings, [BASE, HEAD]), "check")

    assert any(each["robustness"] for each in value["findings"])
    assert [each["reason"] for each in value["suppressed"]] == ["agreed on"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_it_describes_findings_whatever_the_names_are(text: str) -> None:
    validate(encode_findings([hostile_finding(text)]), "check")


def test_it_describes_where_python_declares_what_is_wrong() -> None:
    declared = replace(finding().source, declared_at="stacks/app.py", declared_line=12)

    value = validate(encode_findings([finding(source=declared)]), "check")

    assert (value["findings"][0]["declared_at"], value["findings"][0]["declared_line"]) == ("stacks/app.py", 12)


def test_it_describes_what_a_comparison_writes() -> None:
    comparisons = [compare_systems(BASE, OWNER_RETURNS, template="a.json", bases={"b.json": HEAD})]

    validate(b"".join(encode_comparisons(comparisons)), "compare")


@pytest.mark.parametrize("fail_on", [None, *Severity])
def test_it_describes_what_a_review_writes(fail_on: Severity | None) -> None:
    review = review_systems([BASE], [HEAD], names=("base", "head"), load=Load(scenarios=["owner-returns"]))

    value = validate(encode_review(review, fail_on=fail_on), "review")

    assert value["on_traces"][0]["running"]["deployments"]


@pytest.mark.parametrize(
    "changes",
    [{"check": 2}, {"findings": None}, {"summary": {}}, {"findings": [{"rule_id": "QC1"}]}],
    ids=["another version", "no findings", "no summary", "half a finding"],
)
def test_it_refuses_what_is_no_result(changes: dict[str, object]) -> None:
    value = json.loads(encode_findings([finding()])) | changes

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, SCHEMA)
