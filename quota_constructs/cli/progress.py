"""How far along a long command is, for whoever watches."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """A progress bar on standard error, if that is a terminal."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("jobs"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("jobs", total=None)

    def __enter__(self) -> Self:
        """Show it."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take it away."""
        self._progress.stop()

    def show(self, done: int, total: int) -> None:
        """Let it say how many of all are done."""
        self._progress.update(self._task, completed=done, total=total)
