"""The knobs of the simulation, and the states a job can end in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MODEL = "quota-share/1"
"""Name and version of the scheduling model that this evaluator implements."""

DEFAULT_STOP_MS = 20_000
"""From the decision to stop a job to the release of its instances; the one published sample shows about 20 s."""


class VictimOrder(StrEnum):
    """In which order running jobs are considered for being stopped; AWS does not publish its own (model, 5)."""

    BORROWING_FIRST = "borrowing-first"
    NEWEST = "newest"
    OLDEST = "oldest"
    MOST_BORROWED = "most-borrowed"
    LEAST_LOST_WORK = "least-lost-work"


class Queueing(StrEnum):
    """Whether a blocked head holds up the jobs behind it in its share (model, 2)."""

    STRICT = "strict"
    BACKFILL = "backfill"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Where AWS is silent, what this run assumes."""

    stop_ms: int = DEFAULT_STOP_MS
    victim_order: VictimOrder = VictimOrder.BORROWING_FIRST
    queueing: Queueing = Queueing.STRICT


class State(StrEnum):
    """What became of a job by the end of the trace."""

    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    RUNNABLE = "RUNNABLE"
    CANCELLED = "CANCELLED"
    REJECTED = "REJECTED"


TIMEOUT = "TIMEOUT"
PREEMPTION_RETRIES_EXHAUSTED = "PREEMPTION_RETRIES_EXHAUSTED"
QUOTA_SHARE_DELETED = "QUOTA_SHARE_DELETED"
