"""The value that findings and reports are made from: one trace, run against one arrangement."""

from __future__ import annotations

from dataclasses import dataclass

from quota_constructs.evaluator.metrics import Figures
from quota_constructs.evaluator.simulation.history import History
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import ArrangementChange, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What an arrangement did with a trace, under the assumptions made."""

    system: System
    trace: Trace
    assumptions: Assumptions
    history: History
    figures: Figures

    @property
    def systems(self) -> tuple[System, ...]:
        """Every arrangement of the run: the one it began with, then those the trace changed to, by time."""
        changes = [event for event in self.trace.events if isinstance(event, ArrangementChange)]
        return (self.system, *(change.system for change in sorted(changes, key=lambda change: change.time_ms)))

    def declared(self, share: str) -> QuotaShare | None:
        """Return the share called *share* from the first arrangement of the run that has it, or None."""
        return next((found for system in self.systems if (found := system.share(share)) is not None), None)
