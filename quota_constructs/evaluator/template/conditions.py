"""Conditions, with a third answer for those that depend on something unknown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from quota_constructs.evaluator.template.values import Text, Unknown, Value, as_text

Verdict: TypeAlias = "bool | Unknown"


def equals(one: Value, other: Value) -> Verdict:
    """Compare as CloudFormation does, by text; what is partly unknown equals only itself."""
    left, right = as_text(one), as_text(other)
    if left is None or right is None:
        return one == other
    if left == right:
        return True
    return next((side.unknown for side in (left, right) if isinstance(side, Text)), False)


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Return False if any is, else the first unknown one, else True."""
    return _first(verdicts, decisive=False)


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Return True if any is, else the first unknown one, else False."""
    return _first(verdicts, decisive=True)


def opposite(verdict: Verdict) -> Verdict:
    """Negate what is known."""
    return verdict if isinstance(verdict, Unknown) else not verdict


def _first(verdicts: Iterable[Verdict], *, decisive: bool) -> Verdict:
    undecided: Unknown | None = None
    for verdict in verdicts:
        if verdict is decisive:
            return decisive
        if isinstance(verdict, Unknown) and undecided is None:
            undecided = verdict
    return (not decisive) if undecided is None else undecided
