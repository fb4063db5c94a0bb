"""How much may be borrowed: what the rules on lending, borrowing and promises count with."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.system import QuotaShare, System


def lent_to(system: System, share: QuotaShare, unit: str) -> int:
    """Return how many instances of *unit* the other shares would lend if all of theirs were idle."""
    return sum(other.limits.get(unit, 0) for other in system.shares if other is not share and other.strategy.lends)


def most_borrowed(system: System, share: QuotaShare) -> dict[str, int]:
    """Return the most that *share* can ever hold beyond its own, by unit; units it cannot borrow are left out."""
    most = {unit: min(lent_to(system, share, unit), _allowed(share, unit)) for unit in sorted(share.limits)}
    return {unit: count for unit, count in most.items() if count > 0}


def borrowers_from(system: System, share: QuotaShare) -> Iterator[QuotaShare]:
    """Yield the other shares that can borrow one of the units that *share* lends."""
    if share.strategy.lends:
        for other in system.shares:
            if other is not share and any(unit in share.limits for unit in most_borrowed(system, other)):
                yield other


def can_be_stopped(system: System, share: QuotaShare) -> bool:
    """Whether a job of *share* may be preempted: for a lender whose capacity it runs on, or by a job of its own."""
    return share.in_share_preemption or bool(most_borrowed(system, share))


def _allowed(share: QuotaShare, unit: str) -> int:
    ceiling = share.ceiling(unit)
    return 2**63 if ceiling is None else ceiling - share.limits[unit]
