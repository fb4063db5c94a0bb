"""What a template is made of, and what its intrinsic functions evaluate to, known or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Node: TypeAlias = "str | int | float | bool | list[Node] | dict[str, Node] | None"
"""What a document is made of. YAML short tags are already in their long form: `!Ref x` is `{"Ref": "x"}`."""

MAX_TEXT = 20_000
"""Characters that one evaluated string may have; CloudFormation's own parameters end at 4,096."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that only a deployment knows. Two with the same identity are the same value."""

    identity: str
    why: str = field(compare=False)
    """Why it is unknown and, if there is one, the way out; a clause for an error message."""

    is_outside: bool = field(default=False, compare=False)
    """Whether it belongs to a stack that was not read, rather than lacking a value here."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string with at least one part that is unknown."""

    parts: tuple[str | Unknown, ...]

    @property
    def unknown(self) -> Unknown:
        """The first part that is not known."""
        return next(part for part in self.parts if isinstance(part, Unknown))


@dataclass(frozen=True, slots=True)
class NoValue:
    """`AWS::NoValue`: the property it is given to is not there."""


NO_VALUE: Final = NoValue()

Value: TypeAlias = "str | int | float | bool | Text | NoValue | list[Value] | dict[str, Value] | None"


def unknown(identity: str, why: str, *, is_outside: bool = False) -> Text:
    """Return a string of which nothing is known, for the reason *why*."""
    return Text((Unknown(identity, why, is_outside),))


def as_text(value: Value) -> str | Text | None:
    """Return a scalar in the way CloudFormation writes it into a string, None for what is no scalar."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str | Text) else None


def join(pieces: Iterable[str | Text]) -> str | Text:
    """Return *pieces* one after another as a single string."""
    parts: list[str | Unknown] = []
    literal: list[str] = []
    for piece in pieces:
        for part in (piece,) if isinstance(piece, str) else piece.parts:
            if isinstance(part, str):
                literal.append(part)
                continue
            if text := "".join(literal):
                parts.append(text)
            literal.clear()
            parts.append(part)
    tail = "".join(literal)
    if sum(len(part) if isinstance(part, str) else 1 for part in parts) + len(tail) > MAX_TEXT:
        return unknown("a very long string", f"it would be a string of more than {MAX_TEXT:,} characters")
    if not parts:
        return tail
    return Text((*parts, tail) if tail else tuple(parts))


def split(value: str | Text, delimiter: str) -> list[str | Text]:
    """Return what lies between the *delimiter*s; an unknown part is taken to hold none."""
    if isinstance(value, str):
        return list[str | Text](value.split(delimiter))
    pieces: list[list[str | Text]] = [[]]
    for part in value.parts:
        if isinstance(part, Unknown):
            pieces[-1].append(Text((part,)))
            continue
        first, *others = part.split(delimiter)
        pieces[-1].append(first)
        pieces.extend([other] for other in others)
    return [join(piece) for piece in pieces]
