"""
Contention traces in a few words, with the fields of the published format: times in seconds, what is left out left out.

Values are checked where every trace's are, when they are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.traces.schema import (
    VERSION,
    CancelLine,
    CheckpointFields,
    Header,
    JobLine,
    PriorityLine,
)

HOUR = 3_600.0

_FILE_NAME = re.compile(r"[^/\\\0]+\.jsonl")

Line = JobLine | PriorityLine | CancelLine


@dataclass(frozen=True, slots=True, kw_only=True)
class HandmadeTrace:
    """A trace that was built in a test."""

    name: str
    """What findings call it, and promises that hold on some traces only."""

    header: Header
    lines: tuple[Line, ...]

    def write(self, folder: Path) -> Path:
        """Write the trace to a file of its name in *folder*, and return the file."""
        path = folder / self.name
        encode = msgspec.json.Encoder().encode
        path.write_bytes(b"".join(encode(line) + b"\n" for line in (self.header, *self.lines)))
        return path


def a_job(
    id: str,  # noqa: A002 - the field's name
    share: str,
    instances: int | Mapping[str, int] = 1,
    *,
    submit: float = 0,
    duration: float = HOUR,
    priority: int | UnsetType = UNSET,
    preemption_retries: int | UnsetType | None = UNSET,
    checkpoint: CheckpointFields | UnsetType | None = UNSET,
    startup: float | UnsetType = UNSET,
    timeout: float | UnsetType | None = UNSET,
    deadline: float | UnsetType | None = UNSET,
) -> JobLine:
    """
    Return a job of an hour on one instance, submitted at the start.

    Args:
        id: Its name, which no other job of the trace has.
        share: The quota share that it is submitted to.
        instances: How many of the share's only instance type, or how many by instance type.
        submit: When it is submitted, in seconds.
        duration: How many seconds it works if nobody stops it.
        priority: Its scheduling priority. Defaults to 0.
        preemption_retries: How often it may be preempted before it fails; None is without end. Defaults to what the
            share's interruption contract says, and to no end.
        checkpoint: How it saves its work; None saves nothing. Defaults to what the share's interruption contract
            says, and to nothing.
        startup: Seconds from each start to the first productive moment. Defaults to 0.
        timeout: The longest an attempt may work, in seconds. Defaults to no limit.
        deadline: When it should be done, in seconds; only reported. Defaults to none.

    """
    return JobLine(
        id=id,
        share=share,
        instance_count=instances if isinstance(instances, int) else UNSET,
        instances=UNSET if isinstance(instances, int) else dict(instances),
        submit=submit,
        duration=duration,
        priority=priority,
        preemption_retries=preemption_retries,
        checkpoint=checkpoint,
        startup=startup,
        timeout=timeout,
        deadline=deadline,
    )


def a_checkpoint(
    interval: float | None, *, cost: float = 0, restore: float = 0, on_stop: bool = False
) -> CheckpointFields:
    """
    Return a way to save work.

    Args:
        interval: Productive seconds from one checkpoint to the next; None makes none.
        cost: How many seconds each takes.
        restore: How many seconds it takes to continue from saved work.
        on_stop: Whether all work is saved when the job is told to stop.

    """
    return CheckpointFields(interval=interval, cost=cost, restore=restore, on_stop=on_stop)


def a_priority_update(time: float, job: str, priority: int) -> PriorityLine:
    """Return the event that the scheduling priority of the job called *job* becomes *priority* at second *time*."""
    return PriorityLine(time=time, job=job, priority=priority)


def a_cancellation(time: float, job: str) -> CancelLine:
    """Return the event that the job called *job* is cancelled at second *time*."""
    return CancelLine(time=time, job=job)


def a_trace(*lines: Line, name: str = "trace.jsonl", description: str = "") -> HandmadeTrace:
    """Return the trace of *lines*, jobs and events; *name* is that of the file it would be, ending in `.jsonl`."""
    if not _FILE_NAME.fullmatch(name):
        raise UsageError(f"a trace's name must be that of a file in any folder, and end in .jsonl, got {name!r}")
    return HandmadeTrace(name=name, header=Header(trace=VERSION, description=description), lines=lines)
