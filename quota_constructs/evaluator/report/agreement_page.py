"""
What teams agreed on, as a Markdown page to keep: the difference between two of them is the change of policy.

The same arrangement and traces make the same page, whenever it is made. Whatever comes from outside is shown as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quota_constructs.evaluator.numbers import as_seconds
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.promises import amount_text, holds_for, kept, measured, promise_text, promised
from quota_constructs.evaluator.report.interruption_words import contract_sentences
from quota_constructs.evaluator.report.markdown import code, prose, table
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.agreement import Agreement

NOBODY = "nobody is named"
LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """What one trace came to, as far as a page shows it."""

    trace: str
    assumed: str
    measured: dict[tuple[str, str], float | None]
    """By share and name of the promise."""

    contracts: dict[str, str]
    """By share, what rests on its contract."""


def agreement_page(systems: Sequence[System], evaluations: Iterable[Evaluation]) -> str:
    """
    Return the page for *systems*, with what was measured of each promise in *evaluations*.

    An evaluation is looked at and let go before the next is asked for.
    """
    results = [_result(each) for each in evaluations]
    parts = ["# Allocations", _HEAD]
    if results:
        parts.append(f"Measured by simulation, assuming what AWS does not publish: {results[0].assumed}.")
    for system in systems:
        parts.extend(_queue(system, results))
    return "\n\n".join(parts) + "\n"


_HEAD = """\
What each share is *allocated* its jobs get back whenever they ask for it. What a share has *borrowed* is allocated to
another share that leaves it idle: when that share asks for it, jobs on borrowed capacity are stopped. This page is made
from the template; to change it, change the template."""


def _result(evaluation: Evaluation) -> _Result:
    assumed = evaluation.assumptions
    return _Result(
        trace=evaluation.trace.name,
        assumed=f"stop time {as_seconds(assumed.stop_ms)}, victim order {assumed.victim_order}, "
        f"queueing {assumed.queueing}",
        measured={
            (share.name, name): measured(name, evaluation, share.name)
            for share in evaluation.shares.values()
            for name, _ in promised(share)
        },
        contracts={share: use.text for share, use in evaluation.contract_use.items()},
    )


def _queue(system: System, results: Sequence[_Result]) -> Iterator[str]:
    capacity = _amount(system.environment.capacity.items())
    yield f"## Queue {code(system.name)}"
    yield f"Its environment {code(system.environment.name)} has {capacity}."
    if short := _short(system):
        yield f"Its shares are allocated more than that, {short} in all: when all are busy, not everybody gets theirs."
    yield table(
        ("share", "owner", "allocated", "lends", "may borrow", "review by"),
        [
            (
                code(share.name),
                prose(_owner(share)),
                _amount(share.limits.items()),
                "yes" if share.strategy.lends else "no",
                _most_borrowed(system, share) or "nothing",
                _review(share.policy.agreement),
            )
            for share in system.shares
        ],
    )
    for share in system.shares:
        yield from _share(system, share, results)


def _short(system: System) -> str:
    """Return what is allocated of the units of which there is less; nothing if there are none."""
    allocated = {unit: sum(share.limits.get(unit, 0) for share in system.shares) for unit in system.units}
    capacity = system.environment.capacity
    return _amount((unit, count) for unit, count in allocated.items() if count > capacity.get(unit, 0))


def _share(system: System, share: QuotaShare, results: Sequence[_Result]) -> Iterator[str]:
    agreement = share.policy.agreement
    yield f"### Share {code(share.name)}"
    if agreement is not None and agreement.purpose:
        yield f"For: {_text(agreement.purpose)}"
    yield _list(_answers(system, share))
    yield "#### Lending and borrowing"
    yield _list(_sharing(system, share))
    if agreement is not None and agreement.rationale:
        yield f"Why: {_text(agreement.rationale)}"
    yield "#### When a job is stopped"
    if share.policy.interruption is None:
        yield "There is no interruption contract: what a job loses when it is stopped, only a trace of its jobs says."
    else:
        yield _list(contract_sentences(share.policy.interruption))
    yield "#### Promises"
    yield from _promises(share, results)
    yield "#### Exceptions"
    yield _exceptions(agreement)
    if agreement is not None and agreement.links:
        yield "#### Links"
        yield _list(code(link, length=LONGEST_TEXT) for link in agreement.links)


def _answers(system: System, share: QuotaShare) -> Iterator[str]:
    agreement = share.policy.agreement
    contact = f", {_text(agreement.contact)}" if agreement is not None and agreement.contact else ""
    yield f"**Who is entitled:** {prose(_owner(share))}{contact}, to {_amount(share.limits.items())}."
    lenders = ", ".join(code(lender.name) for lender in _lenders(system, share))
    back = f"What it has borrowed, the share that lent it: {lenders}." if lenders else "It borrows nothing."
    yield f"**Who may take it back:** {back} Nobody takes back what is allocated to it."
    decides = "nobody is named who decides" if agreement is None else f"{prose(agreement.owner)} decides"
    place = f"{code(share.source.logical_id)} of {code(share.source.template)}"
    yield f"**Who can change this:** {decides} on exceptions. The allocation itself changes with {place}."
    if not share.enabled:
        yield "**The share is disabled:** it accepts no new jobs."
    yield f"**Looked at again by:** {_review(agreement)}."


def _sharing(system: System, share: QuotaShare) -> Iterator[str]:
    yield f"Allocated: {_amount(share.limits.items())}."
    if share.strategy.lends:
        yield (
            "Lends: what it leaves idle, others may borrow. When its own jobs ask for it, jobs that borrowed it are "
            "stopped."
        )
    else:
        yield "Does not lend: what it leaves idle stays idle."
    if most := _most_borrowed(system, share):
        yield f"Borrows: {most} beyond what it is allocated, while others leave it idle."
    elif share.strategy.borrows:
        yield "Is to borrow, but nobody lends what it can use."
    else:
        yield "Does not borrow."
    raised = share.policy.agreement.priorities_raised_by if share.policy.agreement is not None else ""
    if share.in_share_preemption:
        yield "Within the share, a job of higher priority may stop one of lower priority."
    else:
        yield "Within the share, no job stops another."
    if raised:
        yield f"Priorities are raised by: {_text(raised)}."


def _promises(share: QuotaShare, results: Sequence[_Result]) -> Iterator[str]:
    rows: list[Sequence[str]] = []
    for name, objective in promised(share):
        promise = (promise_text(name, objective), ", ".join(map(code, objective.traces)) or "all", objective.severity)
        on = [each for each in results if holds_for(objective, each.trace) and (share.name, name) in each.measured]
        for result in on:
            got = result.measured[share.name, name]
            figure = "nothing to measure" if got is None else amount_text(name, got)
            verdict = "-" if got is None else "yes" if kept(name, objective, got) else "**no**"
            rows.append((*promise, figure, code(result.trace), verdict))
        if not on:
            rows.append((*promise, "not measured", "-", "-"))
    if not rows:
        yield "Nothing is promised."
        return
    yield table(("promised", "on traces", "if broken", "measured", "on", "kept"), rows)
    resting = [each for each in results if share.name in each.contracts]
    if resting:
        yield _list(
            f"On {code(each.trace)}, this rests on the interruption contract: {each.contracts[share.name]}."
            for each in resting
        )


def _exceptions(agreement: Agreement | None) -> str:
    if agreement is None or not agreement.exceptions:
        return "None."
    return table(
        ("exception", "granted by", "from", "until"),
        [
            (_text(each.reason), prose(each.granted_by), str(each.since), str(each.until))
            for each in sorted(agreement.exceptions, key=lambda each: (each.since, each.until, each.reason))
        ],
    )


def _lenders(system: System, share: QuotaShare) -> list[QuotaShare]:
    """Return the shares that *share* may borrow from."""
    if not _allowed(share):
        return []
    return [
        other
        for other in system.shares
        if other is not share and other.strategy.lends and any(unit in share.limits for unit in other.limits)
    ]


def _most_borrowed(system: System, share: QuotaShare) -> str:
    """Return the most of each unit that *share* can have borrowed at once; nothing if there is none."""
    most: list[tuple[str, int]] = []
    for unit, limit in sorted(share.limits.items()):
        lent = sum(other.limits.get(unit, 0) for other in _lenders(system, share))
        ceiling = share.ceiling(unit)
        count = lent if ceiling is None else min(lent, ceiling - limit)
        if count:
            most.append((unit, count))
    return f"up to {_amount(most)}" if most else ""


def _allowed(share: QuotaShare) -> bool:
    return any(ceiling is None or ceiling > limit for limit, ceiling in _ceilings(share))


def _ceilings(share: QuotaShare) -> list[tuple[int, int | None]]:
    return [(limit, share.ceiling(unit)) for unit, limit in share.limits.items()]


def _owner(share: QuotaShare) -> str:
    return NOBODY if share.policy.agreement is None else share.policy.agreement.owner


def _review(agreement: Agreement | None) -> str:
    return "no date is set" if agreement is None or agreement.review_by is None else agreement.review_by.isoformat()


def _amount(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count:,} of {code(unit)}" for unit, count in sorted(counts))


def _text(text: str) -> str:
    return prose(text, length=LONGEST_TEXT)


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
