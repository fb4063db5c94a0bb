"""Who is given the lines of a trace file, decoded and checked one by one."""

from __future__ import annotations

from typing import Protocol

from quota_constructs.evaluator.traces.schema import AnyEventLine, Header, JobLine


class LineTaker(Protocol):
    """Takes the lines in the order of the file; refuses one by raising Refused."""

    def set_header(self, header: Header) -> None:
        """Take the header, which comes first if there is one."""
        ...

    def add_job(self, line: JobLine, number: int) -> None:
        """Take the job of *line*, which is line *number* of the file."""
        ...

    def add_event(self, line: AnyEventLine, number: int) -> None:
        """Take the event of *line*, which is line *number* of the file."""
        ...
