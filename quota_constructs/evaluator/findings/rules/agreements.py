"""
Whether somebody stands behind each share, and what was agreed on still holds.

A queue none of whose shares says anything was not declared with agreements in mind: it gets one note, and the rules
that ask for what is missing are silent. As soon as one share of a queue says something, the others are asked too.
"""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.lending import most_borrowed
from quota_constructs.evaluator.system import System
from quota_constructs.policies.share_policy import METADATA_KEY, NOTHING_AGREED
from quota_constructs.printable import plural, shortened

POLICY = f"Metadata/{METADATA_KEY}"

NOTHING_SAID = Rule(
    id="QC201",
    title="Nothing is agreed on for the shares of a queue",
    severity=Severity.NOTE,
    what="No share of the queue says in its template who owns it, how its jobs survive being stopped, or what it is "
    "promised. The other rules on agreements then ask for nothing.",
    why="An allocation is a promise between teams. What is only said in meetings can neither be tested nor looked up "
    "when a job is interrupted.",
    example="A template with three shares whose resources have no Metadata.",
    fix="Begin with an owner for each share, then an interruption contract for each that borrows.",
)

NO_OWNER = Rule(
    id="QC202",
    title="A share has no owner",
    severity=Severity.WARNING,
    what="A share has no agreement, or one with a blank owner, in a queue where other shares say something.",
    why="Nobody can say who is entitled to the capacity, who decides on an exception, or whom to ask before the "
    "allocation is changed.",
    example="Shares 'research' and 'production' name an owner, 'scratch' does not.",
    fix="Give the share an Agreement whose owner is a team or a role that will still be there next year.",
)

REVIEW_OVERDUE = Rule(
    id="QC209",
    title="An agreement is overdue for review",
    severity=Severity.WARNING,
    what="The day by which an agreement was to be looked at again lies before the day of the check. Judged only if "
    "that day is given (--today, or today= of the plugin): a check reads no clock.",
    why="Teams, jobs and capacity change; an allocation that nobody looks at again is kept from those who need it now.",
    example="review_by = 2026-06-30, checked for 2026-07-01.",
    fix="Look at it again with the owner, and set a new date.",
)

EXCEPTION_EXPIRED = Rule(
    id="QC210",
    title="An exception from an agreement has expired",
    severity=Severity.WARNING,
    what="The last day of an exception lies before the day of the check. Judged only if that day is given (--today, or "
    "today= of the plugin).",
    why="What was granted for a time goes on for ever if nobody takes it back: the arrangement still has the capacity "
    "or the right, and the agreement no longer does.",
    example="A loan of 2 instances until 2026-03-31, still in the template in May.",
    fix="Undo what was granted and remove the exception, or have it granted anew.",
)


def check_anything(system: System) -> Iterator[Finding]:
    """Yield a finding if there are shares and none says anything."""
    if system.shares and not says_something(system):
        borrowers = sum(bool(most_borrowed(system, share)) for share in system.shares)
        yield NOTHING_SAID.finding(
            system,
            system.source,
            "Metadata",
            message=f"{_none(len(system.shares))} of queue '{shortened(system.name)}' says who "
            "owns it, how its jobs survive being stopped, or what it is promised"
            + (f"; {plural(borrowers, 'share')} can borrow what others may take back" if borrowers else ""),
            fix="declare an agreement for each share, and an interruption contract for each that borrows",
            figures={"shares": len(system.shares), "borrowers": borrowers},
        )


def check_owners(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that nobody owns, where others have owners."""
    for share in system.shares:
        agreement = share.policy.agreement
        if says_something(system) and (agreement is None or not agreement.owner.strip()):
            yield NO_OWNER.on_share(
                system,
                share,
                POLICY,
                message=f"share '{shortened(share.name)}' has no owner: nobody is named who is entitled to its "
                f"{plural(sum(share.limits.values()), 'instance')} and decides on exceptions",
                fix="name the owner in the share's agreement",
                figures={"instances": sum(share.limits.values())},
            )


def check_reviews(system: System, context: Context) -> Iterator[Finding]:
    """Yield a finding for each agreement whose review is overdue."""
    for share in system.shares:
        agreement = share.policy.agreement
        if agreement is None or agreement.review_by is None or context.today is None:
            continue
        late = (context.today - agreement.review_by).days
        if late > 0:
            yield REVIEW_OVERDUE.on_share(
                system,
                share,
                f"{POLICY}/agreement/review_by",
                message=f"the agreement on share '{shortened(share.name)}' was to be reviewed by "
                f"{agreement.review_by}, {plural(late, 'day')} before {context.today}",
                fix=f"review it with {shortened(agreement.owner)} and set a new date",
                figures={"review_by": str(agreement.review_by), "today": str(context.today), "days": late},
            )


def check_exceptions(system: System, context: Context) -> Iterator[Finding]:
    """Yield a finding for each exception that holds no more."""
    for share in system.shares:
        if share.policy.agreement is None or context.today is None:
            continue
        for number, exception in enumerate(share.policy.agreement.exceptions):
            late = (context.today - exception.until).days
            if late > 0:
                yield EXCEPTION_EXPIRED.on_share(
                    system,
                    share,
                    f"{POLICY}/agreement/exceptions/{number}",
                    message=f"an exception of share '{shortened(share.name)}', granted by "
                    f"{shortened(exception.granted_by)} until {exception.until}, expired {plural(late, 'day')} before "
                    f"{context.today}: {shortened(exception.reason)}",
                    fix="undo what was granted and remove the exception, or have it granted anew",
                    figures={"until": str(exception.until), "today": str(context.today), "days": late},
                )


def says_something(system: System) -> bool:
    """Whether any share of the queue says what was agreed on."""
    return any(share.policy != NOTHING_AGREED for share in system.shares)


def _none(shares: int) -> str:
    return "not even the one share" if shares == 1 else f"none of the {shares} shares"


def dated(system: System) -> int:
    """Return how many dates of the agreements can be judged only by the day of the check."""
    agreements = [share.policy.agreement for share in system.shares if share.policy.agreement is not None]
    return sum((each.review_by is not None) + len(each.exceptions) for each in agreements)
