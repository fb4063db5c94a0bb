"""
JSON Lines: one object a line, decoded and checked in one step.

Lines that are no job fall through to slower ways: an event, then the header or a blank line, then the explanation
of what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import DecodeError, Struct, ValidationError

from quota_constructs.evaluator.traces.refusal import Refused, listed, plain_object, refuse_field, shown
from quota_constructs.evaluator.traces.schema import (
    VERSION,
    AnyEventLine,
    ArrangementLine,
    CancelLine,
    Header,
    JobLine,
    PriorityLine,
)
from quota_constructs.evaluator.traces.source import Lines
from quota_constructs.evaluator.traces.taker import LineTaker

_encode = msgspec.json.Encoder().encode
_decode_job = msgspec.json.Decoder(JobLine).decode
_decode_event = msgspec.json.Decoder(AnyEventLine).decode
_EVENTS: Final[dict[str, type[Struct]]] = {
    "priority": PriorityLine,
    "cancel": CancelLine,
    "arrangement": ArrangementLine,
}


def read_json_lines(lines: Lines, taker: LineTaker) -> None:
    """Give every line of *lines* to *taker*."""
    blank_so_far = True
    for line in lines:
        try:
            job = _decode_job(line)
        except DecodeError:
            if line.isspace():
                continue
            event = _event(line)
            if event is not None:
                taker.add_event(event, lines.number)
            else:
                taker.set_header(_header(line, may_come=blank_so_far))
        else:
            _refuse_repeated_keys(line, job)
            taker.add_job(job, lines.number)
        blank_so_far = False


def _refuse_repeated_keys(line: bytes, decoded: Struct) -> None:
    """
    Refuse a line that gives a key twice, which the decoder lets pass.

    Written again, a line without escapes has as many colons as before, unless a value was dropped on the way.
    """
    if line.count(b":") != _encode(decoded).count(b":") or b"\\" in line:
        plain_object(line)


def _event(line: bytes) -> AnyEventLine | None:
    try:
        event = _decode_event(line)
    except (DecodeError, RecursionError):
        return None
    _refuse_repeated_keys(line, event)
    return event


def _header(line: bytes, *, may_come: bool) -> Header:
    """Return the header that *line* is, or refuse the line for what it comes nearest to."""
    record = plain_object(line)
    line_type = _nearest_type(record)
    if line_type is Header and not may_come:
        raise Refused("'trace' makes this a header, which must be the first line and the only one; remove it")
    try:
        header = msgspec.convert(record, line_type)
    except ValidationError as error:
        refuse_field(record, error, line_type)
    if isinstance(header, Header):
        return header
    raise Refused("not JSON; write one object, on one line")


def _nearest_type(record: Mapping[str, object]) -> type[Struct]:
    """Return what *record* was meant to be; refuse a kind of event or a version that there is not."""
    if "trace" in record:
        version = record["trace"]
        if version != VERSION:  # before its other fields, which may be those of another version
            raise Refused(f"'trace' must be {VERSION}, the only version of the format, got {shown(version)}")
        return Header
    if "event" not in record:
        return JobLine
    kind = record["event"]
    if not isinstance(kind, str) or kind not in _EVENTS:
        raise Refused(f"'event' must be one of {listed(_EVENTS)}, got {shown(kind)}")
    return _EVENTS[kind]
