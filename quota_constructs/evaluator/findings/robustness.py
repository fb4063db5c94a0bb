"""Whether a finding stands or falls with what is assumed where AWS is silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from quota_constructs.evaluator.numbers import as_seconds
from quota_constructs.evaluator.simulation.model import Assumptions

MOST_FOR_ALL = 2_000
"""Jobs and events up to which a trace is run under all combinations."""

MOST_FOR_ANY = 10_000
"""Jobs and events up to which it is run with one assumption changed at a time; larger ones are run as assumed."""

MOST_NAMED = 3
"""How many combinations of assumptions are named in words."""


class Extent(StrEnum):
    """How many other assumptions a trace was run under."""

    ALL = "all-combinations"
    ONE_AT_A_TIME = "one-at-a-time"
    """Each assumption changed by itself, the others as chosen: for traces too large for more."""

    NOT_TRIED = "not-tried"
    """None: the trace is too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Robustness:
    """Under which assumptions a finding shows."""

    extent: Extent
    chosen: Assumptions
    """Those of the check, under which findings are reported."""

    shows_under: tuple[Assumptions, ...]
    not_under: tuple[Assumptions, ...] = ()
    measured: tuple[float, float] | None = None
    """The least and the most that was measured where the finding shows; None for findings that measure nothing."""

    unit: str = ""
    """What stands behind such a number, with its space."""

    @property
    def holds_under_all(self) -> bool:
        """Whether nothing that was tried makes it go away."""
        return self.extent is not Extent.NOT_TRIED and not self.not_under

    @property
    def shows_as_chosen(self) -> bool:
        """Whether it shows under the assumptions of the check; if not, it is only a note."""
        return self.chosen in self.shows_under

    @property
    def exceptions(self) -> tuple[Assumptions, ...]:
        """The assumptions under which it is not as under the chosen ones: gone, or there."""
        return self.not_under if self.shows_as_chosen else self.shows_under

    @property
    def depends_on(self) -> Mapping[str, tuple[int | str, ...]]:
        """By assumption, the values under which it goes away (or, if it does not show as chosen, comes up) alone."""
        single = [(factors[0], each) for each in self.exceptions if len(factors := _changed(self.chosen, each)) == 1]
        return {
            factor: tuple(getattr(each, factor) for changed, each in single if changed == factor) for factor in _FACTORS
        }

    @property
    def text(self) -> str:
        """What a reader is told."""
        if self.extent is Extent.NOT_TRIED:
            return f"not tried under other assumptions: the trace has more than {MOST_FOR_ANY:,} jobs and events"
        tried = len(self.shows_under) + len(self.not_under)
        what = (
            "combinations of assumptions" if self.extent is Extent.ALL else "sets of assumptions, one changed at a time"
        )
        if self.holds_under_all:
            text = f"holds under all {tried} {what}"
        else:
            how = "depends on what is assumed: not" if self.shows_as_chosen else "not as assumed, but"
            text = f"{how} {self._nearest()} (shows under {len(self.shows_under)} of {tried} {what})"
        if self.measured is not None and self.measured[0] != self.measured[1]:
            text += f", measured {self.measured[0]:,.6g} to {self.measured[1]:,.6g}{self.unit}"
        return text

    def as_value(self) -> dict[str, object]:
        """Return the same for machines, as plain JSON values."""
        return {
            "extent": self.extent,
            "holds_under_all": self.holds_under_all,
            "shows_as_assumed": self.shows_as_chosen,
            "tried": len(self.shows_under) + len(self.not_under),
            "shows": len(self.shows_under),
            "depends_on": {factor: list(values) for factor, values in self.depends_on.items()},
            "assumed": _value(self.chosen),
            "exceptions": [_value(each) for each in self.exceptions],
            "measured": None if self.measured is None else list(self.measured),
            "unit": self.unit,
        }

    def _nearest(self) -> str:
        """Name those of the exceptions that differ the least from what was chosen."""
        fewest = min(len(_changed(self.chosen, each)) for each in self.exceptions)
        nearest = [each for each in self.exceptions if len(_changed(self.chosen, each)) == fewest]
        named = [
            " and ".join(_FACTORS[factor](each) for factor in _changed(self.chosen, each))
            for each in nearest[:MOST_NAMED]
        ]
        more = f" or {len(nearest) - MOST_NAMED} more" if len(nearest) > MOST_NAMED else ""
        return "with " + ", or ".join(named) + more


_FACTORS: Mapping[str, Callable[[Assumptions], str]] = {
    "victim_order": lambda assumed: f"victim order {assumed.victim_order}",
    "queueing": lambda assumed: f"queueing {assumed.queueing}",
    "stop_ms": lambda assumed: f"stop time {as_seconds(assumed.stop_ms)}",
}
"""What is assumed, and in words."""


def _value(assumed: Assumptions) -> dict[str, object]:
    return {factor: getattr(assumed, factor) for factor in _FACTORS}


def _changed(chosen: Assumptions, other: Assumptions) -> tuple[str, ...]:
    return tuple(factor for factor in _FACTORS if getattr(chosen, factor) != getattr(other, factor))
