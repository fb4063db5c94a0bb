"""
The lines of a contention trace, as types: what the reader decodes with and what the published schema is made from.

A field that a line may leave out is UNSET when it does, so that the header's defaults can take its place. The
`description` of a field finishes the sentence "must be ...", in the schema as in the reader's errors.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

VERSION: Final = 1
MAX_SECONDS: Final = 10**12
MAX_PRIORITY: Final = 9999
MAX_COUNT: Final = 10**9
MAX_NAME_LENGTH: Final = 256
MAX_PATH_LENGTH: Final = 1024

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, description="a string of 1 to 256 characters")]
Time = Annotated[
    float,
    Meta(ge=0, le=MAX_SECONDS, description="a number of seconds from 0 to 1e12, with at most three decimals"),
]
Length = Annotated[
    float,
    Meta(gt=0, le=MAX_SECONDS, description="a number of seconds above 0, up to 1e12, with at most three decimals"),
]
AnyTime = Annotated[
    float,
    Meta(
        ge=-MAX_SECONDS,
        le=MAX_SECONDS,
        description="a number of seconds from -1e12 to 1e12, with at most three decimals",
    ),
]
Priority = Annotated[int, Meta(ge=0, le=MAX_PRIORITY, description="a whole number from 0 to 9999")]
Count = Annotated[int, Meta(ge=1, le=MAX_COUNT, description="a whole number from 1 to 1e9")]
Retries = Annotated[int, Meta(ge=0, le=MAX_COUNT, description="a whole number from 0 to 1e9")]
Counts = Annotated[
    dict[Name, Count],
    Meta(min_length=1, description="an object that gives each instance type a whole number from 1 to 1e9"),
]
Path = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_PATH_LENGTH,
        description="a path of up to 1,024 characters, from the trace's folder",
    ),
]
YesNo = Annotated[bool, Meta(description="true or false")]
Text = Annotated[str, Meta(description="a string")]


class CheckpointFields(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """How a job saves its work. What is left out is null, 0 or false."""

    interval: Length | UnsetType | None = UNSET
    cost: Time | UnsetType = UNSET
    restore: Time | UnsetType = UNSET
    on_stop: YesNo | UnsetType = UNSET


class Defaults(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """What holds for every job that does not say otherwise."""

    instance_type: Name | UnsetType = UNSET
    instance_count: Count | UnsetType = UNSET
    instances: Counts | UnsetType = UNSET
    priority: Priority | UnsetType = UNSET
    preemption_retries: Retries | UnsetType | None = UNSET
    checkpoint: Annotated[CheckpointFields | UnsetType | None, Meta(description="an object, or null")] = UNSET
    startup: Time | UnsetType = UNSET
    timeout: Length | UnsetType | None = UNSET
    deadline: AnyTime | UnsetType | None = UNSET


class JobLine(Defaults, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A job: whose it is, when it arrives, for how long it works and on what."""

    id: Name
    share: Name
    submit: Time
    duration: Length


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line, where there is one."""

    trace: Annotated[Literal[1], Meta(description="1, the only version of the format")]
    description: Text = ""
    source: Text = ""
    defaults: Annotated[Defaults, Meta(description="an object of job fields")] = Defaults()


class EventLine(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, tag_field="event"):
    """Something that happens while the jobs run."""

    time: Time


class PriorityLine(EventLine, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, tag="priority"):
    """A job's scheduling priority is changed."""

    job: Name
    priority: Priority


class CancelLine(EventLine, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, tag="cancel"):
    """A job is cancelled."""

    job: Name


class ArrangementLine(EventLine, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, tag="arrangement"):
    """Another template takes the place of the present one."""

    template: Path


AnyEventLine = PriorityLine | CancelLine | ArrangementLine
LINES: Final[tuple[type[Struct], ...]] = (Header, JobLine, PriorityLine, CancelLine, ArrangementLine)

ONE_HOLDING: Final = {
    "not": {
        "anyOf": [
            {"required": ["instances", "instance_type"]},
            {"required": ["instances", "instance_count"]},
        ]
    }
}
"""What a type cannot say: a job holds several instance types, or a count of one."""


def line_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of a trace."""
    lines, definitions = msgspec.json.schema_components(LINES, ref_template="#/$defs/{name}")
    for holder in (Defaults, JobLine):
        definitions[holder.__name__] |= ONE_HOLDING
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:quota-constructs:contention-trace:{VERSION}",
        "title": f"One line of a contention trace, version {VERSION}",
        "anyOf": list(lines),
        "$defs": definitions,
    }


def published_schema() -> bytes:
    """Return the text of `contention-trace.schema.json`, the schema that the package carries."""
    return msgspec.json.format(msgspec.json.encode(line_schema(), order="deterministic"), indent=2) + b"\n"
