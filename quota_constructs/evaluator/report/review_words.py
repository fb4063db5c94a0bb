"""What of a review is said alike in text and in Markdown."""

from __future__ import annotations

from quota_constructs.evaluator.balance import Balance
from quota_constructs.evaluator.numbers import as_clock, as_hours, as_percent
from quota_constructs.evaluator.review.changes import Change
from quota_constructs.evaluator.review.people import Figure, Team, Unit
from quota_constructs.printable import shortened

NONE = "-"
LONGEST_NAME = 40
LONGEST_TEXT = 400
"""Of what a policy says of itself; the whole is in JSON."""

MOST_DETAILED = 12
"""Queues on traces of which each share's figures are shown; of others, who loses. JSON has all."""


def change_cells(change: Change) -> tuple[str, str, str, str]:
    """Return (where, what, before, after) of a change, as text of a bounded length."""
    where = shortened(change.queue, length=LONGEST_NAME)
    if change.share is not None:
        where = f"{where} / {shortened(change.share, length=LONGEST_NAME)}"
    what = f"{change.what} {change.kind}" if change.what in ("queue", "share") else change.what
    return where, shortened(what, length=LONGEST_TEXT), _side(change.before), _side(change.after)


def _side(text: str | None) -> str:
    return NONE if text is None else shortened(text, length=LONGEST_TEXT)


def team_name(team: Team) -> str:
    """Return what a team's share is called, on both sides if it is not the same."""
    name = shortened(team.share, length=LONGEST_NAME)
    return name if team.new_name is None else f"{name} (now {shortened(team.new_name, length=LONGEST_NAME)})"


def finish_text(balance: Balance) -> str:
    """Return how many jobs finish when, in one line."""
    parts = [
        f"{count:,} {what}"
        for count, what in (
            (balance.forgone, "no longer succeed"),
            (balance.later, f"finish later, by {as_clock(balance.later_ms)} in all"),
            (balance.sooner, f"finish sooner, by {as_clock(balance.sooner_ms)} in all"),
            (balance.gained, "succeed now"),
            (balance.same, "finish at the same time"),
        )
        if count
    ]
    return "; ".join(parts)


def figure_cells(figure: Figure) -> tuple[str, str, str, str]:
    """Return (before, after, change, direction) of a figure."""
    before, after = figure.before, figure.after
    change = NONE
    if before is not None and after is not None:
        difference = after - before
        sign = "-" if difference < 0 else "+"
        change = f"{sign}{_amount(figure.unit, abs(difference))}"
    return _amount(figure.unit, before), _amount(figure.unit, after), change, figure.direction


def _amount(unit: Unit, amount: float | None) -> str:
    if amount is None:
        return NONE
    match unit:
        case Unit.MS:
            return as_clock(amount)
        case Unit.INSTANCE_MS:
            return f"{as_hours(round(amount))} h"
        case Unit.FRACTION:
            return as_percent(amount)
        case Unit.INSTANCES:
            return f"{amount:,.2f}".rstrip("0").rstrip(".")
        case Unit.COUNT:
            return f"{amount:,.0f}"
