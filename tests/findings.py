"""A finding for tests of reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding
from tests.builders import source


def finding(rule_id: str = "QC101", **changes: Any) -> Finding:  # noqa: ANN401 - any field of a finding
    """Build a finding about share `a` of queue `main`, with *changes* to its fields."""
    found = Finding(
        rule_id=rule_id,
        severity=RULES[rule_id].severity,
        source=source("Share"),
        property_path="Properties/CapacityLimits",
        message="6 of 5 are allocated",
        fix="allocate less",
        queue="main",
        share="a",
        figures={"allocated": 6},
    )
    return replace(found, **changes)


def hostile_finding(text: str) -> Finding:
    """Build a finding that says *text* wherever a name or words can stand."""
    return finding(
        queue=text,
        share=text,
        trace=text,
        message=text,
        fix=text,
        property_path=text,
        source=replace(source(text), template=text, construct_path=text),
    )
