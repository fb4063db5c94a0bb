"""What deploying the head does to the jobs that run at the time: who may be stopped, who is, and what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.review.attempts import Attempt, attempts_of, under_way, work_ms
from quota_constructs.evaluator.review.matching import QueuePair
from quota_constructs.evaluator.review.moments import PERCENTS, Limits, Moment, moments_of
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.history import History, JobHistory
from quota_constructs.evaluator.simulation.model import QUOTA_SHARE_DELETED
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Job, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareHit:
    """What one deployment does to the jobs of one share, which is called as in the base. Jobs are given by id."""

    share: str
    running: int
    """How many of its jobs run at the time."""

    eligible: tuple[str, ...]
    """
    Running jobs that stand above the share's new limit, and did not stand above the old one.

    AWS says that a share's jobs may be stopped if it uses more than its limit, not which: those started last count.
    """

    stopped: tuple[str, ...]
    """Running jobs that are stopped for others, and would not have been, or later."""

    terminated: tuple[str, ...]
    """Jobs that ran or waited, and end because their share is deleted."""

    lost_instance_ms: int
    """Work of those that are stopped or terminated that is thrown away, times their instances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """The head takes the base's place at one moment of a trace."""

    moment: Moment
    shares: tuple[ShareHit, ...]
    """Those of which jobs run or wait, in order of name."""

    def count(self, what: str) -> int:
        """Return how many jobs of all shares are *what*: `eligible`, `stopped` or `terminated`."""
        return sum(len(getattr(share, what)) for share in self.shares)

    @property
    def lost_instance_ms(self) -> int:
        """Work that is thrown away, times the instances that did it."""
        return sum(share.lost_instance_ms for share in self.shares)

    @property
    def gravity(self) -> tuple[int, int, int, int]:
        """
        Return how hard it hits running jobs, to sort by.

        1. jobs terminated
        2. work lost
        3. jobs stopped
        4. jobs that may be stopped
        """
        return self.count("terminated"), self.lost_instance_ms, self.count("stopped"), self.count("eligible")


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Deployments in the middle of one trace."""

    trace: str
    deployments: tuple[Deployment, ...]
    """In order of time."""

    not_tried: str | None = None
    """Why none was tried; None if some were, or nothing ever ran."""

    @property
    def worst(self) -> Deployment | None:
        """Return the deployment that hits running jobs hardest, the first of them in time; None if none was tried."""
        return max(self.deployments, key=lambda each: each.gravity, default=None)


def deploy(pair: QueuePair, evaluation: Evaluation, percents: Sequence[int] = PERCENTS) -> Running:
    """
    Return what happens to running jobs if the head of *pair* takes the place of its base in the middle of a run.

    *evaluation* is the run under the base, of which *percents* say some of the moments that are tried. Jobs that are
    submitted later go to the share that their own has become.
    """
    trace = evaluation.trace
    base, head = pair.base, pair.head
    if base is None or head is None:
        return Running(trace=trace.name, deployments=(), not_tried="the queue is on one side only")
    if any(isinstance(event, ArrangementChange) for event in trace.events):
        return Running(trace=trace.name, deployments=(), not_tried="the trace changes the arrangement itself")
    moments = moments_of(evaluation.history, *_limits(pair), stop_ms=evaluation.assumptions.stop_ms, percents=percents)
    return Running(
        trace=trace.name,
        deployments=tuple(_deploy(pair, base, head, evaluation, moment) for moment in moments),
    )


def _deploy(pair: QueuePair, base: System, head: System, evaluation: Evaluation, moment: Moment) -> Deployment:
    trace = _with_deployment(evaluation.trace, moment.at_ms, _deleting(pair, head), head, pair.new_names)
    deployed = simulate(base, trace, evaluation.assumptions)
    return Deployment(moment=moment, shares=_hits(pair, evaluation, deployed, moment.at_ms))


def _deleting(pair: QueuePair, head: System) -> System:
    """Return the arrangement of the instant in which what is replaced is gone and not yet back."""
    made_anew = {share.head.name for share in pair.shares if share.head and (share.is_replaced or pair.is_replaced)}
    return replace(head, shares=tuple(share for share in head.shares if share.name not in made_anew))


def _with_deployment(trace: Trace, at_ms: int, deleting: System, head: System, new_names: Mapping[str, str]) -> Trace:
    def resubmitted(job: Job) -> Job:
        name = new_names.get(job.share)
        return job if name is None or job.submit_ms < at_ms else structs.replace(job, share=name)

    changes = [ArrangementChange(time_ms=at_ms, system=system) for system in (deleting, head)]
    return structs.replace(
        trace,
        jobs=tuple(map(resubmitted, trace.jobs)) if new_names else trace.jobs,
        events=(*trace.events, *changes),
    )


def _limits(pair: QueuePair) -> tuple[Limits, Limits]:
    """Return the limits before and after of the base's shares, by share and unit; what is deleted has none after."""
    before: dict[tuple[str, str], int] = {}
    after: dict[tuple[str, str], int] = {}
    for share in pair.shares:
        if share.base is None or share.moved_from is not None:
            continue
        before |= {(share.base.name, unit): limit for unit, limit in share.base.limits.items()}
        if share.head is not None and not share.is_replaced and not pair.is_replaced:
            after |= {(share.base.name, unit): limit for unit, limit in share.head.limits.items()}
    return before, after


