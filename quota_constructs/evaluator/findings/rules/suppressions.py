"""Suppressions that are of no use any more."""

from __future__ import annotations

from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.findings.rule import Rule

UNUSED = Rule(
    id="QC401",
    title="A suppression matches nothing",
    severity=Severity.WARNING,
    what="An entry of the file of suppressions covers no finding of this check, and what it is about was looked at: "
    "its queue, and the trace it names or, for a rule on traces, any trace.",
    why="The cause is gone, or a name was changed or misspelt. Either way the entry says nothing true, and would hide "
    "the next finding that happens to fit.",
    example="QC105 is suppressed for share 'medium', and 'medium' has a borrower by now.",
    fix="Remove the entry, or correct its names.",
)

EXPIRED = Rule(
    id="QC402",
    title="A suppression has expired",
    severity=Severity.WARNING,
    what="The last day of an entry of the file of suppressions lies before the day of the check, so that it "
    "suppresses nothing. Judged only if that day is given (--today, or today= of the plugin).",
    why="What was accepted for a time was to be settled by then.",
    example="until = 2026-06-30, checked for 2026-07-01.",
    fix="Settle the finding and remove the entry, or agree on a new date.",
)
