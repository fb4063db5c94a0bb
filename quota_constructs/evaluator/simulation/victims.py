"""In which order running jobs are considered for being stopped (scheduling model, 5, "victim order")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop
from itertools import takewhile

from quota_constructs.evaluator.simulation.ledger import Account, Pool
from quota_constructs.evaluator.simulation.lifecycle import progress_ms
from quota_constructs.evaluator.simulation.model import VictimOrder
from quota_constructs.evaluator.simulation.run import Place, Rank, Run
from quota_constructs.evaluator.simulation.share import Share


def lesser_jobs(head: Run, order: VictimOrder, now: int) -> Iterator[Run]:
    """Yield the dispatched jobs of the head's own share with a lower priority, in victim order."""
    lesser = takewhile(lambda run: run.priority < head.priority, head.share.victims())
    if order is VictimOrder.LEAST_LOST_WORK:
        return _cheapest_first(lesser, now)
    return lesser


def borrowers_jobs(head: Run, lacking: Iterable[Pool], order: VictimOrder, now: int) -> Iterator[Run]:
    """Yield the dispatched jobs of other shares with excess in a *lacking* unit, in victim order."""
    exceeding = {account.owner: None for pool in lacking for account in pool.exceeding}
    shares = [share for share in exceeding if share is not head.share]
    if order is VictimOrder.LEAST_LOST_WORK:
        return _cheapest_first((run for share in shares for run in share.victims()), now)
    if order is VictimOrder.MOST_BORROWED:
        return _most_borrowed_first(shares)
    return _merged(shares, borrowing_first=order is VictimOrder.BORROWING_FIRST)


def is_borrowing(run: Run) -> bool:
    """Whether part of a dispatched job stands on borrowed capacity."""
    for account, _ in run.claim.needs:
        if account.excess and run.place >= (account.borrows_from or _borrowing_since(account)):
            return True
    return False


def borrowed_instances(share: Share) -> dict[Run, int]:
    """Return how many instances each job of *share* borrows, summed over its units, for those that borrow any."""
    borrowed: dict[Run, int] = {}
    for account in share.accounts.values():
        excess = account.excess
        for run in share.latest_first():
            if excess <= 0:
                break
            part = min(excess, run.claim.count(account))
            if part:
                borrowed[run] = borrowed.get(run, 0) + part
                excess -= part
    return borrowed


def _borrowing_since(account: Account) -> Place:
    """Return the place of the earliest job that borrows from *account*, which has excess, and remember it there."""
    # Where the share has but one unit, all that a job holds is of that.
    alone = len(account.owner.accounts) == 1
    left = account.excess
    for run in account.owner.latest_first():
        left -= run.claim.size if alone else run.claim.count(account)
        if left <= 0:
            account.borrows_from = run.place
            return run.place
    raise AssertionError("a share has more excess than its jobs hold")


def _merged(shares: Iterable[Share], *, borrowing_first: bool) -> Iterator[Run]:
    """Yield the victims of all *shares* by rank, merged from lists that are in order already."""
    for wanted in (True, False) if borrowing_first else (None,):
        tops: list[tuple[Rank, int, Share]] = []
        for share in shares:
            _push_next(tops, share, len(share.ranks), wanted)
        while tops:
            top = max(tops)
            _, index, share = top
            yield share.victim(index)
            tops.remove(top)
            _push_next(tops, share, index, wanted)


def _push_next(tops: list[tuple[Rank, int, Share]], share: Share, below: int, wanted: bool | None) -> None:
    for index in range(below - 1, -1, -1):
        if wanted is None or is_borrowing(share.victim(index)) is wanted:
            tops.append((share.ranks[index], index, share))
            return


def _most_borrowed_first(shares: Iterable[Share]) -> Iterator[Run]:
    places: list[tuple[int, int, int, int, Run]] = []
    for share in shares:
        borrowed = borrowed_instances(share)
        places += ((-borrowed.get(run, 0), run.priority, -run.dispatched_ms, -run.seq, run) for run in share.victims())
    return _popped(places)


def _cheapest_first(runs: Iterable[Run], now: int) -> Iterator[Run]:
    return _popped([(run.priority, _work_at_stake(run, now), -run.dispatched_ms, -run.seq, run) for run in runs])


def _work_at_stake(run: Run, now: int) -> int:
    """Return the productive instance-time that stopping *run* now would lose."""
    _, lost = progress_ms(run.job.checkpoint, now - run.work_begins_ms)
    return lost * run.claim.size


def _popped(places: list[tuple[int, int, int, int, Run]]) -> Iterator[Run]:
    """Yield from the smallest place on; most callers stop early, so nothing is sorted."""
    heapify(places)
    while places:
        yield heappop(places)[4]
