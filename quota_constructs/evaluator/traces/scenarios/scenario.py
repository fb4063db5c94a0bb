"""What a scenario is: a contention trace made of the arrangement that it is run against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces.scenarios.draws import Draws
from quota_constructs.evaluator.traces.scenarios.script import Script

DEFAULT_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A kind of contention that can be tried on any arrangement."""

    name: str
    description: str
    """One sentence, without its full stop."""

    script: Callable[[System, Draws], Script]
    """Says what happens."""

    def build(self, system: System, seed: int = DEFAULT_SEED) -> Trace:
        """Return the scenario's trace for *system*; it depends on these two alone."""
        return self.script(system, Draws(seed)).trace(
            name=self.name,
            description=f"{self.description} (seed {seed})",
            source=f"scenario {self.name} of quota-constructs, for queue {system.name}",
        )
