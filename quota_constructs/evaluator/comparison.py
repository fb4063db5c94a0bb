"""The same trace under several arrangements: what each share gets of each, and who gains and who pays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.contracts import ContractUse
from quota_constructs.evaluator.metrics import JobFigures, measure_jobs
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import Assumptions, State

DECLARED = "declared"
"""What the arrangement that is judged is called beside the others."""

PARTITION = "partition"
POOL = "pool"
BASE = "base"
"""That of another template; several are numbered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A run of the trace under one arrangement."""

    name: str
    evaluation: Evaluation
    template: str | None = None
    """Where the arrangement is declared; None for one that is made from another."""

    pooled: bool = False
    """Whether all shares are one, so that nothing is allocated to any and none borrows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOutcome:
    """One unit under one arrangement, for one share or for all, in instance-milliseconds."""

    unit: str
    capacity: int
    """The environment's; what one share uses is a part of it too."""

    allocated: int | None
    """None where there is no such thing: in a pool, or for a unit or share that the arrangement does not know."""

    borrowed: int | None
    used: int
    good: int
    """Work of jobs that succeeded."""

    lost: int
    """Productive time thrown away by preemptions, which is done again."""

    overhead: int
    """Time spent in startup and restore."""

    @property
    def used_own(self) -> int | None:
        """What was held within the share's own limit."""
        return None if self.borrowed is None else self.used - self.borrowed

    @property
    def utilization(self) -> float | None:
        """Part of the environment's capacity that was held; None if there was no capacity or no time."""
        return self.used / self.capacity if self.capacity else None

    @property
    def goodput(self) -> float | None:
        """Part of the environment's capacity that ended up in finished work."""
        return self.good / self.capacity if self.capacity else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareOutcome:
    """What one share got of one arrangement."""

    share: str
    declared: bool
    """Whether the arrangement has the share; where it has not, the share's jobs are rejected."""

    jobs: JobFigures
    units: tuple[UnitOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of the trace under one arrangement."""

    name: str
    template: str | None
    pooled: bool
    horizon_ms: int
    shares: tuple[ShareOutcome, ...]
    """Every share that any of the arrangements declares, in order of name."""

    jobs: JobFigures
    units: tuple[UnitOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Whose jobs finish sooner and whose later by the declared arrangement than by another, over some jobs."""

    share: str | None
    """None for all jobs together."""

    same: int = 0
    """Jobs that succeed under both, at the same time."""

    sooner: int = 0
    sooner_ms: int = 0
    """By how much, added up over these jobs."""

    later: int = 0
    later_ms: int = 0
    gained: int = 0
    """Jobs that succeed by the declared arrangement only."""

    forgone: int = 0
    """Jobs that succeed by the other arrangement only."""

    @property
    def compared(self) -> int:
        """How many jobs succeed under both."""
        return self.same + self.sooner + self.later

    @property
    def change_ms(self) -> int:
        """How much longer all jobs that succeed under both take together by the declared one; negative is sooner."""
        return self.later_ms - self.sooner_ms

    @property
    def differs(self) -> bool:
        """Whether any job that succeeds does so at another time, or under one of the two only."""
        return bool(self.sooner or self.later or self.gained or self.forgone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """The declared arrangement against another one."""

    against: str
    shares: tuple[Balance, ...]
    total: Balance

    @property
    def pays_most(self) -> Balance | None:
        """
        Return the share that the declared arrangement costs most completion time, whatever the total; None if none.

        On balance if any share loses on balance, else by its jobs that finish later, whatever its others gain.
        """
        paying = [balance for balance in self.shares if balance.later]
        return max(paying, key=lambda balance: (max(0, balance.change_ms), balance.later_ms), default=None)

    @property
    def forgoes_most(self) -> Balance | None:
        """Return the share with the most jobs that succeed under the other arrangement only; None if there are none."""
        forgoing = [balance for balance in self.shares if balance.forgone]
        return max(forgoing, key=lambda balance: balance.forgone, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One trace under the declared arrangement, which comes first, and under others."""

    queue: str
    trace: str
    assumptions: Assumptions
    contract_use: Mapping[str, ContractUse]
    """What rests on interruption contracts: those of the declared arrangement, which hold under the others too."""

    outcomes: tuple[Outcome, ...]
    contrasts: tuple[Contrast, ...]
    """In the order of the outcomes, from the second on."""


def compare(declared: Contender, others: Sequence[Contender]) -> Comparison:
    """Return what came of the trace of *declared* there and under *others*, which have run the same jobs."""
    contenders = (declared, *others)
    shares = sorted({name for each in contenders if not each.pooled for name in each.evaluation.shares})
    tallies = [_Tally(contender) for contender in contenders]
    units = {share: sorted({unit for tally in tallies for unit in tally.units_of(share)}) for share in shares}
    return Comparison(
        queue=declared.evaluation.system.name,
        trace=declared.evaluation.trace.name,
        assumptions=declared.evaluation.assumptions,
        contract_use=declared.evaluation.contract_use,
        outcomes=tuple(tally.outcome(units) for tally in tallies),
        contrasts=tuple(
            _contrast(other.name, shares, declared.evaluation.history.jobs, other.evaluation.history.jobs)
            for other in others
        ),
    )


class _Tally:
    """One run, added up by share and unit."""

    def __init__(self, contender: Contender) -> None:
        self._contender = contender
        self._jobs: defaultdict[str, list[JobHistory]] = defaultdict(list)
        self._held: Counter[tuple[str, str]] = Counter()
        self._good: Counter[tuple[str, str]] = Counter()
        self._lost: Counter[tuple[str, str]] = Counter()
        self._overhead: Counter[tuple[str, str]] = Counter()
        for each in contender.evaluation.history.jobs:
            self._jobs[each.job.share].append(each)
            if each.attempts:
                self._add(each)

    def _add(self, each: JobHistory) -> None:
        held_ms = sum(ended - dispatched for dispatched, ended in each.attempts)
        for unit, count in each.job.instances:
            key = each.job.share, unit
            self._held[key] += held_ms * count
            self._lost[key] += each.lost_ms * count
            self._overhead[key] += each.overhead_ms * count
            if each.state is State.SUCCEEDED:
                self._good[key] += each.job.duration_ms * count

    def units_of(self, share: str) -> Iterable[str]:
        """Return the units that *share* is allocated or used."""
        usage = () if self._contender.pooled else self._contender.evaluation.history.usage
        return {unit for name, unit in (*usage, *self._held) if name == share}

    def outcome(self, units: Mapping[str, Iterable[str]]) -> Outcome:
        """Return what came of it, for the shares and *units* that the comparison has."""
        evaluation = self._contender.evaluation
        return Outcome(
            name=self._contender.name,
            template=self._contender.template,
            pooled=self._contender.pooled,
            horizon_ms=evaluation.history.horizon_ms,
            shares=tuple(
                ShareOutcome(
                    share=share,
                    declared=self._contender.pooled or share in evaluation.shares,
                    jobs=measure_jobs(self._jobs[share]),
                    units=tuple(self._of_share(share, unit) for unit in units_of_share),
                )
                for share, units_of_share in units.items()
            ),
            jobs=evaluation.figures.jobs,
            units=tuple(
                UnitOutcome(
                    unit=each.unit,
                    capacity=each.capacity,
                    allocated=None,
                    borrowed=None if self._contender.pooled else each.borrowed,
                    used=each.used,
                    good=each.good,
                    lost=_over_shares(self._lost, each.unit),
                    overhead=_over_shares(self._overhead, each.unit),
                )
                for each in evaluation.figures.units
            ),
        )

    def _of_share(self, share: str, unit: str) -> UnitOutcome:
        history = self._contender.evaluation.history
        usage = None if self._contender.pooled else history.usage.get((share, unit))
        key = share, unit
        return UnitOutcome(
            unit=unit,
            capacity=history.capacity.get(unit, 0),
            allocated=None if usage is None else usage.allocated,
            borrowed=None if usage is None else usage.borrowed,
            used=self._held[key] if usage is None else usage.used,
            good=self._good[key],
            lost=self._lost[key],
            overhead=self._overhead[key],
        )


def _over_shares(amounts: Mapping[tuple[str, str], int], unit: str) -> int:
    return sum(amount for (_, each), amount in amounts.items() if each == unit)


def _contrast(
    against: str, shares: Iterable[str], declared: Iterable[JobHistory], other: Iterable[JobHistory]
) -> Contrast:
    changes: dict[str, list[int]] = {share: [] for share in shares}
    gained: Counter[str] = Counter()
    forgone: Counter[str] = Counter()
    for here, there in zip(declared, other, strict=True):
        share, done_here, done_there = here.job.share, here.state is State.SUCCEEDED, there.state is State.SUCCEEDED
        if done_here and done_there and here.finish_ms is not None and there.finish_ms is not None:
            changes[share].append(here.finish_ms - there.finish_ms)
        elif done_here:
            gained[share] += 1
        elif done_there:
            forgone[share] += 1
    return Contrast(
        against=against,
        shares=tuple(_balance(share, of_share, gained[share], forgone[share]) for share, of_share in changes.items()),
        total=_balance(
            None, [each for of_share in changes.values() for each in of_share], gained.total(), forgone.total()
        ),
    )


def _balance(share: str | None, changes: Sequence[int], gained: int, forgone: int) -> Balance:
    sooner = [-change for change in changes if change < 0]
    later = [change for change in changes if change > 0]
    return Balance(
        share=share,
        same=len(changes) - len(sooner) - len(later),
        sooner=len(sooner),
        sooner_ms=sum(sooner),
        later=len(later),
        later_ms=sum(later),
        gained=gained,
        forgone=forgone,
    )
