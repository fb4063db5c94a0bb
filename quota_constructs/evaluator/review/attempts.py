"""What was running at one moment of a run, and what stopping it there throws away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.lifecycle import attempt_ms, progress_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a job, which works from its dispatch until it ends or is told to stop."""

    number: int
    began_ms: int
    ended_ms: int
    """When it ended by itself or was told to stop; its instances may be held a little longer."""

    stopped: bool
    """Whether it was told to stop for another job."""


def attempts_of(each: JobHistory, stop_ms: int) -> Iterator[Attempt]:
    """Yield the attempts of a job in order; those that were stopped for other jobs come before any that was not."""
    preemptions = each.cross_share_preemptions + each.in_share_preemptions
    for number, (began, ended) in enumerate(each.attempts):
        stopped = number < preemptions
        yield Attempt(number=number, began_ms=began, ended_ms=ended - stop_ms * stopped, stopped=stopped)


def under_way(jobs: Sequence[JobHistory], at_ms: int, stop_ms: int) -> dict[int, Attempt]:
    """Return the attempts that had begun before *at_ms* and had not ended, by their job's place in the trace."""
    running: dict[int, Attempt] = {}
    for seq, each in enumerate(jobs):
        if each.attempts and each.attempts[0][0] < at_ms < each.attempts[-1][1]:
            for attempt in attempts_of(each, stop_ms):
                if attempt.began_ms < at_ms < attempt.ended_ms:
                    running[seq] = attempt
    return running


def work_ms(each: JobHistory, until: Attempt, stop_ms: int) -> tuple[int, int]:
    """Return (kept, thrown away): what a job had saved as *until* ended, and what it worked in that attempt in vain."""
    saved = lost = 0
    for attempt in attempts_of(each, stop_ms):
        begins, _, _ = attempt_ms(each.job, saved, attempt.began_ms)
        kept, lost = progress_ms(each.job.checkpoint, attempt.ended_ms - begins)
        saved += kept
        if attempt.number == until.number:
            break
    return saved, lost
