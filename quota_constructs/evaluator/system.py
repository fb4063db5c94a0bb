"""A quota-managed job queue with its service environment and quota shares, as read from a template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quota_constructs.policies.share_policy import NOTHING_AGREED, SharePolicy
from quota_constructs.policies.sharing import UNLIMITED, Strategy
from quota_constructs.policies.time_limits import BlockedReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where something was declared, so that a finding can point at it."""

    template: str
    """Path of the template file, as the user would open it (relative to where the reading began)."""

    logical_id: str
    construct_path: str | None = None
    """The `aws:cdk:path` of the resource; None for templates that carry none."""

    declared_at: str | None = None
    """The Python file that declares it, from the root of its repository, if the cloud assembly says so."""

    declared_line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceEnvironment:
    """The pool of instances that one queue schedules on: the most that may run at once, by instance type."""

    name: str
    capacity: Mapping[str, int]
    source: Source
    other_queues: tuple[str, ...] = ()
    """Names of other quota-managed queues that use it too, which the service refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaShare:
    """One team's allocation, and what it may do beyond it."""

    name: str
    limits: Mapping[str, int]
    """Allocated instances by unit; a unit that is absent may not be used at all."""

    strategy: Strategy
    borrow_limit_percent: int = UNLIMITED
    """Percent of the own limit; -1 is unlimited. Means nothing unless the strategy borrows."""

    in_share_preemption: bool = False
    enabled: bool = True
    policy: SharePolicy = NOTHING_AGREED
    """What the teams agreed on; it changes nothing in the service."""

    source: Source

    def ceiling(self, unit: str) -> int | None:
        """Return the most instances of *unit* the share may ever use, None for no bound (scheduling model, 1)."""
        limit = self.limits.get(unit, 0)
        if not self.strategy.borrows or unit not in self.limits:
            return limit
        if self.borrow_limit_percent == UNLIMITED:
            return None
        return limit + limit * self.borrow_limit_percent // 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit:
    """A queue's `JobStateTimeLimitActions` entry: how long a blocking job is left at the head."""

    reason: BlockedReason
    max_time_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One quota-managed queue and all that decides who runs on it: an *arrangement*."""

    name: str
    """The queue's name, or its logical id where the template leaves the name to CloudFormation."""

    source: Source
    environment: ServiceEnvironment
    shares: tuple[QuotaShare, ...]
    """In order of name, without duplicates."""

    time_limits: tuple[TimeLimit, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """Every unit that the environment or a share names, in order."""
        return tuple(sorted({*self.environment.capacity, *(unit for share in self.shares for unit in share.limits)}))

    def share(self, name: str) -> QuotaShare | None:
        """Return the share called *name*, or None."""
        return next((share for share in self.shares if share.name == name), None)

    def most_usable(self, share: QuotaShare, unit: str) -> int:
        """Return the most instances of *unit* that *share* can ever hold, borrowing included (scheduling model, 6)."""
        if unit not in share.limits:
            return 0
        if not share.strategy.borrows:
            return share.limits[unit]
        lent = sum(other.limits.get(unit, 0) for other in self.shares if other is not share and other.strategy.lends)
        reachable = share.limits[unit] + lent
        ceiling = share.ceiling(unit)
        return reachable if ceiling is None else min(reachable, ceiling)
