"""From a trace file to a trace; the only place that says which file and line is at fault."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces.builder import TraceBuilder, UnknownShares
from quota_constructs.evaluator.traces.jsonl import read_json_lines
from quota_constructs.evaluator.traces.refusal import Refused, listed, shown
from quota_constructs.evaluator.traces.source import Lines
from quota_constructs.evaluator.traces.spreadsheet import read_spreadsheet
from quota_constructs.evaluator.traces.taker import LineTaker
from quota_constructs.printable import printable

READERS: Final = {
    ".jsonl": read_json_lines,
    ".jsonl.gz": read_json_lines,
    ".csv": read_spreadsheet,
    ".csv.gz": read_spreadsheet,
}


def read_trace(
    path: Path,
    *,
    system: System,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
    read_arrangement: Callable[[Path], System] | None = None,
) -> Trace:
    """
    Return the trace in the file at *path*, or raise a TraceError that names file, line and field.

    A job that does not say what it holds takes the only unit of its share in *system*, or in the earliest later
    arrangement that declares the share. *read_arrangement* reads the template that an `arrangement` event names,
    which must lie in the trace's own folder; without it, such events are refused. *unknown_shares* decides about jobs
    whose share nothing declares. Defaults to refusing the trace.
    """
    templates = _Templates(path.parent, read_arrangement)
    builder = TraceBuilder(system, unknown_shares=unknown_shares, read_template=templates.read)
    read_lines(path, builder)
    with placed(path):
        return builder.build(str(path))


def read_lines(path: Path, taker: LineTaker) -> None:
    """Give every line of the trace at *path* to *taker*, or raise a TraceError that names file, line and field."""
    read = next((read for ending, read in READERS.items() if path.name.lower().endswith(ending)), None)
    if read is None:
        raise TraceError(f"{printable(str(path))}: a trace's name must end in one of {listed(READERS)}")
    lines = Lines(path)
    with placed(path, lines):
        read(lines, taker)


@contextmanager
def placed(path: Path, at: Lines | int = 0) -> Generator[None]:
    """Say of what is refused where it is: in the line that it names, or else that of *at*, the last one read."""
    try:
        yield
    except Refused as refused:
        line = refused.line or (at if isinstance(at, int) else at.number)
        raise TraceError(f"{printable(str(path))}:{f'{line}:' * bool(line)} {refused}") from None
    except OSError as error:
        raise TraceError(f"{printable(str(path))}: cannot be read: {_reason(error)}") from None


class _Templates:
    """The templates that a trace names, each read once, however it is spelt."""

    def __init__(self, folder: Path, read_arrangement: Callable[[Path], System] | None) -> None:
        self._folder = folder
        self._read_arrangement = read_arrangement
        self._systems: dict[Path, System] = {}

    def read(self, template: str) -> System:
        """Return the arrangement in *template*, a path that does not lead out of the trace's folder."""
        if self._read_arrangement is None:
            raise Refused("'event' must be 'priority' or 'cancel' here, where no other template can be read")
        path = self._folder / template
        file = _resolved(path)
        if not template.isprintable() or file is None or not file.is_relative_to(self._folder.resolve()):
            raise Refused(
                f"'template' must be a path within the trace's own folder, got {shown(template)}; "
                "put the template beside the trace"
            )
        if file not in self._systems:
            self._systems[file] = self._read_arrangement(path)
        return self._systems[file]


def _resolved(path: Path) -> Path | None:
    """Return where *path* ends up, all links followed; None if it cannot be told."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # links that lead in a circle, too long a name, a zero byte
        return None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
