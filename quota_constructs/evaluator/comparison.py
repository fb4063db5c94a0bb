"""The same trace under several arrangements: what each share gets of each, and who gains and who pays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.balance import Contrast, contrast
from quota_constructs.evaluator.contracts import ContractUse
from quota_constructs.evaluator.metrics import JobFigures, UnitFigures, measure_jobs
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

    use: UnitFigures
    """What was held and what came of it, as parts of the environment's capacity."""

    allocated: int | None
    """None where there is no such thing: in a pool, or for a share or unit that the arrangement lacks."""

    lost: int
    """Productive time thrown away by preemptions, which is done again."""

    overhead: int
    """Time spent in startup and restore."""

    @property
    def borrowed(self) -> int | None:
        """What was held beyond what is allocated."""
        return None if self.allocated is None else self.use.borrowed

    @property
    def used_own(self) -> int | None:
        """What was held within what is allocated."""
        return None if self.allocated is None else self.use.used - self.use.borrowed


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
            contrast(other.name, shares, declared.evaluation.history.jobs, other.evaluation.history.jobs)
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
                    use=each,
                    allocated=self._allocated(each.unit),
                    lost=_over_shares(self._lost, each.unit),
                    overhead=_over_shares(self._overhead, each.unit),
                )
                for each in evaluation.figures.units
            ),
        )

    def _allocated(self, unit: str) -> int | None:
        if self._contender.pooled:
            return None
        usage = self._contender.evaluation.history.usage
        return _over_shares({key: each.allocated for key, each in usage.items()}, unit)

    def _of_share(self, share: str, unit: str) -> UnitOutcome:
        history = self._contender.evaluation.history
        usage = None if self._contender.pooled else history.usage.get((share, unit))
        key = share, unit
        return UnitOutcome(
            use=UnitFigures(
                unit=unit,
                capacity=history.capacity.get(unit, 0),
                used=self._held[key] if usage is None else usage.used,
                borrowed=0 if usage is None else usage.borrowed,
                good=self._good[key],
            ),
            allocated=None if usage is None else usage.allocated,
            lost=self._lost[key],
            overhead=self._overhead[key],
        )


def _over_shares(amounts: Mapping[tuple[str, str], int], unit: str) -> int:
    return sum(amount for (_, each), amount in amounts.items() if each == unit)
