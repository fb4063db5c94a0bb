"""What changes between base and head: for each queue and share, before and after in the policy's own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quota_constructs.evaluator.review.matching import QueuePair, SharePair
from quota_constructs.evaluator.review.words import Words, words_of_queue, words_of_share
from quota_constructs.evaluator.system import Source


class Kind(StrEnum):
    """What happens to a thing."""

    REPLACED = "replaced"
    """It is deleted and made anew, and its jobs are terminated."""

    REMOVED = "removed"
    ADDED = "added"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that is not as it was."""

    queue: str
    """By the head's name, where the head has it."""

    share: str | None
    """By the head's name, where the head has it; None for what is the queue's."""

    kind: Kind
    what: str
    """What of it: `strategy`, `allocation of ml.g5.xlarge`; for a whole queue or share, `queue` or `share`."""

    before: str | None
    """None where there was nothing."""

    after: str | None


def find_changes(pairs: Iterable[QueuePair]) -> tuple[Change, ...]:
    """Return all that changes, queue by queue: the queue itself, then its shares, each in the order of a policy."""
    return tuple(change for pair in pairs for change in _of_queue(pair))


def _of_queue(pair: QueuePair) -> Iterator[Change]:
    base, head = pair.base, pair.head
    if base is None or head is None:
        gone = head is None
        shares = [share.base or share.head for share in pair.shares if share.moved_to is None]
        names = ", ".join(share.name for share in shares if share is not None)
        parts = [f"{what} {how}" for side in (base, head) if side is not None for what, how in words_of_queue(side)]
        text = "; ".join([*parts, f"shares {names}" if names else "no shares"])
        yield Change(
            queue=pair.name,
            share=None,
            kind=Kind.REMOVED if gone else Kind.ADDED,
            what="queue",
            before=text if gone else None,
            after=None if gone else text,
        )
    else:
        if pair.is_replaced:
            yield Change(
                queue=pair.name, share=None, kind=Kind.REPLACED, what="queue", before=base.name, after=head.name
            )
        yield from _differences(pair.name, None, words_of_queue(base), words_of_queue(head))
        yield from _places(pair.name, None, base.source, head.source)
    for share in pair.shares:
        yield from _of_share(pair.name, share)


def _of_share(queue: str, pair: SharePair) -> Iterator[Change]:
    base, head = pair.base, pair.head
    if base is not None and head is not None:
        if pair.is_replaced:
            before, after = base.name, head.name
            if pair.moved_from is not None:
                before, after = f"{base.name} in queue {pair.moved_from}", f"{head.name} in queue {queue}"
            yield Change(queue=queue, share=head.name, kind=Kind.REPLACED, what="share", before=before, after=after)
        yield from _differences(queue, head.name, words_of_share(base), words_of_share(head))
        if pair.moved_from is None:
            yield from _places(queue, head.name, base.source, head.source)
    elif head is not None:
        yield Change(
            queue=queue, share=head.name, kind=Kind.ADDED, what="share", before=None, after=_all(words_of_share(head))
        )
    elif base is not None and pair.moved_to is None:
        yield Change(
            queue=queue,
            share=base.name,
            kind=Kind.REMOVED,
            what="share",
            before=_all(words_of_share(base)),
            after=None,
        )


def _all(words: Words) -> str:
    return "; ".join(f"{what} {how}" for what, how in words)


def _differences(queue: str, share: str | None, before: Words, after: Words) -> Iterator[Change]:
    here, there = _numbered(before), _numbered(after)
    for what in _merged(list(here), list(there)):
        if here.get(what) != there.get(what):
            yield Change(
                queue=queue, share=share, kind=Kind.CHANGED, what=what, before=here.get(what), after=there.get(what)
            )


def _numbered(words: Words) -> dict[str, str]:
    """Return *words* by what they are of; what is said more than once is joined."""
    said: dict[str, str] = {}
    for what, how in words:
        said[what] = f"{said[what]}; {how}" if what in said else how
    return said


def _merged(here: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return what either side speaks of, in the order of both: what only one has stands where it has it."""
    merged: list[str] = []
    known, rest = set(there), iter(there)
    for what in here:
        if what in known and what not in merged:
            for other in rest:
                merged.append(other)
                if other == what:
                    break
        elif what not in known:
            merged.append(what)
    return [*merged, *rest]


def _places(queue: str, share: str | None, base: Source, head: Source) -> Iterator[Change]:
    """Yield that a resource of the same name is another one to CloudFormation."""
    if base.logical_id != head.logical_id:
        yield Change(
            queue=queue,
            share=share,
            kind=Kind.CHANGED,
            what="logical id",
            before=base.logical_id,
            after=head.logical_id,
        )
