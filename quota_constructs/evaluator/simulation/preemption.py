"""Which running jobs to stop for a head (scheduling model, 5). Nothing here changes anything."""

from __future__ import annotations

from quota_constructs.evaluator.simulation.ledger import Account, Pool
from quota_constructs.evaluator.simulation.model import VictimOrder
from quota_constructs.evaluator.simulation.run import Run
from quota_constructs.evaluator.simulation.victims import borrowers_jobs, lesser_jobs


def reclaim(head: Run, order: VictimOrder, now: int) -> list[Run]:
    """Return the jobs of other shares to stop so that *head*, which fits own, fits by right; none if that cannot be."""
    if not any(account.pool.exceeding for account, count in head.claim.needs if account.entitled < count):
        return []
    outlook = Outlook(head)
    return _without_needless(_reclaim(head, outlook, order, now), outlook, head)


def preempt_in_share(head: Run, order: VictimOrder, now: int) -> list[Run]:
    """
    Return the jobs to stop so that *head* fits, lesser ones of its own share first; none if that cannot be.

    Where its own capacity is lent out as well, jobs of other shares follow the share's own in the result.
    """
    if _is_out_of_reach(head):
        return []
    outlook = Outlook(head)
    own: list[Run] = []
    for run in lesser_jobs(head, order, now):
        if not outlook.concerns(run):
            continue
        outlook.remove(run)
        own.append(run)
        if outlook.fits() and outlook.fits_by_right():
            return _without_needless(own, outlook, head)
        if outlook.fits_own() and (cross := _reclaim(head, outlook, order, now)):
            return _without_needless(own + cross, outlook, head)
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

    def concerns(self, run: Run) -> bool:
        """Whether *run* holds any unit that the head needs."""
        return any(account.pool in self._missing for account, _ in run.claim.needs)

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


def _without_needless(victims: list[Run], outlook: Outlook, head: Run) -> list[Run]:
    """
    Return *victims* less, from last to first, each one without which *head* still fits by right.

    While jobs of other shares are stopped for it, it has to fit on its share's own capacity.
    """
    if len(victims) <= 1:
        return victims
    crossing = sum(run.share is not head.share for run in victims)
    needed: list[Run] = []
    for run in reversed(victims):
        others_crossing = crossing - (run.share is not head.share)
        outlook.restore(run)
        if outlook.fits_by_right() and (outlook.fits_own() if others_crossing else outlook.fits()):
            crossing = others_crossing
        else:
            outlook.remove(run)
            needed.append(run)
    return needed[::-1]


def _is_out_of_reach(head: Run) -> bool:
    """Whether *head* could not fit by right even if its own share, and all that exceed their limits, held nothing."""
    for account, count in head.claim.needs:
        others = sum(other.used for other in account.pool.exceeding if other is not account)
        if account.entitled + account.used + others < count:
            return True
    return False
