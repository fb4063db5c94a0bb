from __future__ import annotations

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, share, system

BORROW_LIMIT = "Properties/ResourceSharingConfiguration/BorrowLimit"


def found(rule_id: str, arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id == rule_id]


def borrowing(limit: int, lent: int = 4, own: int = 4) -> System:
    return system(share("a", own, LEND_AND_BORROW, borrow_limit=limit), share("b", lent, LEND))


def test_a_limit_as_high_as_all_that_is_lent_never_binds() -> None:
    [finding] = found("QC109", borrowing(100))

    assert (finding.severity, finding.share, finding.property_path) == (Severity.NOTE, "a", BORROW_LIMIT)
    assert finding.message == (
        "share 'a' may borrow 4 of ml.g5.xlarge (100 % of its 4) and all others lend 4 at most: "
        "the limit never holds it back"
    )
    assert finding.fix == "if it is to hold the share back, set it below 100 %"


def test_nothing_is_to_be_done_where_a_lower_limit_would_allow_nothing() -> None:
    [finding] = found("QC109", borrowing(200, lent=1, own=1))

    assert finding.fix == "nothing, or a lower limit lets the share borrow nothing at all"


def test_a_limit_one_instance_lower_binds() -> None:
    assert found("QC109", borrowing(99)) == []


def test_a_limit_that_binds_for_one_type_does_something() -> None:
    both = {UNIT: 2, OTHER_UNIT: 2}
    lender = share("b", {UNIT: 1, OTHER_UNIT: 5}, LEND)

    assert found("QC109", system(share("a", both, LEND_AND_BORROW, borrow_limit=200), lender)) == []
    assert len(found("QC109", system(share("a", both, LEND_AND_BORROW, borrow_limit=250), lender))) == 1


def test_no_limit_at_all_is_a_note_that_counts_who_else_borrows() -> None:
    arrangement = system(
        share("a", 1, LEND_AND_BORROW),
        share("b", 8, LEND),
        share("c", 1, LEND_AND_BORROW, borrow_limit=100),
        share("d", {OTHER_UNIT: 1}, LEND_AND_BORROW, borrow_limit=100),
    )

    [finding] = found("QC110", arrangement)

    assert (finding.severity, finding.share, finding.property_path) == (Severity.NOTE, "a", BORROW_LIMIT)
    assert finding.message == (
        "share 'a' may borrow all that others leave idle, up to 9 of ml.g5.xlarge; "
        "1 other borrower must then wait for its jobs to end"
    )


@pytest.mark.parametrize(
    "arrangement",
    [
        pytest.param(borrowing(1000), id="a limit, however high"),
        pytest.param(system(share("a", 1, LEND_AND_BORROW), share("b", 1)), id="nobody lends"),
        pytest.param(system(share("a", 1, LEND), share("b", 1, LEND)), id="nobody borrows"),
    ],
)
def test_nobody_borrows_without_limit(arrangement: System) -> None:
    assert found("QC110", arrangement) == []


def test_a_limit_that_comes_to_nothing_for_one_type_is_a_warning() -> None:
    limits = {UNIT: 10, OTHER_UNIT: 4}

    [finding] = found("QC111", system(share("a", limits, LEND_AND_BORROW, borrow_limit=24), share("b", limits, LEND)))

    assert (finding.severity, finding.figures["unit"]) == (Severity.WARNING, OTHER_UNIT)
    assert finding.message == (
        "the borrow limit of share 'a', 24 %, comes to none of ml.p4d.24xlarge, of which it owns 4: "
        "it will never borrow of that type"
    )
    assert finding.fix == "raise the borrow limit to at least 25 %, or expect no more than the 4"


@pytest.mark.parametrize(
    ("percent", "lent"),
    [
        pytest.param(25, {UNIT: 10, OTHER_UNIT: 4}, id="one instance of each"),
        pytest.param(24, {UNIT: 10}, id="nobody lends the other type"),
        pytest.param(9, {UNIT: 10, OTHER_UNIT: 4}, id="none of any type, which is another rule's"),
        pytest.param(-1, {UNIT: 10, OTHER_UNIT: 4}, id="no limit"),
    ],
)
def test_no_type_is_rounded_away(percent: int, lent: dict[str, int]) -> None:
    borrower = share("a", {UNIT: 10, OTHER_UNIT: 4}, LEND_AND_BORROW, borrow_limit=percent)

    assert found("QC111", system(borrower, share("b", lent, LEND))) == []
