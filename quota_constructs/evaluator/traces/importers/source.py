"""One file of an import: its lines as text, and how far it has been read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from quota_constructs.evaluator.traces.refusal import Refused
from quota_constructs.evaluator.traces.source import Lines

GZIP = ".gz"
EVERY_LINES = 4096
"""How many lines are read between two reports of progress."""


class SourceFile:
    """A file that is read once, plain or as gzip, bounded in its lines and its length."""

    def __init__(self, path: Path, *, progress: Callable[[int], None] = lambda _: None) -> None:
        self.path = path
        self.notes: list[str] = []
        """What a reader finds to say of the file as a whole; goes into the report."""

        self.row = 0
        """For formats that are no lines: which row is being read, from 1; 0 where the line says it."""

        self.ends_open = False
        """Whether the last line that was read had no line end."""

        self._lines = Lines(path)
        self._progress = progress

    @property
    def name(self) -> str:
        """The file's name without folders and endings, as a team is called that has a file of its own."""
        name = self.path.name.removesuffix(GZIP)
        return name.rpartition(".")[0] or name

    @property
    def place(self) -> str:
        """Where in the file the reader is, as the end of a file name: `:12` for line 12."""
        if self.row:
            return f": row {self.row}"
        return f":{self._lines.number}" if self._lines.number else ""

    def note_an_open_end(self) -> None:
        """Note it if the last line has no line end: whatever wrote the file ends every line."""
        if self.ends_open:
            self.notes.append("its last line has no line end, so it may be cut off")

    def lines(self) -> Iterator[str]:
        """Yield each line without its line end, whatever system wrote it."""
        read = 0
        for line in self._lines:
            read += len(line)
            if self._lines.number % EVERY_LINES == 0:
                self._progress(read)
                read = 0
            self.ends_open = not line.endswith(b"\n")
            try:
                text = line.decode().rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise Refused(f"not UTF-8 (byte {error.start + 1} of the line); save the file as UTF-8") from None
            if "\r" in text:  # two jobs could pass for one with many fields
                raise Refused("a carriage return stands inside the line; let every line end in LF or CRLF")
            yield text
        self._progress(read)
