from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, cancel, checkpoint, job, rearrange, share, system, trace

SHARED = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))


def found(rule_id: str, arrangement: System, *lines: Job | Event) -> list[Finding]:
    return [f for f in check_outcome(evaluate(arrangement, trace(*lines))) if f.rule_id == rule_id]


def own(duration: float) -> Job:
    """Return a job that keeps the borrower's own instance busy."""
    return job("own", "a", duration=duration)


def test_borrowing_that_is_lost_again_costs_more_than_it_delivers() -> None:
    # The guest borrows for 3,600 s, loses them, waits for the owner, and has its own instance from then on.
    lines = (own(4000), job("guest", "a", duration=7200), job("owner", "b", submit=3600, duration=9000))

    [finding] = found("QC311", SHARED, *lines)

    assert finding.severity is Severity.WARNING
    assert (finding.share, finding.property_path) == ("a", "Properties/ResourceSharingConfiguration/BorrowLimit")
    assert finding.message.startswith(
        "share 'a' borrowed 1.00 instance-hours, and being stopped for other shares cost it 1.00 in lost work and 0.00 "
        "in starting again: 0.00 were delivered; worst: 'guest' was stopped 1 time for 'owner' of share 'b'"
    )


def test_starting_again_counts_and_the_first_start_does_not() -> None:
    # Saved to the last second, but each restart restores for an hour.
    kept = checkpoint(on_stop=True, restore=3600)
    lines = (
        own(19000),
        job("guest", "a", duration=5000, startup=100, checkpoint=kept),
        job("owner-1", "b", submit=2000, duration=10),
        job("owner-2", "b", submit=6000, duration=10),
    )

    [finding] = found("QC311", SHARED, *lines)

    assert finding.figures["restart_instance_ms"] == 2 * (100 + 3600) * 1000
    assert finding.figures["lost_instance_ms"] == 0


def test_borrowing_that_delivers_as_much_as_it_costs_is_no_finding() -> None:
    # 10,000 s are lost, and 10,000 s that are not follow on the lender's instance.
    lines = (own(90_000), job("guest", "a", duration=10_000), job("owner", "b", submit=9_999, duration=10))
    more = (own(90_000), job("guest", "a", duration=9_900), job("owner", "b", submit=9_800, duration=10))

    assert found("QC311", SHARED, *lines) == found("QC311", SHARED, *more) == []


def test_what_costs_less_than_an_instance_hour_nobody_need_know() -> None:
    lines = (own(4000), job("guest", "a", duration=7200), job("owner", "b", submit=3599, duration=9000))

    assert found("QC311", SHARED, *lines) == []


def test_work_lost_to_the_shares_own_jobs_is_no_cost_of_borrowing() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW, in_share_preemption=True), share("b", 1, LEND))
    lines = (
        job("owner", "b", duration=9000, submit=1),
        job("low", "a", duration=3600),
        job("high", "a", submit=1800, priority=1),
    )

    assert found("QC311", arrangement, *lines) == []


def test_work_lost_to_others_and_to_the_share_itself_is_parted() -> None:
    arrangement = system(share("a", 1, LEND_AND_BORROW, in_share_preemption=True), share("b", 1, LEND))
    evaluation = evaluate(arrangement, trace(own(9000), job("guest", "a"), job("owner", "b", submit=50)))
    guest = evaluation.history.jobs[1]
    guest.lost_ms, guest.cross_share_preemptions, guest.in_share_preemptions = 16_000_000, 1, 3

    [finding] = [finding for finding in check_outcome(evaluation) if finding.rule_id == "QC311"]

    assert finding.figures["lost_instance_ms"] == 4_000_000


def test_a_deadline_that_only_borrowing_meets_is_named() -> None:
    lines = (job("1", "a", deadline=150), job("2", "a", deadline=150), job("b", "b", submit=200))

    [finding] = found("QC312", SHARED, *lines)

    assert finding.severity is Severity.WARNING
    assert (finding.share, finding.property_path) == ("a", "Properties/ResourceSharingConfiguration/Strategy")
    assert finding.message == (
        "share 'a' meets 2 deadlines, 1 of them only with borrowed capacity, that of '2' first in the trace: "
        "with what the share is allocated it would finish 50 s too late"
    )


def test_a_deadline_that_the_allocation_meets_too_is_no_finding() -> None:
    lines = (job("1", "a", deadline=150), job("2", "a", deadline=200), job("b", "b", submit=200))

    assert found("QC312", SHARED, *lines) == []


def test_a_deadline_that_is_missed_anyway_is_no_finding() -> None:
    assert found("QC312", SHARED, job("1", "a", deadline=150), job("2", "a", deadline=50)) == []


def test_a_share_that_borrows_nothing_meets_its_deadlines_by_itself() -> None:
    assert found("QC312", SHARED, job("1", "a", deadline=150), job("b", "b", 1, deadline=150)) == []


def test_a_job_larger_than_the_allocation_meets_its_deadline_by_borrowing_and_holds_up_nobody() -> None:
    lines = (job("big", "a", 2, deadline=150), job("next", "a", submit=1, deadline=900), cancel(50, "gone"))

    [finding] = found("QC312", SHARED, job("gone", "a", 2, submit=40), *lines)

    assert (finding.figures["met_by_borrowing"], finding.figures["job"]) == (1, "big")
    assert finding.message.endswith("with what the share is allocated it would not fit at all")


def test_the_allocation_is_what_it_becomes_during_the_trace() -> None:
    larger = system(share("a", 2, LEND_AND_BORROW), share("b", 1, LEND))

    assert found("QC312", SHARED, rearrange(0, larger), job("big", "a", 2, deadline=150)) == []
