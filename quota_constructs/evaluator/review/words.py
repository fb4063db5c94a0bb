"""What a share and a queue are, in the policy's own words: one short text for each thing that can be said of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from quota_constructs.evaluator.promises import promise_text, promised
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.sharing import UNLIMITED

Words = Iterator[tuple[str, str]]
"""(what, how it is) in the order in which a policy is read."""


def words_of_queue(system: System) -> Words:
    """Yield what the queue of *system* and its environment are, its shares aside."""
    for unit, count in sorted(system.environment.capacity.items()):
        yield f"environment's capacity of {unit}", f"{count:,}"
    yield "environment", system.environment.name
    for limit in sorted(system.time_limits, key=lambda limit: limit.reason):
        yield f"time limit for {limit.reason}", _seconds(limit.max_time_ms / 1000)


def words_of_share(share: QuotaShare) -> Words:
    """Yield what *share* is to the service, then what was agreed on it."""
    for unit, count in sorted(share.limits.items()):
        yield f"allocation of {unit}", f"{count:,}"
    yield "strategy", share.strategy
    if share.strategy.borrows:
        percent = share.borrow_limit_percent
        yield "borrow limit", "unlimited" if percent == UNLIMITED else f"{percent:,} % of its own allocation"
    yield "in-share preemption", "enabled" if share.in_share_preemption else "disabled"
    yield "state", "ENABLED" if share.enabled else "DISABLED"
    if share.policy.agreement is not None:
        yield from _agreement(share.policy.agreement)
    if share.policy.interruption is not None:
        yield from _contract(share.policy.interruption)
    for name, objective in promised(share):
        on = f" on {', '.join(objective.traces)}" if objective.traces else ""
        yield f"promise {name}", f"{promise_text(name, objective)}{on} ({objective.severity})"


def _agreement(agreement: Agreement) -> Words:
    for what, text in (
        ("owner", agreement.owner),
        ("contact", agreement.contact),
        ("purpose", agreement.purpose),
        ("rationale", agreement.rationale),
        ("priorities raised by", agreement.priorities_raised_by),
        ("review by", _day(agreement.review_by)),
        ("links", ", ".join(agreement.links)),
    ):
        if text:
            yield what, text
    for exception in sorted(agreement.exceptions, key=lambda each: (each.since, each.until, each.granted_by)):
        yield (
            f"exception since {exception.since} granted by {exception.granted_by}",
            f"until {exception.until}: {exception.reason}",
        )


def _contract(contract: InterruptionContract) -> Words:
    yield "a stopped job", "resumes" if contract.can_resume else "starts again from nothing"
    for what, seconds in (
        ("checkpoint interval", contract.checkpoint_interval_seconds),
        ("checkpoint cost", contract.checkpoint_cost_seconds or None),
        ("time to restore", contract.restore_seconds or None),
        ("time to save when told to stop", contract.save_on_sigterm_seconds),
        ("upload lag", contract.upload_lag_seconds or None),
    ):
        if seconds is not None:
            yield what, _seconds(seconds)
    if contract.saves_on_sigterm:
        yield "when told to stop", "it saves its work"
    if contract.evidence is not None:
        yield "resuming tried", f"{_day(contract.evidence.tried_on)} {contract.evidence.link}".rstrip()
    if contract.recovery_owner:
        yield "recovery owner", contract.recovery_owner
    if contract.assumes_continuous_access:
        yield "completion times", "count on never being interrupted"
    if contract.preemption_retries is not None:
        yield "preemption retries", f"{contract.preemption_retries:,}"
    if contract.when_retries_run_out is not None:
        yield "when retries run out", contract.when_retries_run_out
    if contract.escalate_to:
        yield "escalate to", contract.escalate_to


def _day(day: date | None) -> str:
    return "" if day is None else day.isoformat()


def _seconds(seconds: float) -> str:
    return f"{seconds:,.3f}".rstrip("0").rstrip(".") + " s"
