"""Who gains and who pays by one arrangement against another, in completion time, job by job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import State


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


def contrast(
    against: str, shares: Iterable[str], declared: Iterable[JobHistory], other: Iterable[JobHistory]
) -> Contrast:
    """Return who of *shares* gains and who pays by *declared*, *against* the same jobs as they went in *other*."""
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
