"""Figures computed from a history (scheduling model, 8): for each share, and for the arrangement as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.simulation.history import History, JobHistory, Usage
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.trace import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How one figure is spread over the jobs that have it."""

    count: int
    p50: float
    p95: float
    max: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFigures:
    """What became of a group of jobs."""

    jobs: int
    outcomes: Mapping[tuple[State, str | None], int]
    """How many jobs ended in each state for each reason, in order of state, then reason."""

    started: int
    wait_ms: Spread | None
    """Over the jobs that were dispatched at least once; None if none was."""

    longest_wait_ms: int | None
    """Over these, and the jobs that never started, which count what they waited until they failed or the run ended."""

    longest_entitled_wait_ms: int
    """The longest that one of them fitted within its share's own allocation, at the head, and still did not run."""

    completion_ms: Spread | None
    """Over the jobs that succeeded: one that fails early is not quick."""

    slowdown: Spread | None
    """Completion over the time the same work takes undisturbed, over the jobs that succeeded."""

    cross_share_preemptions: int
    in_share_preemptions: int
    preempted_jobs: int
    most_preemptions: int
    """Of any one job."""

    good_instance_ms: int
    """Work of the jobs that succeeded, times their instances."""

    lost_instance_ms: int
    """Productive time thrown away by preemptions, times the instances that did it."""

    overhead_instance_ms: int
    """Time spent in startup and restore, times the instances that waited for it."""

    deadlines_hit: int
    deadlines_missed: int
    """Jobs with a deadline that did not succeed by then; a cancelled or refused job counts for neither."""

    def count(self, state: State) -> int:
        """Return how many of the jobs ended in *state*."""
        return sum(number for (each, _), number in self.outcomes.items() if each is state)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareFigures:
    """One share: what became of its jobs, and how much it used of each unit."""

    share: str
    jobs: JobFigures
    usage: Mapping[str, Usage]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFigures:
    """One unit of the environment over the horizon, in instance-milliseconds."""

    unit: str
    capacity: int
    used: int
    borrowed: int
    good: int
    """Work of jobs that succeeded, times their instances."""

    @property
    def utilization(self) -> float | None:
        """Part of the capacity that was held; None if there was no capacity or no time."""
        return self.used / self.capacity if self.capacity else None

    @property
    def goodput(self) -> float | None:
        """Part of the capacity that ended up in finished work; None if there was no capacity or no time."""
        return self.good / self.capacity if self.capacity else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All figures of one run."""

    start_ms: int
    end_ms: int
    shares: tuple[ShareFigures, ...]
    """Every share that an arrangement of the run declared, in order of name."""

    units: tuple[UnitFigures, ...]
    jobs: JobFigures
    """Over all jobs, those of undeclared shares included."""


def measure(history: History) -> Figures:
    """Compute all figures of *history*."""
    usage_of: dict[str, dict[str, Usage]] = {}
    for (share, unit), usage in history.usage.items():
        usage_of.setdefault(share, {})[unit] = usage
    jobs_of: dict[str, list[JobHistory]] = {share: [] for share in sorted(usage_of)}
    undeclared: list[JobHistory] = []
    for job in history.jobs:
        jobs_of.get(job.job.share, undeclared).append(job)
    counts = {share: _count(jobs) for share, jobs in jobs_of.items()}
    total = _add(counts.values(), _count(undeclared))
    return Figures(
        start_ms=history.start_ms,
        end_ms=history.end_ms,
        shares=tuple(
            ShareFigures(share=share, jobs=_summarize(count), usage=usage_of[share]) for share, count in counts.items()
        ),
        units=_measure_units(history, total.good),
        jobs=_summarize(total),
    )


def measure_jobs(jobs: Iterable[JobHistory]) -> JobFigures:
    """Compute the figures of a group of jobs."""
    return _summarize(_count(jobs))


class _Count:
    """What is added up over a group of jobs; groups add up to larger groups."""

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[State, str | None]] = Counter()
        self.good: Counter[str] = Counter()
        self.waits: list[int] = []
        self.completions: list[int] = []
        self.slowdowns: list[float] = []
        self.cross_share = self.in_share = self.preempted = self.most_preempted = 0
        self.longest_unstarted = -1  # none at all
        self.longest_entitled = 0
        self.lost = self.overhead = 0
        self.hit = self.missed = 0


def _count(jobs: Iterable[JobHistory]) -> _Count:  # noqa: C901 - one pass over every job, figure by figure
    # Every job of every run comes by here: what is usual is told apart first, and names are looked up once.
    count = _Count()
    waits, completions, slowdowns, good = count.waits, count.completions, count.slowdowns, count.good
    done = State.SUCCEEDED
    succeeded = 0
    for each in jobs:
        job, finish, attempts = each.job, each.finish_ms, each.attempts
        if attempts:
            waits.append(attempts[0][0] - job.submit_ms)
        elif each.state is not State.CANCELLED and each.state is not State.REJECTED:
            count.longest_unstarted = max(count.longest_unstarted, each.queued_ms)
        if each.entitled_wait_ms:
            count.longest_entitled = max(count.longest_entitled, each.entitled_wait_ms)
        if each.state is done and finish is not None:
            succeeded += 1
            completion = finish - job.submit_ms
            completions.append(completion)
            slowdowns.append(completion / undisturbed_ms(job))
            for unit, instances in job.instances:
                good[unit] += job.duration_ms * instances
        else:
            count.outcomes[each.state, each.reason] += 1
        if each.cross_share_preemptions or each.in_share_preemptions:
            count.cross_share += each.cross_share_preemptions
            count.in_share += each.in_share_preemptions
            count.preempted += 1
            count.most_preempted = max(count.most_preempted, each.cross_share_preemptions + each.in_share_preemptions)
        if each.lost_ms or each.overhead_ms:
            held = sum(instances for _, instances in job.instances)
            count.lost += each.lost_ms * held
            count.overhead += each.overhead_ms * held
        if job.deadline_ms is not None and each.state not in (State.CANCELLED, State.REJECTED):
            in_time = each.state is done and finish is not None and finish <= job.deadline_ms
            count.hit += in_time
            count.missed += not in_time
    if succeeded:
        count.outcomes[done, None] = succeeded
    for values in (waits, completions, slowdowns):
        values.sort()
    return count


def _add(counts: Iterable[_Count], total: _Count) -> _Count:
    for count in counts:
        total.outcomes.update(count.outcomes)
        total.good.update(count.good)
        total.waits += count.waits
        total.completions += count.completions
        total.slowdowns += count.slowdowns
        total.cross_share += count.cross_share
        total.in_share += count.in_share
        total.preempted += count.preempted
        total.most_preempted = max(total.most_preempted, count.most_preempted)
        total.longest_unstarted = max(total.longest_unstarted, count.longest_unstarted)
        total.longest_entitled = max(total.longest_entitled, count.longest_entitled)
        total.lost += count.lost
        total.overhead += count.overhead
        total.hit += count.hit
        total.missed += count.missed
    return total


def _summarize(count: _Count) -> JobFigures:
    longest_wait = max(max(count.waits, default=-1), count.longest_unstarted)
    return JobFigures(
        jobs=count.outcomes.total(),
        outcomes={key: count.outcomes[key] for key in sorted(count.outcomes, key=lambda key: (key[0], key[1] or ""))},
        started=len(count.waits),
        wait_ms=spread(count.waits),
        longest_wait_ms=None if longest_wait < 0 else longest_wait,
        longest_entitled_wait_ms=count.longest_entitled,
        completion_ms=spread(count.completions),
        slowdown=spread(count.slowdowns),
        cross_share_preemptions=count.cross_share,
        in_share_preemptions=count.in_share,
        preempted_jobs=count.preempted,
        most_preemptions=count.most_preempted,
        good_instance_ms=count.good.total(),
        lost_instance_ms=count.lost,
        overhead_instance_ms=count.overhead,
        deadlines_hit=count.hit,
        deadlines_missed=count.missed,
    )


def _measure_units(history: History, good: Mapping[str, int]) -> tuple[UnitFigures, ...]:
    used: Counter[str] = Counter()
    borrowed: Counter[str] = Counter()
    for (_, unit), usage in history.usage.items():
        used[unit] += usage.used
        borrowed[unit] += usage.borrowed
    return tuple(
        UnitFigures(
            unit=unit,
            capacity=history.capacity.get(unit, 0),
            used=used[unit],
            borrowed=borrowed[unit],
            good=good.get(unit, 0),
        )
        for unit in sorted({*history.capacity, *used})
    )


def spread(values: Iterable[float]) -> Spread | None:
    """Return how *values* are spread, None if there are none."""
    ordered = sorted(values)
    if not ordered:
        return None
    return Spread(count=len(ordered), p50=percentile(ordered, 50), p95=percentile(ordered, 95), max=ordered[-1])


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the value that *percent* of the sorted values do not exceed: always one of them, never a mean."""
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


def undisturbed_ms(job: Job) -> int:
    """Return how long *job* takes from dispatch to end if nothing stops it: startup, work and checkpoints."""
    checkpoint = job.checkpoint
    if checkpoint is None or checkpoint.interval_ms is None:
        return job.startup_ms + job.duration_ms
    # The last piece of work ends with the job and needs no checkpoint.
    checkpoints = -(-job.duration_ms // checkpoint.interval_ms) - 1
    return job.startup_ms + job.duration_ms + checkpoints * checkpoint.cost_ms
