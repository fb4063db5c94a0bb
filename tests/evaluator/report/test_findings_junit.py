from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.findings_junit import encode_junit
from tests.findings import finding, hostile_finding
from tests.hostile import HOSTILE


def suites(findings: Sequence[Finding]) -> ET.Element:
    """Return the XML of *findings* as another program parses it."""
    encoded = encode_junit(findings, run="check")
    assert encoded.isascii()
    return ET.fromstring(encoded)  # noqa: S314 - written by ourselves


def case(found: ET.Element, rule_id: str) -> ET.Element:
    [only] = [each for each in found.iter("testcase") if each.get("classname") == f"quota-constructs.{rule_id}"]
    return only


def counts(found: ET.Element) -> dict[str, str | None]:
    assert found.attrib == found[0].attrib
    return {name: found.get(name) for name in ("tests", "failures", "errors", "skipped")}


def test_without_findings_every_rule_is_a_test_that_passes() -> None:
    found = suites([])

    assert counts(found) == {"tests": str(len(RULES)), "failures": "0", "errors": "0", "skipped": "0"}
    assert [list(each) for each in found.iter("testcase")] == [[]] * len(RULES)


def test_an_error_is_a_failed_test_of_its_rule_share_and_trace() -> None:
    found = suites([finding(trace="day.jsonl")])

    failed = case(found, "QC101")
    assert failed.get("name") == f"{RULES['QC101'].title}: queue main, share a, on day.jsonl"
    [failure] = failed
    assert failure.attrib == {"message": "6 of 5 are allocated", "type": "QC101"}
    assert failure.text is not None
    assert failure.text.splitlines() == [
        "error: 6 of 5 are allocated",
        "fix: allocate less",
        "at: Share Properties/CapacityLimits in Test.template.json",
        "see: quota-constructs explain QC101",
    ]
    assert counts(found)["failures"] == "1"


def test_a_warning_is_the_output_of_a_test_that_passes() -> None:
    passed = case(suites([finding("QC102")]), "QC102")

    [output] = passed
    assert output.tag == "system-out"
    assert output.text is not None
    assert output.text.startswith("warning: 6 of 5 are allocated\n")


def test_what_is_suppressed_is_a_skipped_test_with_the_reason() -> None:
    found = suites([finding(suppressed_because="agreed on")])

    skipped, output = case(found, "QC101")
    assert skipped.attrib == {"message": "agreed on"}
    assert output.text is not None
    assert output.text.startswith("suppressed: agreed on\nerror: ")
    assert (counts(found)["failures"], counts(found)["skipped"]) == ("0", "1")


def test_what_a_rule_says_of_one_share_is_one_test() -> None:
    three = [finding(), finding(message="twice"), finding(severity=Severity.NOTE), finding(share="b")]

    found = suites(three)

    ours = [each for each in found.iter("testcase") if each.get("classname") == "quota-constructs.QC101"]
    assert [[part.tag for part in each] for each in ours] == [["failure", "system-out"], ["failure"]]
    assert (ours[0][0].text or "").count("error: ") == 2


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_make_well_formed_xml(text: str) -> None:
    bad = hostile_finding(text)

    found = suites([bad, replace(bad, suppressed_because=text), replace(bad, rule_id="QC102")])

    assert counts(found)["tests"] == str(len(RULES))
    for element in found.iter():
        assert all(value.isprintable() for value in element.attrib.values())
        assert (element.text or "").replace("\n", "").isprintable()


def test_five_thousand_findings_are_all_there() -> None:
    found = suites([finding(share=f"s{number}") for number in range(5_000)])

    assert counts(found)["failures"] == "5000"


def test_the_same_findings_make_the_same_bytes() -> None:
    findings = [finding(), finding("QC301", trace="day.jsonl")]

    assert encode_junit(findings, run="check") == encode_junit(list(findings), run="check")
