"""Which running jobs to stop for a head (scheduling model, 5). Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quota_constructs.evaluator.simulation.ledger import Pool
from quota_constructs.evaluator.simulation.model import VictimOrder
from quota_constructs.evaluator.simulation.run import Run
from quota_constructs.evaluator.simulation.victims import borrowers_jobs, lesser_jobs


def reclaim(head: Run, order: VictimOrder, now: int) -> list[Run]:
    """Return the jobs of other shares to stop so that *head*, which fits own, fits by right; none if that cannot be."""
    outlook = Outlook(head)
    picks = _reclaim(head, outlook, order, now)
    return _without_needless(picks, outlook, lambda _: outlook.fits_by_right())


def preempt_in_share(head: Run, order: VictimOrder, now: int) -> list[Run]:
    """
    Return the jobs to stop so that *head* fits, lesser ones of its own share first; none if that cannot be.

    Where its own capacity is lent out as well, jobs of other shares follow the share's own in the result.
    """
    outlook = Outlook(head)
    own: list[Run] = []
    for run in lesser_jobs(head, order, now):
        outlook.remove(run)
        own.append(run)
        if outlook.fits() and outlook.fits_by_right():
            return _without_needless(own, outlook, lambda _: outlook.fits() and outlook.fits_by_right())
        if outlook.fits_own() and (cross := _reclaim(head, outlook, order, now)):
            return _without_needless(own + cross, outlook, lambda rest: _still_fits(head, outlook, rest))
    return []


class Outlook:
    """What a head could take if some running jobs were gone."""

    def __init__(self, head: Run) -> None:
        self._needs = head.claim.needs
        self._own = {account for account, _ in self._needs}
        self._used = {account: account.used for account in self._own}
        self._entitled: dict[Pool, int] = {account.pool: account.entitled for account in self._own}

    def remove(self, run: Run) -> None:
        """Look on as if *run* were gone."""
        self._change(run, -1)

    def restore(self, run: Run) -> None:
        """Look on as if *run* were there after all."""
        self._change(run, 1)

    def fits_own(self) -> bool:
        """Whether the head would fit within its share's own limits."""
        return all(self._used[account] + count <= account.limit for account, count in self._needs)

    def fits(self) -> bool:
        """Whether it would fit own or by borrowing."""
        return all(self._used[account] + count <= account.ceiling for account, count in self._needs)

    def fits_by_right(self) -> bool:
        """Whether its share would be entitled to as much."""
        return all(self._entitled[account.pool] >= count for account, count in self._needs)

    def lacking(self) -> list[Pool]:
        """Return the units of which its share would not be entitled to enough."""
        return [account.pool for account, count in self._needs if self._entitled[account.pool] < count]

    def helps(self, run: Run) -> bool:
        """Whether *run* holds a unit that is still lacking and of which its share still has excess."""
        lacking = self.lacking()
        return any(
            account.pool in lacking and self._used.get(account, account.used) > account.limit
            for account, _ in run.claim.needs
        )

    def _change(self, run: Run, sign: int) -> None:
        for account, count in run.claim.needs:
            before = self._used.get(account, account.used)
            after = self._used[account] = before + sign * count
            if account.pool not in self._entitled:
                continue
            if account.reserves and account not in self._own:
                # What falls idle within another share's reserve stays with that share.
                before, after = max(before, account.limit), max(after, account.limit)
            self._entitled[account.pool] += before - after


def _reclaim(head: Run, outlook: Outlook, order: VictimOrder, now: int) -> list[Run]:
    """Return victims in other shares that let *head* fit by right, removed from *outlook*; none, as it was, if not."""
    picks: list[Run] = []
    for run in borrowers_jobs(head, outlook.lacking(), order, now):
        if outlook.helps(run):
            outlook.remove(run)
            picks.append(run)
            if outlook.fits_by_right():
                return picks
    for run in picks:
        outlook.restore(run)
    return []


def _without_needless(victims: list[Run], outlook: Outlook, suffices: Callable[[Sequence[Run]], bool]) -> list[Run]:
    """Drop, from last to first, each victim without which the rest suffices."""
    if len(victims) <= 1:
        return victims
    for run in reversed(victims.copy()):
        rest = [other for other in victims if other is not run]
        outlook.restore(run)
        if suffices(rest):
            victims = rest
        else:
            outlook.remove(run)
    return victims


def _still_fits(head: Run, outlook: Outlook, victims: Sequence[Run]) -> bool:
    """Whether *head* fits by right, and on its share's own capacity while any of *victims* is another share's."""
    crossing = any(run.share is not head.share for run in victims)
    return outlook.fits_by_right() and (outlook.fits_own() if crossing else outlook.fits())
