"""The value that findings and reports are made from: one trace, run against one arrangement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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

    systems: tuple[System, ...] = field(init=False)
    """The arrangement that the run began with, then each that it changed to."""

    shares: Mapping[str, QuotaShare] = field(init=False)
    """Every share of any arrangement of the run by name, as the first that has it declares it."""

    def __post_init__(self) -> None:
        """Collect what the trace changes the arrangement to, once: it may hold a million events."""
        changes = [event for event in self.trace.events if isinstance(event, ArrangementChange)]
        changes.sort(key=lambda change: change.time_ms)
        systems = (self.system, *(change.system for change in changes))
        shares: dict[str, QuotaShare] = {}
        for system in {id(system): system for system in systems}.values():
            for share in system.shares:
                shares.setdefault(share.name, share)
        object.__setattr__(self, "systems", systems)
        object.__setattr__(self, "shares", shares)
