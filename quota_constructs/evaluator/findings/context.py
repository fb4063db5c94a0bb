"""What the rules on an arrangement may know besides it: the day, the assumptions, what its traces showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from quota_constructs.evaluator.findings.rules.misconfiguration import never_starting
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import DEFAULT_STOP_MS
from quota_constructs.evaluator.trace import PriorityUpdate
from quota_constructs.policies.time_limits import BlockedReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The little that is kept of a run when its job histories, which may be many, are let go."""

    trace: str
    jobs: Mapping[str, int]
    """How many jobs each share has."""

    priorities: Mapping[str, frozenset[int]]
    """Every priority that jobs of a share have or are given."""

    blocked: Mapping[BlockedReason, int]
    """How many jobs can never start, by reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The circumstances of a check."""

    today: date | None = None
    """The day it is made for; None if nobody says, as a check reads no clock."""

    stop_ms: int = DEFAULT_STOP_MS
    evidence: tuple[Evidence, ...] = ()
    """One for each trace that was given; what is made of the arrangement itself is no evidence of its use."""

    ran: tuple[str, ...] = ()
    """The names of all traces and scenarios that were run."""


def gather(evaluation: Evaluation) -> Evidence:
    """Return what the rules on an arrangement want to know of a run."""
    jobs: dict[str, int] = {}
    priorities: dict[str, set[int]] = {}
    shares: dict[str, str] = {}
    updates = [event for event in evaluation.trace.events if isinstance(event, PriorityUpdate)]
    updated = {update.job for update in updates}
    for job in evaluation.trace.jobs:
        jobs[job.share] = jobs.get(job.share, 0) + 1
        priorities.setdefault(job.share, set()).add(job.priority)
        if job.id in updated:
            shares[job.id] = job.share
    for update in updates:
        if update.job in shares:
            priorities[shares[update.job]].add(update.priority)
    blocked: dict[BlockedReason, int] = {}
    for (_, reason), stuck in never_starting(evaluation).items():
        blocked[reason] = blocked.get(reason, 0) + len(stuck)
    return Evidence(
        trace=evaluation.trace.name,
        jobs=jobs,
        priorities={share: frozenset(values) for share, values in priorities.items()},
        blocked=blocked,
    )
