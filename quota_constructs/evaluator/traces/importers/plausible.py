"""Whether what was read can be a log at all, or has its times in another unit than was thought."""

from __future__ import annotations

from typing import Final

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces.importers.spool import Spool

DAY_MS: Final = 86_400_000
LONG_MS: Final = 14 * DAY_MS
LONGEST_MS: Final = 1000 * DAY_MS
LONGEST_SPAN_MS: Final = 20 * 365 * DAY_MS


def refuse_mistaken_units(spool: Spool) -> None:
    """
    Refuse jobs that are longer, or further apart, than jobs are.

    A day in milliseconds reads as 1,000 days in seconds, 20 minutes as 14 days, and a week between two jobs as 20
    years. One stray time of 0 among calendar times shows as such a span too.
    """
    first_ms, last_ms = spool.span()
    jobs, _ = spool.count()
    long, longest = spool.count_longer_than(LONG_MS), spool.count_longer_than(LONGEST_MS)
    if longest:
        found = f"{longest:,} of {jobs:,} jobs work for more than {LONGEST_MS // DAY_MS:,} days"
    elif long * 2 > jobs:
        found = f"{long:,} of {jobs:,} jobs work for more than {LONG_MS // DAY_MS} days"
    elif last_ms - first_ms > LONGEST_SPAN_MS:
        found = f"{(last_ms - first_ms) // DAY_MS:,} days lie between the first job and the last"
    else:
        return
    raise TraceError(
        f"{found}, which looks like milliseconds taken for seconds, or like a stray time; correct the file, "
        "state the unit with --time-unit where the format takes it, or confirm with --long-jobs"
    )
