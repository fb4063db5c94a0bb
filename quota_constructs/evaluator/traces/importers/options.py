"""What whoever imports a log decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from quota_constructs.evaluator.traces.importers.importer import Choices

OTHERS = "others"
ANY = "*"
"""In a mapping of instance types: whatever is not named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How rows become jobs. Times of the source count from its first job."""

    choices: Choices = field(default_factory=Choices)
    team: str | None = None
    """The label that is the team; None takes what the format prefers. `file` is the name of the file."""

    shares: Mapping[str, str] = field(default_factory=dict[str, str])
    """The share of a team that is called otherwise."""

    top: int | None = None
    """How many teams keep their name, those with the most unit-hours; the rest is put together."""

    others: str = OTHERS
    units_per_instance: int = 1
    instance_types: Mapping[str, str] = field(default_factory=dict[str, str])
    """The instance type for each kind of machine; ANY stands for all that are not named. Empty states none."""

    priority: str | None = None
    """The label that is the priority; None gives every job 0."""

    priorities: Mapping[str, int] = field(default_factory=dict[str, int])
    """The priority that a label's text stands for, where it is no number from 0 to 9999."""

    from_ms: int | None = None
    to_ms: int | None = None
    warm_up_ms: int = 0
    """How much earlier than *from_ms* jobs are taken too, so that the window does not begin with an empty cluster."""

    sample: Fraction = Fraction(1)
    seed: int = 1
    submit_scale: Fraction = Fraction(1)
    duration_scale: Fraction = Fraction(1)
    rebase: bool = True
    long_jobs: bool = False
    """Whether lengths that look like milliseconds taken for seconds are what is meant."""

    strict: bool = False
