"""What a rule is: a stable id and the words that explain it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quota_constructs.evaluator.findings.finding import Finding, Severity, documentation_of
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.system import QuotaShare, Source, System
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

    def on_share(
        self,
        system: System,
        share: QuotaShare,
        property_path: str,
        *,
        message: str,
        fix: str,
        figures: Mapping[str, int | float | str],
        severity: Severity | None = None,
    ) -> Finding:
        """Return a finding of this rule on *share*, which the template alone shows."""
        return self.finding(
            system,
            share.source,
            property_path,
            share=share.name,
            message=message,
            fix=fix,
            figures=figures,
            severity=severity,
        )

    def on_trace(
        self,
        evaluation: Evaluation,
        share: str,
        property_path: str,
        *,
        message: str,
        fix: str,
        figures: Mapping[str, int | float | str],
        severity: Severity | None = None,
    ) -> Finding:
        """
        Return a finding of this rule on what a trace shows of *share*; on the queue, if it was never declared.

        The message says what of the share's jobs is its contract's, because the trace is silent on it.
        """
        declared = evaluation.shares.get(share)
        contract = evaluation.contract_use.get(share)
        if contract is not None:
            message = f"{message} (the trace is silent on {contract.text}; the contract of the share was used)"
        return self.finding(
            evaluation.system,
            evaluation.system.source if declared is None else declared.source,
            property_path,
            share=share,
            trace=evaluation.trace.name,
            message=message,
            fix=fix,
            figures=figures,
            severity=severity,
        )