def _hits(pair: QueuePair, evaluation: Evaluation, deployed: History, at_ms: int) -> tuple[ShareHit, ...]:
    undisturbed, stop_ms = evaluation.history.jobs, evaluation.assumptions.stop_ms
    running = under_way(undisturbed, at_ms, stop_ms)
    exposed = _exposed(pair, sorted((attempt.began_ms, seq) for seq, attempt in running.items()), undisturbed)
    hits: dict[str, _Hit] = {}
    for seq, (each, then) in enumerate(zip(undisturbed, deployed.jobs, strict=True)):
        job, attempt = each.job, running.get(seq)
        terminated = then.reason == QUOTA_SHARE_DELETED and job.submit_ms < at_ms
        if attempt is None and not terminated:
            continue
        hit = hits.setdefault(job.share, _Hit())
        # Both runs are the same up to the deployment, so that the attempt under way has the same number in both.
        tried = list(attempts_of(then, stop_ms))
        last = tried[-1 if attempt is None else attempt.number] if tried else None
        kept, lost = (0, 0) if last is None else work_ms(then, last, stop_ms)
        held = sum(count for _, count in job.instances)
        if attempt is not None:
            hit.running += 1
        if terminated:
            hit.terminated.append(job.id)
            hit.lost += held * (kept if attempt is None else kept + lost)  # it failed: what it saved is of no use
            continue
        if seq in exposed:
            hit.eligible.append(job.id)
        if attempt is not None and last is not None and last.stopped and _sooner(last, attempt):
            hit.stopped.append(job.id)
            hit.lost += held * lost
    return tuple(
        ShareHit(
            share=share,
            running=hit.running,
            eligible=tuple(hit.eligible),
            stopped=tuple(hit.stopped),
            terminated=tuple(hit.terminated),
            lost_instance_ms=hit.lost,
        )
        for share, hit in sorted(hits.items())
    )


class _Hit:
    """What is known so far of one share."""

    def __init__(self) -> None:
        self.running = self.lost = 0
        self.eligible: list[str] = []
        self.stopped: list[str] = []
        self.terminated: list[str] = []


def _exposed(pair: QueuePair, in_order: Iterable[tuple[int, int]], jobs: Sequence[JobHistory]) -> set[int]:
    """Return which of the jobs that run, given as (dispatch, seq) in order, stand above the new limits only."""
    before, after = _limits(pair)
    held: Counter[tuple[str, str]] = Counter()
    exposed: set[int] = set()
    for _, seq in in_order:
        job = jobs[seq].job
        for unit, count in job.instances:
            held[job.share, unit] += count
        keys = [(job.share, unit) for unit, _ in job.instances]
        if not any(held[key] > before.get(key, 0) for key in keys) and any(
            held[key] > after.get(key, 0) for key in keys
        ):
            exposed.add(seq)
    return exposed


def _sooner(deployed: Attempt, undisturbed: Attempt) -> bool:
    """Whether an attempt was stopped by reason of the deployment: it would not have been, or later."""
    return not undisturbed.stopped or deployed.ended_ms < undisturbed.ended_ms
