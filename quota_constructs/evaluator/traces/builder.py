"""Checked lines become a trace: defaults filled in, seconds made milliseconds, names looked up."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import UNSET, structs

from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import (
    ArrangementChange,
    Cancel,
    Checkpoint,
    Event,
    Job,
    PriorityUpdate,
    Trace,
)
from quota_constructs.evaluator.traces.holdings import Holdings
from quota_constructs.evaluator.traces.refusal import Refused, listed, shown, suggestion
from quota_constructs.evaluator.traces.schema import (
    AnyEventLine,
    CancelLine,
    CheckpointFields,
    Header,
    JobLine,
    PriorityLine,
)

MAX_JOBS: Final = 10_000_000


class UnknownShares(StrEnum):
    """What to do with a job whose share no arrangement of the run declares."""

    FAIL = "fail"
    """Refuse the trace: a misspelt share must not pass as an idle team."""

    REJECT = "reject"
    """Keep the job; the simulation rejects it, as the service would."""


class TraceBuilder:
    """
    Collects the lines of one trace, in order.

    Jobs of a share that the present arrangement lacks are settled at the end, because an arrangement that declares it
    may come on any later line.
    """

    def __init__(
        self, system: System, *, unknown_shares: UnknownShares, read_template: Callable[[str], System]
    ) -> None:
        self._units = {share.name: _units(share) for share in system.shares}
        self._names = {share.name: share.name for share in system.shares}
        self._unknown_shares = unknown_shares
        self._read_template = read_template
        self._jobs: list[Job] = []
        self._line_of: dict[str, int] = {}
        self._events: list[Event] = []
        self._event_lines: list[int] = []
        self._undeclared: list[tuple[int, JobLine, int]] = []
        self._checkpoints: dict[Checkpoint | None, Checkpoint | None] = {}
        self.set_header(Header(trace=1))

    def set_header(self, header: Header) -> None:
        """Let *header*'s defaults hold for all jobs that follow."""
        self._header = header
        default = header.defaults
        self._holdings = Holdings(default)
        self._priority = 0 if default.priority is UNSET else default.priority
        self._retries = None if default.preemption_retries is UNSET else default.preemption_retries
        self._checkpoint = None if default.checkpoint is UNSET else _checkpoint(default.checkpoint)
        self._keeps_nothing = default.checkpoint is None
        self._retries_unlimited = default.preemption_retries is None
        self._startup_ms = 0 if default.startup is UNSET else milliseconds("startup", default.startup)
        self._timeout_ms = None if default.timeout is UNSET else _ms_or_none("timeout", default.timeout)
        self._deadline_ms = None if default.deadline is UNSET else _ms_or_none("deadline", default.deadline)

    def add_job(self, line: JobLine, number: int) -> None:
        """Add the job of *line*, which is line *number* of the file."""
        first = self._line_of.setdefault(line.id, number)
        if first != number:
            raise Refused(f"'id' must be unique, but {shown(line.id)} is also that of line {first}; rename one")
        if len(self._jobs) >= MAX_JOBS:
            raise Refused(f"a trace must have at most {MAX_JOBS:,} jobs; split it by time")
        units = self._units.get(line.share)
        if units is None:
            self._undeclared.append((len(self._jobs), line, number))
        submit_ms = round(line.submit * 1000)
        duration_ms = round(line.duration * 1000)
        if submit_ms / 1000 != line.submit or duration_ms / 1000 != line.duration:
            milliseconds("submit", line.submit)
            milliseconds("duration", line.duration)
        checkpoint = self._checkpoint
        if line.checkpoint is not UNSET:
            checkpoint = _checkpoint(line.checkpoint)
            checkpoint = self._checkpoints.setdefault(checkpoint, checkpoint)
        retries = self._retries if line.preemption_retries is UNSET else line.preemption_retries
        self._jobs.append(
            Job(
                id=line.id,
                share=self._names.setdefault(line.share, line.share),
                submit_ms=submit_ms,
                duration_ms=duration_ms,
                instances=() if units is None else self._holdings.of(line, units),
                priority=self._priority if line.priority is UNSET else line.priority,
                preemption_retries=retries,
                checkpoint=checkpoint,
                startup_ms=self._startup_ms if line.startup is UNSET else milliseconds("startup", line.startup),
                timeout_ms=self._timeout_ms if line.timeout is UNSET else _ms_or_none("timeout", line.timeout),
                deadline_ms=self._deadline_ms if line.deadline is UNSET else _ms_or_none("deadline", line.deadline),
                keeps_nothing=checkpoint is None and (line.checkpoint is None or self._keeps_nothing),
                retries_unlimited=retries is None and (line.preemption_retries is None or self._retries_unlimited),
            )
        )

    def add_event(self, line: AnyEventLine, number: int) -> None:
        """Add the event of *line*, which is line *number* of the file."""
        time_ms = milliseconds("time", line.time)
        event: Event
        if isinstance(line, PriorityLine):
            event = PriorityUpdate(time_ms=time_ms, job=line.job, priority=line.priority)
        elif isinstance(line, CancelLine):
            event = Cancel(time_ms=time_ms, job=line.job)
        else:
            event = ArrangementChange(time_ms=time_ms, system=self._read_template(line.template))
        self._events.append(event)
        self._event_lines.append(number)

    def build(self, name: str) -> Trace:
        """Settle what had to wait for the last line, and return the trace, called *name*."""
        self._settle_undeclared_shares()
        for event, number in zip(self._events, self._event_lines, strict=True):
            if not isinstance(event, ArrangementChange) and event.job not in self._line_of:
                raise Refused(f"'job' must be the 'id' of a job of this trace, got {shown(event.job)}", line=number)
        return Trace(
            name=name,
            jobs=tuple(self._jobs),
            events=tuple(self._events),
            description=self._header.description,
            source=self._header.source,
        )

    def _settle_undeclared_shares(self) -> None:
        """Look the shares up that the first arrangement lacks; the earliest that declares one decides."""
        changes = sorted((event for event in self._events if isinstance(event, ArrangementChange)), key=_time_of)
        later: dict[str, tuple[str, ...]] = {}
        for change in changes:
            for share in change.system.shares:
                later.setdefault(share.name, _units(share))
        for position, line, number in self._undeclared:
            units = later.get(line.share)
            if units is None and self._unknown_shares is UnknownShares.FAIL:
                known = sorted({*self._units, *later})
                raise Refused(
                    f"'share' must be one of {listed(known)}, got {shown(line.share)}"
                    f"{suggestion(line.share, known) or ';'} "
                    f"--unknown-shares={UnknownShares.REJECT} simulates such jobs as rejected",
                    line=number,
                )
            try:
                held = self._holdings.of(line, units)
            except Refused as refused:
                raise Refused(str(refused), line=number) from None
            self._jobs[position] = structs.replace(self._jobs[position], instances=held)


def milliseconds(field: str, seconds: float) -> int:
    """Return *seconds* as whole milliseconds, or refuse *field* for being finer."""
    ms = round(seconds * 1000)
    if ms / 1000 != seconds:
        raise Refused(f"{shown(field)} must have at most three decimals, got {shown(seconds)}; round it")
    return ms


def _ms_or_none(field: str, seconds: float | None) -> int | None:
    return None if seconds is None else milliseconds(field, seconds)


def _checkpoint(fields: CheckpointFields | None) -> Checkpoint | None:
    if fields is None:
        return None
    return Checkpoint(
        interval_ms=None if fields.interval is UNSET else _ms_or_none("checkpoint.interval", fields.interval),
        cost_ms=0 if fields.cost is UNSET else milliseconds("checkpoint.cost", fields.cost),
        restore_ms=0 if fields.restore is UNSET else milliseconds("checkpoint.restore", fields.restore),
        on_stop=False if fields.on_stop is UNSET else fields.on_stop,
    )


def _units(share: QuotaShare) -> tuple[str, ...]:
    return tuple(sorted(share.limits))


def _time_of(change: ArrangementChange) -> int:
    return change.time_ms
