"""What happened: the output of a simulation, from which every figure is computed afterwards."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.trace import Job

Attempt = tuple[int, int]
"""(dispatched, ended) in ms; a stopped attempt ends when its instances are released."""


_RUNNABLE = State.RUNNABLE  # looked up once: it is done for every job, and is slow in Python 3.11


class JobHistory:
    """What happened to one job (scheduling model, 8). Times are ms of the trace's clock."""

    __slots__ = (
        "attempts",
        "cross_share_preemptions",
        "entitled_wait_ms",
        "finish_ms",
        "in_share_preemptions",
        "job",
        "lost_ms",
        "overhead_ms",
        "queued_ms",
        "reason",
        "state",
    )

    def __init__(self, job: Job) -> None:
        self.job: Job = job
        self.state: State = _RUNNABLE
        self.reason: str | None = None
        self.finish_ms: int | None = None
        self.queued_ms: int = 0
        """All time RUNNABLE or awaiting reclaimed capacity, up to the end of the horizon."""
        self.overhead_ms: int = 0
        """Time really spent in startup and restore, over all attempts."""
        self.lost_ms: int = 0
        """Productive time thrown away by preemptions, on one instance's clock."""
        self.entitled_wait_ms: int = 0
        """Time in which it fitted within its share's own allocation, at the head, and still did not run."""
        self.cross_share_preemptions: int = 0
        self.in_share_preemptions: int = 0
        self.attempts: list[Attempt] = []

    @property
    def first_dispatch_ms(self) -> int | None:
        """When the first attempt was dispatched, None if there was none."""
        return self.attempts[0][0] if self.attempts else None

    @property
    def wait_ms(self) -> int | None:
        """From submission to first dispatch."""
        return self.attempts[0][0] - self.job.submit_ms if self.attempts else None

    @property
    def completion_ms(self) -> int | None:
        """From submission to finish, however it ended."""
        return None if self.finish_ms is None else self.finish_ms - self.job.submit_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One share's use of one unit over the horizon, as integrals in instance-milliseconds."""

    used: int
    """Held by dispatched jobs and by jobs awaiting reclaimed capacity."""

    borrowed: int
    """The part of `used` beyond the share's own limit."""

    allocated: int
    """The share's own limit, integrated."""

    @property
    def idle_own(self) -> int:
        """The share's own limit that the share itself did not use (others may have borrowed it)."""
        return self.allocated - (self.used - self.borrowed)


class _Moments:
    """Which jobs were dispatched, or ended an attempt, at which instant."""

    __slots__ = ("_jobs", "_times")

    def __init__(self, jobs: Sequence[JobHistory], side: int) -> None:
        moments = sorted((attempt[side], place) for place, each in enumerate(jobs) for attempt in each.attempts)
        self._times = array("q", (time for time, _ in moments))
        self._jobs = [jobs[place] for _, place in moments]

    def at(self, ms: int) -> Sequence[JobHistory]:
        return self._jobs[bisect_left(self._times, ms) : bisect_right(self._times, ms)]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All that happened in one run."""

    jobs: Sequence[JobHistory]
    """In the order of the trace."""

    usage: Mapping[tuple[str, str], Usage]
    """By (share, unit), in order; every share of any arrangement of the run, every unit it has a limit for or used."""

    capacity: Mapping[str, int]
    """The environment's capacity by unit, integrated over the horizon, in instance-milliseconds."""

    start_ms: int
    """First submission; 0 if nothing was ever submitted."""

    end_ms: int
    """The last instant at which a job changed state."""

    _moments: dict[int, _Moments] = field(init=False, repr=False, compare=False, default_factory=dict[int, _Moments])
    """What is only put in order once somebody asks: most runs are not looked at so closely."""

    @property
    def horizon_ms(self) -> int:
        """How long the run lasted."""
        return self.end_ms - self.start_ms

    def dispatched_at(self, ms: int) -> Sequence[JobHistory]:
        """Return the jobs that were dispatched at *ms*, in the order of the trace."""
        return self._side(0).at(ms)

    def ended_at(self, ms: int) -> Sequence[JobHistory]:
        """Return the jobs that gave their instances back at *ms*, in the order of the trace."""
        return self._side(1).at(ms)

    def _side(self, side: int) -> _Moments:
        if side not in self._moments:
            self._moments[side] = _Moments(self.jobs, side)
        return self._moments[side]
