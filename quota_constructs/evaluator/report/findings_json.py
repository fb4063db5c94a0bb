"""Findings as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.arrangement_json import arrangement_value
from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.system import System

VERSION = 1
"""Of the object's form; a reader of one version can read all that is added to it later."""


def encode_findings(findings: Sequence[Finding], systems: Sequence[System] | None = None) -> bytes:
    """
    Return *findings* as one object, with how many there are of each severity; all of it is ASCII.

    *systems* are what they are about: with them, two results can be reviewed like two templates.
    """
    reported = [finding for finding in findings if finding.suppressed_because is None]
    value = {
        "check": VERSION,
        "findings": [finding_value(finding) for finding in reported],
        "suppressed": [
            {**finding_value(finding), "reason": finding.suppressed_because}
            for finding in findings
            if finding.suppressed_because is not None
        ],
        "summary": {severity: sum(each.severity is severity for each in reported) for severity in Severity},
        "arrangements": None if systems is None else [arrangement_value(system) for system in systems],
    }
    return f"{dump(value)}\n".encode()


def finding_value(finding: Finding) -> dict[str, object]:
    """Return *finding*, and what its rule is called, as plain values."""
    rule = RULES[finding.rule_id]
    return {
        "rule_id": finding.rule_id,
        "severity": finding.severity,
        "title": rule.title,
        "message": finding.message,
        "fix": finding.fix,
        "documentation": rule.documentation,
        "queue": finding.queue,
        "share": finding.share,
        "trace": finding.trace,
        "template": finding.source.template,
        "logical_id": finding.source.logical_id,
        "construct_path": finding.source.construct_path,
        "declared_at": finding.source.declared_at,
        "declared_line": finding.source.declared_line,
        "property_path": finding.property_path,
        "figures": dict(finding.figures),
        "robustness": None if finding.robustness is None else finding.robustness.as_value(),
    }
