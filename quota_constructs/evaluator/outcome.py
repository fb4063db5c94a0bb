"""The value that findings and reports are made from: one trace, run against one arrangement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quota_constructs.evaluator.contracts import ContractUse
from quota_constructs.evaluator.metrics import Figures
from quota_constructs.evaluator.simulation.history import History
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import Trace, arrangements, shares_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What an arrangement did with a trace, under the assumptions made."""

    system: System
    trace: Trace
    """What was run: the trace as read, and contracts where it is silent."""

    assumptions: Assumptions
    history: History
    figures: Figures
    contract_use: Mapping[str, ContractUse] = field(default_factory=dict[str, ContractUse])
    """By share, in order, what rests on its interruption contract; shares of which nothing does are left out."""

    systems: tuple[System, ...] = field(init=False)
    """The arrangement that the run began with, then each that it changed to."""

    shares: Mapping[str, QuotaShare] = field(init=False)
    """Every share of any arrangement of the run by name, as the first that has it declares it."""

    def __post_init__(self) -> None:
        """Collect what the trace changes the arrangement to, once: it may hold a million events."""
        systems = arrangements(self.system, self.trace)
        object.__setattr__(self, "systems", systems)
        object.__setattr__(self, "shares", shares_of(systems))
