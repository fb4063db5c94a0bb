"""The scheduling cycle: the one place where time passes (scheduling model, 3)."""

from __future__ import annotations

import gc
from heapq import heappop
from operator import attrgetter

from quota_constructs.errors import SchedulingLoopError
from quota_constructs.evaluator.simulation.attention import Attention
from quota_constructs.evaluator.simulation.floor import DELETED, SUCCEEDED, TIMED_OUT, Floor
from quota_constructs.evaluator.simulation.history import History
from quota_constructs.evaluator.simulation.ledger import UNBOUNDED
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, State
from quota_constructs.evaluator.simulation.preemption import preempt_in_share, reclaim
from quota_constructs.evaluator.simulation.run import ENDED, Run
from quota_constructs.evaluator.simulation.stage import Stage
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Event, PriorityUpdate, Trace

NEVER = UNBOUNDED

PATIENCE = 1_000
"""Decisions at one instant that are taken as they come; past it, they are held against the jobs that queued."""


def simulate(system: System, trace: Trace, assumptions: Assumptions = Assumptions()) -> History:  # noqa: B008 - frozen
    """
    Run *trace* against the arrangement *system* and return all that happened.

    The result depends on the arguments alone. Raises `SchedulingLoopError` if the scheduler does not come
    to rest at one instant.
    """
    # A run makes many objects that all stay, and no cycles that it leaves behind: what the collector of cycles would
    # look through again and again is never garbage.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _Engine(system, trace, assumptions).run()
    finally:
        if collecting:
            gc.enable()


