"""What every format's reader turns its source into: jobs, and what is no job with the reason why."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Row(Struct, frozen=True, kw_only=True, gc=False):
    """One job of a log, in the words of no format; the pipeline decides what becomes of it."""

    id: str | None
    """What the source calls it; None where it has no name for it."""

    submit_ms: int
    """From any zero that all rows of the import share, the epoch or the beginning of the log."""

    duration_ms: int | None
    """How long it worked; None if that is not recorded, 0 if it was too short to be measured."""

    milli_units: int
    """What it held, in thousandths of a GPU or of a processor."""

    labels: Mapping[str, str]
    """What may serve as team, priority or instance type; what the row does not say is left out."""

    altered: tuple[str, ...] = ()
    """How the reader had to depart from what the row says, if it had to."""

    remarks: tuple[str, ...] = ()
    """What is as recorded and should be known all the same, such as that the job was killed."""


class Dropped(Struct, frozen=True, gc=False):
    """A row that becomes no job."""

    reason: str
