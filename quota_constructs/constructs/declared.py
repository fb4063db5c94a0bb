"""Notes in the cloud assembly which line of Python declares a resource, for reports that point at it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path

from constructs import IConstruct

from quota_constructs.policies.declaration import DECLARATION_KEY, Declaration

_OURS = __name__.partition(".")[0]
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def note_declaration(resource: IConstruct) -> None:
    """
    Note where *resource* is declared: the innermost line of Python that is neither ours nor installed.

    Nothing is noted of files outside the repository, or outside where the app runs if that is in none: no template
    and no assembly holds a path of one machine.
    """
    root = _root(Path.cwd())
    declaration = next((found for file, line in _callers() if (found := _below(root, file, line))), None)
    if declaration is not None:
        resource.node.add_metadata(DECLARATION_KEY, declaration.as_metadata())


def _root(here: Path) -> Path:
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _callers() -> Iterator[tuple[Path, int]]:
    """Yield file and line of every frame that is not ours and has a file, from the inside out."""
    frame = inspect.currentframe()
    while frame is not None:
        is_ours = str(frame.f_globals.get("__name__")).partition(".")[0] == _OURS
        if not is_ours and not frame.f_code.co_filename.startswith("<"):
            yield Path(os.path.abspath(frame.f_code.co_filename)), frame.f_lineno  # noqa: PTH100 - follows no link
        frame = frame.f_back


def _below(root: Path, file: Path, line: int) -> Declaration | None:
    if not file.is_relative_to(root) or _INSTALLED.intersection(file.parts):
        return None
    return Declaration(file=file.relative_to(root).as_posix(), line=line)
