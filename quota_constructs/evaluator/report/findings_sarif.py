"""Findings as SARIF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.report.sarif import (
    FINGERPRINT,
    Value,
    artifact,
    below_root,
    encode_log,
    fingerprint,
    message,
)
from quota_constructs.evaluator.system import Source
from quota_constructs.printable import printable


def encode_sarif(findings: Sequence[Finding], *, run: str, root: PurePath) -> bytes:
    """
    Return *findings* as one log of the command *run*, for the sources below *root*; all of it is ASCII.

    The first place of a result is where Python declared the resource, if that is known, else the template.
    """
    return encode_log(rules_of_findings(), results_of(findings, root), run=run)


def rules_of_findings() -> list[Value]:
    """Return every rule, with its help."""
    return [_rule(rule) for rule in RULES.values()]


def results_of(findings: Sequence[Finding], root: PurePath) -> list[Value]:
    """Return a result for each of *findings*, which refers to a rule by its place among all of them."""
    places = {rule_id: place for place, rule_id in enumerate(RULES)}
    seen: Counter[str] = Counter()
    results: list[Value] = []
    for finding in findings:
        identity = _identity(finding)
        seen[identity] += 1
        results.append(_result(finding, places[finding.rule_id], f"{identity}:{seen[identity]}", root))
    return results


def _rule(rule: Rule) -> Value:
    text = f"{rule.what}\n\nWhy it matters: {rule.why}\n\nWhat to do: {rule.fix}\n\nSee {rule.documentation}."
    markdown = f"{rule.what}\n\n**Why it matters.** {rule.why}\n\n**What to do.** {rule.fix}\n\n`{rule.documentation}`"
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.what},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, rule_index: int, identity: str, root: PurePath) -> Value:
    place, template = _declaration(finding.source), _template(finding, root)
    result: Value = {
        "ruleId": finding.rule_id,
        "ruleIndex": rule_index,
        "level": finding.severity,
        "message": message(_said(finding)),
        "locations": [{**(place or template), "logicalLocations": [_logical(finding.source)]}],
        "partialFingerprints": {FINGERPRINT: identity},
        "properties": {
            "queue": finding.queue,
            "share": finding.share,
            "trace": finding.trace,
            "fix": finding.fix,
            "figures": dict(finding.figures),
            "robustness": None if finding.robustness is None else finding.robustness.as_value(),
        },
    }
    if place is not None:
        result["relatedLocations"] = [{**template, "message": {"text": "The resource in the template"}}]
    if finding.suppressed_because is not None:
        result["suppressions"] = [{"kind": "external", "justification": printable(finding.suppressed_because)}]
    return result


def _said(finding: Finding) -> str:
    on = "" if finding.trace is None else f" on {finding.trace}"
    return f"{finding.message}{on}; fix: {finding.fix}"


def _template(finding: Finding, root: PurePath) -> Value:
    place = f"{finding.source.logical_id} {finding.property_path}"
    return {
        "physicalLocation": {
            "artifactLocation": artifact(finding.source.template, root),
            "properties": {"resource": place},
        }
    }


def _declaration(source: Source) -> Value | None:
    if source.declared_at is None:
        return None
    physical: Value = {"artifactLocation": below_root(source.declared_at)}
    if source.declared_line is not None:
        physical["region"] = {"startLine": source.declared_line}
    return {"physicalLocation": physical}


def _logical(source: Source) -> Value:
    return {
        "name": source.logical_id,
        "fullyQualifiedName": source.construct_path or source.logical_id,
        "kind": "resource",
    }


def _identity(finding: Finding) -> str:
    """Return what stays the same of *finding* while its numbers change."""
    source = finding.source
    place = source.construct_path or source.logical_id
    return fingerprint(finding.rule_id, finding.queue, finding.share, finding.trace, place, finding.property_path)
