"""Which suppressions have expired, or cover nothing although what they are about was looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from quota_constructs.evaluator.findings.catalogue import OUTCOME_RULES, REVIEW_RULES
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.agreements import EXCEPTION_EXPIRED, REVIEW_OVERDUE
from quota_constructs.evaluator.findings.rules.on_evidence import ONE_PRIORITY
from quota_constructs.evaluator.findings.rules.suppressions import EXPIRED, UNUSED
from quota_constructs.evaluator.findings.rules.untested import UNTESTED
from quota_constructs.evaluator.findings.suppression import Suppression
from quota_constructs.evaluator.system import Source
from quota_constructs.printable import plural, printable, shortened

_ON_DATES = frozenset({REVIEW_OVERDUE.id, EXCEPTION_EXPIRED.id})
_ON_TRACES = frozenset({ONE_PRIORITY.id, UNTESTED.id, *(rule.id for rule, _ in OUTCOME_RULES)})
_ON_CHANGES = frozenset(rule.id for rule in REVIEW_RULES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What a check looked at, without which that nothing was found says nothing."""

    queues: frozenset[str] | None
    """The names of the queues; None for all that there are."""

    traces: tuple[str, ...]
    """The names of the traces and scenarios that were run."""

    dates: bool
    """Whether the day was known."""

    changes: bool = False
    """Whether two sides were compared, as a review does."""

    def includes(self, suppression: Suppression) -> bool:
        """Whether a finding that *suppression* covers would have been found."""
        if suppression.queue is not None and self.queues is not None and suppression.queue not in self.queues:
            return False
        if suppression.rule in _ON_DATES and not self.dates:
            return False
        if suppression.rule in _ON_CHANGES and not self.changes:
            return False
        if suppression.trace is not None or suppression.rule in _ON_TRACES:
            return any(suppression.is_on(trace) for trace in self.traces)
        return True


def check_suppressions(
    suppressions: Sequence[Suppression],
    findings: Iterable[Finding],
    *,
    file: str,
    today: date | None,
    coverage: Coverage,
) -> Iterator[Finding]:
    """Yield a finding for each of *suppressions*, the entries of *file*, that has expired or covers nothing found."""
    found = tuple(findings)
    for number, each in enumerate(suppressions, 1):
        if each.has_expired(today) and each.until is not None and today is not None:
            late = (today - each.until).days
            yield _finding(
                EXPIRED,
                each,
                place=(file, number),
                message=f"the suppression of {shortened(each.scope, length=200)} held until {each.until}, "
                f"{plural(late, 'day')} before {today}: {shortened(each.reason, length=200)}",
                fix="settle the finding and remove the entry, or agree on a new date",
            )
        elif coverage.includes(each) and not any(each.covers(finding) for finding in found):
            yield _finding(
                UNUSED,
                each,
                place=(file, number),
                message=f"the suppression of {shortened(each.scope, length=200)} matches no finding",
                fix="remove the entry, or correct its names",
            )


def _finding(rule: Rule, suppression: Suppression, *, place: tuple[str, int], message: str, fix: str) -> Finding:
    file, number = place
    return Finding(
        rule_id=rule.id,
        severity=rule.severity,
        source=Source(template=file, logical_id="suppressions"),
        property_path=str(number),
        message=printable(message),
        fix=printable(fix),
        queue=suppression.queue or "",
        share=suppression.share,
        trace=suppression.trace,
        figures={"rule": suppression.rule, "entry": number},
    )
