from __future__ import annotations

import json
from dataclasses import replace

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report.findings_json import encode_findings
from quota_constructs.evaluator.report.findings_text import findings_text
from quota_constructs.evaluator.report.screen import Screen
from tests.builders import LEND, LEND_AND_BORROW, share, system

WIDE = Screen(width=200)
ARRANGEMENT = system(share("a", 5, LEND_AND_BORROW), share("b", 1, LEND), capacity=5)
FINDINGS = tuple(finding for finding in check_arrangement(ARRANGEMENT) if finding.severity is not Severity.NOTE)


def test_a_finding_reads_with_its_place_and_the_way_out() -> None:
    [warning] = FINDINGS
    placed = replace(warning, trace="day.jsonl", source=replace(warning.source, construct_path="Stack/Environment"))

    assert findings_text([placed], WIDE) == (
        "warning QC102 The shares are allocated more than the environment has\n"
        "    the shares are allocated 6 of ml.g5.xlarge and environment 'environment' has 5: "
        "when all are busy they are 1 instance short, and owners wait for each other\n"
        "    at  Environment Properties/CapacityLimits in Test.template.json\n"
        "    by  Stack/Environment\n"
        "    on  day.jsonl\n"
        "    fix raise the environment's capacity of ml.g5.xlarge to 6, or lower the shares' limits by 1 in all\n"
        "    see quota-constructs explain QC102\n"
        "\n"
        "1 warning.\n"
    )


def test_no_findings_are_said_to_be_none() -> None:
    assert findings_text([], WIDE) == "No findings.\n"


def test_findings_are_counted_by_severity() -> None:
    findings = check_arrangement(system(share("a", 9), share("b", 1, LEND), capacity=5))

    assert findings_text(findings, WIDE).endswith("\n2 errors, 2 warnings, 2 notes.\n")


def test_places_from_outside_cannot_steer_a_terminal() -> None:
    hostile = replace(FINDINGS[0].source, logical_id="\x1b[2J[bold]", construct_path="\u202e")

    text = findings_text([replace(FINDINGS[0], source=hostile, trace="\x07")], WIDE)

    assert text.replace("\n", "").isprintable()
    assert r"at  \x1b[2J[bold] Properties" in text


def test_json_is_versioned_and_counts() -> None:
    value = json.loads(encode_findings(FINDINGS))

    assert list(value) == ["check", "findings", "suppressed", "summary", "arrangements"]
    assert value["check"] == 1
    assert value["summary"] == {"error": 0, "warning": 1, "note": 0}


def test_a_finding_in_json_has_its_place_its_figures_and_its_page() -> None:
    first = json.loads(encode_findings(FINDINGS))["findings"][0]

    assert first["rule_id"] == "QC102"
    assert first["severity"] == "warning"
    assert first["documentation"] == "docs/rules.md#qc102"
    assert (first["template"], first["logical_id"]) == ("Test.template.json", "Environment")
    assert first["property_path"] == "Properties/CapacityLimits"
    assert first["figures"] == {"unit": "ml.g5.xlarge", "allocated": 6, "capacity": 5}


def test_json_is_ascii_whatever_the_names_are() -> None:
    hostile = replace(FINDINGS[0], queue="\u202e\ud800\x7f")

    output = encode_findings([hostile])

    assert output.decode("ascii").strip().isprintable()
    assert json.loads(output)["findings"][0]["queue"] == "\u202e\ud800\x7f"
