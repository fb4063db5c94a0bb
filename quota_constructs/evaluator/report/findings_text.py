"""Findings for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.screen import Screen, draw, safe
from quota_constructs.printable import plural, printable, shortened

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold"}


def findings_text(findings: Sequence[Finding], screen: Screen) -> str:
    """Return *findings*, each with its place and the way out, and a line that counts them, laid out for *screen*."""
    return draw(_blocks(findings), screen)


def _blocks(findings: Sequence[Finding]) -> Iterator[RenderableType]:
    yield from findings_blocks(findings)
    yield safe(summary(findings), style="bold")


def findings_blocks(findings: Sequence[Finding]) -> Iterator[RenderableType]:
    """Yield each of *findings* with its place and the way out; those that are suppressed come last."""
    for finding in findings:
        if finding.suppressed_because is None:
            yield _one(finding)
    for finding in findings:
        if finding.suppressed_because is not None:
            yield _suppressed(finding, finding.suppressed_because)


def _one(finding: Finding) -> RenderableType:
    rule = RULES[finding.rule_id]
    place = f"{finding.source.logical_id} {finding.property_path} in {finding.source.template}"
    details = [finding.message, f"at  {printable(place)}"]
    if finding.source.construct_path is not None:
        details.append(f"by  {printable(finding.source.construct_path)}")
    if finding.trace is not None:
        details.append(f"on  {shortened(finding.trace)}")
    if finding.robustness is not None:
        # What does not show as assumed must not be read as if it did.
        first = not finding.robustness.shows_as_chosen
        details.insert(0 if first else len(details), f"if  {finding.robustness.text}")
    details += [f"fix {finding.fix}", f"see quota-constructs explain {rule.id}"]
    heading = Text.assemble((f"{finding.severity} {finding.rule_id}", _STYLES[finding.severity]), f" {rule.title}")
    return Group(heading, *(Padding(safe(line), (0, 0, 0, 4)) for line in details))


def _suppressed(finding: Finding, reason: str) -> RenderableType:
    place = f"{finding.source.logical_id} {finding.property_path} in {finding.source.template}"
    details = [finding.message, f"at  {printable(place)}"]
    if finding.trace is not None:
        details.append(f"on  {shortened(finding.trace)}")
    details.append(f"because {printable(reason)}")
    heading = Text(f"suppressed {finding.severity} {finding.rule_id} {RULES[finding.rule_id].title}", style="dim")
    return Group(heading, *(Padding(safe(line), (0, 0, 0, 4)) for line in details))


def summary(findings: Sequence[Finding]) -> str:
    """Return how many findings there are of each severity, and how many are suppressed, in one line."""
    open_findings = [finding for finding in findings if finding.suppressed_because is None]
    counts = [
        plural(count, severity)
        for severity in Severity
        if (count := sum(finding.severity is severity for finding in open_findings))
    ]
    suppressed = len(findings) - len(open_findings)
    return f"{', '.join(counts) or 'No findings'}{f'; {suppressed:,} suppressed' if suppressed else ''}."
