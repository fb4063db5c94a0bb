"""Arrangements to try scenarios on: the usual, the odd and the small."""

from __future__ import annotations

from quota_constructs.evaluator.system import System
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, RESERVE, UNIT, share, system

GOLDEN = system(
    share("lab", {UNIT: 6, OTHER_UNIT: 2}, LEND_AND_BORROW, borrow_limit=150, in_share_preemption=True),
    share("ops", {UNIT: 5}, LEND),
    share("products", {UNIT: 4, OTHER_UNIT: 3}, LEND_AND_BORROW),
    share("release", {OTHER_UNIT: 3}, RESERVE),
)
"""Every strategy, two units, limits that split unevenly."""

ODD: dict[str, System] = {
    "AWS's example": system(
        share("background", 1, LEND_AND_BORROW, borrow_limit=200, in_share_preemption=True),
        share("medium", 1, LEND),
        share("protected", 1, RESERVE),
    ),
    "one share": system(share("only", 3, LEND_AND_BORROW)),
    "one instance": system(share("only", 1)),
    "no share": system(capacity=4),
    "all reserve": system(share("a", 2), share("b", 3)),
    "nobody borrows": system(share("a", 2, LEND), share("b", 3, LEND)),
    "nobody may borrow": system(share("a", 2, LEND_AND_BORROW, borrow_limit=0), share("b", 3, LEND)),
    "all borrow": system(*(share(name, 4, LEND_AND_BORROW) for name in "abcde")),
    "several units": GOLDEN,
    "a disabled borrower": system(share("a", 2, LEND_AND_BORROW, enabled=False), share("b", 3, LEND)),
    "a disabled lender": system(share("a", 2, LEND_AND_BORROW), share("b", 3, LEND, enabled=False)),
    "all disabled": system(share("a", 2, LEND_AND_BORROW, enabled=False), share("b", 3, LEND, enabled=False)),
    "more allocated than there is": system(share("a", 4, LEND_AND_BORROW), share("b", 4, LEND), capacity=5),
    "more reserved than there is": system(share("a", 3), share("b", 3), share("c", 2, LEND_AND_BORROW), capacity=4),
    "less allocated than there is": system(share("a", 2, LEND_AND_BORROW), share("b", 2, LEND), capacity=50),
    "a unit that is not there": system(
        share("a", {UNIT: 2, OTHER_UNIT: 2}, LEND_AND_BORROW), share("b", 2, LEND), capacity={UNIT: 4}
    ),
    "large and small": system(share("a", 100_000, LEND_AND_BORROW), share("b", 1, LEND), share("c", 7)),
    "names that differ in a dash": system(share("a", 2, LEND_AND_BORROW), share("a-1", 2, LEND), share("a-1-1", 2)),
}
