"""Borrow limits that do nothing, or less than they seem to: unlimited, too high, or rounded down to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.lending import lent_to
from quota_constructs.evaluator.findings.rules.sharing import BORROW_LIMIT
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.sharing import UNLIMITED
from quota_constructs.printable import plural, shortened

NEVER_BINDS = Rule(
    id="QC109",
    title="A borrow limit never binds",
    severity=Severity.NOTE,
    what="A borrow limit allows a share as much as all lenders together have, of every instance type it can borrow.",
    why="It holds nobody back today. That is fine if it is meant for shares to come; if it was to keep something for "
    "other borrowers, it does not.",
    example="A share of 1 with a borrow limit of 200 % may hold 2 more; the only lender has 1.",
    fix="Nothing, if the limit is for later; otherwise lower it until it binds.",
)

UNLIMITED_BORROWING = Rule(
    id="QC110",
    title="A share may borrow without limit",
    severity=Severity.NOTE,
    what="A LEND_AND_BORROW share has no borrow limit, written (-1) or left out, and there is something to borrow.",
    why="It may hold all that lenders leave idle at once. Owners get theirs back by stopping its jobs, the more jobs "
    "the more it holds; other borrowers get nothing until jobs end, as borrowers are not preempted for each other.",
    example="Three borrowers and an idle lender of 8: the first to ask may take all 8, and keeps them.",
    fix="Set a borrow limit that the team's jobs can afford to lose, or accept it with a reason.",
)

ROUNDS_TO_NOTHING = Rule(
    id="QC111",
    title="A borrow limit comes to nothing for an instance type",
    severity=Severity.WARNING,
    what="A borrow limit in percent of the share's own limit is less than one instance of a type that others lend, "
    "while it allows another type. If it allows none, that is QC104.",
    why="The percentage counts for each instance type by itself and is taken to be rounded down, so a small allocation "
    "borrows nothing.",
    example="A borrow limit of 20 % on 10 of ml.g5.xlarge and 4 of ml.p4d.24xlarge: 2 more of the first, none of the "
    "second.",
    fix="Raise the borrow limit to one instance of the smallest limit, or expect no more of that type than is owned.",
)

_WHOLE = 100
"""Percent that make one instance of one."""


def check_never_bound(system: System) -> Iterator[Finding]:
    """Yield a finding for each share whose borrow limit holds it back for no unit."""
    for share in system.shares:
        lent = _lent(system, share)
        if not lent or share.borrow_limit_percent == UNLIMITED:
            continue
        allowed = {unit: share.limits[unit] * share.borrow_limit_percent // 100 for unit in lent}
        if all(allowed[unit] >= lent[unit] for unit in lent):
            unit, *others = lent
            binding = max(-(-100 * lent[each] // share.limits[each]) for each in lent)
            yield NEVER_BINDS.on_share(
                system,
                share,
                BORROW_LIMIT,
                message=f"share '{shortened(share.name)}' may borrow {allowed[unit]:,} of {shortened(unit)} "
                f"({share.borrow_limit_percent:,} % of its {share.limits[unit]:,}) and all others lend "
                f"{lent[unit]:,} at most"
                + (f", and likewise for {plural(len(others), 'other type')}" if others else "")
                + ": the limit never holds it back",
                fix=f"if it is to hold the share back, set it below {binding:,} %"
                if any(share.limits[each] * (binding - 1) >= _WHOLE for each in lent)
                else "nothing, or a lower limit lets the share borrow nothing at all",
                figures={
                    "unit": unit,
                    "borrow_limit_percent": share.borrow_limit_percent,
                    "allowed": allowed[unit],
                    "lent": lent[unit],
                },
            )


def check_unlimited(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that may borrow all there is."""
    for share in system.shares:
        lent = _lent(system, share)
        if lent and share.borrow_limit_percent == UNLIMITED:
            rivals = sum(
                other is not share and any(unit in lent for unit in _lent(system, other)) for other in system.shares
            )
            all_of_it = " and ".join(f"{count:,} of {shortened(unit)}" for unit, count in lent.items())
            yield UNLIMITED_BORROWING.on_share(
                system,
                share,
                BORROW_LIMIT,
                message=f"share '{shortened(share.name)}' may borrow all that others leave idle, up to {all_of_it}"
                + (f"; {plural(rivals, 'other borrower')} must then wait for its jobs to end" if rivals else ""),
                fix="set a borrow limit in percent of the share's own, or accept this with a reason",
                figures={"lent": sum(lent.values()), "units": len(lent), "rivals": rivals},
            )


def check_rounding(system: System) -> Iterator[Finding]:
    """Yield a finding for each unit of a borrower that its limit rounds down to none, while it allows another."""
    for share in system.shares:
        percent = share.borrow_limit_percent
        lent = _lent(system, share)
        none = [unit for unit in lent if percent != UNLIMITED and share.limits[unit] * percent < _WHOLE]
        if len(none) == len(lent):
            continue
        for unit in none:
            limit = share.limits[unit]
            yield ROUNDS_TO_NOTHING.on_share(
                system,
                share,
                BORROW_LIMIT,
                message=f"the borrow limit of share '{shortened(share.name)}', {percent:,} %, comes to none of "
                f"{shortened(unit)}, of which it owns {limit:,}: it will never borrow of that type",
                fix=f"raise the borrow limit to at least {-(-100 // limit):,} %, or expect no more than the {limit:,}",
                figures={"unit": unit, "borrow_limit_percent": percent, "limit": limit},
            )


def _lent(system: System, share: QuotaShare) -> dict[str, int]:
    """Return what a borrower's units come to with all lenders idle; nothing for a share that does not borrow."""
    if not share.strategy.borrows:
        return {}
    lent = {unit: lent_to(system, share, unit) for unit, limit in sorted(share.limits.items()) if limit}
    return {unit: count for unit, count in lent.items() if count}
