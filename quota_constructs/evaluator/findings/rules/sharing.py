"""Whether lending and borrowing meet: a borrower needs a lender of one of its units, a lender a borrower."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.sharing import Strategy
from quota_constructs.printable import shortened

STRATEGY = "Properties/ResourceSharingConfiguration/Strategy"
BORROW_LIMIT = "Properties/ResourceSharingConfiguration/BorrowLimit"

BORROWS_NOTHING = Rule(
    id="QC104",
    title="A share is to borrow and never can",
    severity=Severity.WARNING,
    what="A LEND_AND_BORROW share has no instance type that another share lends, "
    "or its borrow limit comes to less than one instance of any type.",
    why="Its team expects idle capacity of others and will get none: the share behaves like LEND.",
    example="A LEND_AND_BORROW share whose neighbours are all RESERVE; or one of 4 with a borrow limit of 20 %, which "
    "is 0.8 instances.",
    fix="Let another share lend one of its instance types (LEND or LEND_AND_BORROW), raise the borrow limit, "
    "or declare the share LEND, which says what it does.",
)

LENDS_TO_NOBODY = Rule(
    id="QC105",
    title="A share lends and nobody can borrow",
    severity=Severity.WARNING,
    what="A LEND share has no instance type that another share can borrow. LEND_AND_BORROW shares are not judged: "
    "who wants to borrow has to lend.",
    why="Its idle capacity stays idle, as if it were RESERVE.",
    example="A LEND share whose neighbours are LEND and RESERVE.",
    fix="Let another share with one of its instance types borrow (LEND_AND_BORROW), "
    "or declare the share RESERVE, which says what it does.",
)


def check_borrowers(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that borrows by its strategy and never can."""
    for share in system.shares:
        if not share.strategy.borrows or not share.limits:
            continue
        units = ", ".join(shortened(unit) for unit in sorted(share.limits))
        lenders = [other for other in system.shares if other is not share and other.strategy.lends]
        if not any(unit in lender.limits for lender in lenders for unit in share.limits):
            yield BORROWS_NOTHING.on_share(
                system,
                share,
                STRATEGY,
                message=f"share '{shortened(share.name)}' is LEND_AND_BORROW, but no other share lends "
                f"{units}: it will never borrow",
                fix="let another share lend one of these types, or declare this share LEND",
                figures={"lenders": 0, "units": units},
            )
        elif not any(_can_borrow(share, unit) for unit in share.limits):
            percent, most = share.borrow_limit_percent, max(share.limits.values())
            yield BORROWS_NOTHING.on_share(
                system,
                share,
                BORROW_LIMIT,
                message=f"share '{shortened(share.name)}' is LEND_AND_BORROW, but its borrow limit of {percent:,} % "
                f"of at most {most:,} own instances comes to none: it will never borrow",
                fix=f"raise the borrow limit to at least {-(-100 // max(most, 1)):,} %, or declare this share LEND",
                figures={"borrow_limit_percent": percent, "limit": most},
            )


def check_lenders(system: System) -> Iterator[Finding]:
    """Yield a finding for each share that only lends, and from which nobody can borrow."""
    for share in system.shares:
        if share.strategy is not Strategy.LEND:
            continue
        others = [other for other in system.shares if other is not share]
        if not any(_can_borrow(other, unit) for other in others for unit in share.limits):
            units = ", ".join(shortened(unit) for unit in sorted(share.limits))
            yield LENDS_TO_NOBODY.on_share(
                system,
                share,
                STRATEGY,
                message=f"share '{shortened(share.name)}' is LEND, but no other share can borrow {units}: "
                "what it leaves idle stays idle",
                fix="let another share with one of these types borrow, or declare this share RESERVE",
                figures={"borrowers": 0, "units": units},
            )


def _can_borrow(share: QuotaShare, unit: str) -> bool:
    ceiling = share.ceiling(unit)
    return ceiling is None or ceiling > share.limits.get(unit, 0)
