"""Arrangements to compare a declared one with: nobody shares, or everybody shares all (scheduling model, 9)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from msgspec import structs

from quota_constructs.evaluator.simulation.history import History
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import ArrangementChange, Job, Trace, arrangements
from quota_constructs.policies.sharing import Strategy

POOL = "pool"
"""The only share of a pooled arrangement."""

NOWHERE = ""
"""The share of those jobs of a pooled trace that the declared arrangement would reject: no share is called so."""


def partition(system: System) -> System:
    """Return *system* with every share keeping its own: nobody lends, nobody borrows."""
    return replace(system, shares=tuple(replace(share, strategy=Strategy.RESERVE) for share in system.shares))


def partitioned(system: System, trace: Trace) -> tuple[System, Trace]:
    """Return `partition` of *system*, and *trace* with the same done to every arrangement that it changes to."""
    return partition(system), _with_arrangements(trace, partition)


def pooled(system: System, trace: Trace) -> tuple[System, Trace]:
    """
    Return one queue that holds the limits of all shares together and stops nobody, and *trace* with all jobs in it.

    A job that is larger than its share could ever hold may run there, if it fits the pool. What a share would reject
    at submission, because it is disabled or not declared, is rejected there too; a share that the trace deletes takes
    no jobs with it, as the pool stays. `restored` gives the jobs of a run back to their shares.
    """
    systems = arrangements(system, trace)
    times = sorted(event.time_ms for event in trace.events if isinstance(event, ArrangementChange))
    accepting = {id(each): {share.name for share in each.shares if share.enabled} for each in systems}

    def share_of(job: Job) -> str:
        at_submission = systems[bisect_right(times, job.submit_ms)]  # a change comes before what is then submitted
        return POOL if job.share in accepting[id(at_submission)] else NOWHERE

    jobs = tuple(structs.replace(job, share=share_of(job)) for job in trace.jobs)
    return _pool(system), structs.replace(_with_arrangements(trace, _pool), jobs=jobs)


def restored(history: History, trace: Trace) -> History:
    """Return the *history* of a pooled run with each job as *trace* has it, in its own share."""
    for each, job in zip(history.jobs, trace.jobs, strict=True):
        each.job = job
    return history


def _pool(system: System) -> System:
    limits: Counter[str] = Counter()
    for share in system.shares:
        limits.update(share.limits)
    everything = QuotaShare(
        name=POOL, limits=dict(sorted(limits.items())), strategy=Strategy.RESERVE, source=system.source
    )
    return replace(system, shares=(everything,))


def _with_arrangements(trace: Trace, change: Callable[[System], System]) -> Trace:
    """Return *trace* with every arrangement that it changes to as *change* makes it, each made once."""
    systems = {id(event.system): event.system for event in trace.events if isinstance(event, ArrangementChange)}
    changed = {key: change(system) for key, system in systems.items()}
    events = tuple(
        structs.replace(event, system=changed[id(event.system)]) if isinstance(event, ArrangementChange) else event
        for event in trace.events
    )
    return structs.replace(trace, events=events)
