"""The order in which a share's jobs wait (scheduling model, 2)."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from quota_constructs.evaluator.simulation.borrowing import Claim
from quota_constructs.evaluator.simulation.run import Run, Ticket

class Queue:
    """
    Jobs by priority (highest first), then submit time, then seq.

    Jobs that leave from the middle leave their ticket behind; it is dropped when it comes to the top.
    """

    __slots__ = ("_by_claim", "_runs", "_tickets")

    def __init__(self, runs: list[Run], *, backfill: bool) -> None:
        self._runs = runs
        self._tickets: list[Ticket] = []
        self._by_claim: dict[Claim, list[Ticket]] | None = {} if backfill else None

    def push(self, run: Run) -> bool:
        """Let *run* queue, or queue anew after its priority changed; return whether it came to the top."""
        ticket = run.ticket = (-run.priority, run.job.submit_ms, run.seq)
        heappush(self._tickets, ticket)
        if self._by_claim is not None:
            heappush(self._by_claim.setdefault(run.claim, []), ticket)
        return self._tickets[0] is ticket

    def head(self) -> Run | None:
        """Return the first job, None if nobody queues."""
        return self._top(self._tickets)

    def first_that_may_start(self) -> Run | None:
        """Return the first job, head or not, that may start without stopping anybody (backfill only)."""
        first: list[Ticket] | None = None
        for claim, tickets in self._by_claim.items() if self._by_claim is not None else ():
            if claim.may_start() and self._top(tickets) is not None and (first is None or tickets[0] < first[0]):
                first = tickets
        return self._top(first) if first is not None else None

    def __iter__(self) -> Iterator[Run]:
        """Yield who queues, in no order that means anything."""
        runs = self._runs
        return (runs[ticket[2]] for ticket in self._tickets if runs[ticket[2]].ticket is ticket)

    def _top(self, tickets: list[Ticket]) -> Run | None:
        """Drop tickets that were left behind, and return who holds the first."""
        runs = self._runs
        while tickets:
            run = runs[tickets[0][2]]
            if run.ticket is tickets[0]:
                return run
            heappop(tickets)
        return None
