"""Arrangements side by side as JUnit XML: a comparison judges nothing, so every test passes and says what it found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from quota_constructs.evaluator.comparison import Comparison
from quota_constructs.evaluator.report.junit import add_text, encode_suite, new_case
from quota_constructs.evaluator.report.verdict import verdict

RUN = "compare"


def encode_comparison_junit(comparisons: Iterable[Comparison]) -> bytes:
    """Return a test for each of *comparisons* and each other arrangement in it; all of it is ASCII."""
    return encode_suite((case for comparison in comparisons for case in _cases(comparison)), run=RUN)


def _cases(comparison: Comparison) -> Iterator[ET.Element]:
    for contrast in comparison.contrasts:
        case = new_case(RUN, f"queue {comparison.queue} against {contrast.against}, on {comparison.trace}")
        add_text(case, "system-out", [verdict(contrast)])
        yield case
