"""A trace without names: ids and shares replaced, times counted from its first, and nothing else changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType, structs

from quota_constructs.evaluator.traces.builder import milliseconds
from quota_constructs.evaluator.traces.reader import placed, read_lines
from quota_constructs.evaluator.traces.refusal import Refused, shown
from quota_constructs.evaluator.traces.schema import (
    MAX_SECONDS,
    AnyEventLine,
    ArrangementLine,
    Defaults,
    Header,
    JobLine,
)

JOB: Final = "job"
SHARE: Final = "team"

_Line = TypeVar("_Line", bound=Defaults)


class Anonymous:
    """The lines of one trace, and the names in it with what stands in their place."""

    def __init__(self, path: Path) -> None:
        """Read the trace at *path*, in any of the forms that a trace has."""
        self.header: Header | None = None
        self.shares: dict[str, str] = {}
        self.jobs: dict[str, str] = {}
        """What stands in the place of each name: shares in their old order, which decides ties, jobs as they come."""

        self._path = path
        self._lines: list[tuple[int, JobLine | AnyEventLine]] = []
        read_lines(path, self)
        width = len(str(len(self.shares)))
        self.shares = {name: f"{SHARE}-{place:0{width}}" for place, name in enumerate(sorted(self.shares), start=1)}

    def set_header(self, header: Header) -> None:
        """Take the header."""
        self.header = header

    def add_job(self, line: JobLine, number: int) -> None:
        """Take a job, and give it a name."""
        if line.id in self.jobs:
            raise Refused(f"'id' must be unique, and {shown(line.id)} came before; rename one")
        self.jobs[line.id] = f"{JOB}-{len(self.jobs) + 1}"
        self.shares.setdefault(line.share, "")
        self._lines.append((number, line))

    def add_event(self, line: AnyEventLine, number: int) -> None:
        """Take an event, unless it leads to a template, in which the shares keep their names."""
        if isinstance(line, ArrangementLine):
            raise Refused("'arrangement' leads to a template, which names the shares and is not changed; remove it")
        self._lines.append((number, line))

    def encode(self) -> Iterator[bytes]:
        """Yield the lines of the trace without names, in JSON and in their order."""
        encode = msgspec.json.Encoder().encode
        zero_ms = self._zero_ms()
        if self.header is not None:
            with placed(self._path):
                defaults = _with_deadline_from(zero_ms, self.header.defaults)
            yield encode(structs.replace(self.header, defaults=defaults)) + b"\n"
        for number, line in self._lines:
            with placed(self._path, number):
                renamed = self._renamed(line, zero_ms)
            yield encode(renamed) + b"\n"

    def _zero_ms(self) -> int:
        """Return the time of the first line, or refuse a line for its time."""
        first_ms: int | None = None
        for number, line in self._lines:
            with placed(self._path, number):
                time_ms = _time_ms(line)
            first_ms = time_ms if first_ms is None else min(first_ms, time_ms)
        return first_ms or 0

    def _renamed(self, line: JobLine | AnyEventLine, zero_ms: int) -> JobLine | AnyEventLine:
        time = _seconds(_time_ms(line) - zero_ms)
        if isinstance(line, JobLine):
            moved = _with_deadline_from(zero_ms, line)
            duration = _seconds(milliseconds("duration", line.duration))
            id_, share = self.jobs[line.id], self.shares[line.share]
            return structs.replace(moved, id=id_, share=share, submit=time, duration=duration)
        if isinstance(line, ArrangementLine) or line.job not in self.jobs:
            raise Refused("'job' must be the 'id' of a job of this trace; correct or remove the event")
        return structs.replace(line, job=self.jobs[line.job], time=time)


def _time_ms(line: JobLine | AnyEventLine) -> int:
    if isinstance(line, JobLine):
        return milliseconds("submit", line.submit)
    return milliseconds("time", line.time)


def _with_deadline_from(zero_ms: int, line: _Line) -> _Line:
    """Return *line* with its deadline counted from *zero_ms*, if it has one."""
    deadline: float | UnsetType | None = line.deadline
    if deadline is UNSET or deadline is None:
        return line
    moved_ms = milliseconds("deadline", deadline) - zero_ms
    if moved_ms < -MAX_SECONDS * 1000:
        raise Refused(f"'deadline' would be before -{MAX_SECONDS:,} s, counted from the first job; correct it")
    return structs.replace(line, deadline=_seconds(moved_ms))


def _seconds(ms: int) -> float:
    """Return *ms* in seconds, whole ones without a decimal point."""
    return ms / 1000 if ms % 1000 else ms // 1000
