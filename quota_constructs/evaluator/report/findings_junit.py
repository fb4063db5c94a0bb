"""Findings as JUnit XML: an error is a failed test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.report.junit import add_text, encode_suite, new_case

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
    ordered = sorted(cases.items(), key=lambda case: case[0])
    return encode_suite((_case(key, found) for key, found in ordered), run=run)


def _case(key: Key, findings: Sequence[Finding]) -> ET.Element:
    rule_id, queue, share, trace = key
    places = {"queue": queue, "share": share, "on": trace}
    where = ", ".join(f"{what} {name}" for what, name in places.items() if name)
    case = new_case(rule_id, f"{RULES[rule_id].title}: {where}" if where else RULES[rule_id].title)
    failing = [each for each in findings if each.fails]
    reasons = [each.suppressed_because for each in findings if each.suppressed_because is not None]
    if failing:
        add_text(case, "failure", finding_lines(failing), message=failing[0].message, type=rule_id)
    elif reasons and len(reasons) == len(findings):
        add_text(case, "skipped", (), message=reasons[0])
    rest = [each for each in findings if not each.fails]
    if rest:
        add_text(case, "system-out", finding_lines(rest))
    return case


def finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what there is to say of *findings*, one below the other."""
    for number, finding in enumerate(findings):
        source = finding.source
        if number:
            yield ""
        if finding.suppressed_because is not None:
            yield f"suppressed: {finding.suppressed_because}"
        yield f"{finding.severity}: {finding.message}"
        if finding.robustness is not None:
            yield f"if: {finding.robustness.text}"
        yield f"fix: {finding.fix}"
        yield f"at: {source.logical_id} {finding.property_path} in {source.template}"
        yield f"see: quota-constructs explain {finding.rule_id}"
