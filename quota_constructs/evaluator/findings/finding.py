"""One thing that is wrong, or might be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quota_constructs.evaluator.findings.robustness import Robustness
from quota_constructs.evaluator.system import Source


class Severity(StrEnum):
    """How much it matters: only an error fails a check."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


def documentation_of(rule_id: str) -> str:
    """Return where the project explains a rule."""
    return f"docs/rules.md#{rule_id.lower()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule that a declared arrangement breaks, by itself or on a trace."""

    rule_id: str
    """Stable id, such as `QC101`; an id is never given to another rule."""

    severity: Severity
    source: Source
    """The resource to change."""

    property_path: str
    """Where in that resource, such as `Properties/CapacityLimits`."""

    message: str
    """What is wrong, with the numbers; lower case, no full stop."""

    fix: str
    """The way out; lower case, no full stop."""

    queue: str
    share: str | None = None
    trace: str | None = None
    """The trace it shows on; None where the template alone shows it."""

    figures: Mapping[str, int | float | str] = field(default_factory=dict[str, "int | float | str"])
    """The numbers of the message, for machines."""

    suppressed_because: str | None = None
    """Why somebody accepted it; None if nobody did."""

    robustness: Robustness | None = None
    """On what assumptions it depends; None where that was not asked, or nothing is assumed."""

    @property
    def documentation(self) -> str:
        """Where the project explains the rule."""
        return documentation_of(self.rule_id)

    @property
    def fails(self) -> bool:
        """Whether a check with this finding fails: it is an error, and nobody accepted it."""
        return self.severity is Severity.ERROR and self.suppressed_because is None
