"""Text from outside, made safe to print: names in templates and traces are hostile until shown otherwise."""

from __future__ import annotations

import unicodedata

_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, invisible and direction-changing marks, lone surrogates, private and unassigned characters, line breaks."""


def printable(text: str) -> str:
    """Return *text* on one line, with every character that could steer a terminal written as a Python escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii") if unicodedata.category(character) in _UNSAFE else character
        for character in text
    )


def shortened(text: str, *, length: int = 80) -> str:
    """Return *text* printable, and without its middle if it is longer than *length*."""
    safe = printable(text)
    if len(safe) <= length:
        return safe
    head = (length - 3) // 2
    return f"{safe[:head]}...{safe[head + 3 - length :]}"


def plural(count: int, noun: str) -> str:
    """Return *count* with its noun: `1 job`, `1,577 jobs`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
