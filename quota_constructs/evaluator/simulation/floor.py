"""Where jobs start, stop and end: every change of a job's state, and of the counters with it (scheduling model, 4)."""

from __future__ import annotations

from collections import deque
from heapq import heappush

from quota_constructs.evaluator.simulation.attention import Attention
from quota_constructs.evaluator.simulation.ledger import Pool
from quota_constructs.evaluator.simulation.lifecycle import attempt_ms, progress_ms
from quota_constructs.evaluator.simulation.model import (
    PREEMPTION_RETRIES_EXHAUSTED,
    QUOTA_SHARE_DELETED,
    TIMEOUT,
    State,
)
from quota_constructs.evaluator.simulation.run import AWAITING, DISPATCHED, ENDED, QUEUED, STOPPING, UNSUBMITTED, Run

Outcome = tuple[State, str | None]
"""How a job ends: its last state, and the reason."""

SUCCEEDED: Outcome = (State.SUCCEEDED, None)
TIMED_OUT: Outcome = (State.FAILED, TIMEOUT)
DELETED: Outcome = (State.FAILED, QUOTA_SHARE_DELETED)
EXHAUSTED: Outcome = (State.FAILED, PREEMPTION_RETRIES_EXHAUSTED)
CANCELLED: Outcome = (State.CANCELLED, None)


