"""A job under simulation: its history so far, and where it stands."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.trace import Job

if TYPE_CHECKING:
    from quota_constructs.evaluator.simulation.borrowing import Claim
    from quota_constructs.evaluator.simulation.share import Share

Ticket = tuple[int, int, int]
"""A place in a share's queue: (-priority, submit, seq)."""


Rank = tuple[int, int, int]
"""A place among the jobs of a share that can be stopped, the largest first; ends in the seq, or in minus the seq."""

Place = tuple[int, int]
"""(dispatch, seq): the order in which a share's jobs stand on its own capacity."""


class Phase(Enum):
    """Where a job stands."""

    UNSUBMITTED = "unsubmitted"
    QUEUED = "queued"
    AWAITING = "awaiting"
    """Counts as using its instances, which are being taken from others for it."""
    DISPATCHED = "dispatched"
    STOPPING = "stopping"
    """Holds its instances until its release, but no longer counts as using them."""
    ENDED = "ended"


# Looking a member up in its class costs more than all the rest of a change of phase, so the hot path uses these.
UNSUBMITTED, QUEUED, AWAITING, DISPATCHED, STOPPING, ENDED = Phase


class Run(JobHistory):
    """One job under simulation. Fields below the line mean something in their phase only."""

    __slots__ = (
        "cancelled",
        "claim",
        "dispatched_ms",
        "doomed",
        "due",
        "entitled_since_ms",
        "phase",
        "place",
        "priority",
        "promised",
        "queued_since_ms",
        "rank",
        "saved_ms",
        "seq",
        "share",
        "ticket",
        "times_out",
        "work_begins_ms",
    )

    share: Share
    claim: Claim
    queued_since_ms: int
    ticket: Ticket | None
    """Once QUEUED: its place in the queue, None since it left."""
    promised: tuple[int, ...]
    """AWAITING: of each need of the claim, what comes out of idle or already stopping instances."""
    dispatched_ms: int
    """DISPATCHED, and AWAITING, where it lies ahead."""
    place: Place
    """DISPATCHED or AWAITING, where its share is watched."""
    rank: Rank
    """DISPATCHED, where its share is watched: its place among possible victims."""
    work_begins_ms: int
    due: tuple[int, int] | None
    """Once DISPATCHED: (end, seq) of the attempt under way; what is left of earlier ones is told by not being this."""
    times_out: bool
    cancelled: bool
    """STOPPING or AWAITING: whether it was cancelled while it could not end at once."""
    doomed: bool
    """STOPPING or AWAITING: whether its share was deleted while it could not end at once."""

    def __init__(self, job: Job, seq: int) -> None:
        super().__init__(job)
        self.seq: int = seq
        self.phase: Phase = UNSUBMITTED
        self.priority: int = job.priority
        self.saved_ms: int = 0
        self.entitled_since_ms: int | None = None
        """Since when it could run within its share's own allocation and does not."""

    def stop_clock(self, now: int) -> None:
        """Let it wait no longer for what its share is entitled to, if it did."""
        if self.entitled_since_ms is not None:
            self.entitled_wait_ms += now - self.entitled_since_ms
            self.entitled_since_ms = None

    def start_clock(self, now: int) -> None:
        """Let it wait for what its share is entitled to."""
        if self.entitled_since_ms is None:
            self.entitled_since_ms = now

    @property
    def preemptions(self) -> int:
        """How often it was stopped for another job."""
        return self.cross_share_preemptions + self.in_share_preemptions
