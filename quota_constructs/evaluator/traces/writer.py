"""A trace back into JSON Lines, so that a generated or an imported one can be kept and read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Cancel, Checkpoint, Event, Job, PriorityUpdate, Trace
from quota_constructs.evaluator.traces.schema import (
    VERSION,
    AnyEventLine,
    ArrangementLine,
    CancelLine,
    CheckpointFields,
    Header,
    JobLine,
    PriorityLine,
)
from quota_constructs.printable import printable


def write_trace(trace: Trace, path: Path) -> None:
    """Write *trace* to *path*: a header, then the jobs, then the events, each in its order."""
    with path.open("wb") as file:
        file.writelines(encode_trace(trace, folder=path.parent))


def encode_trace(trace: Trace, *, folder: Path) -> Iterator[bytes]:
    """Yield the lines of *trace* as they stand in a file in *folder*, below which all templates that it names lie."""
    encode = msgspec.json.Encoder().encode
    for line in _lines(trace, folder):
        yield encode(line) + b"\n"


def _lines(trace: Trace, folder: Path) -> Iterator[Struct]:
    yield Header(trace=VERSION, description=trace.description, source=trace.source)
    yield from map(_job_line, trace.jobs)
    for event in trace.events:
        yield _event_line(event, folder)


def _job_line(job: Job) -> JobLine:
    """Return the line of *job*, without what is the default anyway."""
    held = dict(job.instances)
    unit, count = job.instances[0] if len(held) == 1 else (UNSET, UNSET)
    return JobLine(
        id=job.id,
        share=job.share,
        submit=_seconds(job.submit_ms),
        duration=_seconds(job.duration_ms),
        instance_type=unit,
        instance_count=count,
        instances=held if len(held) > 1 else UNSET,
        priority=job.priority or UNSET,
        preemption_retries=job.preemption_retries if _says_retries(job) else UNSET,
        checkpoint=_checkpoint_fields(job.checkpoint) if _says_checkpoint(job) else UNSET,
        startup=_seconds(job.startup_ms) if job.startup_ms else UNSET,
        timeout=UNSET if job.timeout_ms is None else _seconds(job.timeout_ms),
        deadline=UNSET if job.deadline_ms is None else _seconds(job.deadline_ms),
    )


def _says_retries(job: Job) -> bool:
    return job.preemption_retries is not None or job.retries_unlimited


def _says_checkpoint(job: Job) -> bool:
    return job.checkpoint is not None or job.keeps_nothing


def _checkpoint_fields(checkpoint: Checkpoint | None) -> CheckpointFields | None:
    if checkpoint is None:
        return None
    return CheckpointFields(
        interval=None if checkpoint.interval_ms is None else _seconds(checkpoint.interval_ms),
        cost=_seconds(checkpoint.cost_ms),
        restore=_seconds(checkpoint.restore_ms),
        on_stop=checkpoint.on_stop,
    )


def _event_line(event: Event, folder: Path) -> AnyEventLine:
    time = _seconds(event.time_ms)
    if isinstance(event, PriorityUpdate):
        return PriorityLine(time=time, job=event.job, priority=event.priority)
    if isinstance(event, Cancel):
        return CancelLine(time=time, job=event.job)
    return ArrangementLine(time=time, template=_template(event.system, folder))


def _template(system: System, folder: Path) -> str:
    """Return the path of *system*'s template as a trace in *folder* may name it."""
    path, inside = Path(system.source.template).resolve(), folder.resolve()
    if not path.is_relative_to(inside):
        raise TraceError(
            f"{printable(system.source.template)}: a template that a trace names must lie in the trace's folder, "
            f"{printable(str(folder))}; write the trace beside it"
        )
    return path.relative_to(inside).as_posix()


def _seconds(ms: int) -> float:
    """Return *ms* in seconds, whole ones without a decimal point."""
    return ms / 1000 if ms % 1000 else ms // 1000
