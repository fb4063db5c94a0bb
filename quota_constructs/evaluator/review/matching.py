"""Which queue and which share of the base is which of the head, and which of them are made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from quota_constructs.evaluator.review.words import words_of_share
from quota_constructs.evaluator.system import QuotaShare, System

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePair:
    """A share on both sides, or on the one side that has it."""

    base: QuotaShare | None
    head: QuotaShare | None
    moved_from: str | None = None
    """The queue it comes from, if it is another one; the base's share is that queue's."""

    moved_to: str | None = None
    """The queue it goes to, if it leaves this one; there is no head then."""

    @property
    def renamed(self) -> bool:
        """Whether it goes by another name."""
        return self.base is not None and self.head is not None and self.base.name != self.head.name

    @property
    def is_replaced(self) -> bool:
        """Whether it is deleted and made anew: neither its name nor its queue can be changed in place."""
        return self.renamed or self.moved_from is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePair:
    """A queue on both sides, or on the one side that has it, with its shares in order of name."""

    base: System | None
    head: System | None
    shares: tuple[SharePair, ...]

    @property
    def name(self) -> str:
        """What the queue is called: by the head, if it has it."""
        side = self.head or self.base
        return "" if side is None else side.name

    @property
    def is_replaced(self) -> bool:
        """Whether it is deleted and made anew, and every share with it: its name cannot be changed in place."""
        return self.base is not None and self.head is not None and self.base.name != self.head.name

    @property
    def new_names(self) -> Mapping[str, str]:
        """The head's name of each share of the base that keeps its queue and not its name."""
        return {
            pair.base.name: pair.head.name
            for pair in self.shares
            if pair.base is not None and pair.head is not None and pair.renamed and pair.moved_from is None
        }


def match(base: Sequence[System], head: Sequence[System]) -> tuple[QueuePair, ...]:
    """
    Return the queues of both sides in pairs, those of the head first, each side in its own order.

    Queues go together by name, else by logical id, else by construct path, else if one of each is left, or if they
    have shares of the same name. Shares of a pair go together by name, else by logical id, else by construct path;
    what is then left moved to another queue, if it has the same logical id, construct path or name there. In the CDK a
    share's name makes all three, so that what is left in one queue goes together if all that is declared is the same,
    else by owner.
    """
    together = _queues(base, head)
    queues = [
        *((before, after) for after in head for before in [together.get(id(after))]),
        *((before, None) for before in base if not any(before is paired for paired in together.values())),
    ]
    shares = [_shares(before, after) for before, after in queues]
    moved = _move(queues, shares)
    return tuple(
        QueuePair(base=before, head=after, shares=tuple(sorted(_alike(pairs), key=_order)))
        for (before, after), pairs in zip(queues, moved, strict=True)
    )


def _queues(base: Sequence[System], head: Sequence[System]) -> dict[int, System]:
    """Return the base's queue of each queue of the head that has one, by identity."""
    here, there = list(base), list(head)
    pairs = [
        *_take(here, there, lambda queue: (queue.name, queue.source.logical_id)),
        *_take(here, there, lambda queue: queue.name),
        *_take(here, there, lambda queue: queue.source.logical_id),
        *_take(here, there, lambda queue: queue.source.construct_path),
    ]
    if len(here) == len(there) == 1:
        pairs.append((here.pop(), there.pop()))
    for after in list(there):
        names = {share.name for share in after.shares}
        likest = max(here, key=lambda queue: len(names & {share.name for share in queue.shares}), default=None)
        if likest is not None and names & {share.name for share in likest.shares}:
            here.remove(likest)
            there.remove(after)
            pairs.append((likest, after))
    return {id(after): before for before, after in pairs}


def _shares(base: System | None, head: System | None) -> list[SharePair]:
    here = [] if base is None else list(base.shares)
    there = [] if head is None else list(head.shares)
    pairs = [
        *_take(here, there, lambda share: share.name),
        *_take(here, there, lambda share: share.source.logical_id),
        *_take(here, there, lambda share: share.source.construct_path),
    ]
    return [
        *(SharePair(base=before, head=after) for before, after in pairs),
        *(SharePair(base=before, head=None) for before in here),
        *(SharePair(base=None, head=after) for after in there),
    ]


def _move(
    queues: Sequence[tuple[System | None, System | None]], shares: Sequence[Sequence[SharePair]]
) -> list[list[SharePair]]:
    """Return *shares* with those that only moved from one of *queues* to another told by it, in both."""
    moved = [list(pairs) for pairs in shares]
    gone = [(at, pair.base) for at, pairs in enumerate(shares) for pair in pairs if pair.base and not pair.head]
    new = [(at, pair.head) for at, pairs in enumerate(shares) for pair in pairs if pair.head and not pair.base]
    for (source, before), (target, after) in (
        *_take(gone, new, lambda placed: placed[1].source.logical_id),
        *_take(gone, new, lambda placed: placed[1].source.construct_path),
        *_take(gone, new, lambda placed: placed[1].name),
    ):
        left, entered = queues[source][0], queues[target][1]
        if left is None or entered is None:  # each has the share, so that it is there
            continue
        moved[source] = [
            replace(pair, moved_to=entered.name) if pair.base is before else pair for pair in moved[source]
        ]
        moved[target] = [
            SharePair(base=before, head=after, moved_from=left.name) if pair.head is after else pair
            for pair in moved[target]
        ]
    return moved


def _alike(pairs: Sequence[SharePair]) -> list[SharePair]:
    """Return *pairs* with those put together that are one share by what is declared of it."""
    gone = [pair.base for pair in pairs if pair.base and not pair.head and not pair.moved_to]
    new = [pair.head for pair in pairs if pair.head and not pair.base]
    renamed = [*_take(gone, new, lambda share: tuple(words_of_share(share))), *_take(gone, new, _owner)]
    taken = {id(share) for both in renamed for share in both}
    kept = [pair for pair in pairs if not (pair.moved_to is None and {id(pair.base), id(pair.head)} & taken)]
    return [*kept, *(SharePair(base=before, head=after) for before, after in renamed)]


def _owner(share: QuotaShare) -> str | None:
    agreement = share.policy.agreement
    return (agreement.owner or None) if agreement else None


def _order(pair: SharePair) -> tuple[str, str]:
    """Return what pairs are sorted by: the head's name where there is one, then the base's."""
    here, there = pair.base.name if pair.base else "", pair.head.name if pair.head else ""
    return (there or here, here)


def _take(here: list[T], there: list[T], key: Callable[[T], Hashable]) -> Iterable[tuple[T, T]]:
    """Take out of both lists, and return, what has the same *key* and no other of its side has; None is no key."""
    befores, afters = Counter(map(key, here)), Counter(map(key, there))
    by_key = {key(after): after for after in there}
    pairs = [
        (before, by_key[key(before)])
        for before in here
        if key(before) is not None and befores[key(before)] == 1 == afters[key(before)]
    ]
    taken = {id(each) for pair in pairs for each in pair}
    here[:] = [each for each in here if id(each) not in taken]
    there[:] = [each for each in there if id(each) not in taken]
    return pairs
