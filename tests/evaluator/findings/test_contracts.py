from __future__ import annotations

from datetime import date

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract, ResumeEvidence, WhenRetriesRunOut
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, share, system

TRIED = ResumeEvidence(tried_on=date(2026, 10, 1))
OWNED = Agreement(owner="platform team")
POLICY = "Metadata/quota-constructs:share-policy"


def found(rule_id: str, arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id == rule_id]


def lender() -> QuotaShare:
    return share("lender", 4, LEND, agreement=OWNED)


def borrower(contract: InterruptionContract | None) -> System:
    return system(share("a", 2, LEND_AND_BORROW, borrow_limit=100, agreement=OWNED, interruption=contract), lender())


def owner(contract: InterruptionContract | None) -> System:
    return system(share("a", 2, RESERVE, agreement=OWNED, interruption=contract), lender())


def test_a_borrower_without_a_contract_is_a_warning_with_what_it_can_borrow() -> None:
    [finding] = found("QC203", borrower(None))

    assert (finding.severity, finding.share, finding.property_path) == (Severity.WARNING, "a", POLICY)
    assert finding.message == (
        "share 'a' can borrow 2 of ml.g5.xlarge and has no interruption contract: "
        "nobody has said what it costs when owners take that back"
    )


def test_a_share_that_can_borrow_from_nobody_needs_no_contract() -> None:
    alone = system(share("a", 2, LEND_AND_BORROW, agreement=OWNED), share("b", 2, RESERVE, agreement=OWNED))

    assert found("QC203", alone) == []
    assert found("QC203", owner(None)) == []


@pytest.mark.parametrize(
    ("rule_id", "contract", "place", "message"),
    [
        pytest.param(
            "QC204",
            InterruptionContract(can_resume=False),
            "/interruption/can_resume",
            "share 'a' can borrow 2 of ml.g5.xlarge, and its jobs cannot resume: "
            "one that is stopped for an owner has done its work for nothing",
            id="cannot resume",
        ),
        pytest.param(
            "QC205",
            InterruptionContract(can_resume=True),
            "/interruption",
            "share 'a' can borrow 2 of ml.g5.xlarge because its jobs are said to resume, "
            "and there is no evidence that it was tried",
            id="no evidence",
        ),
        pytest.param(
            "QC208",
            InterruptionContract(can_resume=True, evidence=TRIED, assumes_continuous_access=True),
            "/interruption/assumes_continuous_access",
            "completion times of share 'a' assume continuous access, and beyond its 2 instances it can borrow "
            "2 of ml.g5.xlarge, which owners may take back at any time",
            id="counts on continuity",
        ),
    ],
)
def test_what_is_a_warning_for_a_borrower_is_none_for_an_owner(
    rule_id: str, contract: InterruptionContract, place: str, message: str
) -> None:
    [finding] = found(rule_id, borrower(contract))

    assert (finding.severity, finding.property_path, finding.message) == (Severity.WARNING, POLICY + place, message)
    assert found(rule_id, owner(contract)) == []


def test_a_borrower_that_resumes_with_evidence_and_honest_estimates_is_no_finding() -> None:
    good = borrower(InterruptionContract(can_resume=True, evidence=TRIED))

    assert [finding.rule_id for finding in check_arrangement(good) if finding.rule_id.startswith("QC2")] == []


def test_a_borrower_that_cannot_resume_is_not_asked_for_evidence_too() -> None:
    assert found("QC205", borrower(InterruptionContract(can_resume=False))) == []


@pytest.mark.parametrize(
    ("contract", "missing"),
    [
        pytest.param(
            InterruptionContract(can_resume=True, preemption_retries=3),
            "what happens then or whom to tell",
            id="nothing",
        ),
        pytest.param(
            InterruptionContract(can_resume=True, preemption_retries=3, escalate_to="on-call"),
            "what happens then",
            id="somebody to tell",
        ),
        pytest.param(
            InterruptionContract(
                can_resume=True,
                preemption_retries=3,
                when_retries_run_out=WhenRetriesRunOut.RESUBMIT,
                escalate_to=" ",
            ),
            "whom to tell",
            id="a plan",
        ),
    ],
)
def test_retries_that_run_out_without_a_plan_or_a_name_are_a_warning(
    contract: InterruptionContract, missing: str
) -> None:
    [finding] = found("QC206", borrower(contract))

    assert finding.severity is Severity.WARNING
    assert finding.message == (
        f"a job of share 'a' fails when it is preempted more than 3 times, and the contract does not say {missing}"
    )


@pytest.mark.parametrize(
    "contract",
    [
        pytest.param(InterruptionContract(can_resume=True), id="retries without end"),
        pytest.param(
            InterruptionContract(
                can_resume=True,
                preemption_retries=0,
                when_retries_run_out=WhenRetriesRunOut.OTHER_CAPACITY,
                escalate_to="on-call",
            ),
            id="a plan and a name",
        ),
    ],
)
def test_nobody_is_left_in_the_dark_when_retries_run_out(contract: InterruptionContract) -> None:
    assert found("QC206", borrower(contract)) == []


def test_saving_that_takes_longer_than_the_service_waits_is_a_warning() -> None:
    contract = InterruptionContract(can_resume=True, saves_on_sigterm=True, save_on_sigterm_seconds=120.5)

    [finding] = found("QC207", borrower(contract))

    assert (finding.severity, finding.property_path) == (
        Severity.WARNING,
        f"{POLICY}/interruption/save_on_sigterm_seconds",
    )
    assert finding.message == (
        "jobs of share 'a' take 120.5 s to save at SIGTERM, and are killed after 120 s: as good as not saving"
    )


@pytest.mark.parametrize(
    "contract",
    [
        pytest.param(
            InterruptionContract(can_resume=True, saves_on_sigterm=True, save_on_sigterm_seconds=120), id="just in time"
        ),
        pytest.param(
            InterruptionContract(can_resume=True, saves_on_sigterm=False, save_on_sigterm_seconds=300), id="not done"
        ),
        pytest.param(InterruptionContract(can_resume=True, saves_on_sigterm=True), id="nobody knows how long"),
    ],
)
def test_saving_is_fast_enough(contract: InterruptionContract) -> None:
    assert found("QC207", borrower(contract)) == []
