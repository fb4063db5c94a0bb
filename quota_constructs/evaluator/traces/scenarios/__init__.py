"""Contention made of the arrangement itself, so that it can be tried before there is a trace of anybody's jobs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quota_constructs.evaluator.traces.scenarios.crowds import BIG_GANG, EVERYONE_AT_ONCE
from quota_constructs.evaluator.traces.scenarios.lowered import LIMITS_LOWERED
from quota_constructs.evaluator.traces.scenarios.owners import LONG_JOBS_BORROW, OWNER_RETURNS, RETRY_EXHAUSTION
from quota_constructs.evaluator.traces.scenarios.scenario import DEFAULT_SEED, Scenario
from quota_constructs.evaluator.traces.scenarios.urgency import DEADLINE_CRUNCH, PRIORITY_INFLATION
from quota_constructs.evaluator.traces.scenarios.week import STEADY_WEEK

__all__ = ["DEFAULT_SCENARIOS", "DEFAULT_SEED", "SCENARIOS", "Scenario"]

SCENARIOS: Mapping[str, Scenario] = MappingProxyType(
    {
        scenario.name: scenario
        for scenario in (
            OWNER_RETURNS,
            EVERYONE_AT_ONCE,
            DEADLINE_CRUNCH,
            PRIORITY_INFLATION,
            LONG_JOBS_BORROW,
            BIG_GANG,
            RETRY_EXHAUSTION,
            STEADY_WEEK,
            LIMITS_LOWERED,
        )
    }
)
"""Every scenario by its name."""

DEFAULT_SCENARIOS: tuple[str, ...] = (
    OWNER_RETURNS.name,
    EVERYONE_AT_ONCE.name,
    BIG_GANG.name,
    STEADY_WEEK.name,
)
"""Those that a sound arrangement stands; the others ask too much of any on purpose, or change it."""
