"""
What a trace asks for, held against what the shares are allocated, without a run.

Demand is counted as if every job started when it is submitted and ran without a stop. Where that never exceeds a
limit or the capacity, it is what happens; where it does, jobs wait, and a run shows what comes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import ArrangementChange, Job, Trace

PERIODS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareDemand:
    """What one share's jobs ask of one instance type."""

    share: str
    unit: str
    limit: int
    jobs: int
    larger_than_limit: int
    """Jobs that can run by borrowing only."""

    work_ms: int
    """Instances times milliseconds, as all of the following that are no plain times."""

    peak: int
    over_ms: int
    """How long the demand is above the limit."""

    excess_ms: int
    """What is asked for above the limit, over time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """An equal part of the trace's span, and what is asked of one instance type in it."""

    start_ms: int
    end_ms: int
    work_ms: int
    peak: int
    borrowable_ms: int
    over: tuple[str, ...]
    """The shares that ask for more than their limit at some time of it, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDemand:
    """What all shares together ask of one instance type."""

    unit: str
    capacity: int
    work_ms: int
    peak: int
    over_ms: int
    """How long the demand is above the capacity."""

    borrowable_ms: int
    """What is asked for above limits, as far as the sharing allows it and others lend that much at the same time."""

    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a trace asks of an arrangement."""

    queue: str
    trace: str
    jobs: int
    teams: int
    """Shares that have jobs in the trace, declared or not."""

    start_ms: int
    last_submit_ms: int
    end_ms: int
    """When the last job would end, if each started when it is submitted."""

    rejected: int
    """Jobs of shares that are not declared, or disabled."""

    never: int
    """Jobs that hold more than their share can ever use; they ask for nothing here."""

    changes: int
    """How often the trace changes the arrangement; limits here are those of the first."""

    shares: tuple[ShareDemand, ...]
    units: tuple[UnitDemand, ...]

    @property
    def contends(self) -> bool:
        """Whether there is a time at which not every job could have what it asks for on its own share's limit."""
        over = [each.over_ms for each in self.shares] + [each.over_ms for each in self.units]
        return self.never > 0 or any(over)

    @property
    def lets_borrow(self) -> bool:
        """Whether there is a time at which a share asks for more than its own while another lends."""
        return any(unit.borrowable_ms for unit in self.units)


