"""Every rule there is, and the two ways to apply them: to an arrangement, and to what it did with a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules import (
    agreements,
    beyond_allocation,
    borrow_limits,
    borrowing,
    broken_promises,
    capacity,
    contracts,
    endings,
    environment,
    kept,
    misconfiguration,
    on_evidence,
    preemption,
    replacement,
    sharing,
    suppressions,
    thrashing,
    unowned,
    untested,
    urgency,
    waiting,
)
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.system import System

ARRANGEMENT_RULES: tuple[tuple[Rule, Callable[[System], Iterator[Finding]]], ...] = (
    (capacity.UNIT_MISSING, capacity.check_units),
    (capacity.SUM_ABOVE_ENVIRONMENT, capacity.check_sum),
    (capacity.SHARE_ABOVE_ENVIRONMENT, capacity.check_each),
    (sharing.BORROWS_NOTHING, sharing.check_borrowers),
    (sharing.LENDS_TO_NOBODY, sharing.check_lenders),
    (capacity.RESERVED_AWAY, capacity.check_reserves),
    (unowned.SUM_BELOW_ENVIRONMENT, unowned.check_sum),
    (unowned.UNIT_UNUSED, unowned.check_units),
    (borrow_limits.NEVER_BINDS, borrow_limits.check_never_bound),
    (borrow_limits.UNLIMITED_BORROWING, borrow_limits.check_unlimited),
    (borrow_limits.ROUNDS_TO_NOTHING, borrow_limits.check_rounding),
    (kept.ALL_RESERVE, kept.check_reserves),
    (kept.DISABLED_HOLDER, kept.check_disabled),
    (environment.SHARED_ENVIRONMENT, environment.check_queues),
    (agreements.NOTHING_SAID, agreements.check_anything),
    (agreements.NO_OWNER, agreements.check_owners),
    (contracts.NO_CONTRACT, contracts.check_contracts),
    (contracts.CANNOT_RESUME, contracts.check_resuming),
    (contracts.NO_EVIDENCE, contracts.check_evidence),
    (contracts.NOBODY_TO_TELL, contracts.check_escalation),
    (contracts.SAVES_TOO_SLOWLY, contracts.check_saving),
    (contracts.COUNTS_ON_CONTINUITY, contracts.check_estimates),
    (beyond_allocation.NEVER_KEPT, beyond_allocation.check_impossible),
)
"""QC1xx and QC2xx: what a template alone shows of the arrangement, and of what was agreed on."""

CONTEXT_RULES: tuple[tuple[Rule, Callable[[System, Context], Iterator[Finding]]], ...] = (
    (on_evidence.NO_TIME_LIMIT, on_evidence.check_time_limits),
    (on_evidence.ONE_PRIORITY, on_evidence.check_priorities),
    (agreements.REVIEW_OVERDUE, agreements.check_reviews),
    (agreements.EXCEPTION_EXPIRED, agreements.check_exceptions),
    (beyond_allocation.BEYOND_ALLOCATION, beyond_allocation.check_promises),
    (untested.UNTESTED, untested.check_tested),
)
"""QC1xx and QC2xx: what also takes the day, an assumption, or all the traces that were run."""

OUTCOME_RULES: tuple[tuple[Rule, Callable[[Evaluation], Iterator[Finding]]], ...] = (
    (misconfiguration.NEVER_STARTS, misconfiguration.check),
    (preemption.RETRIES_EXHAUSTED, preemption.check),
    (endings.NEVER_FINISHES, endings.check_waiting),
    (endings.TIMED_OUT, endings.check_timeouts),
    (endings.REJECTED, endings.check_rejections),
    (broken_promises.BROKEN_PROMISE, broken_promises.check),
    (thrashing.THRASHING, thrashing.check_thrashing),
    (waiting.STARVATION, waiting.check_starvation),
    (waiting.WAITS_FOR_ITS_OWN, waiting.check_own),
    (urgency.INFLATION, urgency.check),
    (borrowing.COSTS_MORE, borrowing.check_cost),
    (borrowing.OPPORTUNISTIC, borrowing.check_deadlines),
    (thrashing.MAY_NEVER_FINISH, thrashing.check_without_checkpoints),
    (thrashing.INTERVAL, thrashing.check_intervals),
)
"""QC3xx: what shows on a trace."""

SUPPRESSION_RULES = (suppressions.UNUSED, suppressions.EXPIRED)
"""QC4xx: what shows of a file of suppressions; `findings/unused.py` looks for it."""

REVIEW_RULES = (
    replacement.SHARE_REPLACED,
    replacement.QUEUE_REPLACED,
    replacement.DELETED,
    replacement.OTHER_LOGICAL_ID,
)
"""QC5xx: what shows of a change, of which one side alone says nothing; `review/replacements.py` looks for it."""

RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in sorted(
        (
            *(rule for rule, _ in (*ARRANGEMENT_RULES, *CONTEXT_RULES, *OUTCOME_RULES)),
            *SUPPRESSION_RULES,
            *REVIEW_RULES,
        ),
        key=lambda rule: rule.id,
    )
}
"""Every rule by its id, in order."""

_NO_CONTEXT = Context()


def check_arrangement(system: System, context: Context = _NO_CONTEXT) -> tuple[Finding, ...]:
    """Return what is wrong with *system*, and with what was agreed on it, in the order of the rules."""
    findings = [finding for _, check in ARRANGEMENT_RULES for finding in check(system)]
    findings += [finding for _, check in CONTEXT_RULES for finding in check(system, context)]
    return tuple(sorted(findings, key=lambda finding: finding.rule_id))


def check_outcome(evaluation: Evaluation) -> tuple[Finding, ...]:
    """Return what went wrong with the trace of *evaluation*."""
    return tuple(finding for _, check in OUTCOME_RULES for finding in check(evaluation))
