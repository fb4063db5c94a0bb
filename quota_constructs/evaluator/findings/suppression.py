"""Findings that somebody accepted, for a reason and perhaps for a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath

from quota_constructs.evaluator.findings.finding import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """Which findings are accepted, and why; what is None leaves the choice open."""

    rule: str
    reason: str
    queue: str | None = None
    share: str | None = None
    logical_id: str | None = None
    trace: str | None = None
    """A scenario's name, or a trace file's path or name."""

    until: date | None = None
    """The last day on which it holds."""

    @property
    def scope(self) -> str:
        """What it is about, in words that tell it from others of its file."""
        parts = {"queue": self.queue, "share": self.share, "logical id": self.logical_id, "trace": self.trace}
        named = ", ".join(f"{what} '{name}'" for what, name in parts.items() if name is not None)
        return f"{self.rule} for {named}" if named else self.rule

    def has_expired(self, today: date | None) -> bool:
        """Whether it holds no more on the day of the check; if nobody says which day that is, it holds."""
        return self.until is not None and today is not None and self.until < today

    def is_on(self, trace: str | None) -> bool:
        """Whether what shows on *trace* is among what is accepted."""
        return self.trace is None or (trace is not None and self.trace in (trace, PurePath(trace).name))

    def covers(self, finding: Finding) -> bool:
        """Whether *finding* is among what is accepted."""
        return (
            self.rule == finding.rule_id
            and self.queue in (None, finding.queue)
            and self.share in (None, finding.share)
            and self.logical_id in (None, finding.source.logical_id)
            and self.is_on(finding.trace)
        )


def suppress(
    findings: Iterable[Finding], suppressions: Sequence[Suppression], today: date | None
) -> tuple[Finding, ...]:
    """Return *findings*, those that are accepted with the reason of the first suppression that covers them."""
    holding = [each for each in suppressions if not each.has_expired(today)]

    def judge(finding: Finding) -> Finding:
        accepted = next((each for each in holding if each.covers(finding)), None)
        return finding if accepted is None else replace(finding, suppressed_because=accepted.reason)

    return tuple(judge(finding) for finding in findings)
