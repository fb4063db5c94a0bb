"""The part of a run in which jobs are in each other's way the most, cut out so that it can be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange

WINDOW_MS = 6 * 3_600_000
MOST_BARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One attempt of a job, as far as it lies within the window; times count from the window's start."""

    share: str
    job: str
    start_ms: int
    end_ms: int
    borrowed: bool
    """Whether its share held more than its own when the attempt started, or the window if that came later."""

    stopped: bool
    """Whether it ends within the window because another job takes its instances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedHours:
    """The window of a run with the most stops, or, where nothing is stopped, with the most jobs that have to wait."""

    queue: str
    trace: str
    start_ms: int
    """On the trace's clock."""

    bars: tuple[Bar, ...]
    """In order of share, start and the trace."""

    left_out: int
    """Attempts of the window that are not among the bars."""

    @property
    def stops(self) -> int:
        """How many of the bars end because of another job."""
        return sum(bar.stopped for bar in self.bars)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    seq: int
    each: JobHistory
    start_ms: int
    end_ms: int
    stopped: bool
    waited: bool

    def holds(self, unit: str) -> int:
        return next((count for name, count in self.each.job.instances if name == unit), 0)


def contested_hours(evaluation: Evaluation) -> ContestedHours | None:
    """Return the most contested hours of *evaluation*, None if no job was stopped or had to wait."""
    start_ms = _busiest(_moments(evaluation.history.jobs))
    if start_ms is None:
        return None
    end_ms = start_ms + WINDOW_MS
    attempts = [
        each for each in _attempts(evaluation.history.jobs) if each.start_ms < end_ms and each.end_ms > start_ms
    ]
    drawn = sorted(attempts, key=lambda each: _weight(each, start_ms, end_ms))[:MOST_BARS]
    arrangements = _Arrangements(evaluation)
    return ContestedHours(
        queue=evaluation.system.name,
        trace=evaluation.trace.name,
        start_ms=start_ms,
        bars=tuple(
            Bar(
                share=attempt.each.job.share,
                job=attempt.each.job.id,
                start_ms=max(attempt.start_ms, start_ms) - start_ms,
                end_ms=min(attempt.end_ms, end_ms) - start_ms,
                borrowed=_is_borrowed(attempt, attempts, arrangements, max(attempt.start_ms, start_ms)),
                stopped=attempt.stopped and attempt.end_ms <= end_ms,
            )
            for attempt in sorted(drawn, key=lambda each: (each.each.job.share, each.start_ms, each.seq))
        ),
        left_out=len(attempts) - len(drawn),
    )


def _moments(jobs: Iterable[JobHistory]) -> list[int]:
    """Return when jobs are stopped; if none ever is, when those come that have to wait."""
    stops: list[int] = []
    waits: list[int] = []
    for each in jobs:
        stops += [ended for _, ended in each.attempts[: _stops(each)]]
        if each.queued_ms:
            waits.append(each.job.submit_ms)
    return sorted(stops or waits)


def _busiest(moments: Sequence[int]) -> int | None:
    """Return where the window begins that holds the most of *moments*, the first of several, centred on them."""
    best: tuple[int, int, int] | None = None
    first = 0
    for last, moment in enumerate(moments):
        while moment - moments[first] > WINDOW_MS:
            first += 1
        if best is None or last - first > best[0]:
            best = last - first, moments[first], moment
    return None if best is None else max(0, (best[1] + best[2] - WINDOW_MS) // 2)


def _attempts(jobs: Iterable[JobHistory]) -> Iterator[_Attempt]:
    for seq, each in enumerate(jobs):
        stops = _stops(each)
        ready = each.job.submit_ms
        for number, (start_ms, end_ms) in enumerate(each.attempts):
            yield _Attempt(
                seq=seq, each=each, start_ms=start_ms, end_ms=end_ms, stopped=number < stops, waited=start_ms > ready
            )
            ready = end_ms


def _stops(each: JobHistory) -> int:
    """Return how many of the job's attempts, which are the first, another job ended."""
    return each.cross_share_preemptions + each.in_share_preemptions


def _weight(attempt: _Attempt, start_ms: int, end_ms: int) -> tuple[int, int, int]:
    """
    Order attempts by what they tell.

    1. those that are stopped in the window, or waited to start in it, before those that only run
    2. the time at which that is, so that who is stopped and who takes the instances stand together
    3. the order of the trace
    """
    moments = [
        *([attempt.end_ms] if attempt.stopped and attempt.end_ms <= end_ms else []),
        *([attempt.start_ms] if attempt.waited and attempt.start_ms >= start_ms else []),
    ]
    return (0, min(moments), attempt.seq) if moments else (1, attempt.start_ms, attempt.seq)


def _is_borrowed(attempt: _Attempt, others: Iterable[_Attempt], arrangements: _Arrangements, at_ms: int) -> bool:
    """Say whether the share of *attempt* holds more than its own at *at_ms*, those that started later left out."""
    held = [
        other
        for other in others
        if other.each.job.share == attempt.each.job.share
        and other.end_ms > at_ms
        and (other.start_ms, other.seq) <= (attempt.start_ms, attempt.seq)
    ]
    share = arrangements.at(at_ms).share(attempt.each.job.share)
    limits: Mapping[str, int] = {} if share is None else share.limits
    return any(sum(each.holds(unit) for each in held) > limits.get(unit, 0) for unit, _ in attempt.each.job.instances)


class _Arrangements:
    """Which arrangement holds when."""

    def __init__(self, evaluation: Evaluation) -> None:
        changes = [event for event in evaluation.trace.events if isinstance(event, ArrangementChange)]
        self._changes = sorted(((change.time_ms, change.system) for change in changes), key=lambda change: change[0])
        self._first = evaluation.system

    def at(self, time_ms: int) -> System:
        """Return the arrangement that holds at *time_ms*."""
        holding = [system for changed_ms, system in self._changes if changed_ms <= time_ms]
        return holding[-1] if holding else self._first
