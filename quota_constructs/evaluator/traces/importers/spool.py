"""Jobs on their way through an import, on disk: sorted, named and summed up in bounded memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

from msgspec import Struct

CACHE_KIB: Final = 65_536
SETTINGS: Final = f"""
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = FILE;
    PRAGMA cache_size = -{CACHE_KIB};
    CREATE TABLE job (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, team TEXT NOT NULL, submit INTEGER NOT NULL,
        duration INTEGER NOT NULL, units INTEGER NOT NULL, priority INTEGER NOT NULL, instance_type TEXT
    );
"""
PRIVATE_FILE: Final = ""
"""As the name of a database: a temporary file that is gone with the connection."""


class Spooled(Struct, frozen=True, gc=False):
    """One job, by the columns of the table."""

    seq: int
    id: str
    team: str
    submit_ms: int
    duration_ms: int
    milli_units: int
    priority: int
    instance_type: str | None


class Spool:
    """A table of jobs, in the order of the source until they are read in the order of their submission."""

    def __init__(self) -> None:
        self._database = sqlite3.connect(PRIVATE_FILE, isolation_level=None)
        self._database.executescript(SETTINGS)
        self._database.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._database.close()

    def add(self, job: Spooled) -> bool:
        """Take *job* in, unless there is one of its id; say whether it was taken."""
        values = (job.seq, job.id, job.team, job.submit_ms, job.duration_ms, job.milli_units, job.priority)
        put = self._database.execute(
            "INSERT OR IGNORE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values, job.instance_type)
        )
        return put.rowcount == 1

    def add_attempt(self, job: Spooled) -> None:
        """Add what *job* worked to the one of its id; what it held last, it holds."""
        self._database.execute(
            "UPDATE job SET submit = min(submit, ?), duration = duration + ?, units = ? WHERE id = ?",
            (job.submit_ms, job.duration_ms, job.milli_units, job.id),
        )

    def remove_outside(self, first_ms: int, end_ms: int) -> int:
        """Remove what is not submitted from *first_ms* to before *end_ms*, and return how many that were."""
        removed = self._database.execute("DELETE FROM job WHERE submit < ? OR submit >= ?", (first_ms, end_ms))
        return removed.rowcount

    def rename_teams_beyond(self, top: int, others: str) -> tuple[int, int]:
        """Put all but the *top* teams by unit-time together; return how many teams and jobs that were."""
        beyond = (
            "team NOT IN (SELECT team FROM job GROUP BY team ORDER BY total(units * 1.0 * duration) DESC, team LIMIT ?)"
        )
        teams: int = self._one(f"SELECT count(DISTINCT team) FROM job WHERE {beyond}", top)  # noqa: S608 - no input
        jobs = self._database.execute(f"UPDATE job SET team = ? WHERE {beyond}", (others, top))  # noqa: S608 - no input
        return teams, jobs.rowcount

    def has_team(self, name: str) -> bool:
        """Say whether a team is called *name*."""
        return bool(self._one("SELECT EXISTS (SELECT 1 FROM job WHERE team = ?)", name))

    def count(self) -> tuple[int, int]:
        """Return how many jobs and how many teams there are."""
        return self._one("SELECT count(*) FROM job"), self._one("SELECT count(DISTINCT team) FROM job")

    def count_longer_than(self, duration_ms: int) -> int:
        """Return how many jobs work longer than *duration_ms*."""
        return self._one("SELECT count(*) FROM job WHERE duration > ?", duration_ms)

    def span(self) -> tuple[int, int]:
        """Return when the first and the last job are submitted; there must be one."""
        return self._one("SELECT min(submit) FROM job"), self._one("SELECT max(submit) FROM job")

    def work(self, milli_units_per_instance: int) -> tuple[float, float]:
        """Return the unit-time that was asked for, and what whole instances of that size hold for it."""
        size = milli_units_per_instance
        return (
            self._one("SELECT total(units * 1.0 * duration) FROM job"),
            self._one("SELECT total((units + ? - 1) / ? * ? * 1.0 * duration) FROM job", size, size, size),
        )

    def in_order(self) -> Iterator[Spooled]:
        """Yield the jobs by submission, those of one instant as the source has them."""
        for values in self._database.execute("SELECT * FROM job ORDER BY submit, seq"):
            yield Spooled(*values)

    def _one(self, query: str, *values: object) -> int:
        (found,) = self._database.execute(query, values).fetchone()
        return found  # type: ignore[no-any-return] # a database has no types
