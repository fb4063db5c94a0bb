"""
A contention trace in memory: jobs that arrive and events that happen to them.

Times are whole milliseconds from the trace's zero. Values are checked where they enter
(`quota_constructs.evaluator.traces`), not here.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from quota_constructs.evaluator.system import QuotaShare, System

Instances = tuple[tuple[str, int], ...]
"""What a job holds, all or nothing: (unit, count) pairs in order of unit."""


class Checkpoint(Struct, frozen=True, kw_only=True, gc=False):
    """How a job keeps its work when it is stopped."""

    interval_ms: int | None
    """Productive time between two checkpoints; None if there are none."""

    cost_ms: int = 0
    restore_ms: int = 0
    on_stop: bool = False
    """Whether everything done is saved when the job is told to stop."""

    lag_ms: int = 0
    """How long after a checkpoint its copy can be restored from; no trace says so, but a share's contract may."""


class Job(Struct, frozen=True, kw_only=True, gc=False):
    """One job of a trace. Its `seq` is its position in `Trace.jobs`."""

    id: str
    share: str
    submit_ms: int
    duration_ms: int
    """Productive work, uninterrupted."""

    instances: Instances
    priority: int = 0
    preemption_retries: int | None = None
    """How often it may be preempted before it fails; None is without end, 0 fails at the first."""

    checkpoint: Checkpoint | None = None
    startup_ms: int = 0
    timeout_ms: int | None = None
    """The longest an attempt may work; None is no limit."""

    deadline_ms: int | None = None
    """When it should have finished; only reported."""

    keeps_nothing: bool = False
    """Whether the trace says outright that there is no checkpoint; where it is silent, the share's contract holds."""

    retries_unlimited: bool = False
    """Whether the trace says outright that there is no bound; where it is silent, the share's contract holds."""


class PriorityUpdate(Struct, frozen=True, kw_only=True, gc=False):
    """A job's scheduling priority is changed."""

    time_ms: int
    job: str
    priority: int


class Cancel(Struct, frozen=True, kw_only=True, gc=False):
    """A job is cancelled."""

    time_ms: int
    job: str


class ArrangementChange(Struct, frozen=True, kw_only=True):
    """Another arrangement takes the place of the present one, in mid-trace."""

    time_ms: int
    system: System


Event = PriorityUpdate | Cancel | ArrangementChange


class Trace(Struct, frozen=True, kw_only=True):
    """Jobs in the order of the file, and events in theirs."""

    name: str
    """How the trace is called in findings and results: the path it was given by, or a scenario's name."""

    jobs: tuple[Job, ...]
    events: tuple[Event, ...] = ()
    description: str = ""
    source: str = ""


def arrangements(system: System, trace: Trace) -> tuple[System, ...]:
    """Return the arrangement that a run of *trace* begins with, which is *system*, then each that it changes to."""
    changes = [event for event in trace.events if isinstance(event, ArrangementChange)]
    changes.sort(key=lambda change: change.time_ms)
    return (system, *(change.system for change in changes))


def shares_of(systems: Iterable[System]) -> dict[str, QuotaShare]:
    """Return every share of *systems* by name, as the first that has it declares it."""
    shares: dict[str, QuotaShare] = {}
    for system in {id(system): system for system in systems}.values():
        for share in system.shares:
            shares.setdefault(share.name, share)
    return shares
