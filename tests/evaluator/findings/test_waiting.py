from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, job, share, system, trace


def found(rule_id: str, arrangement: System, *lines: Job | Event, stop: int = 20) -> list[Finding]:
    evaluation = evaluate(arrangement, trace(*lines), Assumptions(stop_ms=stop * 1000))
    return [finding for finding in check_outcome(evaluation) if finding.rule_id == rule_id]


def urgent(count: int) -> list[Job]:
    return [job(f"urgent-{turn}", "a", priority=5, submit=20 + turn * 90, duration=100) for turn in range(count)]


LOW = job("low", "a", submit=10, duration=200)
FIRST = job("first", "a", duration=100)


def test_a_job_that_ten_later_ones_overtake_starves() -> None:
    [finding] = found("QC308", system(share("a", 1)), FIRST, LOW, *urgent(10))

    assert finding.severity is Severity.WARNING
    assert (finding.share, finding.figures["job"], finding.figures["overtaken_by"]) == ("a", "low", 10)
    assert finding.message == (
        "1 job of share 'a' waited longer than they run while 10 or more later ones went first; worst, overtaken by "
        "10: 'low' waited 1,090 s until 'urgent-9' of its own share gave back 1 instance, and finished "
        "1,290 s after its submission"
    )


def test_a_job_that_nine_later_ones_overtake_does_not_starve() -> None:
    assert found("QC308", system(share("a", 1)), FIRST, LOW, *urgent(9)) == []


def test_a_long_job_that_waits_for_less_than_it_runs_does_not_starve() -> None:
    long = job("low", "a", submit=10, duration=1090)

    assert found("QC308", system(share("a", 1)), FIRST, long, *urgent(10)) == []


def test_jobs_in_the_order_of_their_submission_starve_nobody() -> None:
    assert found("QC308", system(share("a", 1)), *(job(str(number), "a", submit=number) for number in range(50))) == []


def test_jobs_that_are_submitted_together_overtake_nobody() -> None:
    together = [job(str(number), "a", priority=number) for number in range(50)]

    assert found("QC308", system(share("a", 1)), *together) == []


# 8 instances for limits of 4 + 4 + 2: whoever comes last waits for what it is allocated.
OVERSUBSCRIBED = system(share("a", 4, LEND), share("b", 4, LEND), share("c", 2, LEND), capacity=8)


def test_a_lender_whose_job_waits_longer_than_a_stop_takes_is_named() -> None:
    lines = (job("b", "b", 4, duration=600), job("c", "c", 2, duration=600), job("a", "a", 4, submit=10))

    [finding] = found("QC309", OVERSUBSCRIBED, *lines)

    assert finding.severity is Severity.WARNING
    assert (finding.share, finding.property_path) == ("a", "Properties/ResourceSharingConfiguration/Strategy")
    assert (finding.figures["entitled_wait_ms"], finding.figures["stop_ms"]) == (590_000, 20_000)
    assert finding.message.startswith(
        "1 job of share 'a' waited although they fitted its own allocation, up to 590 s where a stop "
        "takes 20 s; worst: 'a' waited 590 s until 'b' of share 'b' gave back 4 instances"
    )


def test_a_lender_that_waits_no_longer_than_a_stop_takes_is_no_finding() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
    lines = (job("guest", "a", 2), job("owner", "b", submit=50))

    assert found("QC309", arrangement, *lines, stop=120) == []


def test_a_job_that_waits_to_the_end_is_left_to_the_other_rule() -> None:
    arrangement = system(share("a", 3, LEND_AND_BORROW), share("b", 1, LEND), share("c", 2), capacity=4)
    lines = (job("starving", "a", 3), job("other", "c", duration=1000))

    assert found("QC309", arrangement, *lines) == []
    assert len(found("QC303", arrangement, *lines)) == 1


@pytest.mark.parametrize(("waited_ms", "preemptions", "count"), [(40_000, 0, 0), (40_001, 0, 1), (80_000, 1, 0)])
def test_every_start_may_take_two_stops(waited_ms: int, preemptions: int, count: int) -> None:
    evaluation = evaluate(system(share("a", 1, LEND)), trace(job("it", "a")))
    evaluation.history.jobs[0].entitled_wait_ms = waited_ms
    evaluation.history.jobs[0].cross_share_preemptions = preemptions

    findings = [finding for finding in check_outcome(evaluation) if finding.rule_id == "QC309"]

    assert len(findings) == count
    assert all(finding.fix.startswith("let the share keep what it cannot wait for") for finding in findings)
