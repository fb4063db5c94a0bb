"""What each share has of each unit, as far as its jobs can ever get it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from quota_constructs.evaluator.system import QuotaShare, System


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """One share's part of one unit."""

    share: str
    unit: str
    own: int
    """The most that its jobs can hold without borrowing, at least 1."""

    reach: int
    """The most that one of its jobs can ever hold, borrowing included."""


def allocations(system: System) -> Iterator[Allocation]:
    """Yield what those shares have that take jobs; a unit of which a share can never get any is left out."""
    for share in system.shares:
        if not share.enabled:
            continue
        for unit, limit in sorted(share.limits.items()):
            there = _there_for(system, share, unit)
            own = min(limit, there)
            if own > 0:
                reach = min(system.most_usable(share, unit), there)
                yield Allocation(share=share.name, unit=unit, own=own, reach=reach)


def _there_for(system: System, share: QuotaShare, unit: str) -> int:
    """Return how much *share* finds of *unit* when nobody uses any: what is there, less what others reserve."""
    there = min(system.environment.capacity.get(unit, 0), sum(each.limits.get(unit, 0) for each in system.shares))
    return there - sum(
        other.limits.get(unit, 0) for other in system.shares if other is not share and not other.strategy.lends
    )


def lent(system: System, unit: str, *, besides: Collection[str]) -> int:
    """Return how much of *unit* is lent by all shares but those named in *besides*, when these use none of it."""
    return sum(
        share.limits.get(unit, 0) for share in system.shares if share.strategy.lends and share.name not in besides
    )


def dealt(amount: int, among: Iterable[Allocation]) -> Iterator[tuple[Allocation, int]]:
    """Yield to whom of *among* how much of *amount* goes, as evenly as they can borrow it."""
    least_first = sorted(among, key=lambda each: (each.reach - each.own, each.share))
    for place, each in enumerate(least_first):
        part = min(each.reach - each.own, -(-amount // (len(least_first) - place)))
        amount -= part
        yield each, part


def gangs(amount: int, most: int) -> list[int]:
    """Split *amount* into *most* jobs of nearly the same size, fewer where there are not so many instances."""
    count = min(amount, most)
    if count == 0:
        return []
    size, larger = divmod(amount, count)
    return [size + 1] * larger + [size] * (count - larger)
