"""At which moments of a run a deployment is tried: spread over it, and where it would hit most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.review.attempts import attempts_of
from quota_constructs.evaluator.simulation.history import History

PERCENTS = (10, 25, 50, 75, 90)
"""Of the time from the first submission to the last change, on a trace of people's own."""

HALFWAY = (50,)
"""On what is made up: it is contended all the time, so that one moment is as good as another."""

Limits = Mapping[tuple[str, str], int]
"""How many instances a share, by its name in the base, may hold of a unit without any being taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When a deployment is tried, and why then."""

    at_ms: int
    why: str


def moments_of(
    history: History, before: Limits, after: Limits, *, stop_ms: int, percents: Sequence[int]
) -> tuple[Moment, ...]:
    """
    Return the moments at which to deploy in the middle of *history*, in order of time.

    These are some *percents* of the way, the first moment at which most instances are held, and the first at which most
    of them are above the limits of *after* and not of *before*. Each is a millisecond later than what happens there.
    """
    if history.horizon_ms <= 0:
        return ()
    found = {
        history.start_ms + history.horizon_ms * percent // 100 + 1: f"{percent} % of the way" for percent in percents
    }
    held: Counter[tuple[str, str]] = Counter()
    most = most_exposed = 0
    busiest = worst = None
    everything = exposed = 0
    for at, changes in _steps(history, stop_ms):
        for key, count in changes.items():
            exposed -= _exposed(held[key], before.get(key, 0), after.get(key, 0))
            held[key] += count
            everything += count
            exposed += _exposed(held[key], before.get(key, 0), after.get(key, 0))
        if everything > most:
            most, busiest = everything, at
        if exposed > most_exposed:
            most_exposed, worst = exposed, at
    if busiest is not None:
        found[busiest + 1] = "most instances are held"
    if worst is not None:
        found[worst + 1] = "most instances are above their new limits"
    return tuple(Moment(at_ms=at, why=why) for at, why in sorted(found.items()))


def _exposed(held: int, before: int, after: int) -> int:
    """Return how many of *held* instances are above the limit *after* and were not above the one *before*."""
    return max(0, held - after) - max(0, held - before)


def _steps(history: History, stop_ms: int) -> Iterator[tuple[int, Counter[tuple[str, str]]]]:
    """Yield by how much what is held changes, instant by instant."""
    changes: dict[int, Counter[tuple[str, str]]] = {}
    for each in history.jobs:
        for attempt in attempts_of(each, stop_ms):
            for unit, count in each.job.instances:
                changes.setdefault(attempt.began_ms, Counter())[each.job.share, unit] += count
                changes.setdefault(attempt.ended_ms, Counter())[each.job.share, unit] -= count
    for at in sorted(changes):
        yield at, changes[at]
