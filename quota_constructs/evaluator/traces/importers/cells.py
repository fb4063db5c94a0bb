"""Numbers, times and spans as logs write them, exact to the millisecond or refused."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import Final

from quota_constructs.evaluator.traces.refusal import Refused, shown

NOTHING: Final = frozenset({"", "none", "nan", "null", "unknown", "n/a"})
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{0,18})?([eE][+-]?[0-9]{1,2})?")
MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?( ?(Z|[+-][0-9]{2}:?[0-9]{2}))?"
)
CLOCK: Final = re.compile(r"(?:([0-9]{1,6})-)?(?:([0-9]{1,9}):)?([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?")
SECOND_MS: Final = 1000


def is_nothing(text: str) -> bool:
    """Say whether *text* is one of the ways to write that there is no value."""
    return text.strip().lower() in NOTHING


def number(text: str, field: str) -> Decimal:
    """Return the number that *text* spells, or refuse it under the name of its *field*."""
    stripped = text.strip()
    if not NUMBER.fullmatch(stripped):
        raise Refused(f"{shown(field)} must be a number, got {shown(text)}; correct or remove the row")
    return Decimal(stripped)


def milliseconds(text: str, field: str, *, number_ms: int = SECOND_MS) -> int:
    """Return the time or span that *text* counts in units of *number_ms*, rounded to the millisecond."""
    stripped = text.strip()
    digits = stripped.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 15:  # noqa: PLR2004 - the common case, exact
        return int(stripped) * number_ms
    return round(number(text, field) * number_ms)


def clock(text: str, field: str) -> int:
    """Return the span that *text* writes as `D-HH:MM:SS`, `HH:MM:SS` or `MM:SS`, in milliseconds."""
    parts = CLOCK.fullmatch(text.strip())
    if parts is None:
        raise Refused(f"{shown(field)} must be a span such as '1-02:03:04' or '02:03:04', got {shown(text)}")
    days, hours, minutes, seconds, fraction = parts.groups(default="0")
    whole_s = ((int(days) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
    return whole_s * SECOND_MS + round(Decimal(f"0.{fraction}") * SECOND_MS)


def thousandths(text: str, field: str) -> int:
    """Return the count that *text* spells, which may be a fraction or written as `66.0`, in thousandths."""
    return milliseconds(text, field)


def moment(text: str, field: str, zone: tzinfo) -> int:
    """
    Return the calendar time that *text* spells, in milliseconds of the epoch.

    *zone* holds where the text states none; of an hour that a change of clocks repeats, the first is meant.
    """
    stripped = text.strip()
    if not MOMENT.fullmatch(stripped):
        raise Refused(f"{shown(field)} must be a time such as '2026-11-29 20:15:00', got {shown(text)}")
    try:
        return _epoch_ms(stripped, zone)
    except ValueError as error:
        raise Refused(f"{shown(field)} is no time there is, {shown(text)}: {error}") from None


@lru_cache(maxsize=4096)
def _epoch_ms(text: str, zone: tzinfo) -> int:
    read = datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
    placed = read if read.tzinfo else read.replace(tzinfo=zone)
    return round(Decimal(repr(placed.timestamp())) * SECOND_MS)
