"""
A second implementation of the scheduling model: slow, literal, and independent of the engine.

Every decision is worked out anew from the states of all jobs; nothing is counted, cached or kept in order.
One function stands for one sentence of the model, whose section its docstring names.
"""

from __future__ import annotations

from quota_constructs.errors import SchedulingLoopError
from quota_constructs.evaluator.simulation.history import History, JobHistory
from quota_constructs.evaluator.simulation.model import (
    PREEMPTION_RETRIES_EXHAUSTED,
    QUOTA_SHARE_DELETED,
    TIMEOUT,
    Assumptions,
    Queueing,
    State,
)
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Cancel, PriorityUpdate, Trace
from tests.reference.figures import Moment, figures, moment
from tests.reference.life import covered_ms, ends_ms, lost_ms, overhead_spent_ms, times_out
from tests.reference.state import (
    Phase,
    Task,
    World,
    fits,
    fits_at_once,
    fits_by_borrowing,
    fits_by_right,
    fits_own,
    heads_in_order,
    look_at_the_heads,
    may_start,
    misconfiguration,
    queue,
    share_of,
    termination_ms,
)
from tests.reference.victims import cross_share_victims, in_share_victims


def literal_simulate(system: System, trace: Trace, assumptions: Assumptions | None = None) -> History:
    """Run *trace* against *system*, sentence by sentence."""
    tasks = [Task(seq, job, job.priority, JobHistory(job)) for seq, job in enumerate(trace.jobs)]
    world = World(system, assumptions or Assumptions(), tasks)
    moments: list[Moment] = []
    while (instant := next_instant(world, trace)) is not None:
        moments.append(moment(world, until=instant))
        world.now = instant
        end_what_is_done(world)
        release_what_was_stopped(world)
        dispatch_what_awaited(world)
        terminate_misconfigured_heads(world)
        apply_events(world, trace)
        submit(world)
        scheduling_pass(world)
    name_what_blocks(world)
    return figures(world, moments, [system, *(e.system for e in trace.events if isinstance(e, ArrangementChange))])


def next_instant(world: World, trace: Trace) -> int | None:
    """Section 3: the next instant at which anything of its steps 1 to 3 happens."""
    times = [task.job.submit_ms for task in world.in_phase(Phase.UNSUBMITTED)]
    times += [event.time_ms for event in trace.events if event.time_ms > world.now]
    times += [ends_ms(task) for task in world.in_phase(Phase.DISPATCHED)]
    times += [task.release_ms for task in world.in_phase(Phase.STOPPING)]
    times += [task.dispatched_ms for task in world.in_phase(Phase.AWAITING)]
    for task, reason in world.misconfigured:
        due = termination_ms(world, task, reason)
        times += [] if due is None else [due]
    assert all(time > world.now for time in times), "something was due and did not happen"
    return min(times, default=None)


def end_what_is_done(world: World) -> None:
    """Section 3, 1: jobs whose work or timeout ends now end."""
    for task in world.in_phase(Phase.DISPATCHED):
        if ends_ms(task) == world.now:
            if times_out(task):
                end(world, task, State.FAILED, TIMEOUT)
            else:
                end(world, task, State.SUCCEEDED)


def release_what_was_stopped(world: World) -> None:
    """Section 3, 1: then stopped jobs are released, by `seq`."""
    for task in world.in_phase(Phase.STOPPING):
        if task.release_ms == world.now:
            task.history.attempts.append((task.dispatched_ms, world.now))
            release(world, task)


def release(world: World, task: Task) -> None:
    """Sections 4 and 7: deletion comes before exhausted retries, and those before a cancel."""
    preemptions = task.history.cross_share_preemptions + task.history.in_share_preemptions
    if task.deleted:
        end(world, task, State.FAILED, QUOTA_SHARE_DELETED)
    elif task.job.preemption_retries is not None and preemptions > task.job.preemption_retries:
        end(world, task, State.FAILED, PREEMPTION_RETRIES_EXHAUSTED)
    elif task.cancelled:
        end(world, task, State.CANCELLED)
    else:
        change(world, task, Phase.QUEUED)


def dispatch_what_awaited(world: World) -> None:
    """Section 3, 1: then jobs awaiting reclaimed capacity are dispatched; section 7: deletion before a cancel."""
    for task in world.in_phase(Phase.AWAITING):
        if task.dispatched_ms == world.now:
            if task.deleted:
                end(world, task, State.FAILED, QUOTA_SHARE_DELETED)
            elif task.cancelled:
                end(world, task, State.CANCELLED)
            else:
                start(world, task)


def terminate_misconfigured_heads(world: World) -> None:
    """Section 3, 1: then misconfigured heads, as the last pass left them, whose time limit is reached."""
    for task, reason in world.misconfigured:
        if termination_ms(world, task, reason) == world.now:
            end(world, task, State.FAILED, reason)


def apply_events(world: World, trace: Trace) -> None:
    """Section 3, 2: first a change of arrangement, then priority updates and cancels in file order."""
    today = [event for event in trace.events if event.time_ms == world.now]
    for event in today:
        if isinstance(event, ArrangementChange):
            rearrange(world, event.system)
    for event in today:
        tasks = [] if isinstance(event, ArrangementChange) else [t for t in world.tasks if t.job.id == event.job]
        for task in tasks:
            if isinstance(event, PriorityUpdate):
                task.priority = event.priority
            elif isinstance(event, Cancel):
                cancel(world, task)


def rearrange(world: World, system: System) -> None:
    """Section 7: an event may replace the arrangement; jobs of a share that it no longer has end."""
    world.system = system
    world.rearranged_ms = world.now
    for task in world.tasks:
        if system.share(task.job.share) is None:
            if task.phase in (Phase.QUEUED, Phase.DISPATCHED):
                end(world, task, State.FAILED, QUOTA_SHARE_DELETED)
            elif task.phase in (Phase.STOPPING, Phase.AWAITING):
                task.deleted = True


