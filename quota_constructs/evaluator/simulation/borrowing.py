"""Whether a job fits: own, by borrowing, by right, at once, or never (scheduling model, 1 and 6)."""
# ruff: noqa: SIM110 - these checks are most of what the simulation does, and all() would take three times as long

from __future__ import annotations

from quota_constructs.evaluator.simulation.ledger import Account
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import Instances
from quota_constructs.policies.time_limits import BlockedReason


class Claim:
    """What jobs of one share and one shape need, against the accounts they draw on."""

    __slots__ = ("blocked", "needs", "size")

    def __init__(self, needs: tuple[tuple[Account, int], ...]) -> None:
        self.needs: tuple[tuple[Account, int], ...] = needs
        self.size: int = sum(count for _, count in needs)
        """Instances of all units together."""
        self.blocked: BlockedReason | None = None
        """Why such a job can never start in the present arrangement, None if it can."""

    def count(self, account: Account) -> int:
        """Return how many instances it needs from *account*."""
        for mine, count in self.needs:
            if mine is account:
                return count
        return 0

    def fits_own(self) -> bool:
        """Whether it fits within the share's own limits."""
        for account, count in self.needs:
            if account.used + count > account.limit:
                return False
        return True

    def fits(self) -> bool:
        """Whether it fits own or by borrowing; ceilings are never below limits."""
        for account, count in self.needs:
            if account.used + count > account.ceiling:
                return False
        return True

    def fits_by_right(self) -> bool:
        """Whether the share is entitled to as much."""
        for account, count in self.needs:
            if count > account.pool.room + account.held - account.used:
                return False
        return True

    def fits_at_once(self) -> bool:
        """Whether as much is idle at this moment."""
        for account, count in self.needs:
            if count > account.pool.idle:
                return False
        return True

    def may_start(self) -> bool:
        """Whether such a job may start now without stopping anybody."""
        for account, count in self.needs:  # all three in one, as it is asked for every job that borrows
            pool = account.pool
            if (
                account.used + count > account.ceiling
                or count > pool.room + account.held - account.used
                or count > pool.idle
            ):
                return False
        return True


def misconfiguration(system: System, share: QuotaShare, instances: Instances) -> BlockedReason | None:
    """Return why a job of *share* that needs *instances* can never start, None if it can (scheduling model, 6)."""
    capacity = system.environment.capacity
    if any(count > capacity.get(unit, 0) for unit, count in instances):
        return BlockedReason.ENVIRONMENT_EXCEEDED
    if any(count > system.most_usable(share, unit) for unit, count in instances):
        return BlockedReason.QUOTA_EXCEEDED
    return None
