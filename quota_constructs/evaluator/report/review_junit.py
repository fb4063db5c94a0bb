"""What a review found as JUnit XML: only what fails the review is a failed test."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.findings_junit import finding_lines
from quota_constructs.evaluator.report.junit import add_text, encode_suite, new_case
from quota_constructs.evaluator.review.review import Review
from quota_constructs.evaluator.review.verdict import verdict


def encode_review_junit(review: Review, *, fail_on: Severity | None = Severity.ERROR) -> bytes:
    """Return a test for the verdict and one for each finding of *review*; all of it is ASCII."""
    return encode_suite(_cases(review, fail_on), run="review")


def _cases(review: Review, fail_on: Severity | None) -> Iterator[ET.Element]:
    failing = review.failing(fail_on)
    bottom_line = new_case("review", "verdict")
    add_text(bottom_line, "system-out", [verdict(review, fail_on)])
    yield bottom_line
    found = review.findings
    for state, findings in (("new", found.new), ("unchanged", found.unchanged), ("fixed", found.fixed)):
        for finding in findings:
            yield _case(state, finding, fails=state == "new" and finding in failing)


def _case(state: str, finding: Finding, *, fails: bool) -> ET.Element:
    places = {"queue": finding.queue, "share": finding.share, "on": finding.trace}
    where = ", ".join(f"{what} {name}" for what, name in places.items() if name)
    case = new_case(finding.rule_id, f"{state}: {RULES[finding.rule_id].title}: {where}")
    if fails:
        add_text(case, "failure", finding_lines([finding]), message=finding.message, type=finding.rule_id)
    else:
        add_text(case, "system-out", finding_lines([finding]))
    return case
