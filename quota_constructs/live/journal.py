"""What an unfinished recording knows already, in a file beside its output: a kill loses nothing that was written."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Self

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
        """Belong to the recording that is to become *output*."""
        self.path = journal_of(output)
        self.window = asked
        self.jobs: dict[str, JobFacts | None] = {}
        self._encode = msgspec.json.Encoder().encode

    def __enter__(self) -> Self:
        """Take over what an earlier run left, if it was asked for the same, and write behind its last whole line."""
        self._file = self.path.open("a+b")
        try:
            self._claim()
            asked, length = self.window, self._read()
            self._refuse_other_than(asked)
            self._file.truncate(length)
            if not length:
                self._write([self.window])
        except BaseException:
            self._file.close()
            raise
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

    def _claim(self) -> None:
        if not _is_ours_alone(self._file):
            raise UsageError(
                f"{self.path}: another recording to the same output is under way; wait for it, or name another -o"
            )

    def _refuse_other_than(self, asked: Window) -> None:
        began = self.window
        if (began.queue, began.since, began.until) != (asked.queue, asked.since, asked.until):
            raise UsageError(
                f"{self.path}: holds an unfinished recording of {shortened(began.queue, length=200)} since "
                f"{shortened(began.since)}, until {shortened(began.until)}; finish that one, or remove the file"
            )

    def _read(self) -> int:
        """Read what is there, and return how long it is without a line that was not finished."""
        length, decode = 0, msgspec.json.Decoder(_Entry).decode
        try:
            self._file.seek(0)
            for line in self._file:
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


def _is_ours_alone(file: BinaryIO) -> bool:
    """Claim *file* for as long as it is open, where the system can; say whether nobody else has."""
    if sys.platform != "win32":  # which has no such locks
        import fcntl  # noqa: PLC0415 - is not there on Windows

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks: two recordings at once are then the user's to avoid
            return True
    return True
