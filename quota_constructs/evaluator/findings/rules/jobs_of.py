"""Picking jobs by share, as the rules on traces do."""

from __future__ import annotations

from collections.abc import Callable

from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory


def by_share(evaluation: Evaluation, wanted: Callable[[JobHistory], bool]) -> dict[str, list[JobHistory]]:
    """Return the jobs that are *wanted* by share, shares in order of name, jobs in the order of the trace."""
    found: dict[str, list[JobHistory]] = {}
    for each in evaluation.history.jobs:
        if wanted(each):
            found.setdefault(each.job.share, []).append(each)
    return dict(sorted(found.items()))
