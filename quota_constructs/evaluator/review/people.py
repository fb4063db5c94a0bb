"""What the change does to each team on one trace: the same jobs before and after, figure by figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum

from quota_constructs.evaluator.balance import Balance
from quota_constructs.evaluator.comparison import Contender, ShareOutcome, compare
from quota_constructs.evaluator.metrics import JobFigures, Spread, measure
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import History
from quota_constructs.evaluator.simulation.model import State

BEFORE = "base"
AFTER = "head"


class Direction(StrEnum):
    """Which way a figure goes."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "same"
    DIFFERENT = "different"
    """Neither better nor worse by itself."""


class Unit(StrEnum):
    """What a figure counts."""

    MS = "ms"
    INSTANCE_MS = "instance_ms"
    COUNT = "count"
    FRACTION = "fraction"
    INSTANCES = "instances"
    """On average over the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure of a team, before and after."""

    name: str
    unit: Unit
    before: float | None
    """None where there is none, as the wait of jobs of which none started."""

    after: float | None
    more_is: Direction
    """What it is for the team if the figure grows."""

    @property
    def direction(self) -> Direction:
        """Which way it goes; what is there on one side only is different."""
        if self.before == self.after:
            return Direction.SAME
        if self.before is None or self.after is None or self.more_is is Direction.DIFFERENT:
            return Direction.DIFFERENT
        worse = (self.after > self.before) == (self.more_is is Direction.WORSE)
        return Direction.WORSE if worse else Direction.BETTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """What one share, as the base calls it, gets of both sides."""

    share: str
    new_name: str | None
    """What the head calls it, if that is something else."""

    figures: tuple[Figure, ...]
    balance: Balance
    """Whose jobs finish later by the head is `later`; which succeed by the base only is `forgone`."""

    @property
    def direction(self) -> Direction:
        """Which way it goes for the team: as the gravest of its losses, where there is none as its other figures."""
        gravest = next((loss for loss in self.losses if loss), 0)
        if gravest:
            return Direction.WORSE if gravest > 0 else Direction.BETTER
        found = {figure.direction for figure in self.figures}
        for direction in (Direction.WORSE, Direction.BETTER, Direction.DIFFERENT):
            if direction in found:
                return direction
        return Direction.DIFFERENT if self.balance.differs else Direction.SAME

    @property
    def loses(self) -> bool:
        """Whether it is worse off."""
        return self.direction is Direction.WORSE

    @property
    def changes(self) -> bool:
        """Whether anything is different for it."""
        return self.direction is not Direction.SAME

    @property
    def losses(self) -> tuple[float, float, float]:
        """
        Return what it loses, the gravest first; what it gains is negative.

        1. jobs that succeed by the base only, less those that succeed by the head only
        2. deadlines that are missed by the head, less those missed by the base
        3. time by which jobs that succeed by both finish later, on balance, in ms
        """
        missed = self.figure("deadlines missed")
        return (
            self.balance.forgone - self.balance.gained,
            (missed.after or 0) - (missed.before or 0),
            self.balance.change_ms,
        )

    def figure(self, name: str) -> Figure:
        """Return the figure called *name*."""
        return next(figure for figure in self.figures if figure.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """What one trace shows of all teams."""

    trace: str
    teams: tuple[Team, ...]
    """Those that lose first, the one that loses most before all."""

    total: Team
    """Over all jobs of the queue, under the name of the queue."""


def compare_people(before: Evaluation, after: Evaluation, new_names: Mapping[str, str]) -> People:
    """
    Return what each team gets of the runs *before* and *after*, which have the same jobs in the same order.

    *new_names* are the names in the head of those shares of the base that it calls otherwise.
    """
    comparison = compare(
        Contender(name=AFTER, evaluation=_by_old_names(after, before, new_names)),
        [Contender(name=BEFORE, evaluation=before)],
    )
    now, then = comparison.outcomes
    capacity = (sum(before.history.capacity.values()), sum(after.history.capacity.values()))
    [contrast] = comparison.contrasts
    horizons = (before.history.horizon_ms, after.history.horizon_ms)
    teams = [
        Team(
            share=there.share,
            new_name=new_names.get(there.share),
            figures=tuple(_figures(there, here, capacity=capacity, horizons=horizons)),
            balance=balance,
        )
        for there, here, balance in zip(then.shares, now.shares, contrast.shares, strict=True)
    ]
    before_all, after_all = (
        ShareOutcome(share=comparison.queue, declared=True, jobs=side.jobs, units=side.units) for side in (then, now)
    )
    return People(
        trace=before.trace.name,
        teams=tuple(sorted(teams, key=_losers_first)),
        total=Team(
            share=comparison.queue,
            new_name=None,
            figures=(
                *_figures(before_all, after_all, capacity=capacity, horizons=horizons),
                Figure(
                    name="run takes",
                    unit=Unit.MS,
                    before=horizons[0],
                    after=horizons[1],
                    more_is=Direction.DIFFERENT,
                ),
            ),
            balance=contrast.total,
        ),
    )


def _losers_first(team: Team) -> tuple[bool, tuple[float, ...], str]:
    """Return what teams are sorted by: those that lose before those that do not, by their losses, by name."""
    return (not team.loses, tuple(-loss for loss in team.losses), team.share)


def _figures(
    before: ShareOutcome, after: ShareOutcome, *, capacity: tuple[int, int], horizons: tuple[int, int]
) -> Iterator[Figure]:
    """Yield the figures of one team; *capacity* is the environment's on both sides, *horizons* how long each run is."""
    then, now = before.jobs, after.jobs
    worse, better, different = Direction.WORSE, Direction.BETTER, Direction.DIFFERENT
    for name, was, is_ in (
        ("wait p50", _p50(then.wait_ms), _p50(now.wait_ms)),
        ("wait p95", _p95(then.wait_ms), _p95(now.wait_ms)),
        ("longest wait", then.longest_wait_ms, now.longest_wait_ms),
        ("completion p50", _p50(then.completion_ms), _p50(now.completion_ms)),
        ("completion p95", _p95(then.completion_ms), _p95(now.completion_ms)),
    ):
        yield Figure(name=name, unit=Unit.MS, before=was, after=is_, more_is=worse)
    for name, was, is_, more_is in (
        ("jobs that succeed", then.count(State.SUCCEEDED), now.count(State.SUCCEEDED), better),
        ("deadlines missed", then.deadlines_missed, now.deadlines_missed, worse),
        ("preemptions", _preemptions(then), _preemptions(now), worse),
    ):
        yield Figure(name=name, unit=Unit.COUNT, before=was, after=is_, more_is=more_is)
    for name, was, is_, more_is in (
        ("lost work", then.lost_instance_ms, now.lost_instance_ms, worse),
        ("finished work", then.good_instance_ms, now.good_instance_ms, better),
        ("used of its own", _added(before, "used_own"), _added(after, "used_own"), different),
        ("borrowed", _added(before, "borrowed"), _added(after, "borrowed"), different),
    ):
        yield Figure(name=name, unit=Unit.INSTANCE_MS, before=was, after=is_, more_is=more_is)
    # Over a run that takes longer everybody is allocated more, so that only the average can be compared.
    owned = (
        amount / horizon if amount is not None and horizon else None
        for amount, horizon in zip((_added(before, "allocated"), _added(after, "allocated")), horizons, strict=True)
    )
    yield Figure(name="allocated", unit=Unit.INSTANCES, before=next(owned), after=next(owned), more_is=different)
    goodput = (
        jobs.good_instance_ms / whole if whole else None for jobs, whole in zip((then, now), capacity, strict=True)
    )
    yield Figure(name="goodput", unit=Unit.FRACTION, before=next(goodput), after=next(goodput), more_is=different)


def _p50(spread: Spread | None) -> float | None:
    return None if spread is None else spread.p50


def _p95(spread: Spread | None) -> float | None:
    return None if spread is None else spread.p95


def _preemptions(jobs: JobFigures) -> int:
    return jobs.cross_share_preemptions + jobs.in_share_preemptions


def _added(side: ShareOutcome, what: str) -> int | None:
    """Return *what* of all units together, None where none has it."""
    amounts: list[int | None] = [getattr(unit, what) for unit in side.units]
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known else None


def _by_old_names(after: Evaluation, before: Evaluation, new_names: Mapping[str, str]) -> Evaluation:
    """Return *after* with its shares called as *before* calls them, and the jobs in those."""
    if not new_names:
        return after
    old_names = {new: old for old, new in new_names.items()}
    jobs = [copy(each) for each in after.history.jobs]
    for each, job in zip(jobs, before.trace.jobs, strict=True):
        each.job = job
    usage = {(old_names.get(share, share), unit): used for (share, unit), used in after.history.usage.items()}
    history = History(
        jobs=jobs,
        usage=dict(sorted(usage.items())),
        capacity=after.history.capacity,
        start_ms=after.history.start_ms,
        end_ms=after.history.end_ms,
    )
    shares = [replace(share, name=old_names.get(share.name, share.name)) for share in after.system.shares]
    system = replace(after.system, shares=tuple(sorted(shares, key=lambda share: share.name)))
    return replace(after, system=system, trace=before.trace, history=history, figures=measure(history))
