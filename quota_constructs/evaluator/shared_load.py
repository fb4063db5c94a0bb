"""The same jobs for the two sides of a change, whose shares may be called otherwise or be on one side only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from quota_constructs.evaluator.evaluation import DEFAULT_ASSUMPTIONS
from quota_constructs.evaluator.inputs import load_trace
from quota_constructs.evaluator.review.matching import QueuePair
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces import UnknownShares
from quota_constructs.evaluator.traces.scenarios import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is run on both sides."""

    traces: Sequence[Path] = ()
    scenarios: Sequence[str] | None = None
    """By name; None is a usual few if there are no traces, and none if there are."""

    assumptions: Assumptions = DEFAULT_ASSUMPTIONS
    unknown_shares: UnknownShares = UnknownShares.FAIL


def traces_of(
    pair: QueuePair, load: Load, scenarios: Iterable[Scenario], parameters: Mapping[str, str]
) -> Iterator[tuple[Trace, Trace]]:
    """
    Yield each trace as it runs on the base and on the head.

    A scenario is made of the base, which people use today, or of the head where there is no base. A trace may speak
    of the shares of either side. Jobs of a share that gets another name are in it on both sides.
    """
    first = pair.base or pair.head
    if first is None:
        return
    sides = (_with_shares_of(first, pair.head), _with_shares_of(pair.head or first, pair.base))
    old_names = {new: old for old, new in pair.new_names.items()}
    for path in load.traces:
        before = load_trace(path, sides[0], parameters=parameters, unknown_shares=load.unknown_shares)
        # What a job holds may be left to its share, which may have another instance type now.
        after = (
            before
            if _units(sides[0]) == _units(sides[1])
            else load_trace(path, sides[1], parameters=parameters, unknown_shares=load.unknown_shares)
        )
        yield _renamed(before, old_names), _renamed(after, pair.new_names)
    for scenario in scenarios:
        trace = scenario.build(first)
        yield trace, _renamed(trace, pair.new_names)


def _with_shares_of(system: System, other: System | None) -> System:
    """Return *system* with those shares of *other* that it lacks, so that a trace may speak of both."""
    more = [] if other is None else [share for share in other.shares if system.share(share.name) is None]
    return replace(system, shares=tuple(sorted((*system.shares, *more), key=lambda share: share.name)))


def _units(system: System) -> dict[str, frozenset[str]]:
    return {share.name: frozenset(share.limits) for share in system.shares}


def _renamed(trace: Trace, names: Mapping[str, str]) -> Trace:
    if not names:
        return trace
    jobs = (structs.replace(job, share=names[job.share]) if job.share in names else job for job in trace.jobs)
    return structs.replace(trace, jobs=tuple(jobs))
