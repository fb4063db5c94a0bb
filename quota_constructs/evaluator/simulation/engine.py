"""The scheduling cycle: the one place where time passes and anything changes (scheduling model, 3 and 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from operator import attrgetter

from quota_constructs.errors import SchedulingLoopError
from quota_constructs.evaluator.simulation.history import History
from quota_constructs.evaluator.simulation.ledger import UNBOUNDED, Pool
from quota_constructs.evaluator.simulation.lifecycle import begin_work_ms, progress_ms, wall_ms
from quota_constructs.evaluator.simulation.model import (
    PREEMPTION_RETRIES_EXHAUSTED,
    QUOTA_SHARE_DELETED,
    TIMEOUT,
    Assumptions,
    Queueing,
    State,
)
from quota_constructs.evaluator.simulation.preemption import preempt_in_share, reclaim
from quota_constructs.evaluator.simulation.run import Phase, Run
from quota_constructs.evaluator.simulation.share import Share
from quota_constructs.evaluator.simulation.stage import Stage
from quota_constructs.evaluator.simulation.victims import rank
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Event, PriorityUpdate, Trace

NEVER = UNBOUNDED
PATIENCE = 1_000
"""Decisions at one instant that are looked at by nobody; past it, they are held against the jobs that queue."""

_turn: Callable[[Run], tuple[int, int]] = attrgetter("share.turn")


_DELETED = (State.FAILED, QUOTA_SHARE_DELETED)
_CANCELLED = (State.CANCELLED, None)


def simulate(system: System, trace: Trace, assumptions: Assumptions = Assumptions()) -> History:  # noqa: B008 - frozen
    """
    Run *trace* against the arrangement *system* and return all that happened.

    The result depends on the arguments alone. Raises `SchedulingLoopError` if the scheduler does not come
    to rest at one instant.
    """
    return _Engine(system, trace, assumptions).run()


class _Engine:
    def __init__(self, system: System, trace: Trace, assumptions: Assumptions) -> None:
        self._assumptions = assumptions
        self._stop_ms: int = assumptions.stop_ms
        self._order = assumptions.victim_order
        self._backfills: bool = assumptions.queueing is Queueing.BACKFILL
        self._now: int = 0
        self._stage = Stage(system, trace, backfill=self._backfills)
        self._runs: list[Run] = self._stage.runs
        self._by_id: dict[str, Run] = {run.job.id: run for run in self._runs} if trace.events else {}
        self._arrivals: list[Run] = sorted(self._runs, key=lambda run: run.job.submit_ms)
        self._events: list[Event] = sorted(
            trace.events, key=lambda event: (event.time_ms, not isinstance(event, ArrangementChange))
        )
        self._ends: list[tuple[int, int]] = []
        """(end, seq) of attempts under way, and of some that were stopped."""
        self._releases: deque[tuple[int, Run]] = deque()
        self._dispatches: deque[tuple[int, Run]] = deque()
        self._terminations: dict[Share, int] = {}
        """When the misconfigured head of a share is terminated."""
        self._rearranged_ms: int = 0
        self._submitted: bool = False
        self._awake: list[Share] = []
        self._first_submission_ms: int = 0
        self._last_change_ms: int = 0

    def run(self) -> History:
        """Go through the cycle at each instant at which something is due, and return the history."""
        runs, ends, releases, dispatches = self._runs, self._ends, self._releases, self._dispatches
        arrivals, events = iter(self._arrivals), iter(self._events)
        arrival, event = next(arrivals, None), next(events, None)
        while True:
            # 1 advance to the next instant
            while ends and runs[ends[0][1]].due is not ends[0]:
                heappop(ends)
            now = ends[0][0] if ends else NEVER
            if arrival is not None and arrival.job.submit_ms < now:
                now = arrival.job.submit_ms
            if event is not None and event.time_ms < now:
                now = event.time_ms
            if releases and releases[0][0] < now:
                now = releases[0][0]
            if dispatches and dispatches[0][0] < now:
                now = dispatches[0][0]
            if self._terminations:
                now = min(now, *self._terminations.values())
            if now == NEVER:
                return self._history()
            self._now = now
            # 2 end, release, dispatch and terminate what is due
            if ends and ends[0][0] == now:
                self._end_due()
            if releases and releases[0][0] == now:
                self._release_due()
            if dispatches and dispatches[0][0] == now:
                self._dispatch_due()
            if self._terminations:
                self._terminate_due()
            # 3 apply the trace's events
            while event is not None and event.time_ms == now:
                self._apply(event)
                event = next(events, None)
            # 4 submissions
            while arrival is not None and arrival.job.submit_ms == now:
                self._submit(arrival)
                arrival = next(arrivals, None)
            # 5 to 7 own capacity and reclaim, borrowing, in-share preemption
            if self._awake or self._backfills:
                self._schedule()

    # -- 1, 2: what is due ------------------------------------------------------------------------------------

    def _end_due(self) -> None:
        ends, runs, now = self._ends, self._runs, self._now
        while ends and ends[0][0] == now:
            entry = heappop(ends)
            run = runs[entry[1]]
            if run.due is entry:
                self._leave(run)
                if run.times_out:
                    self._finish(run, State.FAILED, TIMEOUT)
                else:
                    self._finish(run, State.SUCCEEDED, None)

    def _release_due(self) -> None:
        due: list[Run] = []
        while self._releases and self._releases[0][0] == self._now:
            due.append(self._releases.popleft()[1])
        for run in sorted(due, key=attrgetter("seq")):
            self._release(run)

    def _dispatch_due(self) -> None:
        while self._dispatches and self._dispatches[0][0] == self._now:
            run = self._dispatches.popleft()[1]
            for (account, count), promised in zip(run.claim.needs, run.promised, strict=True):
                account.pool.idle += promised - count
            if run.doomed or run.cancelled:
                run.queued_ms += self._now - run.queued_since_ms
                self._drop(run)
                for account, count in run.claim.needs:
                    account.pool.idle += count
                self._finish(run, *(_DELETED if run.doomed else _CANCELLED))
            else:
                self._dispatch(run)

    def _terminate_due(self) -> None:
        due = [share for share, time in self._terminations.items() if time == self._now]
        for share in due:
            del self._terminations[share]
            head = share.head
            if head is not None:
                self._end_queued(head, State.FAILED, head.claim.blocked)

    # -- 3: events --------------------------------------------------------------------------------------------

    def _apply(self, event: Event) -> None:
        if isinstance(event, ArrangementChange):
            self._rearrange(event.system)
        elif isinstance(event, PriorityUpdate):
            self._reprioritize(self._by_id[event.job], event.priority)
        else:
            self._cancel(self._by_id[event.job])

    def _rearrange(self, system: System) -> None:
        self._rearranged_ms = self._now
        for share in self._stage.rearrange(system, self._now):
            for run in list(share.queue):
                self._end_queued(run, *_DELETED)
            for _, _, _, run in share.victims.copy():
                self._leave(run)
                self._finish(run, *_DELETED)
            for _, run in (*self._releases, *self._dispatches):
                run.doomed = run.doomed or run.share is share
        for share in self._stage.shares:
            self._wake(share)
            self._set_time_limit(share)

    def _reprioritize(self, run: Run, priority: int) -> None:
        if run.phase is Phase.DISPATCHED and run.share.watched:
            run.share.forget_victim(rank(run, self._order))
            run.priority = priority
            run.share.remember_victim(rank(run, self._order))
        else:
            run.priority = priority
        if run.phase is Phase.QUEUED:
            run.share.queue.push(run)
        if run.phase is not Phase.UNSUBMITTED:
            self._wake(run.share)

    def _cancel(self, run: Run) -> None:
        if run.phase is Phase.UNSUBMITTED:
            run.phase = Phase.ENDED
            run.state = State.CANCELLED
        elif run.phase is Phase.QUEUED:
            self._end_queued(run, *_CANCELLED)
        elif run.phase is Phase.DISPATCHED:
            self._leave(run)
            self._finish(run, *_CANCELLED)
        elif run.phase is not Phase.ENDED:
            run.cancelled = True

    # -- 4: submissions ---------------------------------------------------------------------------------------

    def _submit(self, run: Run) -> None:
        if run.phase is Phase.ENDED:
            return
        if not self._submitted:
            self._submitted = True
            self._first_submission_ms = self._now
        self._last_change_ms = self._now
        if run.share.enabled:
            self._enqueue(run)
        else:
            run.phase = Phase.ENDED
            run.state = State.REJECTED

    # -- 5, 6, 7: the scheduling pass -------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Do the first thing that can be done, and begin again, until nothing can."""
        repetitions = 0
        while self._act(self._contenders()):
            repetitions += 1
            if repetitions > PATIENCE:
                self._check_progress(repetitions)
        awake: list[Share] = []
        for share in self._awake:
            share.awake = self._keeps_watch(share)
            if share.awake:
                awake.append(share)
        self._awake = awake

    def _contenders(self) -> list[Run]:
        """Look at the heads of the shares that are awake, and return those that may be tried, in their turn."""
        contenders: list[Run] = []
        for share in self._awake:
            head = share.queue.head()
            if head is not share.head:
                share.head = head
                share.turn = (self._now, share.index)
                self._set_time_limit(share)
            if head is not None and head.claim.blocked is None:
                contenders.append(head)
        if len(contenders) > 1:
            contenders.sort(key=_turn)
        return contenders

    def _act(self, heads: list[Run]) -> bool:
        """Do the first thing that can be done, and return whether there was any."""
        for head in heads:
            if self._use_own(head):
                return True
        for head in heads:
            if head.share.borrows and head.claim.may_start():
                return self._start(head)
        for head in heads:
            if head.share.has_lesser_jobs(head) and self._preempt_in_share(head):
                return True
        return self._backfills and self._backfill()

    def _use_own(self, head: Run) -> bool:
        """A. Start a head that fits own, or reclaim for it."""
        claim = head.claim
        if not claim.fits_own():
            return False
        if claim.fits_by_right():
            return claim.fits_at_once() and self._start(head)
        return self._stop_for(head, reclaim(head, self._order, self._now))

    def _preempt_in_share(self, head: Run) -> bool:
        """C. Stop lesser jobs of the head's own share, unless it fits by right and only has to wait."""
        if head.claim.fits() and head.claim.fits_by_right():
            return False
        return self._stop_for(head, preempt_in_share(head, self._order, self._now))

    def _backfill(self) -> bool:
        """D. Start the first job behind a head that fits without stopping anybody."""
        for share in self._stage.shares:
            run = share.queue.first_that_may_start()
            if run is not None:
                return self._start(run)
        return False

    def _keeps_watch(self, share: Share) -> bool:
        """
        Whether anything at all might let a refused head start, so that the share is tried at every instant.

        Otherwise it sleeps until something of its own changes or, where room is all that it lacks, until there
        is as much.
        """
        head = share.head
        if head is None or head.claim.blocked is not None:
            return False
        claim = head.claim
        if share.has_lesser_jobs(head):
            return True
        if not claim.fits():
            return False
        if claim.fits_own() or claim.fits_by_right():
            return True
        for account, count in claim.needs:
            pool = account.pool
            if count > account.entitled:
                share.seeking = pool
                pool.seekers[share] = count
                pool.least_sought = min(pool.least_sought, count)
                return False
        return False

    def _wake(self, share: Share) -> None:
        if not share.awake:
            share.awake = True
            self._awake.append(share)
            if share.seeking is not None:
                del share.seeking.seekers[share]
                share.seeking = None

    def _rouse(self, pool: Pool) -> None:
        """Wake the shares that seek no more room than there is."""
        for share in [share for share, sought in pool.seekers.items() if sought <= pool.room]:
            self._wake(share)
        pool.least_sought = min(pool.seekers.values(), default=UNBOUNDED)

    def _check_progress(self, repetitions: int) -> None:
        """Raise if this instant has seen more repetitions than there can be reason for."""
        queued = [run for share in self._stage.shares for run in share.queue]
        if repetitions > PATIENCE + 10 * len(queued):
            names = ", ".join(repr(run.job.id) for run in queued[:10])
            raise SchedulingLoopError(
                f"the scheduler does not come to rest at {self._now} ms after {repetitions} decisions; "
                f"jobs that alternate are among {names}"
            )

    # -- a job's life -----------------------------------------------------------------------------------------

    def _enqueue(self, run: Run) -> None:
        run.phase = Phase.QUEUED
        run.queued_since_ms = self._now
        if run.share.queue.push(run):
            self._wake(run.share)

    def _start(self, run: Run) -> bool:
        """Dispatch a queued job at once."""
        now = run.dispatched_ms = self._now
        for account, count in run.claim.needs:
            account.add(count, now)
            account.pool.idle -= count
        run.ticket = None
        if run.share.watched:
            run.share.hold(run)
        self._dispatch(run)
        return True

    def _stop_for(self, head: Run, victims: list[Run]) -> bool:
        """Stop *victims* and let *head* await what they release, or go on at once if stopping takes no time."""
        if not victims:
            return False
        freed: dict[Pool, int] = {}
        for run in victims:
            for account, count in run.claim.needs:
                freed[account.pool] = freed.get(account.pool, 0) + count
            self._stop(run, in_share=run.share is head.share)
        if not self._stop_ms:
            for run in victims:
                self._release(run)
            return self._start(head)
        self._last_change_ms = self._now
        head.phase = Phase.AWAITING
        head.ticket = None
        head.dispatched_ms = self._now + self._stop_ms
        head.promised = tuple(max(0, count - freed.get(account.pool, 0)) for account, count in head.claim.needs)
        for (account, count), promised in zip(head.claim.needs, head.promised, strict=True):
            account.add(count, self._now)
            account.pool.idle -= promised
        if head.share.watched:
            head.share.hold(head)
        self._dispatches.append((head.dispatched_ms, head))
        self._wake(head.share)
        return True

    def _dispatch(self, run: Run) -> None:
        """Let a job that holds its instances begin an attempt."""
        self._last_change_ms = self._now
        now, job = self._now, run.job
        run.phase = Phase.DISPATCHED
        run.queued_ms += now - run.queued_since_ms
        begins, length = now + job.startup_ms, job.duration_ms
        if job.checkpoint is not None:
            begins, length = begin_work_ms(job, run.saved_ms, now), wall_ms(length - run.saved_ms, job.checkpoint)
        run.work_begins_ms = begins
        run.times_out = job.timeout_ms is not None and length > job.timeout_ms
        if job.timeout_ms is not None and run.times_out:
            length = job.timeout_ms
        due = run.due = (begins + length, run.seq)
        heappush(self._ends, due)
        share = run.share
        if share.watched:
            share.remember_victim(rank(run, self._order))
        if not share.awake:
            self._wake(share)

    def _stop(self, run: Run, *, in_share: bool) -> None:
        """Tell a dispatched job to stop; it holds its instances until its release."""
        if in_share:
            run.in_share_preemptions += 1
        else:
            run.cross_share_preemptions += 1
        saved, lost = progress_ms(run.job.checkpoint, self._now - run.work_begins_ms)
        run.saved_ms += saved
        run.lost_ms += lost
        self._unseat(run)
        run.phase = Phase.STOPPING
        self._last_change_ms = self._now
        if self._stop_ms:
            self._releases.append((self._now + self._stop_ms, run))

    def _release(self, run: Run) -> None:
        """Take the instances of a stopped job, and let it queue again unless it ends here."""
        self._last_change_ms = self._now
        run.attempts.append((run.dispatched_ms, self._now))
        for account, count in run.claim.needs:
            account.pool.idle += count
        retries = run.job.preemption_retries
        if run.doomed:
            self._finish(run, *_DELETED)
        elif retries is not None and run.preemptions > retries:
            self._finish(run, State.FAILED, PREEMPTION_RETRIES_EXHAUSTED)
        elif run.cancelled:
            self._finish(run, *_CANCELLED)
        else:
            self._enqueue(run)

    def _leave(self, run: Run) -> None:
        """Let a dispatched job end its attempt and give its instances back at once."""
        self._unseat(run)
        run.attempts.append((run.dispatched_ms, self._now))
        for account, count in run.claim.needs:
            account.pool.idle += count

    def _unseat(self, run: Run) -> None:
        """Let a dispatched job no longer count as using its instances, whatever becomes of them."""
        now = self._now
        begins = run.work_begins_ms
        run.overhead_ms += (begins if begins < now else now) - run.dispatched_ms
        run.due = None
        if run.share.watched:
            run.share.forget_victim(rank(run, self._order))
        self._drop(run)

    def _drop(self, run: Run) -> None:
        share = run.share
        if share.watched:
            share.let_go(run)
        if not share.awake:
            self._wake(share)
        for account, count in run.claim.needs:
            account.add(-count, self._now)
            pool = account.pool
            if pool.room >= pool.least_sought:
                self._rouse(pool)

    def _end_queued(self, run: Run, state: State, reason: str | None) -> None:
        run.ticket = None
        run.queued_ms += self._now - run.queued_since_ms
        self._wake(run.share)
        self._finish(run, state, reason)

    def _finish(self, run: Run, state: State, reason: str | None) -> None:
        self._last_change_ms = self._now
        run.phase = Phase.ENDED
        run.state = state
        run.reason = reason
        run.finish_ms = self._now

    # -- bookkeeping ------------------------------------------------------------------------------------------

    def _set_time_limit(self, share: Share) -> None:
        """Note when the head of *share* is terminated, if it is misconfigured and the queue has a limit for that."""
        blocked = share.head.claim.blocked if share.head is not None else None
        limit = self._stage.time_limits.get(blocked) if blocked is not None else None
        if limit is None:
            self._terminations.pop(share, None)
        else:
            self._terminations[share] = max(share.turn[0], self._rearranged_ms) + limit

    def _history(self) -> History:
        start, end = self._first_submission_ms, self._last_change_ms
        for share in self._stage.shares:
            for run in share.queue:
                run.queued_ms += end - run.queued_since_ms
            if share.head is not None:
                run = share.head
                run.reason = run.claim.blocked
        return History(
            jobs=self._runs,
            usage=self._stage.usage(start, end),
            capacity=self._stage.capacity(start, end),
            start_ms=start,
            end_ms=end,
        )
