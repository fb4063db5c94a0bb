"""What there is to know of a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from enum import Enum, auto

from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile


class RepeatedIds(Enum):
    """What it means that several rows have one id."""

    OTHER_JOBS = auto()
    """They are different jobs; the later ones are given a name of their own."""

    ATTEMPTS = auto()
    """They are attempts of one job, which was submitted with the earliest and worked for as long as all together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a reader leaves to whoever runs the import."""

    duration: str | None = None
    """Which of the importer's `durations` counts; None is the first of them."""

    zone: tzinfo = UTC
    """The zone of times that state none."""

    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    """For a format without names of its own: which column holds what."""

    number_ms: int = 1000
    """For a format that does not say in which unit its times are: how many milliseconds one of them has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One format: how its files are read, and what its rows can say."""

    description: str
    rows: Callable[[SourceFile, Choices], Iterator[Row | Dropped]]
    """Yields what one file holds; raises Refused for what cannot be meant."""

    teams: tuple[str, ...]
    """Labels in order of preference: the first that a row has is its team."""

    labels: tuple[str, ...]
    """Every label that its rows can have; empty where that depends on the file."""

    unit: str = "GPU"
    instance_type: str | None = None
    """The label that tells kinds of machine apart, if there is one."""

    states_instance_type: bool = False
    """Whether that label is an instance type already, where nothing else is said."""

    priority: str | None = None
    """The label that is the priority where nothing else is said."""

    durations: tuple[str, ...] = ()
    """The ways to tell how long a job worked, if there are several; the first is the default."""

    takes_zone: bool = False
    """Whether its times are calendar times that may not say in which zone."""

    takes_columns: bool = False
    """Whether the file has neither names nor units of its own, so that they must be told."""

    repeated_ids: RepeatedIds = RepeatedIds.OTHER_JOBS
    remarks: tuple[str, ...] = ()
    """What must be known of every import of this format, such as a fault of the data that it is published with."""
