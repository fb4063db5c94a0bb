"""How a quota share treats its idle capacity: keep it, lend it, or lend and also borrow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quota_constructs.errors import ConfigurationError

UNLIMITED = -1
"""The service's way to write "no borrow limit"."""


class Strategy(StrEnum):
    """What a share does with capacity it does not use, in AWS Batch's own words."""

    RESERVE = "RESERVE"
    """Idle capacity stays idle; nobody else may use it."""

    LEND = "LEND"
    """Idle capacity may be borrowed by others; the share itself never borrows."""

    LEND_AND_BORROW = "LEND_AND_BORROW"
    """Idle capacity may be borrowed by others, and the share may borrow theirs."""

    @property
    def lends(self) -> bool:
        """Whether other shares may use this share's idle capacity."""
        return self is not Strategy.RESERVE

    @property
    def borrows(self) -> bool:
        """Whether the share may use the idle capacity of shares that lend."""
        return self is Strategy.LEND_AND_BORROW


@dataclass(frozen=True, slots=True)
class ResourceSharing:
    """
    A share's sharing strategy, made with `reserve()`, `lend()` or `lend_and_borrow()`.

    Only a borrower can carry a borrow limit, so a limit on a share that never borrows cannot be written.
    Source: https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html
    """

    strategy: Strategy
    borrow_limit_percent: float | None = None
    """Percent of the share's own capacity, for each unit; -1 is unlimited; None where the share does not borrow."""

    def __post_init__(self) -> None:
        """Refuse the combinations that the factories cannot produce."""
        if self.strategy.borrows != (self.borrow_limit_percent is not None):
            raise ConfigurationError(
                f"a borrow limit belongs to LEND_AND_BORROW and to nothing else, got {self.borrow_limit_percent} with "
                f"{self.strategy}; use ResourceSharing.reserve(), .lend() or .lend_and_borrow(...)"
            )

    @classmethod
    def reserve(cls) -> ResourceSharing:
        """Keep idle capacity for the share's own jobs: they may start sooner, the queue is used less."""
        return cls(Strategy.RESERVE)

    @classmethod
    def lend(cls) -> ResourceSharing:
        """Lend idle capacity, and take it back by cross-share preemption; never borrow."""
        return cls(Strategy.LEND)

    @classmethod
    def lend_and_borrow(cls, *, borrow_limit_percent: float = UNLIMITED) -> ResourceSharing:
        """
        Lend idle capacity and borrow that of other lenders, which can be taken back at any time.

        *borrow_limit_percent* bounds the borrowed instances of each unit, in percent of the share's own
        capacity: 200 on a share of 4 allows 8 more. 0 allows none. It may be a CDK number token, which is
        checked when it is known. Defaults to -1, unlimited, as in the service's API.
        """
        return cls(Strategy.LEND_AND_BORROW, borrow_limit_percent)
