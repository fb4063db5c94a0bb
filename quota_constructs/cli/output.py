"""Where commands write: results to standard output, everything said about them to standard error."""

from __future__ import annotations

import os
import sys
from errno import EISDIR, ELOOP

from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import TextIO

    from quota_constructs.evaluator.report.screen import Screen

PIPED_WIDTH = 120
NARROWEST = 60
LONGEST_LINE = 2_000


def complain(message: str) -> None:
    """Write one line to standard error, with nothing in it that could steer a terminal."""
    from quota_constructs.printable import shortened

    if not sys.stderr:  # closed by the caller
        return
    try:
        sys.stderr.write(f"quota-constructs: {shortened(message, length=LONGEST_LINE)}\n")
        sys.stderr.flush()
    except OSError:  # what cannot be said must not change the exit code
        _forget_the_rest(sys.stderr)


def note(message: str) -> None:
    """Write one line about the reading to standard error."""
    complain(f"note: {message}")


def write_text(text: str) -> None:
    """Write *text* to standard output; what its encoding lacks is written as an escape."""
    write([text.encode(sys.stdout.encoding, "backslashreplace")])


def write(pieces: Iterable[bytes]) -> None:
    """Write *pieces* to standard output, as they come."""
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_the_rest(sys.stdout)
        raise
    except OSError as error:
        _forget_the_rest(sys.stdout)
        raise UsageError(f"the result cannot be written: {(error.strerror or str(error)).lower()}") from error


def deliver(pieces: Iterable[bytes], to: str | None) -> None:
    """Write *pieces* to the file called *to*, or to standard output if none is."""
    if to is None:
        write(pieces)
        return
    from pathlib import Path

    save(Path(to), pieces)


def save(path: Path, pieces: Iterable[bytes]) -> None:
    """Write *pieces* to the file at *path*, all of it or nothing."""
    save_all([(path, pieces)])


def save_all(files: Iterable[tuple[Path, Iterable[bytes]]]) -> None:
    """Write each of *files*, (path, pieces): all of them or none, and none of them is ever half there."""
    unfinished: dict[Path, Path] = {}
    path = None
    try:
        try:
            for path, pieces in files:
                target = _target(path)
                unfinished[target] = _beside(target)
                with unfinished[target].open("xb" if unfinished[target] != target else "wb") as file:
                    file.writelines(pieces)
            for path, written in unfinished.items():
                written.replace(path)
        finally:
            for target, written in unfinished.items():
                if written != target:
                    written.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _target(path: Path) -> Path:
    """Return the file that is meant by *path*, which may be a link to it."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if not path.is_symlink() or (path.exists() and not path.is_file()):
        return path
    from pathlib import Path

    target = Path(os.path.realpath(path))
    if target.is_symlink():  # a link that leads back to itself
        raise OSError(ELOOP, os.strerror(ELOOP))
    return target


def _beside(target: Path) -> Path:
    """Return where to write what will be *target*: what is there already and no file, such as a pipe, is written to."""
    return target if target.exists() and not target.is_file() else target.with_name(f".{target.name}.{os.getpid()}")


def _forget_the_rest(stream: TextIO) -> None:
    # Python writes out what is left once more on its way out, and would complain again: let that go nowhere.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def screen() -> Screen:
    """Return what standard output is: how wide, and whether colours are wanted (https://no-color.org)."""
    import shutil

    from quota_constructs.evaluator.report.screen import Screen

    if not sys.stdout.isatty():
        return Screen(width=PIPED_WIDTH)
    width = max(shutil.get_terminal_size((PIPED_WIDTH, 0)).columns, NARROWEST)
    return Screen(width=width, colour=not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")
