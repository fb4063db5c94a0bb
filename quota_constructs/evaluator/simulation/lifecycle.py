"""What a job does between its dispatch and its end, and what a stop leaves of it (scheduling model, 4)."""

from __future__ import annotations

from quota_constructs.evaluator.trace import Checkpoint, Job


def attempt_ms(job: Job, saved_ms: int, dispatched_ms: int) -> tuple[int, int, bool]:
    """
    Return when an attempt's productive work begins, when the attempt ends undisturbed, and whether by timeout.

    The work begins after the startup and, with saved work, the restore; the timeout counts from there.
    """
    begins, length = dispatched_ms + job.startup_ms, job.duration_ms
    checkpoint, timeout = job.checkpoint, job.timeout_ms
    if checkpoint is not None:
        if saved_ms:
            begins += checkpoint.restore_ms
        length = wall_ms(length - saved_ms, checkpoint)
    if timeout is not None and length > timeout:
        return begins, begins + timeout, True
    return begins, begins + length, False


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
        cycle_ms = checkpoint.interval_ms + checkpoint.cost_ms
        cycles, rest = divmod(elapsed_ms, cycle_ms)
        done = cycles * checkpoint.interval_ms + min(rest, checkpoint.interval_ms)
        covered = max(0, elapsed_ms - checkpoint.lag_ms) // cycle_ms * checkpoint.interval_ms
    if checkpoint.on_stop:
        covered = done
    return covered, done - covered
