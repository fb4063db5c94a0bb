"""Which findings are new, which are fixed, and which were there before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from quota_constructs.evaluator.findings.finding import Finding

Names = Mapping[tuple[str, str | None], tuple[str, str | None]]
"""What (queue, share) of the base is called in the head, where that is something else."""

_Key = tuple[str, str, str, str, str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """The findings of the head against those of the base."""

    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    """As the base had them."""

    unchanged: tuple[Finding, ...]
    """As the head has them."""


def tell_apart(base: Iterable[Finding], head: Iterable[Finding], names: Names) -> Regression:
    """
    Return the findings of *head* that are new and those that are not, and the findings of *base* that are gone.

    Two are the same if rule, severity, property, queue, share and trace are, a trace by its name without the folder.
    Of several that are the same on each side, as many are unchanged as both sides have.
    """
    base, head = list(base), list(head)
    had = Counter(_key(finding, names) for finding in base)
    new: list[Finding] = []
    unchanged: list[Finding] = []
    for finding in head:
        key = _key(finding, {})
        (unchanged if had[key] else new).append(finding)
        had[key] -= bool(had[key])
    fixed: list[Finding] = []
    for finding in reversed(base):  # what both sides have is taken to be the first of those that are the same
        key = _key(finding, names)
        if had[key]:
            fixed.append(finding)
            had[key] -= 1
    return Regression(new=tuple(new), fixed=tuple(reversed(fixed)), unchanged=tuple(unchanged))


def _key(finding: Finding, names: Names) -> _Key:
    queue, share = names.get((finding.queue, finding.share), (finding.queue, finding.share))
    trace = None if finding.trace is None else PurePath(finding.trace).name
    return finding.rule_id, finding.severity, finding.property_path, queue, share, trace
