"""Why a line is no part of a trace, in one sentence that names the field, the rule, the value and the way out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn, cast

from msgspec import Struct, ValidationError

from quota_constructs.evaluator.traces.schema import line_schema
from quota_constructs.printable import shortened

MAX_SHOWN = 60
MAX_LISTED = 20
LONGEST_WHOLE_NUMBER = 300
"""More digits than any field takes, and few enough to convert."""


class Refused(Exception):  # noqa: N818 - no error of its own: the reader turns it into a TraceError
    """A line cannot be used. The reader adds the file, and the line unless it is told *line*."""

    def __init__(self, reason: str, *, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def shown(value: object) -> str:
    """Return *value* as a message may quote it: on one line, short, without control characters."""
    if isinstance(value, str):
        return f"'{shortened(value, length=MAX_SHOWN)}'"
    try:
        return shortened(json.dumps(value), length=MAX_SHOWN)
    except RecursionError:  # a line may be nested just deep enough to be read and too deep to be written
        return "a deeply nested value"


def listed(names: Iterable[str]) -> str:
    """Return *names* quoted and parted by commas, the first of them if there are many."""
    every = [shown(name) for name in names]
    more = len(every) - MAX_LISTED
    return ", ".join(every[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return the question whether one of *names* was meant, or nothing if none is near."""
    near = get_close_matches(name[:MAX_SHOWN], list(names), n=1)
    return f"; did you mean {shown(near[0])}?" if near else ""


def unknown(what: str, name: str, names: Iterable[str]) -> str:
    """Say that *what* is not called *name*, and how it may be called."""
    names = list(names)
    return f"{shown(name)} is no {what}{suggestion(name, names) or f'; there are {listed(names)}'}"


def plain_object(text: bytes) -> dict[str, Any]:
    """Return the JSON object that *text* holds, or refuse it; the slow and thorough way."""
    try:
        record = json.loads(
            text.decode(), object_pairs_hook=_without_repetition, parse_constant=str, parse_int=_bounded_int
        )
        if b"\\u" in text:  # the only way to half of a character, which nothing can write out again
            json.dumps(record, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise Refused(f"not UTF-8 (byte {error.start + 1} of the line); save the file as UTF-8") from None
    except UnicodeEncodeError:
        raise Refused("not JSON: a string holds half a character (a lone surrogate); write it whole") from None
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise Refused(f"not JSON: {reason} (column {error.pos + 1}); write one object, on one line") from None
    except RecursionError:
        raise Refused("nested too deeply; write one object, on one line") from None
    if not isinstance(record, dict):
        raise Refused(f"must be a JSON object, got {shown(record)}; write one object, on one line")
    return cast("dict[str, Any]", record)


def refuse_field(record: Mapping[str, Any], error: ValidationError, line_type: type[Struct]) -> NoReturn:
    """Refuse *record* for what *error* found, in words of our own."""
    path = re.search(r" - at `(?:key` in `)?\$\.?([^`]*)`$", str(error))
    steps = [step for step in re.split(r"\.|\[\.\.\.\]", path[1] if path else "") if step]
    rule: Mapping[str, Any] = {"$ref": f"#/$defs/{line_type.__name__}"}
    value: Any = record
    for step in steps:
        rule, value = _fields(rule)[step], value[step]
    place = "".join(f" in '{step}'" for step in reversed(steps))
    missing = re.match(r"Object missing required field `(.*?)`", str(error))
    if missing:
        raise Refused(f"'{missing[1]}'{place} is missing; it must be {_allowed(_fields(rule)[missing[1]])}")
    if "unknown field" in str(error):
        fields = _fields(rule)
        stranger = next(name for name in value if name not in fields)
        raise Refused(unknown(f"field{place or ' of this line'}", stranger, fields))
    raise Refused(f"'{'.'.join(steps)}' must be {_allowed(rule)}, got {shown(value)}")


def _fields(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of the object that the schema's *rule* describes."""
    reference = next(part["$ref"] for part in (rule, *rule.get("anyOf", ())) if "$ref" in part)
    definition: Mapping[str, Any] = line_schema()["$defs"][reference.rpartition("/")[2]]
    return cast("Mapping[str, Any]", definition["properties"])


def _allowed(rule: Mapping[str, Any]) -> str:
    """Return what the schema's *rule* allows, as the end of a sentence."""
    if "description" in rule:
        return str(rule["description"])
    return ", or ".join(str(part.get("description", part.get("type"))) for part in rule["anyOf"])


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of *pairs*, or refuse a key that comes twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise Refused(f"{shown(twice)} is given twice; keep one of them")
    return record


def _bounded_int(digits: str) -> float:
    """Return the number that *digits* spell; one that is out of every bound need not be exact."""
    return int(digits) if len(digits) <= LONGEST_WHOLE_NUMBER else float(digits)
