"""
Small builders for tests: systems and traces in one line each.

Times are given in seconds, as a trace file gives them, and become whole milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping

from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, Source, System, TimeLimit
from quota_constructs.evaluator.trace import (
    ArrangementChange,
    Cancel,
    Checkpoint,
    Event,
    Instances,
    Job,
    PriorityUpdate,
    Trace,
)
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objectives
from quota_constructs.policies.share_policy import SharePolicy
from quota_constructs.policies.sharing import UNLIMITED, Strategy
from quota_constructs.policies.time_limits import BlockedReason

UNIT = "ml.g5.xlarge"
"""The instance type meant where a builder is given a bare number."""

OTHER_UNIT = "ml.p4d.24xlarge"

RESERVE = Strategy.RESERVE
LEND = Strategy.LEND
LEND_AND_BORROW = Strategy.LEND_AND_BORROW


def ms(seconds: float) -> int:
    """Turn seconds into whole milliseconds."""
    return round(seconds * 1000)


def source(logical_id: str) -> Source:
    """Return a place in a template that does not exist."""
    return Source(template="Test.template.json", logical_id=logical_id)


def by_unit(amount: int | Mapping[str, int]) -> dict[str, int]:
    """Read a bare number as instances of the usual unit."""
    return {UNIT: amount} if isinstance(amount, int) else dict(sorted(amount.items()))


def share(
    name: str,
    limits: int | Mapping[str, int],
    strategy: Strategy = RESERVE,
    *,
    borrow_limit: int = UNLIMITED,
    in_share_preemption: bool = False,
    enabled: bool = True,
    agreement: Agreement | None = None,
    interruption: InterruptionContract | None = None,
    objectives: Objectives | None = None,
) -> QuotaShare:
    """Build a quota share."""
    return QuotaShare(
        name=name,
        limits=by_unit(limits),
        strategy=strategy,
        borrow_limit_percent=borrow_limit,
        in_share_preemption=in_share_preemption,
        enabled=enabled,
        policy=SharePolicy(agreement=agreement, interruption=interruption, objectives=objectives),
        source=source(name),
    )


def system(
    *shares: QuotaShare,
    capacity: int | Mapping[str, int] | None = None,
    time_limits: Mapping[BlockedReason, float] | None = None,
) -> System:
    """Build an arrangement; without *capacity*, its environment holds exactly the shares' limits."""
    total: dict[str, int] = {}
    for each in shares:
        for unit, limit in each.limits.items():
            total[unit] = total.get(unit, 0) + limit
    return System(
        name="queue",
        source=source("Queue"),
        environment=ServiceEnvironment(
            name="environment", capacity=by_unit(total if capacity is None else capacity), source=source("Environment")
        ),
        shares=tuple(sorted(shares, key=lambda each: each.name)),
        time_limits=tuple(
            TimeLimit(reason=reason, max_time_ms=ms(seconds)) for reason, seconds in (time_limits or {}).items()
        ),
    )


def job(
    name: str,
    share: str,
    size: int | Mapping[str, int] = 1,
    *,
    submit: float = 0,
    duration: float = 100,
    priority: int = 0,
    retries: int | None = None,
    checkpoint: Checkpoint | None = None,
    startup: float = 0,
    timeout: float | None = None,
    deadline: float | None = None,
) -> Job:
    """Build a job; by default one instance for 100 s from the start of the trace."""
    instances: Instances = tuple(by_unit(size).items())
    return Job(
        id=name,
        share=share,
        submit_ms=ms(submit),
        duration_ms=ms(duration),
        instances=instances,
        priority=priority,
        preemption_retries=retries,
        checkpoint=checkpoint,
        startup_ms=ms(startup),
        timeout_ms=None if timeout is None else ms(timeout),
        deadline_ms=None if deadline is None else ms(deadline),
    )


def checkpoint(
    interval: float | None = None,
    *,
    cost: float = 0,
    restore: float = 0,
    on_stop: bool = False,
    lag: float = 0,
) -> Checkpoint:
    """Build a way to keep work."""
    return Checkpoint(
        interval_ms=None if interval is None else ms(interval),
        cost_ms=ms(cost),
        restore_ms=ms(restore),
        on_stop=on_stop,
        lag_ms=ms(lag),
    )


def reprioritise(at: float, name: str, priority: int) -> PriorityUpdate:
    """Build a priority update."""
    return PriorityUpdate(time_ms=ms(at), job=name, priority=priority)


def cancel(at: float, name: str) -> Cancel:
    """Build a cancel."""
    return Cancel(time_ms=ms(at), job=name)


def rearrange(at: float, arrangement: System) -> ArrangementChange:
    """Build a change of arrangement."""
    return ArrangementChange(time_ms=ms(at), system=arrangement)


def trace(*lines: Job | Event, name: str = "test") -> Trace:
    """Build a trace of jobs and events, each in the order given."""
    return Trace(
        name=name,
        jobs=tuple(line for line in lines if isinstance(line, Job)),
        events=tuple(line for line in lines if not isinstance(line, Job)),
    )
