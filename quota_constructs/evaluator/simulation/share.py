"""A quota share under simulation: its accounts, its queue, and who holds its capacity."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator

from quota_constructs.evaluator.simulation.borrowing import Claim
from quota_constructs.evaluator.simulation.ledger import Account
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.simulation.queueing import Queue
from quota_constructs.evaluator.simulation.run import Place, Rank, Run
from quota_constructs.evaluator.trace import Instances


class Share:
    """A quota share under simulation."""

    __slots__ = (
        "_oldest_first",
        "_runs",
        "accounts",
        "awake",
        "borrows",
        "claims",
        "declared",
        "enabled",
        "head",
        "in_share_preemption",
        "index",
        "name",
        "places",
        "queue",
        "ranks",
        "seeking",
        "turn",
        "watched",
    )

    def __init__(self, name: str, index: int, runs: list[Run], assumptions: Assumptions, *, watched: bool) -> None:
        self._runs = runs
        self._oldest_first: bool = assumptions.victim_order is VictimOrder.OLDEST
        self.name: str = name
        self.index: int = index
        """Its place in the order of names."""
        self.queue: Queue = Queue(runs, backfill=assumptions.queueing is Queueing.BACKFILL)
        self.declared: bool = False
        self.enabled: bool = False
        self.borrows: bool = False
        self.in_share_preemption: bool = False
        self.accounts: dict[str, Account] = {}
        self.claims: dict[Instances, Claim] = {}
        self.head: Run | None = None
        self.turn: tuple[int, int] = (0, index)
        """(head since, index): when it is tried."""
        self.awake: bool = False
        """Whether something may have changed for its head since that was last refused."""
        self.seeking: list[Share] | None = None
        """Those with whom it sleeps until there is as much room as it seeks, if it does."""
        self.watched: bool = watched
        """Whether jobs of this share can ever be stopped, so that the two orders below are kept."""
        self.ranks: list[Rank] = []
        """Of its dispatched jobs, in victim order, the first to be stopped last."""
        self.places: list[Place] = []
        """Of its dispatched and awaiting jobs, in order."""

    def hold(self, run: Run) -> None:
        """Enter *run*, whose dispatch time is set, among those who hold capacity."""
        places = self.places
        place = run.place = (run.dispatched_ms, run.seq)
        if not places or place > places[-1]:  # mostly, as time goes on
            places.append(place)
        else:
            insort(places, place)

    def let_go(self, run: Run) -> None:
        """Strike *run* from those who hold capacity."""
        del self.places[bisect_left(self.places, run.place)]

    def strike(self, run: Run) -> None:
        """Strike a dispatched job from those who hold capacity, and from those that can be stopped."""
        del self.places[bisect_left(self.places, run.place)]
        del self.ranks[bisect_left(self.ranks, run.rank)]

    def expose(self, run: Run) -> None:
        """
        Enter a dispatched job among those that can be stopped, of which the largest rank is stopped first.

        1. lower priority
        2. later dispatch, or earlier for `oldest`
        3. higher seq, or lower for `oldest`
        """
        ranks = self.ranks
        if self._oldest_first:
            rank = (-run.priority, -run.dispatched_ms, -run.seq)
        else:
            rank = (-run.priority, run.dispatched_ms, run.seq)
        run.rank = rank
        if not ranks or rank > ranks[-1]:
            ranks.append(rank)
        else:
            insort(ranks, rank)

    def cover(self, run: Run) -> None:
        """Strike a dispatched job from those that can be stopped."""
        del self.ranks[bisect_left(self.ranks, run.rank)]

    def victim(self, index: int) -> Run:
        """Return the dispatched job at *index* in victim order, the first to be stopped last."""
        return self._runs[abs(self.ranks[index][2])]

    def victims(self) -> Iterator[Run]:
        """Yield the dispatched jobs in victim order, the first to be stopped first."""
        for _, _, seq in reversed(self.ranks):
            yield self._runs[abs(seq)]

    def latest_first(self) -> Iterator[Run]:
        """Yield the dispatched and awaiting jobs, the latest dispatch first."""
        for _, seq in reversed(self.places):
            yield self._runs[seq]

    def has_lesser_jobs(self, head: Run) -> bool:
        """Whether a dispatched job has a lower priority than *head*."""
        return bool(self.ranks) and -self.ranks[-1][0] < head.priority
