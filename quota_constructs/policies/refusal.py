"""Why plain values are no policy, in one line that names the field, the rule, the value and the way out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from msgspec import ValidationError, inspect

from quota_constructs.errors import ConfigurationError
from quota_constructs.printable import shortened

MAX_SHOWN = 60

_PLAIN_WORDS = {
    "object": "a table of fields",
    "array": "a list",
    "str": "text",
    "float": "a number",
    "int": "a whole number",
    "bool": "true or false",
    "date": "a date such as 2030-01-31",
}
"""The names of msgspec's types, in words that fit Python, JSON and TOML alike."""


def refusal(error: ValidationError, plain: object, wanted: type) -> str:
    """Return what *error* found in *plain*, which was to become a *wanted*."""
    reason, _, path = str(error).rpartition(" - at `$")
    if not reason:
        reason, path = path, ""
    steps = re.findall(r"[a-z0-9_]+", path)
    place = "the policy" if not steps else f"'{'.'.join(steps)}'"
    if missing := re.match(r"Object missing required field `(.*)`", reason):
        return f"'{'.'.join([*steps, missing[1]])}' is missing; give it"
    if stranger := re.match(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        return _unknown(stranger[1], place, _fields(_type_at(wanted, steps)))
    if isinstance(error.__cause__, ConfigurationError):  # what a policy itself says of its values
        return f"{place}: {reason}"
    return f"{place} must be {_allowed(reason, _type_at(wanted, steps))}, got {_shown(_value_at(plain, steps))}"


def _unknown(name: str, place: str, fields: Sequence[str]) -> str:
    near = get_close_matches(name[:MAX_SHOWN], fields, n=1)
    way_out = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(fields)}"
    return f"'{shortened(name, length=MAX_SHOWN)}' is no field of {place}; {way_out}"


def _allowed(reason: str, wanted: inspect.Type) -> str:
    """Return what is allowed, as the end of a sentence."""
    for each in _alternatives(wanted):
        if isinstance(each, inspect.EnumType):
            return f"one of {', '.join(map(str, each.cls))}"
        if isinstance(each, inspect.StructType) and reason.startswith("Expected `object"):
            return f"a table of fields such as '{each.fields[0].encode_name}' ({each.cls.__name__} in Python)"
        if isinstance(each, inspect.LiteralType):
            return f"one of {', '.join(map(str, each.values))}"
    if reason.startswith("Invalid RFC3339"):
        return _PLAIN_WORDS["date"]
    if reason.endswith("out of range"):
        return "a number that is not so large"
    expected = re.match(r"Expected `(\w+)(?: \| null)?`(.*?)(?:, got .*)?$", reason)
    return reason if expected is None else f"{_PLAIN_WORDS.get(expected[1], expected[1])}{expected[2]}"


def _type_at(wanted: type, steps: Sequence[str]) -> inspect.Type:
    """Return the type that *wanted* declares where *steps* lead."""
    here = inspect.type_info(wanted)
    for step in steps:
        for each in _alternatives(here):
            if isinstance(each, inspect.StructType):
                here = next((field.type for field in each.fields if field.encode_name == step), here)
            elif isinstance(each, inspect.VarTupleType):
                here = each.item_type
    return here


def _alternatives(wanted: inspect.Type) -> Sequence[inspect.Type]:
    bare = wanted.type if isinstance(wanted, inspect.Metadata) else wanted
    return bare.types if isinstance(bare, inspect.UnionType) else [bare]


def _fields(wanted: inspect.Type) -> list[str]:
    return [
        field.encode_name
        for each in _alternatives(wanted)
        if isinstance(each, inspect.StructType)
        for field in each.fields
    ]


def _value_at(plain: object, steps: Sequence[str]) -> object:
    here = plain
    for step in steps:
        if isinstance(here, Mapping):
            here = cast("Mapping[str, object]", here).get(step)
        elif isinstance(here, list):
            here = cast("list[object]", here)[int(step)]
    return here


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f"'{shortened(value, length=MAX_SHOWN)}'"
    try:
        return shortened(json.dumps(value, default=str), length=MAX_SHOWN)
    except RecursionError:
        return "a deeply nested value"
