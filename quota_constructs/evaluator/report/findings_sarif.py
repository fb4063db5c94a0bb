"""Findings as SARIF 2.1.0, which code scanning and editors read."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from quota_constructs import __version__
from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.system import Source
from quota_constructs.printable import printable

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "quotaConstructs/v1"
"""Which of the tool's ways to tell one result from another is meant."""

ROOT = "%SRCROOT%"
"""What relative places start from: the directory that the command ran in, or the repository it is the root of."""

Value = dict[str, object]


def encode_sarif(findings: Sequence[Finding], *, run: str, root: PurePath) -> bytes:
    """
    Return *findings* as one log of the command *run*, for the sources below *root*; all of it is ASCII.

    The first place of a result is where Python declared the resource, if that is known, else the template.
    """
    places = {rule_id: place for place, rule_id in enumerate(RULES)}
    seen: Counter[str] = Counter()
    results: list[Value] = []
    for finding in findings:
        identity = _identity(finding)
        seen[identity] += 1
        results.append(_result(finding, places[finding.rule_id], f"{identity}:{seen[identity]}", root))
    log: Value = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "quota-constructs",
                        "semanticVersion": __version__,
                        "rules": [_rule(rule) for rule in RULES.values()],
                    }
                },
                "automationDetails": {"id": f"quota-constructs/{run}/"},
                "invocations": [{"executionSuccessful": True}],
                "results": results,
            }
        ],
    }
    return f"{dump(log)}\n".encode()


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


def _result(finding: Finding, rule_index: int, fingerprint: str, root: PurePath) -> Value:
    place, template = _declaration(finding.source), _template(finding, root)
    result: Value = {
        "ruleId": finding.rule_id,
        "ruleIndex": rule_index,
        "level": finding.severity,
        "message": {"text": _message(finding)},
        "locations": [{**(place or template), "logicalLocations": [_logical(finding.source)]}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
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


def _message(finding: Finding) -> str:
    """Return the message and the way out, with nothing in them that a viewer takes for a link or for an argument."""
    on = "" if finding.trace is None else f" on {finding.trace}"
    said = printable(f"{finding.message}{on}; fix: {finding.fix}")
    return re.sub(r"\](?=\()", "] ", said).replace("{", "{{").replace("}", "}}")


def _template(finding: Finding, root: PurePath) -> Value:
    place = f"{finding.source.logical_id} {finding.property_path}"
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(finding.source.template, root),
            "properties": {"resource": place},
        }
    }


def _declaration(source: Source) -> Value | None:
    if source.declared_at is None:
        return None
    physical: Value = {"artifactLocation": {"uri": _quoted(source.declared_at), "uriBaseId": ROOT}}
    if source.declared_line is not None:
        physical["region"] = {"startLine": source.declared_line}
    return {"physicalLocation": physical}


def _artifact(path: str, root: PurePath) -> Value:
    """Return where the file at *path* is: from *root* if it lies below it, else as it is."""
    absolute = PurePath(posixpath.normpath((root / path).as_posix()))
    if absolute.is_relative_to(root):
        return {"uri": _quoted(absolute.relative_to(root).as_posix()), "uriBaseId": ROOT}
    return {"uri": f"file://{_quoted(absolute.as_posix())}"}


def _quoted(path: str) -> str:
    return quote(path, errors="backslashreplace")


def _logical(source: Source) -> Value:
    return {
        "name": source.logical_id,
        "fullyQualifiedName": source.construct_path or source.logical_id,
        "kind": "resource",
    }


def _identity(finding: Finding) -> str:
    """Return what stays the same of *finding* while its numbers change."""
    source = finding.source
    parts = [finding.rule_id, finding.queue, finding.share, finding.trace, source.construct_path or source.logical_id]
    return hashlib.sha256("\0".join(map(str, [*parts, finding.property_path])).encode("utf-8", "replace")).hexdigest()
