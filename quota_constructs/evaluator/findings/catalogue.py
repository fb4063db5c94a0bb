"""Every rule there is, and the two ways to apply them: to an arrangement alone, and to what it did with a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules import capacity, endings, misconfiguration, preemption, sharing
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.system import System

ARRANGEMENT_RULES: tuple[tuple[Rule, Callable[[System], Iterator[Finding]]], ...] = (
    (capacity.UNIT_MISSING, capacity.check_units),
    (capacity.SUM_ABOVE_ENVIRONMENT, capacity.check_sum),
    (capacity.SHARE_ABOVE_ENVIRONMENT, capacity.check_each),
    (sharing.BORROWS_NOTHING, sharing.check_borrowers),
    (sharing.LENDS_TO_NOBODY, sharing.check_lenders),
    (capacity.RESERVED_AWAY, capacity.check_reserves),
)
"""QC1xx: what a template alone shows."""

OUTCOME_RULES: tuple[tuple[Rule, Callable[[Evaluation], Iterator[Finding]]], ...] = (
    (misconfiguration.NEVER_STARTS, misconfiguration.check),
    (preemption.RETRIES_EXHAUSTED, preemption.check),
    (endings.NEVER_FINISHES, endings.check_waiting),
    (endings.TIMED_OUT, endings.check_timeouts),
    (endings.REJECTED, endings.check_rejections),
)
"""QC3xx: what shows on a trace. QC2xx is kept for agreements."""

RULES: dict[str, Rule] = {rule.id: rule for rule, _ in (*ARRANGEMENT_RULES, *OUTCOME_RULES)}
"""Every rule by its id, in order."""


def check_arrangement(system: System) -> tuple[Finding, ...]:
    """Return what is wrong with *system* whatever is submitted to it."""
    return tuple(finding for _, check in ARRANGEMENT_RULES for finding in check(system))


def check_outcome(evaluation: Evaluation) -> tuple[Finding, ...]:
    """Return what went wrong with the trace of *evaluation*."""
    return tuple(finding for _, check in OUTCOME_RULES for finding in check(evaluation))
