from __future__ import annotations

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, share, system


def check(arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id in {"QC104", "QC105"}]


def found(arrangement: System) -> list[tuple[str, str | None]]:
    return [(finding.rule_id, finding.share) for finding in check(arrangement)]


@pytest.mark.parametrize(
    ("arrangement", "expected"),
    [
        pytest.param(system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND)), [], id="a borrower and a lender"),
        pytest.param(system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND_AND_BORROW)), [], id="two that do both"),
        pytest.param(
            system(share("a", 1, LEND_AND_BORROW), share("b", 1)), [("QC104", "a")], id="the other share reserves"
        ),
        pytest.param(system(share("a", 1, LEND_AND_BORROW)), [("QC104", "a")], id="there is no other share"),
        pytest.param(
            system(share("a", 1, LEND_AND_BORROW), share("b", {OTHER_UNIT: 1}, LEND)),
            [("QC104", "a"), ("QC105", "b")],
            id="the other share lends another unit",
        ),
        pytest.param(
            system(share("a", {UNIT: 1, OTHER_UNIT: 1}, LEND_AND_BORROW), share("b", {OTHER_UNIT: 1}, LEND)),
            [],
            id="one unit in common is enough",
        ),
        pytest.param(
            system(share("a", 2, LEND_AND_BORROW, borrow_limit=49), share("b", 1, LEND)),
            [("QC104", "a"), ("QC105", "b")],
            id="a borrow limit that rounds down to nothing",
        ),
        pytest.param(
            system(share("a", 2, LEND_AND_BORROW, borrow_limit=50), share("b", 1, LEND)),
            [],
            id="a borrow limit of one instance",
        ),
        pytest.param(system(share("a", 1), share("b", 1, LEND)), [("QC105", "b")], id="a lender and no borrower"),
        pytest.param(
            system(share("a", 1, LEND, enabled=False), share("b", 1, LEND_AND_BORROW)),
            [],
            id="a disabled share still lends",
        ),
    ],
)
def test_lending_and_borrowing_must_meet(arrangement: System, expected: list[tuple[str, str]]) -> None:
    assert found(arrangement) == expected


def test_a_borrower_without_lenders_is_a_warning_with_its_units() -> None:
    [finding] = check(system(share("a", 1, LEND_AND_BORROW), share("b", 1)))

    assert finding.severity is Severity.WARNING
    assert finding.property_path == "Properties/ResourceSharingConfiguration/Strategy"
    assert finding.message == (
        "share 'a' is LEND_AND_BORROW, but no other share lends ml.g5.xlarge: it will never borrow"
    )


def test_a_borrow_limit_of_nothing_is_pointed_at() -> None:
    finding, _ = check(system(share("a", 3, LEND_AND_BORROW, borrow_limit=33), share("b", 1, LEND)))

    assert finding.property_path == "Properties/ResourceSharingConfiguration/BorrowLimit"
    assert "its borrow limit of 33 % of at most 3 own instances comes to none" in finding.message
    assert finding.fix == "raise the borrow limit to at least 34 %, or declare this share LEND"


def test_a_lender_without_borrowers_is_a_warning() -> None:
    [finding] = check(system(share("a", 1), share("b", 1, LEND)))

    assert finding.severity is Severity.WARNING
    assert finding.source.logical_id == "b"
    assert finding.message == (
        "share 'b' is LEND, but no other share can borrow ml.g5.xlarge: what it leaves idle stays idle"
    )
