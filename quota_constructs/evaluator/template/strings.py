"""The intrinsic functions that only work on values at hand: Join, Split, Select, FindInMap, and Sub's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from quota_constructs.evaluator.template.values import Node, Text, Value, as_text, join, split, unknown
from quota_constructs.printable import shortened

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
_INDEX = re.compile(r"[0-9]{1,6}")


def malformed(function: str, shape: str) -> Text:
    """Return the value of a function whose argument does not have the *shape* it should."""
    return unknown(f"malformed {function}", f"its {function} is malformed; expected {shape}")


def join_list(argument: Value) -> Value:
    """Fn::Join: [delimiter, [value, ...]]."""
    match argument:
        case [_, Text() as values]:
            return values
        case [str(delimiter), list(values)]:
            pieces = [piece for value in values if (piece := as_text(value)) is not None]
            if len(pieces) == len(values):
                return join(_interleave(delimiter, pieces))
        case _:
            pass
    return malformed("Fn::Join", "[delimiter, [value, ...]]")


def _interleave(delimiter: str, pieces: list[str | Text]) -> Iterator[str | Text]:
    for index, piece in enumerate(pieces):
        if index:
            yield delimiter
        yield piece


def split_text(argument: Value) -> Value:
    """Fn::Split: [delimiter, text]."""
    match argument:
        case [str(delimiter), value] if delimiter and (text := as_text(value)) is not None:
            return list[Value](split(text, delimiter))
        case _:
            pass
    return malformed("Fn::Split", "[delimiter, text]")


def select(argument: Value) -> Value:
    """Fn::Select: [index, [value, ...]]."""
    match argument:
        case [Text() as index, _]:
            return index
        case [_, Text() as values]:
            return values
        case [str() | int() as index, list(values)] if _INDEX.fullmatch(str(index)):
            if int(index) < len(values):
                return values[int(index)]
            why = f"Fn::Select asks for item {index} of a list of {len(values)}"
            return unknown(why, why)
        case _:
            pass
    return malformed("Fn::Select", "[index, [value, ...]]")


def find_in_map(argument: Value, mappings: Mapping[str, Node]) -> Node | Text:
    """Fn::FindInMap: [map, key, key], and the default of the language extensions as a fourth item."""
    match argument:
        case [mapping, first, second, *_]:
            found: Node = dict(mappings)
            for key in (mapping, first, second):
                text = as_text(key)
                if isinstance(text, Text):
                    return text
                found = found.get(text) if isinstance(found, dict) and text is not None else None
            if found is None:
                keys = "/".join(shortened(str(as_text(key))) for key in (mapping, first, second))
                return unknown(f"no {keys} in mappings", f"'Mappings' has no {keys}")
            return found
        case _:
            pass
    return malformed("Fn::FindInMap", "[map, key, key]")


def substitute(template: str, value_of: Callable[[str], Value]) -> Value:
    """Fn::Sub: replace each `${name}` by *value_of* it, and `${!name}` by `${name}`."""
    pieces = [as_text(piece) for piece in _pieces(template, value_of)]
    known = [piece for piece in pieces if piece is not None]
    return join(known) if len(known) == len(pieces) else malformed("Fn::Sub", "single values for its ${...}")


def _pieces(template: str, value_of: Callable[[str], Value]) -> Iterator[Value]:
    end = 0
    for match in _PLACEHOLDER.finditer(template):
        name = match[1].strip()
        yield template[end : match.start()]
        yield f"${{{name[1:]}}}" if name.startswith("!") else value_of(name)
        end = match.end()
    yield template[end:]
