"""What is found of a review's head as SARIF, each finding marked as new or as there before."""

from __future__ import annotations

from pathlib import PurePath

from quota_constructs.evaluator.report.findings_sarif import results_of, rules_of_findings
from quota_constructs.evaluator.report.sarif import encode_log
from quota_constructs.evaluator.review.review import Review


def encode_review_sarif(review: Review, *, root: PurePath) -> bytes:
    """
    Return the findings of *review* as one log; all of it is ASCII.

    What is fixed is no result, as many readers know of no base and would show it: it is a property of the run.
    """
    found = review.findings
    results = results_of([*found.new, *found.unchanged], root)
    for number, result in enumerate(results):
        result["baselineState"] = "new" if number < len(found.new) else "unchanged"
    fixed = results_of(found.fixed, root)
    return encode_log(rules_of_findings(), results, run="review", properties={"fixed": fixed})