class Floor:
    """The jobs that hold instances, those that queue for them, and the moment."""

    __slots__ = (
        "_attention",
        "_stop_ms",
        "dispatches",
        "ends",
        "last_change_ms",
        "now",
        "releases",
    )

    def __init__(self, attention: Attention, *, stop_ms: int) -> None:
        self._attention = attention
        self._stop_ms: int = stop_ms
        self.now: int = 0
        self.last_change_ms: int = 0
        """The last instant at which a job changed state."""
        self.ends: list[tuple[int, int]] = []
        """A heap of (end, seq): attempts under way, and some that were stopped since."""
        self.releases: deque[tuple[int, Run]] = deque()
        """(time, stopping job), in order of time."""
        self.dispatches: deque[tuple[int, Run]] = deque()
        """(time, job that awaits reclaimed capacity), in order of time."""

    # -- queueing ---------------------------------------------------------------------------------------------

    def enqueue(self, run: Run) -> None:
        """Let a job wait in its share."""
        self.last_change_ms = run.queued_since_ms = self.now
        run.phase = QUEUED
        if run.share.queue.push(run):
            self._attention.wake(run.share)

    def reject(self, run: Run) -> None:
        """Turn a job away at its submission."""
        self.last_change_ms = self.now
        run.phase = ENDED
        run.state = State.REJECTED

    def reprioritize(self, run: Run, priority: int) -> None:
        """Change a job's priority, and its place among those who queue or may be stopped."""
        if run.phase is DISPATCHED and run.share.watched:
            run.share.cover(run)
            run.priority = priority
            run.share.expose(run)
        run.priority = priority
        if run.phase is QUEUED:
            run.share.queue.push(run)
        self._attention.wake(run.share)

    # -- starting ---------------------------------------------------------------------------------------------

    def start(self, run: Run) -> bool:
        """Dispatch a queued job at once."""
        now = run.dispatched_ms = self.now
        for account, count in run.claim.needs:
            account.add(count, now)
            account.pool.idle -= count
        run.ticket = None
        if run.share.watched:
            run.share.hold(run)
        self._dispatch(run)
        return True

    def stop_for(self, head: Run, victims: list[Run]) -> bool:
        """Stop *victims*, if any, and let *head* await what they release; where stopping takes no time, start it."""
        if not victims:
            return False
        if head.claim.fits_own():
            head.start_clock(self.now)
        else:
            head.stop_clock(self.now)
        freed: dict[Pool, int] = {}
        for run in victims:
            for account, count in run.claim.needs:
                freed[account.pool] = freed.get(account.pool, 0) + count
            self._stop(run, in_share=run.share is head.share)
        if not self._stop_ms:
            for run in victims:
                self.release(run)
            return self.start(head)
        self.last_change_ms = self.now
        head.phase = AWAITING
        head.cancelled = head.doomed = False
        head.ticket = None
        head.dispatched_ms = self.now + self._stop_ms
        head.promised = tuple(max(0, count - freed.get(account.pool, 0)) for account, count in head.claim.needs)
        for (account, count), promised in zip(head.claim.needs, head.promised, strict=True):
            account.add(count, self.now)
            account.pool.idle -= promised
        if head.share.watched:
            head.share.hold(head)
        self.dispatches.append((head.dispatched_ms, head))
        return True

    def dispatch_awaited(self, run: Run) -> None:
        """Dispatch a job for which others were stopped, unless it ended meanwhile in all but form."""
        for (account, count), promised in zip(run.claim.needs, run.promised, strict=True):
            account.pool.idle += promised - count
        if not run.doomed and not run.cancelled:
            self._dispatch(run)
            return
        for account, count in run.claim.needs:
            account.pool.idle += count
        self._unseat(run)
        run.queued_ms += self.now - run.queued_since_ms
        self._finish(run, DELETED if run.doomed else CANCELLED)

    def _dispatch(self, run: Run) -> None:
        """Let a job that holds its instances begin an attempt."""
        now, share = self.now, run.share
        self.last_change_ms = now
        run.phase = DISPATCHED
        run.queued_ms += now - run.queued_since_ms
        if run.entitled_since_ms is not None:
            run.stop_clock(now)
        job = run.job
        if job.checkpoint is None and job.timeout_ms is None:  # most jobs; spares them the call
            run.work_begins_ms = begins = now + job.startup_ms
            ends, run.times_out = begins + job.duration_ms, False
        else:
            run.work_begins_ms, ends, run.times_out = attempt_ms(job, run.saved_ms, now)
        due = run.due = (ends, run.seq)
        heappush(self.ends, due)
        if share.watched:
            share.expose(run)
        if not share.awake:
            self._attention.wake(share)

    # -- stopping ---------------------------------------------------------------------------------------------

    def _stop(self, run: Run, *, in_share: bool) -> None:
        """Tell a dispatched job to stop; it holds its instances until its release."""
        if in_share:
            run.in_share_preemptions += 1
        else:
            run.cross_share_preemptions += 1
        saved, lost = progress_ms(run.job.checkpoint, self.now - run.work_begins_ms)
        run.saved_ms += saved
        run.lost_ms += lost
        self._unseat(run)
        run.phase = STOPPING
        run.cancelled = run.doomed = False
        if self._stop_ms:
            self.releases.append((self.now + self._stop_ms, run))

    def release(self, run: Run) -> None:
        """Take the instances of a stopped job, and let it queue again unless it ends here."""
        run.attempts.append((run.dispatched_ms, self.now))
        for account, count in run.claim.needs:
            account.pool.idle += count
        retries = run.job.preemption_retries
        if run.doomed:
            self._finish(run, DELETED)
        elif retries is not None and run.preemptions > retries:
            self._finish(run, EXHAUSTED)
        elif run.cancelled:
            self._finish(run, CANCELLED)
        else:
            self.enqueue(run)

    # -- ending -----------------------------------------------------------------------------------------------

    def end_dispatched(self, run: Run, outcome: Outcome) -> None:
        """End a dispatched job, which gives its instances back at once."""
        now = self.now
        self._unseat(run)
        run.attempts.append((run.dispatched_ms, now))
        for account, count in run.claim.needs:
            account.pool.idle += count
        self.last_change_ms = run.finish_ms = now
        run.phase = ENDED
        run.state, run.reason = outcome

    def end_queued(self, run: Run, outcome: Outcome) -> None:
        """End a job that waits in its share."""
        run.ticket = None
        run.queued_ms += self.now - run.queued_since_ms
        self._attention.wake(run.share)
        self._finish(run, outcome)

    def cancel(self, run: Run) -> None:
        """End a job at somebody's wish, as soon as its phase allows."""
        if run.phase is UNSUBMITTED:
            # It then never was: no times, and no change of state that would count for the horizon.
            run.phase = ENDED
            run.state = State.CANCELLED
        elif run.phase is QUEUED:
            self.end_queued(run, CANCELLED)
        elif run.phase is DISPATCHED:
            self.end_dispatched(run, CANCELLED)
        else:
            run.cancelled = True

    def _unseat(self, run: Run) -> None:
        """Let a job no longer count as using its instances, which others may then be entitled to."""
        now, share = self.now, run.share
        if run.phase is DISPATCHED:
            begins = run.work_begins_ms
            run.overhead_ms += (begins if begins < now else now) - run.dispatched_ms  # noqa: FURB136 - faster than min
            run.due = None
            if share.watched:
                share.strike(run)
        elif share.watched:
            share.let_go(run)
        if share.head is not None and not share.awake:
            self._attention.wake(share)
        for account, count in run.claim.needs:
            account.add(-count, now)

    def _finish(self, run: Run, outcome: Outcome) -> None:
        self.last_change_ms = run.finish_ms = self.now
        if run.entitled_since_ms is not None:
            run.stop_clock(self.now)
        run.phase = ENDED
        run.state, run.reason = outcome
