from __future__ import annotations

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, share, system


def found(rule_id: str, arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id == rule_id]


def test_shares_that_all_reserve_are_a_note_on_the_queue() -> None:
    [finding] = found("QC112", system(share("a", 4), share("b", 4)))

    assert (finding.severity, finding.source.logical_id) == (Severity.NOTE, "Queue")
    assert finding.message == (
        "all 2 shares of queue 'queue' are RESERVE: of the 8 instances that they could lend each other, "
        "what one leaves idle nobody else can use"
    )


@pytest.mark.parametrize(
    "arrangement",
    [
        pytest.param(system(share("a", 4), share("b", 4, LEND)), id="one lends"),
        pytest.param(system(share("a", 4)), id="there is one share only"),
        pytest.param(system(share("a", 4), share("b", {OTHER_UNIT: 4})), id="no type in common"),
    ],
)
def test_not_every_share_keeps_what_another_could_use(arrangement: System) -> None:
    assert found("QC112", arrangement) == []


def test_a_disabled_share_that_reserves_is_a_warning() -> None:
    [finding] = found("QC115", system(share("a", 4, enabled=False), share("b", 4, LEND)))

    assert (finding.severity, finding.share, finding.property_path) == (Severity.WARNING, "a", "Properties/State")
    assert finding.message == (
        "share 'a' is DISABLED and takes no new jobs, but is allocated 4 instances: nobody else can use it"
    )


def test_of_a_disabled_lender_it_is_said_how_many_can_borrow() -> None:
    [finding] = found("QC115", system(share("a", 4, LEND, enabled=False), share("b", 4, LEND_AND_BORROW)))

    assert finding.message.endswith("4 instances: only 1 other share can borrow some of it")


def test_an_enabled_share_is_no_finding() -> None:
    assert found("QC115", system(share("a", 4), share("b", 4))) == []


def test_a_disabled_share_cannot_borrow_from_another_one() -> None:
    arrangement = system(
        share("a", 4, LEND, enabled=False),
        share("b", 4, LEND_AND_BORROW, enabled=False),
    )

    messages = [finding.message for finding in found("QC115", arrangement)]

    assert len(messages) == 2
    assert all(message.endswith("nobody else can use it") for message in messages)