def measure_demand(system: System, trace: Trace, *, periods: int = PERIODS) -> Demand:
    """Return what *trace* asks of *system*, over time in equal *periods*."""
    shares = {share.name: share for share in system.shares if share.enabled}
    known = [job for job in trace.jobs if job.share in shares]
    running = [job for job in known if _can_start(job, shares[job.share], system)]
    start_ms = min((job.submit_ms for job in trace.jobs), default=0)
    end_ms = max((job.submit_ms + job.duration_ms for job in trace.jobs), default=0)
    edges = [start_ms + (end_ms - start_ms) * number // periods for number in range(periods + 1)]
    sweeps = [_Sweep(unit, system, running, edges) for unit in system.units]
    return Demand(
        queue=system.name,
        trace=trace.name,
        jobs=len(trace.jobs),
        teams=len({job.share for job in trace.jobs}),
        start_ms=start_ms,
        last_submit_ms=max((job.submit_ms for job in trace.jobs), default=0),
        end_ms=end_ms,
        rejected=len(trace.jobs) - len(known),
        never=len(known) - len(running),
        changes=sum(isinstance(event, ArrangementChange) for event in trace.events),
        shares=tuple(each for sweep in sweeps for each in sweep.shares()),
        units=tuple(sweep.total() for sweep in sweeps),
    )


def _can_start(job: Job, share: QuotaShare, system: System) -> bool:
    return all(
        count <= min(system.most_usable(share, unit), system.environment.capacity.get(unit, 0))
        for unit, count in job.instances
    )


class _Level:
    """One share's demand for one instance type, as it goes up and down."""

    def __init__(self, share: QuotaShare, unit: str) -> None:
        self.share = share
        self.limit = share.limits.get(unit, 0)
        ceiling = share.ceiling(unit)
        self._reach = None if ceiling is None else ceiling - self.limit
        self.jobs = self.larger_than_limit = self.demand = self.peak = 0
        self.work_ms = self.over_ms = self.excess_ms = 0
        self._since_ms = 0

    @property
    def wanted(self) -> int:
        """What it would borrow now."""
        above = max(0, self.demand - self.limit) if self.share.strategy.borrows else 0
        return above if self._reach is None else min(above, self._reach)

    @property
    def idle(self) -> int:
        """What it would lend now."""
        return max(0, self.limit - self.demand) if self.share.strategy.lends else 0

    def move(self, time_ms: int, change: int) -> None:
        """Let the demand change at *time_ms*."""
        lasted_ms = time_ms - self._since_ms
        above = self.demand - self.limit
        self.work_ms += self.demand * lasted_ms
        if above > 0:
            self.over_ms += lasted_ms
            self.excess_ms += above * lasted_ms
        self.demand += change
        self.peak = max(self.peak, self.demand)
        self._since_ms = time_ms


class _Sweep:
    """Goes once through the starts and ends of the jobs that hold one instance type."""

    def __init__(self, unit: str, system: System, jobs: Iterable[Job], edges: Sequence[int]) -> None:
        self._unit = unit
        self._capacity = system.environment.capacity.get(unit, 0)
        self._levels = {share.name: _Level(share, unit) for share in system.shares if share.enabled}
        self._wanted = self._demand = self._peak = self._over_ms = 0
        self._idle = sum(level.idle for level in self._levels.values())
        self._over: set[str] = set()
        self._periods = [_PeriodSums(start_ms, end_ms) for start_ms, end_ms in pairwise(edges)]
        self._period = 0
        now_ms = edges[0]
        for (time_ms, name), change in sorted(self._changes(jobs).items()):
            if time_ms > now_ms:
                self._pass(now_ms, time_ms)
                now_ms = time_ms
            self._move(self._levels[name], time_ms, change)

    def shares(self) -> Iterator[ShareDemand]:
        """Yield what each share with a limit or jobs asks for."""
        for name, level in self._levels.items():
            if level.jobs or level.limit:
                yield ShareDemand(
                    share=name,
                    unit=self._unit,
                    limit=level.limit,
                    jobs=level.jobs,
                    larger_than_limit=level.larger_than_limit,
                    work_ms=level.work_ms,
                    peak=level.peak,
                    over_ms=level.over_ms,
                    excess_ms=level.excess_ms,
                )

    def total(self) -> UnitDemand:
        """Return what all shares ask for together."""
        periods = tuple(period.result() for period in self._periods)
        return UnitDemand(
            unit=self._unit,
            capacity=self._capacity,
            work_ms=sum(level.work_ms for level in self._levels.values()),
            peak=self._peak,
            over_ms=self._over_ms,
            borrowable_ms=sum(period.borrowable_ms for period in periods),
            periods=periods,
        )

    def _changes(self, jobs: Iterable[Job]) -> Mapping[tuple[int, str], int]:
        """Return by how much each share's demand changes when; what ends and what begins at one time are one change."""
        changes: Counter[tuple[int, str]] = Counter()
        for job in jobs:
            for unit, count in job.instances:
                if unit == self._unit:
                    level = self._levels[job.share]
                    level.jobs += 1
                    level.larger_than_limit += count > level.limit
                    changes[job.submit_ms, job.share] += count
                    changes[job.submit_ms + job.duration_ms, job.share] -= count
        return changes

    def _move(self, level: _Level, time_ms: int, change: int) -> None:
        self._wanted -= level.wanted
        self._idle -= level.idle
        level.move(time_ms, change)
        self._wanted += level.wanted
        self._idle += level.idle
        self._demand += change
        if level.demand > level.limit:
            self._over.add(level.share.name)
        else:
            self._over.discard(level.share.name)

    def _pass(self, from_ms: int, to_ms: int) -> None:
        """Account for the time in which nothing changes."""
        self._peak = max(self._peak, self._demand)
        if self._demand > self._capacity:
            self._over_ms += to_ms - from_ms
        while from_ms < to_ms:
            period = self._periods[self._period]
            until_ms = min(to_ms, period.end_ms)
            period.add(until_ms - from_ms, self._demand, min(self._wanted, self._idle), self._over)
            self._period += until_ms == period.end_ms and self._period < len(self._periods) - 1
            from_ms = until_ms


class _PeriodSums:
    """What has come together in one period so far."""

    def __init__(self, start_ms: int, end_ms: int) -> None:
        self._start_ms = start_ms
        self.end_ms = end_ms
        self._work_ms = self._borrowable_ms = self._peak = 0
        self._over: set[str] = set()

    def add(self, lasted_ms: int, demand: int, borrowable: int, over: set[str]) -> None:
        """Add a time in which nothing changes."""
        if not lasted_ms:
            return
        self._work_ms += demand * lasted_ms
        self._borrowable_ms += borrowable * lasted_ms
        self._peak = max(self._peak, demand)
        self._over |= over

    def result(self) -> Period:
        """Return the sums."""
        return Period(
            start_ms=self._start_ms,
            end_ms=self.end_ms,
            work_ms=self._work_ms,
            peak=self._peak,
            borrowable_ms=self._borrowable_ms,
            over=tuple(sorted(self._over)),
        )
