"""
Who holds how much of what: counters that change only when a job starts, stops or ends.

Terms of the scheduling model, section 1, under these names:

=====================  ==============================================================
effective capacity E    `Pool.effective`
used U[s][u]            `Account.used`
excess                  `Account.excess`
idle(u)                 `Pool.idle`
entitled(s,u)           `Account.entitled` = room + (held - used)
=====================  ==============================================================

An account *holds* what it uses and, if it reserves, at least its limit. What nobody holds is *room*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quota_constructs.evaluator.simulation.history import Usage

if TYPE_CHECKING:
    from quota_constructs.evaluator.simulation.run import Place
    from quota_constructs.evaluator.simulation.share import Share

UNBOUNDED = 1 << 62
"""The ceiling of a share that may borrow without limit."""

Steps = list[tuple[int, int]]
"""(from ms, value): a level that changes only with the arrangement."""


class Pool:
    """One unit of the service environment."""

    __slots__ = ("capacity_steps", "effective", "exceeding", "idle", "room", "seekers", "unit")

    def __init__(self, unit: str) -> None:
        self.unit: str = unit
        self.capacity_steps: Steps = [(0, 0)]
        self.effective: int = 0
        self.room: int = 0
        self.idle: int = 0
        self.exceeding: dict[Account, None] = {}
        """Accounts with excess, in the order in which they came to it."""
        self.seekers: dict[int, list[Share]] = {}
        """Shares whose head could borrow if there were so much room, by how much, in their turn."""

    def resize(self, capacity: int, allocated: int, now: int) -> None:
        """Take over the environment's *capacity* and the sum of limits of a new arrangement."""
        effective = min(capacity, allocated)
        self.room += effective - self.effective
        self.idle += effective - self.effective
        self.effective = effective
        self.capacity_steps.append((now, capacity))

    @property
    def capacity(self) -> int:
        """The environment's capacity now."""
        return self.capacity_steps[-1][1]


class Account:
    """One share's dealings in one unit."""

    __slots__ = (
        "borrows_from",
        "ceiling",
        "excess",
        "excess_area",
        "held",
        "limit",
        "limit_steps",
        "owner",
        "pool",
        "reserves",
        "used",
        "used_area",
    )

    def __init__(self, owner: Share, pool: Pool) -> None:
        self.owner: Share = owner
        self.pool: Pool = pool
        self.limit: int = 0
        self.ceiling: int = 0
        self.reserves: bool = False
        self.used: int = 0
        self.held: int = 0
        self.excess: int = 0
        self.borrows_from: Place | None = None
        """The place of the earliest job on borrowed instances, None where it has to be found again."""
        self.limit_steps: Steps = [(0, 0)]
        # A level that rises by n at time t adds n * (T - t) to its integral up to T; the areas collect the -n * t.
        self.used_area: int = 0
        self.excess_area: int = 0

    @property
    def entitled(self) -> int:
        """What the share may still take by right."""
        return self.pool.room + self.held - self.used

    def add(self, instances: int, now: int) -> None:
        """Count *instances* more (or, negative, fewer) as used."""
        used = self.used = self.used + instances
        self.used_area -= instances * now
        self.borrows_from = None
        limit = self.limit
        held = limit if self.reserves and used < limit else used
        if held != self.held:
            self.pool.room += self.held - held
            self.held = held
        if used > limit:
            self._set_excess(used - limit, now)
        elif self.excess:
            self._set_excess(0, now)

    def resize(self, limit: int, ceiling: int, *, reserves: bool, now: int) -> None:
        """Take over what a new arrangement gives the share."""
        self.limit, self.ceiling, self.reserves = limit, ceiling, reserves
        self.limit_steps.append((now, limit))
        self.add(0, now)

    def usage(self, start: int, end: int) -> Usage:
        """Return the integrals over the horizon; before its start nothing is used."""
        return Usage(
            used=self.used_area + self.used * end,
            borrowed=self.excess_area + self.excess * end,
            allocated=integral(self.limit_steps, start, end),
        )

    def _set_excess(self, excess: int, now: int) -> None:
        self.excess_area -= (excess - self.excess) * now
        if not excess:
            del self.pool.exceeding[self]
        elif not self.excess:
            self.pool.exceeding[self] = None
        self.excess = excess


def integral(steps: Steps, start: int, end: int) -> int:
    """Return the integral of a step function from *start* to *end*."""
    bounds = [*(time for time, _ in steps[1:]), end]
    return sum(
        value * (min(until, end) - max(since, start))
        for (since, value), until in zip(steps, bounds, strict=True)
        if min(until, end) > max(since, start)
    )
