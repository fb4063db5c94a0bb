"""Findings as JUnit XML, which build servers show as tests: an error is a failed test."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.printable import printable

TIME = "0"
"""How long a test took: said because readers expect it, and always the same because the same input makes the same."""

Key = tuple[str, str, str, str]
"""Rule, queue, share and trace, which may be empty."""


def encode_junit(findings: Sequence[Finding], *, run: str) -> bytes:
    """
    Return *findings* as one test suite of the command *run*; all of it is ASCII.

    A test is what one rule says of one share or queue on one trace, or a rule that finds nothing. It fails if there
    is an error, is skipped if all was suppressed, and otherwise passes with what there is to say as its output.
    """
    cases: dict[Key, list[Finding]] = {}
    for finding in findings:
        key = finding.rule_id, finding.queue, finding.share or "", finding.trace or ""
        cases.setdefault(key, []).append(finding)
    for rule_id in RULES.keys() - {rule_id for rule_id, *_ in cases}:
        cases[rule_id, "", "", ""] = []
    suite = ET.Element("testsuite")
    for key, found in sorted(cases.items(), key=lambda case: case[0]):
        suite.append(_case(key, found))
    totals = {
        "name": f"quota-constructs {run}",
        "tests": str(len(suite)),
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": "0",
        "skipped": str(len(suite.findall("testcase/skipped"))),
        "time": TIME,
    }
    suites = ET.Element("testsuites", totals)
    suite.attrib.update(totals)
    suites.append(suite)
    ET.indent(suites)
    encoded: bytes = ET.tostring(suites, encoding="us-ascii", xml_declaration=True)
    return encoded + b"\n"


def _case(key: Key, findings: Sequence[Finding]) -> ET.Element:
    rule_id, queue, share, trace = key
    places = {"queue": queue, "share": share, "on": trace}
    where = ", ".join(f"{what} {printable(name)}" for what, name in places.items() if name)
    case = ET.Element(
        "testcase",
        {
            "classname": f"quota-constructs.{rule_id}",
            "name": f"{RULES[rule_id].title}: {where}" if where else RULES[rule_id].title,
            "time": TIME,
        },
    )
    failing = [each for each in findings if each.suppressed_because is None and each.severity is Severity.ERROR]
    suppressed = [each for each in findings if each.suppressed_because is not None]
    if failing:
        failure = ET.SubElement(case, "failure", {"message": printable(failing[0].message), "type": rule_id})
        failure.text = "\n\n".join(map(_text, failing))
    elif findings and len(suppressed) == len(findings):
        ET.SubElement(case, "skipped", {"message": printable(suppressed[0].suppressed_because or "")})
    rest = [each for each in findings if each not in failing]
    if rest:
        ET.SubElement(case, "system-out").text = "\n\n".join(map(_text, rest))
    return case


def _text(finding: Finding) -> str:
    source = finding.source
    lines = [
        f"{finding.severity}: {finding.message}",
        f"fix: {finding.fix}",
        f"at: {source.logical_id} {finding.property_path} in {source.template}",
        f"see: {RULES[finding.rule_id].documentation}",
    ]
    if finding.robustness is not None:
        lines.insert(1, f"if: {finding.robustness.text}")
    if finding.suppressed_because is not None:
        lines.insert(0, f"suppressed: {finding.suppressed_because}")
    return "\n".join(map(printable, lines))