class _Engine:
    def __init__(self, system: System, trace: Trace, assumptions: Assumptions) -> None:
        self._order = assumptions.victim_order
        self._backfills: bool = assumptions.queueing is Queueing.BACKFILL
        self._stage = Stage(system, trace, assumptions)
        self._attention = Attention(self._stage)
        self._floor = Floor(self._attention, stop_ms=assumptions.stop_ms)
        self._arrivals: list[Run] = sorted(self._stage.runs, key=lambda run: run.job.submit_ms)
        self._events: list[Event] = sorted(
            trace.events, key=lambda event: (event.time_ms, not isinstance(event, ArrangementChange))
        )
        self._by_id: dict[str, Run] = {run.job.id: run for run in self._stage.runs} if trace.events else {}

    def run(self) -> History:  # noqa: C901, PLR0912 - the cycle in one piece, step by step
        """Go through the cycle at each instant at which something is due, and return the history."""
        floor, runs, attention = self._floor, self._stage.runs, self._attention
        ends, releases, dispatches = floor.ends, floor.releases, floor.dispatches
        terminations, backfills = attention.terminations, self._backfills
        arrivals, events = self._arrivals, self._events
        arrival_times = [*(run.job.submit_ms for run in arrivals), NEVER]
        event_times = [*(event.time_ms for event in events), NEVER]
        arrived = happened = 0
        while True:
            # 1 advance to the next instant
            now = arrival_times[arrived]
            if event_times[happened] < now:  # noqa: PLR1730 - faster than min
                now = event_times[happened]
            if releases and releases[0][0] < now:
                now = releases[0][0]
            if dispatches and dispatches[0][0] < now:
                now = dispatches[0][0]
            if terminations:
                now = min(now, *terminations.values())
            while ends and ends[0][0] < now:
                if runs[ends[0][1]].due is ends[0]:
                    now = ends[0][0]
                    break
                heappop(ends)
            if now == NEVER:
                return self._history()
            floor.now = now
            # 2 end, release, dispatch, terminate what is due
            while ends and ends[0][0] == now:
                entry = heappop(ends)
                run = runs[entry[1]]
                if run.due is entry:
                    floor.end_dispatched(run, TIMED_OUT if run.times_out else SUCCEEDED)
            if releases and releases[0][0] == now:
                self._release_due(now)
            while dispatches and dispatches[0][0] == now:
                floor.dispatch_awaited(dispatches.popleft()[1])
            if terminations:
                self._terminate_due(now)
            # 3 apply the trace's events
            while event_times[happened] == now:
                self._apply(events[happened])
                happened += 1
            # 4 submissions
            while arrival_times[arrived] == now:
                run = arrivals[arrived]
                arrived += 1
                if run.phase is not ENDED:
                    if run.share.enabled:
                        floor.enqueue(run)
                    else:
                        floor.reject(run)
            # 5 to 7 own capacity and reclaim, borrowing, in-share preemption
            if attention.awake or attention.seekers or backfills:
                self._schedule()

    def _release_due(self, now: int) -> None:
        due: list[Run] = []
        while self._floor.releases and self._floor.releases[0][0] == now:
            due.append(self._floor.releases.popleft()[1])
        for run in sorted(due, key=attrgetter("seq")):
            self._floor.release(run)

    def _terminate_due(self, now: int) -> None:
        terminations = self._attention.terminations
        for share in [share for share, time in terminations.items() if time == now]:
            del terminations[share]
            if share.head is not None:
                self._floor.end_queued(share.head, (State.FAILED, share.head.claim.blocked))

    def _apply(self, event: Event) -> None:
        if isinstance(event, ArrangementChange):
            self._rearrange(event.system)
            return
        run = self._by_id[event.job]
        if run.phase is ENDED:
            return
        if isinstance(event, PriorityUpdate):
            self._floor.reprioritize(run, event.priority)
        else:
            self._floor.cancel(run)

    def _rearrange(self, system: System) -> None:
        floor = self._floor
        for share in self._stage.rearrange(system, floor.now):
            for run in list(share.queue):
                floor.end_queued(run, DELETED)
            for run in list(share.victims()):
                floor.end_dispatched(run, DELETED)
            for _, run in (*floor.releases, *floor.dispatches):
                run.doomed = run.doomed or run.share is share
        self._attention.start_over(floor.now)

    def _schedule(self) -> None:
        """Do the first thing that can be done, and begin again, until nothing can."""
        attention, decisions, most = self._attention, 0, PATIENCE
        if attention.closings and attention.closings[-1][2] <= self._floor.last_change_ms:
            attention.closings.clear()
        while True:
            heads = attention.look(self._floor.now)
            if not (heads or attention.seekers or self._backfills) or not self._decide(heads):
                attention.rest(self._floor.now)
                return
            decisions += 1
            if decisions > most:
                most = self._patience_after(decisions, most)

    def _decide(self, heads: list[Run]) -> bool:
        """Do the first of the steps that can be done, for the first of *heads* for which it can."""
        floor = self._floor
        # A own capacity, and reclaim
        for head in heads:
            claim = head.claim
            if not claim.fits_own():
                continue
            if not claim.fits_by_right():
                if floor.stop_for(head, reclaim(head, self._order, floor.now)):
                    return True
            elif not floor.releases or claim.fits_at_once():  # only what is being stopped can hold up a start
                return floor.start(head)
        # B borrowing
        if self._stage.borrows:
            borrower = self._first_borrower(heads)
            if borrower is not None:
                return floor.start(borrower)
        # C in-share preemption
        for head in heads:
            if head.share.in_share_preemption and self._preempt_in_share(head):
                return True
        # D backfill
        return self._backfills and self._backfill()

    def _first_borrower(self, heads: list[Run]) -> Run | None:
        """Return the head whose turn comes first among those that may start by borrowing, of shares awake or asleep."""
        asleep = self._attention.first_seeker() if self._attention.seekers else None
        for head in heads:
            if asleep is not None and asleep.share.turn < head.share.turn:
                break
            if head.share.borrows and head.claim.may_start():
                return head
        return asleep

    def _preempt_in_share(self, head: Run) -> bool:
        """Stop lesser jobs of the head's own share, unless it fits by right and only has to wait."""
        if not head.share.has_lesser_jobs(head) or (head.claim.fits() and head.claim.fits_by_right()):
            return False
        return self._floor.stop_for(head, preempt_in_share(head, self._order, self._floor.now))

    def _backfill(self) -> bool:
        """Start the first job behind a head that fits without stopping anybody."""
        for share in self._stage.shares:
            run = share.queue.first_that_may_start() if share.head is not None else None
            if run is not None:
                return self._floor.start(run)
        return False

    def _patience_after(self, decisions: int, most: int) -> int:
        """Return how many decisions one instant may see, once *most* are exceeded; raise if that was said before."""
        queued = [run for share in self._stage.shares for run in share.queue]
        if most > PATIENCE:
            names = ", ".join(repr(run.job.id) for run in queued[:10])
            raise SchedulingLoopError(
                f"the scheduler does not come to rest at {self._floor.now} ms after {decisions} decisions; "
                f"among the jobs that alternate are {names}"
            )
        # Each decision so far took at most one job from a queue.
        return PATIENCE + 10 * (len(queued) + decisions)

    def _history(self) -> History:
        end = self._floor.last_change_ms
        # Who was cancelled before its submission never was, and has no finish to show.
        submitted = (run for run in self._arrivals if run.finish_ms is not None or run.state is not State.CANCELLED)
        first = next(submitted, None)
        start = first.job.submit_ms if first is not None else 0
        for run, since, until in self._attention.closings:
            run.entitled_wait_ms -= max(0, until - max(since, end))
        for share in self._stage.shares:
            for run in share.queue:
                run.queued_ms += end - run.queued_since_ms
                run.stop_clock(max(end, run.entitled_since_ms or 0))
            if share.head is not None:
                share.head.reason = share.head.claim.blocked
        return History(
            jobs=self._stage.runs,
            usage=self._stage.usage(start, end),
            capacity=self._stage.capacity(start, end),
            start_ms=start,
            end_ms=end,
        )
