"""What a job does between its dispatch and its end, and what a stop leaves of it (scheduling model, 4)."""

from __future__ import annotations

from quota_constructs.evaluator.trace import Checkpoint, Job


def begin_work_ms(job: Job, saved_ms: int, dispatched_ms: int) -> int:
    """Return when productive work begins: after the startup and, with work to restore, the restore."""
    if saved_ms and job.checkpoint is not None:
        return dispatched_ms + job.startup_ms + job.checkpoint.restore_ms
    return dispatched_ms + job.startup_ms


def wall_ms(work_ms: int, checkpoint: Checkpoint | None) -> int:
    """Return how long *work_ms* of productive work takes undisturbed; its last piece needs no checkpoint."""
    if checkpoint is None or checkpoint.interval_ms is None:
        return work_ms
    return work_ms + checkpoint.cost_ms * ((work_ms - 1) // checkpoint.interval_ms)


def progress_ms(checkpoint: Checkpoint | None, elapsed_ms: int) -> tuple[int, int]:
    """Return (saved, lost) productive time of an attempt stopped *elapsed_ms* after its work began."""
    if elapsed_ms <= 0:
        return 0, 0
    if checkpoint is None:
        return 0, elapsed_ms
    done = elapsed_ms
    covered = 0
    if checkpoint.interval_ms is not None:
        cycles, rest = divmod(elapsed_ms, checkpoint.interval_ms + checkpoint.cost_ms)
        covered = cycles * checkpoint.interval_ms
        done = covered + min(rest, checkpoint.interval_ms)
    if checkpoint.on_stop:
        covered = done
    return covered, done - covered
