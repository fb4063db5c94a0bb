"""The file of suppressions: which findings are accepted, with the reason and until when."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.findings.catalogue import RULES, SUPPRESSION_RULES
from quota_constructs.evaluator.findings.suppression import Suppression
from quota_constructs.evaluator.toml_file import read_toml
from quota_constructs.printable import printable, shortened

MAX_ENTRIES = 1_000
MAX_TEXT = 4_000

_TEXTS = ("rule", "reason", "queue", "share", "logical_id", "trace")
_FIELDS = (*_TEXTS, "until")


def read_suppressions(path: Path) -> tuple[Suppression, ...]:
    """
    Return the suppressions that the TOML file at *path* lists, each in a table `[[suppressions]]`.

    `rule` and `reason` must be there; `queue`, `share`, `logical_id` and `trace` narrow it down; `until` is the last
    day on which it holds. Raises `UsageError` for anything else.
    """
    document = read_toml(path)
    for key in document:
        if key != "suppressions":
            raise UsageError(f"{path}: '{shortened(key)}' is not known; write tables [[suppressions]]")
    entries = document.get("suppressions", [])
    if not isinstance(entries, list):
        raise UsageError(f"{path}: 'suppressions' must be a list of tables; write [[suppressions]]")
    listed = cast("list[object]", entries)
    if len(listed) > MAX_ENTRIES:
        raise UsageError(f"{path}: must have at most {MAX_ENTRIES:,} suppressions, got {len(listed):,}")
    return tuple(_read(f"{path}: suppression {number}", entry) for number, entry in enumerate(listed, 1))


def _read(place: str, entry: object) -> Suppression:
    if not isinstance(entry, dict):
        raise UsageError(f"{place}: must be a table; write [[suppressions]]")
    said = cast("dict[str, Any]", entry)
    for key in said:
        if key not in _FIELDS:
            raise UsageError(f"{place}: '{shortened(key)}' is not known; there are {', '.join(_FIELDS)}")
    texts = {key: _text(f"{place}, {key}", said[key]) for key in _TEXTS if key in said}
    for key in ("rule", "reason"):
        if key not in texts:
            raise UsageError(f"{place}: '{key}' is missing; every suppression has a rule and a reason")
    acceptable = [rule for rule in RULES if rule not in {each.id for each in SUPPRESSION_RULES}]
    if texts["rule"] not in acceptable:
        raise UsageError(
            f"{place}, rule: must be one of {acceptable[0]} to {acceptable[-1]} that 'quota-constructs explain' lists, "
            f"got '{shortened(texts['rule'])}'"
        )
    return Suppression(**texts, until=_day(f"{place}, until", said["until"]) if "until" in said else None)


def _text(place: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT:
        raise UsageError(
            f"{place}: must be text of 1 to {MAX_TEXT:,} characters, got {shortened(printable(repr(value)))}"
        )
    return value


def _day(place: str, value: object) -> date:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise UsageError(
            f"{place}: must be a day without quotes, as 2027-01-31, got {shortened(printable(repr(value)))}"
        )
    return value
