from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, job, rearrange, share, system, trace


def found(rule_id: str, arrangement: System, *lines: Job | Event) -> list[Finding]:
    findings = check_outcome(evaluate(arrangement, trace(*lines)))
    return [finding for finding in findings if finding.rule_id == rule_id]


def test_jobs_that_all_finish_are_no_finding() -> None:
    assert check_outcome(evaluate(system(share("a", 1)), trace(job("1", "a"), job("2", "a")))) == ()


def test_jobs_behind_a_head_that_never_starts_are_named_with_it() -> None:
    [finding] = found(
        "QC303", system(share("a", 2), share("b", 1)), job("big", "a", 3), job("next", "a"), job("last", "a")
    )

    assert finding.severity is Severity.ERROR
    assert (finding.share, finding.trace, finding.figures["jobs"]) == ("a", "test", 2)
    assert "'next' first in the trace" in finding.message
    assert finding.message.endswith("behind 'big', which can never start")


def test_an_owner_whose_capacity_is_promised_twice_waits_for_ever() -> None:
    # 4 instances for limits of 3 + 1 + 2: the reserve of 'c' leaves 'a' two, and nobody holds what it could take back.
    arrangement = system(share("a", 3, LEND_AND_BORROW), share("b", 1, LEND), share("c", 2), capacity=4)

    [finding] = found("QC303", arrangement, job("starving", "a", 3))

    assert "'starving' first in the trace (it needs 3 of ml.g5.xlarge)" in finding.message
    assert finding.message.endswith("for capacity that the limits of other shares keep from them")


def test_a_misconfigured_job_alone_is_the_other_rules_finding() -> None:
    assert found("QC303", system(share("a", 2), share("b", 1)), job("big", "a", 3)) == []


def test_timeouts_are_a_warning_with_the_first_job() -> None:
    [finding] = found("QC304", system(share("a", 1)), job("slow", "a", duration=100, timeout=50), job("fine", "a"))

    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "1 job of share 'a' ran into the timeout, 'slow' first in the trace (100 s of work, timeout 50 s)"
    )


def test_a_job_that_fails_for_another_reason_did_not_time_out() -> None:
    arrangement = system(share("a", 1, in_share_preemption=True))

    assert found("QC304", arrangement, job("low", "a", retries=0), job("high", "a", priority=1, submit=10)) == []


def test_rejections_of_a_disabled_share_point_at_its_state() -> None:
    [finding] = found("QC305", system(share("a", 1, enabled=False)), job("1", "a"), job("2", "a"))

    assert finding.severity is Severity.WARNING
    assert (finding.source.logical_id, finding.property_path) == ("a", "Properties/State")
    assert finding.message == (
        "2 jobs of share 'a' were rejected, '1' first in the trace: the share was disabled or not there"
    )


def test_rejections_of_undeclared_shares_are_one_finding_however_many_there_are() -> None:
    [finding] = found("QC305", system(share("a", 1)), *(job(str(number), f"typo{number}") for number in range(50)))

    assert (finding.source.logical_id, finding.share) == ("Queue", None)
    assert finding.message == "50 jobs of 50 undeclared shares were rejected, of share 'typo0' for one"


def test_a_share_that_is_declared_only_later_is_no_undeclared_one() -> None:
    later = system(share("a", 1), share("late", 1))

    [finding] = found("QC305", system(share("a", 1)), job("early", "late"), rearrange(10, later))

    assert finding.share == "late"
