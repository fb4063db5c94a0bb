"""The order in which a share's jobs wait (scheduling model, 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from operator import attrgetter

from quota_constructs.evaluator.simulation.borrowing import Claim
from quota_constructs.evaluator.simulation.run import Run, Ticket


class Line:
    """
    Jobs by priority (highest first), then submit time, then seq.

    A job that leaves from the middle, or takes another ticket, leaves its ticket behind; it is dropped when it
    comes to the top.
    """

    __slots__ = ("_runs", "_tickets")

    def __init__(self, runs: list[Run]) -> None:
        self._runs = runs
        self._tickets: list[Ticket] = []

    def add(self, ticket: Ticket) -> bool:
        """Add a job by its ticket, and return whether that came to the top."""
        heappush(self._tickets, ticket)
        return self._tickets[0] is ticket

    def head(self) -> Run | None:
        """Return the first job, None if nobody is in the line."""
        runs, tickets = self._runs, self._tickets
        while tickets:
            run = runs[tickets[0][2]]
            if run.ticket is tickets[0]:
                return run
            heappop(tickets)
        return None

    def __iter__(self) -> Iterator[Run]:
        """Yield who is in the line, in no order that means anything."""
        runs = self._runs
        return (runs[ticket[2]] for ticket in self._tickets if runs[ticket[2]].ticket is ticket)


class Queue(Line):
    """A share's queue; with backfill, also one line for each shape of job, so that those that fit are found fast."""

    __slots__ = ("_backfill", "_by_claim")

    def __init__(self, runs: list[Run], *, backfill: bool) -> None:
        super().__init__(runs)
        self._backfill: bool = backfill
        self._by_claim: dict[Claim, Line] = {}

    def push(self, run: Run) -> bool:
        """Let *run* queue, or queue anew after its priority changed; return whether it came to the top."""
        ticket = run.ticket = (-run.priority, run.job.submit_ms, run.seq)
        if self._backfill:
            self._by_claim.setdefault(run.claim, Line(self._runs)).add(ticket)
        heappush(self._tickets, ticket)
        return self._tickets[0] is ticket

    def first_that_may_start(self) -> Run | None:
        """Return the first job, head or not, that may start without stopping anybody (backfill only)."""
        fitting = (line.head() for claim, line in self._by_claim.items() if claim.may_start())
        return min((run for run in fitting if run is not None), key=_ticket, default=None)


_ticket: Callable[[Run], Ticket] = attrgetter("ticket")
