from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, job, share, system, trace


def found(arrangement: System, *lines: Job | Event) -> list[Finding]:
    return [finding for finding in check_outcome(evaluate(arrangement, trace(*lines))) if finding.rule_id == "QC302"]


def test_a_job_that_may_be_preempted_is_no_finding() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))

    assert found(arrangement, job("guest", "a", 2), job("owner", "b", submit=10)) == []


def test_a_borrower_without_retries_fails_when_the_owner_returns() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))

    [finding] = found(arrangement, job("guest", "a", 2, retries=0, duration=7200), job("owner", "b", submit=3600))

    assert finding.severity is Severity.ERROR
    assert (finding.share, finding.source.logical_id) == ("a", "a")
    assert finding.property_path == "Properties/ResourceSharingConfiguration/Strategy"
    assert finding.message == (
        "1 job of share 'a' failed because preemption retries ran out, 'guest' first in the trace: "
        "stopped 1 time for other shares and 0 times for jobs of their own, with 2.00 instance-hours of work lost"
    )
    assert finding.figures["lost_instance_ms"] == 7_200_000


def test_failing_for_the_shares_own_jobs_points_at_in_share_preemption() -> None:
    arrangement = system(share("a", 1, in_share_preemption=True))

    [finding] = found(arrangement, job("low", "a", retries=0), job("high", "a", priority=1, submit=10))

    assert finding.property_path == "Properties/PreemptionConfiguration/InSharePreemption"
    assert finding.figures["in_share_preemptions"] == 1
