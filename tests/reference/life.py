"""What one attempt of a job does with its time (scheduling model, 4)."""

from __future__ import annotations

from tests.reference.state import Task


def overhead_planned_ms(task: Task) -> int:
    """Section 4: first `startup`, then `restore` if it has saved work."""
    keeps = task.job.checkpoint
    restore = keeps.restore_ms if keeps is not None and task.saved_ms > 0 else 0
    return task.job.startup_ms + restore


def work_begins_ms(task: Task) -> int:
    """Section 4: then it works."""
    return task.dispatched_ms + overhead_planned_ms(task)


def wall_ms(task: Task) -> int:
    """Section 4: the remaining work W takes W + c * (ceil(W/interval) - 1)."""
    remaining = task.job.duration_ms - task.saved_ms
    keeps = task.job.checkpoint
    if keeps is None or keeps.interval_ms is None:
        return remaining
    pieces = -(-remaining // keeps.interval_ms)
    return remaining + keeps.cost_ms * (pieces - 1)


def times_out(task: Task) -> bool:
    """Section 4: whether the work exceeds `timeout`."""
    return task.job.timeout_ms is not None and wall_ms(task) > task.job.timeout_ms


def ends_ms(task: Task) -> int:
    """Section 4: when the attempt ends by itself, by completion or by timeout."""
    if task.job.timeout_ms is not None and times_out(task):
        return work_begins_ms(task) + task.job.timeout_ms
    return work_begins_ms(task) + wall_ms(task)


def productive_ms(task: Task, now: int) -> int:
    """Section 4: the productive time done in this attempt, in cycles of work and checkpoint."""
    elapsed = max(0, now - work_begins_ms(task))
    keeps = task.job.checkpoint
    if keeps is None or keeps.interval_ms is None:
        return elapsed
    cycles, rest = divmod(elapsed, keeps.interval_ms + keeps.cost_ms)
    return cycles * keeps.interval_ms + min(rest, keeps.interval_ms)


def covered_ms(task: Task, now: int) -> int:
    """Section 4: what completed checkpoints cover is saved (everything, if `on_stop`)."""
    keeps = task.job.checkpoint
    if keeps is None:
        return 0
    if keeps.on_stop:
        return productive_ms(task, now)
    if keeps.interval_ms is None:
        return 0
    elapsed = max(0, now - work_begins_ms(task))
    checkpoints = 0
    while (checkpoints + 1) * (keeps.interval_ms + keeps.cost_ms) + keeps.lag_ms <= elapsed:
        checkpoints += 1
    return checkpoints * keeps.interval_ms


def lost_ms(task: Task, now: int) -> int:
    """Section 4: the rest is lost work."""
    return productive_ms(task, now) - covered_ms(task, now)


def overhead_spent_ms(task: Task, now: int) -> int:
    """Section 8: the time really spent in startup and restore in this attempt."""
    return min(now - task.dispatched_ms, overhead_planned_ms(task))
