"""Which running jobs to stop for a head (scheduling model, 5). Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable

from quota_constructs.evaluator.simulation.ledger import Account, Pool
from quota_constructs.evaluator.simulation.model import VictimOrder
from quota_constructs.evaluator.simulation.run import Run
from quota_constructs.evaluator.simulation.victims import borrowers_jobs, lesser_jobs


def reclaim(head: Run, order: VictimOrder, now: int) -> list[Run]:
    """Return the jobs of other shares to stop so that *head*, which fits own, fits by right; none if that cannot be."""
    outlook = Outlook(head)
    victims = _reclaim(head, outlook, order, now)
    return _without_needless(victims, outlook, outlook.fits_by_right)


def preempt_in_share(head: Run, order: VictimOrder, now: int) -> list[Run]:
    """
    Return the jobs to stop so that *head* fits, lesser ones of its own share first; none if that cannot be.

    Where its own capacity is lent out as well, jobs of other shares follow the share's own in the result.
    """
    outlook = Outlook(head)
    victims: list[Run] = []

    def suffices() -> bool:
        # While jobs of other shares are stopped for it, it has to fit on its share's own capacity.
        crossing = any(run.share is not head.share for run in victims)
        return outlook.fits_by_right() and (outlook.fits_own() if crossing else outlook.fits())

    for run in lesser_jobs(head, order, now):
        outlook.remove(run)
        victims.append(run)
        if not suffices() and outlook.fits_own():
            victims += _reclaim(head, outlook, order, now)
        if suffices():
            return _without_needless(victims, outlook, suffices)
    return []


class Outlook:
    """What a head could take if some running jobs were gone."""

    __slots__ = ("_missing", "_needs", "_own", "_used")

    def __init__(self, head: Run) -> None:
        self._needs = head.claim.needs
        self._own: dict[Account, int] = dict(self._needs)
        self._missing: dict[Pool, int] = {account.pool: count - account.entitled for account, count in self._needs}
        """By unit, how much the head needs beyond what its share would be entitled to; negative if less."""
        self._used: dict[Account, int] = {}
        """Of accounts of jobs that are gone, what would be used."""

    def remove(self, run: Run) -> None:
        """Look on as if *run* were gone."""
        for account, count in run.claim.needs:
            self._use(account, -count)

    def restore(self, run: Run) -> None:
        """Look on as if *run* were there after all."""
        for account, count in run.claim.needs:
            self._use(account, count)

    def fits_own(self) -> bool:
        """Whether the head would fit within its share's own limits."""
        return all(self._used.get(account, account.used) + count <= account.limit for account, count in self._needs)

    def fits(self) -> bool:
        """Whether it would fit own or by borrowing."""
        return all(self._used.get(account, account.used) + count <= account.ceiling for account, count in self._needs)

    def fits_by_right(self) -> bool:
        """Whether its share would be entitled to as much."""
        for missing in self._missing.values():  # noqa: SIM110 - written out, as it is asked for every victim
            if missing > 0:
                return False
        return True

    def lacking(self) -> list[Pool]:
        """Return the units of which its share would not be entitled to enough."""
        return [pool for pool, missing in self._missing.items() if missing > 0]

    def helps(self, run: Run) -> bool:
        """Whether *run* holds a unit that is still lacking and of which its share still has excess."""
        for account, _ in run.claim.needs:
            if self._missing.get(account.pool, 0) > 0 and self._used.get(account, account.used) > account.limit:
                return True
        return False

    def _use(self, account: Account, more: int) -> None:
        before = self._used.get(account, account.used)
        after = self._used[account] = before + more
        if account.pool not in self._missing:
            return
        if account.reserves and account not in self._own:
            # What falls idle within another share's reserve stays with that share.
            before, after = max(before, account.limit), max(after, account.limit)
        self._missing[account.pool] += after - before


def _reclaim(head: Run, outlook: Outlook, order: VictimOrder, now: int) -> list[Run]:
    """Return victims in other shares that let *head* fit by right, removed from *outlook*; none, as it was, if not."""
    victims: list[Run] = []
    for run in borrowers_jobs(head, outlook.lacking(), order, now):
        if outlook.helps(run):
            outlook.remove(run)
            victims.append(run)
            if outlook.fits_by_right():
                return victims
    for run in victims:
        outlook.restore(run)
    return []


def _without_needless(victims: list[Run], outlook: Outlook, suffices: Callable[[], bool]) -> list[Run]:
    """Drop from *victims*, from last to first, each one without which the rest suffices."""
    if len(victims) > 1:
        for index in range(len(victims) - 1, -1, -1):
            run = victims.pop(index)
            outlook.restore(run)
            if not suffices():
                outlook.remove(run)
                victims.insert(index, run)
    return victims
