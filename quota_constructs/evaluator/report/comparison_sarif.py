"""Arrangements side by side as SARIF: a comparison judges nothing, so its results are for information."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from quota_constructs.evaluator.comparison import Comparison
from quota_constructs.evaluator.report.sarif import FINGERPRINT, Value, artifact, encode_log, fingerprint, message
from quota_constructs.evaluator.report.verdict import verdict

RULE = "compare"


def encode_comparison_sarif(comparisons: Iterable[Comparison], *, root: PurePath) -> bytes:
    """Return a result for each of *comparisons* and each other arrangement in it; all of it is ASCII."""
    rule: Value = {
        "id": RULE,
        "shortDescription": {"text": "Who gains and who pays by the declared arrangement"},
        "help": {"text": "The same jobs under the declared arrangement and under another one. See docs/compare.md."},
        "defaultConfiguration": {"level": "none"},
    }
    return encode_log([rule], [each for comparison in comparisons for each in _results(comparison, root)], run=RULE)


def _results(comparison: Comparison, root: PurePath) -> Iterable[Value]:
    for contrast in comparison.contrasts:
        location: Value = {
            "logicalLocations": [{"name": comparison.queue, "fullyQualifiedName": comparison.queue, "kind": "resource"}]
        }
        template = comparison.outcomes[0].template
        if template is not None:
            location["physicalLocation"] = {"artifactLocation": artifact(template, root)}
        yield {
            "ruleId": RULE,
            "ruleIndex": 0,
            "kind": "informational",
            "level": "none",
            "message": message(f"On {comparison.trace}: {verdict(contrast)}"),
            "locations": [location],
            "partialFingerprints": {
                FINGERPRINT: fingerprint(RULE, comparison.queue, comparison.trace, contrast.against)
            },
        }
