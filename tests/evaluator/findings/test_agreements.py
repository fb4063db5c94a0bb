from __future__ import annotations

from datetime import date

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.policies.agreement import Agreement, Exemption
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, share, system

TODAY = date(2026, 11, 29)
OWNED = Agreement(owner="platform team")


def found(rule_id: str, arrangement: System, today: date | None = TODAY) -> list[Finding]:
    findings = check_arrangement(arrangement, Context(today=today))
    return [finding for finding in findings if finding.rule_id == rule_id]


def agreed_until(day: date) -> System:
    loan = Exemption(reason="a loan of 2", granted_by="the CTO", since=date(2000, 1, 1), until=day)
    return system(share("a", 1, agreement=Agreement(owner="team a", review_by=day, exceptions=(loan,))))


def test_a_queue_of_which_nothing_is_said_gets_one_note_and_no_warning() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW, borrow_limit=100), share("b", 1, LEND), share("c", 1))

    findings = [each for each in check_arrangement(arrangement) if each.rule_id.startswith("QC2")]

    assert [(each.rule_id, each.severity, each.source.logical_id) for each in findings] == [
        ("QC201", Severity.NOTE, "Queue")
    ]
    assert findings[0].message == (
        "none of the 3 shares of queue 'queue' says who owns it, how its jobs survive being stopped, or what it is "
        "promised; 1 share can borrow what others may take back"
    )


def test_where_one_share_says_something_the_note_is_gone_and_the_others_are_asked() -> None:
    arrangement = system(share("a", 1, agreement=OWNED), share("b", 2))

    assert found("QC201", arrangement) == []
    [finding] = found("QC202", arrangement)
    assert (finding.severity, finding.share) == (Severity.WARNING, "b")
    assert finding.property_path == "Metadata/quota-constructs:share-policy"
    assert finding.message == (
        "share 'b' has no owner: nobody is named who is entitled to its 2 instances and decides on exceptions"
    )


def test_a_blank_owner_is_none() -> None:
    assert [finding.share for finding in found("QC202", system(share("a", 1, agreement=Agreement(owner=" "))))] == ["a"]


def test_shares_that_all_have_owners_are_no_finding() -> None:
    assert found("QC202", system(share("a", 1, agreement=OWNED), share("b", 1, agreement=OWNED))) == []


@pytest.mark.parametrize(
    ("rule_id", "message"),
    [
        pytest.param(
            "QC209",
            "the agreement on share 'a' was to be reviewed by 2026-11-28, 1 day before 2026-11-29",
            id="review",
        ),
        pytest.param(
            "QC210",
            "an exception of share 'a', granted by the CTO until 2026-11-28, expired 1 day before 2026-11-29: "
            "a loan of 2",
            id="exception",
        ),
    ],
)
def test_a_day_that_is_past_is_a_warning_and_the_day_itself_is_not(rule_id: str, message: str) -> None:
    [finding] = found(rule_id, agreed_until(date(2026, 11, 28)))

    assert (finding.severity, finding.share, finding.message) == (Severity.WARNING, "a", message)
    assert found(rule_id, agreed_until(TODAY)) == []


@pytest.mark.parametrize("rule_id", ["QC209", "QC210"])
def test_without_a_day_no_date_is_judged(rule_id: str) -> None:
    assert found(rule_id, agreed_until(date(2000, 1, 1)), today=None) == []


def test_hostile_names_in_an_agreement_cannot_steer_a_terminal() -> None:
    hostile = "<b>\x1b[2J\n\u202e`"
    past = date(2000, 1, 1)
    loan = Exemption(reason=hostile, granted_by=hostile, since=past, until=past)
    agreement = Agreement(owner=hostile, review_by=past, exceptions=(loan,))
    contract = InterruptionContract(can_resume=False, preemption_retries=1)
    arrangement = system(
        share(hostile, 1, LEND_AND_BORROW, borrow_limit=100, agreement=agreement, interruption=contract),
        share(f"{hostile} too", 1, LEND),
    )

    findings = check_arrangement(arrangement, Context(today=TODAY))

    assert {"QC202", "QC204", "QC206", "QC209", "QC210"} <= {finding.rule_id for finding in findings}
    assert all((finding.message + finding.fix).isprintable() for finding in findings)
