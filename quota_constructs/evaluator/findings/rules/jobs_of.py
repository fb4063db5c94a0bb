"""What the rules on traces share: picking jobs by share, and finding where a share was declared."""

from __future__ import annotations

from collections.abc import Callable

from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.system import Source


def by_share(evaluation: Evaluation, wanted: Callable[[JobHistory], bool]) -> dict[str, list[JobHistory]]:
    """Return the jobs that are *wanted* by share, shares in order of name, jobs in the order of the trace."""
    found: dict[str, list[JobHistory]] = {}
    for each in evaluation.history.jobs:
        if wanted(each):
            found.setdefault(each.job.share, []).append(each)
    return dict(sorted(found.items()))


def place(evaluation: Evaluation, share: str) -> Source:
    """Return where *share* was declared; the queue, if it never was."""
    declared = evaluation.shares.get(share)
    return evaluation.system.source if declared is None else declared.source
