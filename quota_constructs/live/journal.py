"""What an unfinished recording knows already, in a file beside its output: a kill loses nothing that was written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec
from msgspec import Struct

from quota_constructs.errors import UsageError
from quota_constructs.live.facts import JobFacts
from quota_constructs.printable import shortened

ENDING = ".journal"


def journal_of(output: Path) -> Path:
    """Return where the journal of a recording lies that is to become *output*."""
    return output.with_name(output.name + ENDING)


class Window(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is recorded: fixed when a recording is first begun, so that it is the same when it goes on."""

    journal: Literal[1] = 1
    queue: str
    """The queue's ARN."""

    since: str
    until: str
    """Both as they were said, to tell whether the same is asked for again."""

    since_ms: int
    until_ms: int
    """Both as they were meant when the recording was first begun."""


class _Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    facts: JobFacts | None


class Journal:
    """What was learnt of jobs, by id; None of those that were gone when they were asked about."""

    def __init__(self, output: Path, asked: Window) -> None:
        """Take over what an earlier run left beside *output*, if it was *asked* for the same."""
        self.path = journal_of(output)
        self.window = asked
        self.jobs: dict[str, JobFacts | None] = {}
        self._encode = msgspec.json.Encoder().encode
        self._length = self._read() if self.path.exists() else 0
        began = self.window
        if (began.queue, began.since, began.until) != (asked.queue, asked.since, asked.until):
            raise UsageError(
                f"{self.path}: holds an unfinished recording of {shortened(began.queue, length=200)} since "
                f"{shortened(began.since)}, until {shortened(began.until)}; finish that one, or remove the file"
            )

    def __enter__(self) -> Self:
        """Begin to write, behind the last line that is whole."""
        self._file = self.path.open("ab")
        self._file.truncate(self._length)
        if not self._length:
            self._write([self.window])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the file; it stays, to go on from."""
        self._file.close()

    def add(self, learnt: Mapping[str, JobFacts | None]) -> None:
        """Keep what was learnt of some jobs."""
        self._write([_Entry(id=job, facts=facts) for job, facts in learnt.items()])
        self.jobs.update(learnt)

    def remove(self) -> None:
        """Remove the file, as the recording is finished."""
        self.path.unlink(missing_ok=True)

    def _write(self, lines: list[Struct]) -> None:
        self._file.write(b"".join(self._encode(line) + b"\n" for line in lines))
        self._file.flush()

    def _read(self) -> int:
        """Read what is there, and return how long it is without a line that was not finished."""
        length, decode = 0, msgspec.json.Decoder(_Entry).decode
        try:
            with self.path.open("rb") as file:
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    if length:
                        entry = decode(line)
                        self.jobs[entry.id] = entry.facts
                    else:
                        self.window = msgspec.json.decode(line, type=Window)
                    length += len(line)
        except msgspec.MsgspecError as error:
            raise UsageError(
                f"{self.path}: is no journal of a recording; remove it ({shortened(str(error))})"
            ) from None
        return length
