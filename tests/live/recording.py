"""What the tests of `live record` share: when it is said to run, what it is given, and what it wrote."""

from __future__ import annotations

from pathlib import Path

from quota_constructs.evaluator.trace import Job
from quota_constructs.evaluator.traces import read_trace
from tests.builders import LEND, LEND_AND_BORROW, share, system
from tests.live.account import START_MS, Account

MINUTE_MS = 60_000
DAY_MS = 86_400_000
NOW_MS = START_MS + 30 * DAY_MS
"""When commands are started, unless a test says otherwise."""

SINCE_MS = NOW_MS - 40 * DAY_MS
RECORD = ("record", "training", "--since", "40d", "-o")
SYSTEM = system(share("guest", 4, LEND_AND_BORROW), share("owner", 6, LEND))
"""The queue of the fixture `training`."""


def add_jobs(account: Account, count: int) -> None:
    """Add jobs of both shares that are over, some of them stopped for others before."""
    for number in range(count):
        created_ms = START_MS + number * 10_000
        account.add_job(
            ("guest", "owner")[number % 2],
            ("SUCCEEDED", "SUCCEEDED", "FAILED")[number % 3],
            created_ms=created_ms,
            instances=1 + number % 4,
            priority=number % 7,
            checkpoints=number % 5 == 0,
            preempted_ms=[(created_ms + 10_000, created_ms + 50_000)] if number % 10 == 0 else [],
        )


def jobs_in(path: Path) -> tuple[Job, ...]:
    """Return the jobs of a recorded trace, as the evaluator reads them."""
    return read_trace(path, system=SYSTEM).jobs


def written(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
