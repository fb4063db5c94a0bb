"""
Which heads are worth a look: the scheduler tries only shares for which something may have changed.

A share whose head was refused sleeps until something of its own changes. Where room to borrow is all that the
head lacks, the share is listed with others that seek as much, and only the first of them need be asked. A refusal
that could turn on anything else (victims that were not found, instances that are on their way, several units at
once) keeps the share awake, to be tried at every instant.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from operator import attrgetter

from quota_constructs.evaluator.simulation.ledger import Pool
from quota_constructs.evaluator.simulation.run import QUEUED, Run
from quota_constructs.evaluator.simulation.share import Share
from quota_constructs.evaluator.simulation.stage import Stage

_turn: Callable[[Run], tuple[int, int]] = attrgetter("share.turn")
_share_turn: Callable[[Share], tuple[int, int]] = attrgetter("turn")


class Attention:
    """Who is awake, and whose head has been there since when."""

    __slots__ = ("_pools", "_rearranged_ms", "_stage", "awake", "closings", "seekers", "terminations")

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._pools: list[Pool] = list(stage.pools.values())
        self._rearranged_ms: int = 0
        self.awake: list[Share] = []
        self.seekers: int = 0
        """How many shares sleep until there is room."""
        self.closings: list[tuple[Run, int, int]] = []
        """(job, since, until): waits for what a share is entitled to that ended since a job last changed state."""
        self.terminations: dict[Share, int] = {}
        """When the misconfigured head of a share is terminated."""

    def wake(self, share: Share) -> None:
        """Let *share* be looked at in the next pass, or the next repetition of this one."""
        if not share.awake:
            share.awake = True
            self.awake.append(share)
            if share.seeking is not None:
                share.seeking.remove(share)
                share.seeking = None
                self.seekers -= 1

    def look(self, now: int) -> list[Run]:
        """Return the heads that may be tried, in their turn: by head since, then by name."""
        heads: list[Run] = []
        for share in self.awake:
            head = share.queue.head()
            if head is not share.head:
                if share.head is not None and share.head.phase is QUEUED:
                    self._stop_clock(share.head, now)
                share.head = head
                if head is not None:
                    share.turn = (now, share.index)
                if self.terminations or (head is not None and head.claim.blocked is not None):
                    self._time(share)
            if head is not None and head.claim.blocked is None:
                heads.append(head)
        if len(heads) > 1:
            heads.sort(key=_turn)
        return heads

    def first_seeker(self) -> Run | None:
        """Return the head whose turn comes first among those asleep that can now borrow what they seek."""
        first: Share | None = None
        for pool in self._pools:
            available = min(pool.room, pool.idle)
            if available <= 0:
                continue
            for sought, shares in pool.seekers.items():
                if sought <= available and shares and (first is None or shares[0].turn < first.turn):
                    first = shares[0]
        return first.head if first is not None else None

    def start_over(self, now: int) -> None:
        """Wake everybody to a new arrangement, under which other heads may be misconfigured."""
        self._rearranged_ms = now
        for share in self._stage.shares:
            self.wake(share)
            self._time(share)

    def rest(self, now: int) -> None:
        """After a look in which nobody could be helped, let those sleep who will not be by the mere passing of time."""
        awake: list[Share] = []
        for share in self.awake:
            head = share.head
            share.awake = head is not None and self._stays_awake(share, head, now)
            if share.awake:
                awake.append(share)
        self.awake = awake

    def _stays_awake(self, share: Share, head: Run, now: int) -> bool:
        claim = head.claim
        if claim.fits_own():
            head.start_clock(now)
            return claim.blocked is None
        self._stop_clock(head, now)
        if claim.blocked is not None:
            return False
        if share.in_share_preemption and share.has_lesser_jobs(head):
            return True
        if not claim.fits():
            return False
        if len(claim.needs) != 1:
            return True
        account, count = claim.needs[0]
        share.seeking = account.pool.seekers.setdefault(count, [])
        insort(share.seeking, share, key=_share_turn)
        self.seekers += 1
        return False

    def _stop_clock(self, run: Run, now: int) -> None:
        """Let *run* wait no longer by right; whether now is within the horizon shows only when a job changes state."""
        if run.entitled_since_ms is not None:
            self.closings.append((run, run.entitled_since_ms, now))
            run.stop_clock(now)

    def _time(self, share: Share) -> None:
        """Note when the head of *share* is terminated, if it is misconfigured and the queue has a limit for that."""
        blocked = share.head.claim.blocked if share.head is not None else None
        limit = self._stage.time_limits.get(blocked) if blocked is not None else None
        if limit is not None:
            self.terminations[share] = max(share.turn[0], self._rearranged_ms) + limit
        else:
            self.terminations.pop(share, None)
