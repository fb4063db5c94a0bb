"""What a rule is: a stable id and the words that explain it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quota_constructs.evaluator.findings.finding import Finding, Severity, documentation_of
from quota_constructs.evaluator.system import Source, System
from quota_constructs.printable import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that is looked for. Its words go into `docs/rules.md`."""

    id: str
    title: str
    severity: Severity
    what: str
    """What is found."""

    why: str
    """Why it matters."""

    fix: str
    """What can be done about it."""

    example: str
    """A case that it finds, small enough to follow with the numbers."""

    @property
    def documentation(self) -> str:
        """Where the project explains the rule."""
        return documentation_of(self.id)

    def finding(
        self,
        system: System,
        source: Source,
        property_path: str,
        *,
        message: str,
        fix: str,
        figures: Mapping[str, int | float | str],
        share: str | None = None,
        trace: str | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """
        Return a finding of this rule on the resource at *source*; names from outside are made safe to print.

        *severity* is the rule's own unless it depends on the case.
        """
        return Finding(
            rule_id=self.id,
            severity=severity or self.severity,
            source=source,
            property_path=property_path,
            message=printable(message),
            fix=printable(fix),
            queue=system.name,
            share=share,
            trace=trace,
            figures=figures,
        )
