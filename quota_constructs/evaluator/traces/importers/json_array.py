"""The objects of a JSON array that is too long to be held at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from quota_constructs.evaluator.traces.refusal import Refused, shown

MAX_OBJECT_CHARACTERS: Final = 16_000_000
PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')
"""What tells where an object begins and ends: its brackets, and strings, whose brackets do not count."""


def json_objects(lines: Iterable[str]) -> Iterator[str]:
    """Yield the text of each object of the array that *lines* hold; refuse what is no array or is cut off."""
    depth = held = 0
    parts: list[str] = []
    between = _Between()
    for line in lines:
        begin = 0
        for piece in PIECE.finditer(line):
            if piece[0] == "{":
                if not depth:
                    between.add(line[begin : piece.start()])
                    between.begin_object()
                    begin = piece.start()
                depth += 1
            elif piece[0] == "}" and depth:
                depth -= 1
                if not depth:
                    yield "\n".join((*parts, line[begin : piece.end()]))
                    parts, held, begin = [], 0, piece.end()
        rest = line[begin:]
        if not depth:
            between.add(rest)
            continue
        parts.append(rest)
        held += len(rest) + 1
        if held > MAX_OBJECT_CHARACTERS:
            raise Refused(f"a job must have at most {MAX_OBJECT_CHARACTERS:,} characters")
    between.end(inside=bool(depth))


class _Between:
    """What stands between the objects: one pair of brackets around them all, and a comma between two."""

    def __init__(self) -> None:
        self._text = ""
        self._objects: int = 0

    def add(self, text: str) -> None:
        self._text += text.strip()
        if len(self._text) > (1 if self._objects else 2):
            raise Refused(f"no array of JSON objects: {shown(self._text)} stands between two of them")

    def begin_object(self) -> None:
        due = "," if self._objects else "["
        if self._text != due:
            raise Refused(f"no array of JSON objects: {shown(due)} must come before one, got {shown(self._text)}")
        self._text = ""
        self._objects += 1

    def end(self, *, inside: bool) -> None:
        due = "]" if self._objects else "[]"
        if inside or self._text != due:
            raise Refused(f"the file is cut off: it must end in {shown(due)}; fetch it again")
