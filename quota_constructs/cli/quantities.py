"""Quantities and pairs on the command line: what options take, read or refused in one line."""

from __future__ import annotations

import argparse
import re

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from fractions import Fraction

UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of `NAME=VALUE`."""
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, got {text!r}")
    return name, value


def instance_type(text: str) -> tuple[str, str]:
    """Return `KIND=TYPE`; without a kind, the type of all."""
    return pair(text if "=" in text else f"*={text}")


def count(text: str) -> int:
    """Return a whole number from 1."""
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {10**9 - 1}, got {text!r}")
    return int(text)


def whole(text: str) -> int:
    """Return a whole number from 0."""
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to {10**18 - 1}, got {text!r}")
    return int(text)


def factor(text: str) -> Fraction:
    """Return a number above 0, exactly."""
    from fractions import Fraction

    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or Fraction(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a number above 0, got {text!r}")
    return Fraction(text)


def span(text: str) -> int:
    """Return a span in milliseconds: seconds, or a number with its unit."""
    parts = re.fullmatch(r"([0-9]{1,12})(ms|s|m|min|h|d)?", text)
    if parts is None:
        raise argparse.ArgumentTypeError(f"must be seconds, or a span such as 90m, 12h or 14d, got {text!r}")
    return int(parts[1]) * (60_000 if parts[2] == "m" else UNITS_MS[parts[2] or "s"])