def cancel(world: World, task: Task) -> None:
    """Section 4: a cancel ends a job at once, or at its release or dispatch time, or before it ever was."""
    match task.phase:
        case Phase.UNSUBMITTED:
            task.phase = Phase.ENDED
            task.history.state = State.CANCELLED
        case Phase.QUEUED | Phase.DISPATCHED:
            end(world, task, State.CANCELLED)
        case Phase.STOPPING | Phase.AWAITING:
            task.cancelled = True
        case Phase.ENDED:
            pass


def submit(world: World) -> None:
    """Section 3, 3: submissions in `seq` order; to an unknown or DISABLED share REJECTED."""
    for task in world.in_phase(Phase.UNSUBMITTED):
        if task.job.submit_ms == world.now:
            if world.first_submission_ms is None:
                world.first_submission_ms = world.now
            share = world.system.share(task.job.share)
            if share is None or not share.enabled:
                change(world, task, Phase.ENDED)
                task.history.state = State.REJECTED
            else:
                change(world, task, Phase.QUEUED)


def scheduling_pass(world: World) -> None:
    """Section 3, 4: do the first thing that can be done, once, and begin again, until none can; never hang."""
    for _ in range(1000 + 10 * len(world.in_phase(Phase.QUEUED))):
        look_at_the_heads(world)
        if not do_the_first_that_can_be_done(world):
            world.misconfigured = [
                (head, reason) for head, _ in world.heads.values() if (reason := misconfiguration(world, head))
            ]
            return
    raise SchedulingLoopError(f"at {world.now} ms the literal model does not come to rest")


def do_the_first_that_can_be_done(world: World) -> bool:
    """Section 3, 4: A over all shares, then B over all, then C, then D."""
    heads = heads_in_order(world)
    return (
        any(use_own_capacity(world, head) for head in heads)
        or any(borrow(world, head) for head in heads)
        or any(preempt_in_share(world, head) for head in heads)
        or backfill(world)
    )


def use_own_capacity(world: World, head: Task) -> bool:
    """Section 3, A: start a head that fits own, or reclaim for it."""
    if not fits_own(world, head):
        return False
    if fits_by_right(world, head):
        if not fits_at_once(world, head):
            return False
        start(world, head)
        return True
    return stop_for(world, head, cross_share_victims(world, head, []))


def borrow(world: World, head: Task) -> bool:
    """Section 3, B: start a head that does not fit own but by borrowing, by right and at once."""
    if fits_own(world, head) or not fits_by_borrowing(world, head):
        return False
    if not (fits_by_right(world, head) and fits_at_once(world, head)):
        return False
    start(world, head)
    return True


def preempt_in_share(world: World, head: Task) -> bool:
    """Section 3, C: stop jobs of its own share for a head that does not fit by right."""
    if not share_of(world, head).in_share_preemption:
        return False
    if fits(world, head) and fits_by_right(world, head):
        return False
    return stop_for(world, head, in_share_victims(world, head))


def backfill(world: World) -> bool:
    """Section 3, D: start the first job behind a head that may start."""
    if world.assumptions.queueing is not Queueing.BACKFILL:
        return False
    for share in world.system.shares:
        for task in queue(world, share.name)[1:]:
            if may_start(world, task):
                start(world, task)
                return True
    return False


def stop_for(world: World, head: Task, victims: list[Task]) -> bool:
    """Section 4: the victims are stopping, and the head awaits reclaimed capacity; with a stop of 0, immediately."""
    if not victims:
        return False
    head.fitted_own = fits_own(world, head)
    for task in victims:
        stop(world, task, cross_share=task.job.share != head.job.share)
    change(world, head, Phase.AWAITING)
    head.dispatched_ms = world.now + world.assumptions.stop_ms
    head.promised = {unit: max(0, head.need(unit) - sum(task.need(unit) for task in victims)) for unit in head.units}
    if world.assumptions.stop_ms == 0:
        release_what_was_stopped(world)
        dispatch_what_awaited(world)
    return True


def stop(world: World, task: Task, *, cross_share: bool) -> None:
    """Section 4, stopping at time t: what is covered is saved, the rest is lost; released at t + stop."""
    covered, lost = covered_ms(task, world.now), lost_ms(task, world.now)
    task.history.overhead_ms += overhead_spent_ms(task, world.now)
    task.history.lost_ms += lost
    task.saved_ms += covered
    if cross_share:
        task.history.cross_share_preemptions += 1
    else:
        task.history.in_share_preemptions += 1
    change(world, task, Phase.STOPPING)
    task.release_ms = world.now + world.assumptions.stop_ms


def start(world: World, task: Task) -> None:
    """Section 4: RUNNABLE to dispatched."""
    change(world, task, Phase.DISPATCHED)
    task.dispatched_ms = world.now


def end(world: World, task: Task, state: State, reason: str | None = None) -> None:
    """Section 4: to a state that a job does not leave."""
    if task.phase is Phase.DISPATCHED:
        task.history.attempts.append((task.dispatched_ms, world.now))
        task.history.overhead_ms += overhead_spent_ms(task, world.now)
    change(world, task, Phase.ENDED)
    task.history.state = state
    task.history.reason = reason
    task.history.finish_ms = world.now


def change(world: World, task: Task, phase: Phase) -> None:
    """Section 8: the horizon goes to the last instant at which a job changed state."""
    task.phase = phase
    world.last_change_ms = world.now


def name_what_blocks(world: World) -> None:
    """Section 6: a misconfigured head that still waits carries its code as reason."""
    for task, reason in world.misconfigured:
        task.history.reason = reason
