"""Limits made of a trace: as many instances for each share as its own jobs hold on average, and some more."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Final

from quota_constructs.errors import TraceError, UsageError
from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, Source, System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces import UnknownShares, read_trace
from quota_constructs.policies.sharing import Strategy
from quota_constructs.printable import plural, printable, shortened

FACTOR: Final = Fraction(5, 4)
MAX_SHARES: Final = 200
SHARE_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
UNIT: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
NOWHERE: Final = "fitted"


def read_fitted_trace(path: Path, *, instance_type: str | None = None) -> Trace:
    """
    Return the trace at *path*, for which there is no template yet.

    *instance_type* is what jobs hold that state none. Defaults to refusing such jobs.
    """
    trace = read_trace(path, system=_system({}), unknown_shares=UnknownShares.REJECT)
    silent = sum(not job.instances for job in trace.jobs)
    if not silent:
        return trace
    if instance_type is None:
        raise UsageError(
            f"{printable(str(path))}: {plural(silent, 'job')} of {len(trace.jobs):,} state no instance type; "
            "say which they run on with --instance-type TYPE"
        )
    names = {job.share for job in trace.jobs}
    return read_trace(path, system=_system({name: {instance_type: 1} for name in names}))


def fit_limits(trace: Trace, *, factor: Fraction = FACTOR, multiple_of: int = 1) -> System:
    """
    Return an arrangement in which each share may hold *factor* times what its jobs hold on average.

    That average is taken from the first submission to the last end, as if every job started when it is submitted.
    Limits are rounded up to a multiple of *multiple_of*. All shares lend and borrow without bound.
    """
    if not trace.jobs:
        raise TraceError(f"{printable(trace.name)}: there is no job to fit limits to")
    span_ms = max(job.submit_ms + job.duration_ms for job in trace.jobs) - min(job.submit_ms for job in trace.jobs)
    work_ms: dict[str, Counter[str]] = {}
    for job in trace.jobs:
        of_share = work_ms.setdefault(job.share, Counter())
        for unit, count in job.instances:
            of_share[unit] += count * job.duration_ms
    _refuse_shares(work_ms)
    _refuse_units(work_ms)
    return _system(
        {
            name: {unit: _rounded_up(factor * work / span_ms, multiple_of) for unit, work in units.items()}
            for name, units in work_ms.items()
        }
    )


def _refuse_shares(names: dict[str, Counter[str]]) -> None:
    """Refuse what cannot be quota shares of one queue."""
    if len(names) > MAX_SHARES:
        raise TraceError(
            f"the trace has {len(names):,} shares, and limits are fitted to at most {MAX_SHARES}; "
            "put small teams together with --top N when it is imported"
        )
    for name in names:
        if not SHARE_NAME.fullmatch(name):
            raise TraceError(
                f"'{shortened(name)}' cannot be a quota share's name, which has up to 128 letters, digits, hyphens "
                "and underscores; rename the team with --share when it is imported"
            )


def _refuse_units(shares: dict[str, Counter[str]]) -> None:
    for unit in dict.fromkeys(unit for units in shares.values() for unit in units):
        if not UNIT.fullmatch(unit):
            raise TraceError(f"'{shortened(unit)}' cannot be an instance type, such as 'ml.g5.xlarge'; correct it")


def _rounded_up(amount: Fraction, multiple_of: int) -> int:
    return -(-amount // multiple_of) * multiple_of


def _system(limits: dict[str, dict[str, int]]) -> System:
    """Return a queue of shares with these *limits* that has exactly as much in all."""
    capacity: Counter[str] = Counter()
    for units in limits.values():
        capacity.update(units)
    return System(
        name="Queue",
        source=_source("Queue"),
        environment=ServiceEnvironment(
            name="Environment", capacity=dict(sorted(capacity.items())), source=_source("Environment")
        ),
        shares=tuple(
            QuotaShare(
                name=name,
                limits=dict(sorted(units.items())),
                strategy=Strategy.LEND_AND_BORROW,
                source=_source(name),
            )
            for name, units in sorted(limits.items())
        ),
    )


def _source(logical_id: str) -> Source:
    return Source(template=NOWHERE, logical_id=logical_id)
