from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Checkpoint, Event, Job
from tests.builders import LEND, LEND_AND_BORROW, checkpoint, job, share, system, trace


def found(rule_id: str, arrangement: System, *lines: Job | Event) -> list[Finding]:
    return [f for f in check_outcome(evaluate(arrangement, trace(*lines))) if f.rule_id == rule_id]


def shared() -> System:
    return system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))


def owners(count: int, *, every: float = 1000) -> tuple[Job, ...]:
    """Return jobs of the lender that come back again and again, and stay for a moment."""
    return tuple(job(f"owner-{turn}", "b", submit=(turn + 1) * every, duration=10) for turn in range(count))


def guest(duration: float, kept: Checkpoint | None = None, *, retries: int | None = None) -> Job:
    """Return a job that needs both instances, one of them borrowed."""
    return job("guest", "a", 2, duration=duration, checkpoint=kept, retries=retries)


def test_a_job_that_loses_more_than_it_has_to_do_thrashes() -> None:
    # Each time it begins 20 + 10 s after an owner came, and has saved its first 400 s when the next comes.
    [finding] = found("QC307", shared(), guest(1600, checkpoint(800)), *owners(20, every=600))

    assert finding.severity is Severity.WARNING
    assert (finding.share, finding.source.logical_id) == ("a", "a")
    assert finding.property_path == "Properties/ResourceSharingConfiguration/Strategy"
    assert finding.figures["preemptions"] == 20
    assert finding.figures["lost_instance_ms"] == 2 * 11_430_000
    assert finding.message.startswith(
        "1 job of share 'a' lost more work than they have to do, 6.35 instance-hours in 20"
    )


def test_a_job_that_is_stopped_as_often_and_saves_its_work_does_not_thrash() -> None:
    assert found("QC307", shared(), guest(6000, checkpoint(400)), *owners(20, every=600)) == []


def test_two_preemptions_are_not_again_and_again() -> None:
    # Each loses nearly a thousand seconds of 1,500.
    kept = guest(1500, checkpoint(1400))

    assert found("QC307", shared(), kept, *owners(2)) == []
    assert len(found("QC307", shared(), kept, *owners(3))) == 1


def test_a_job_is_left_to_the_rule_on_exhausted_retries() -> None:
    lines = (guest(1600, checkpoint(800), retries=3), *owners(20, every=600))

    assert found("QC307", shared(), *lines) == []
    assert len(found("QC302", shared(), *lines)) == 1


def test_thrashing_within_a_share_points_at_in_share_preemption() -> None:
    arrangement = system(share("a", 1, in_share_preemption=True))
    urgent = [job(f"urgent-{turn}", "a", priority=1, submit=(turn + 1) * 600, duration=10) for turn in range(8)]

    [finding] = found("QC307", arrangement, job("low", "a", duration=1600, checkpoint=checkpoint(800)), *urgent)

    assert finding.property_path == "Properties/PreemptionConfiguration/InSharePreemption"
    assert finding.fix.startswith("lower the priority gap within the share")


def test_a_job_without_checkpoints_longer_than_its_interruptions_are_apart_may_never_finish() -> None:
    # It runs 1,020 s, four times 990 s and at last 3,000 s for five interruptions.
    [finding] = found("QC313", shared(), guest(3000), *owners(5))

    assert finding.severity is Severity.WARNING
    assert finding.property_path == "Metadata/quota-constructs:share-policy/interruption"
    assert finding.message == (
        "1 job of share 'a' without checkpoints may never finish, whatever is spent (on this trace 1 did): 'guest' "
        "needs 0:50:00 and was stopped 5 times, every 0:26:36 of running; at that rate it takes "
        "2:27:40 of running on average"
    )


def test_a_job_is_not_said_to_never_finish_and_to_thrash() -> None:
    lines = (guest(1500), *owners(5))

    assert len(found("QC313", shared(), *lines)) == 1
    assert found("QC307", shared(), *lines) == []


def test_a_job_without_checkpoints_that_was_stopped_once_may_only_have_had_bad_luck() -> None:
    assert found("QC313", shared(), guest(3000), *owners(1)) == []


def test_a_job_that_fails_when_it_is_first_stopped_shows_no_habit() -> None:
    assert found("QC313", shared(), guest(3000, retries=0), *owners(1)) == []


def test_a_job_without_checkpoints_shorter_than_its_interruptions_are_apart_will_finish() -> None:
    # It runs 1,020 + 990 + 1,100 s for two interruptions.
    assert found("QC313", shared(), guest(1100), *owners(2)) == []


def test_a_job_that_saves_when_it_is_told_to_stop_will_finish() -> None:
    assert found("QC313", shared(), guest(3000, checkpoint(on_stop=True)), *owners(5)) == []


def test_a_number_that_says_nothing_is_said_in_words() -> None:
    [finding] = found("QC313", shared(), guest(3000), *owners(100, every=100))

    assert finding.message.endswith("at that rate chance alone would let it finish")


def interval(seconds: float, *, cost: float = 10, stops: int = 10) -> list[Finding]:
    """Return what is said of a checkpoint interval when about every 1,000 s of running end by an interruption."""
    return found("QC314", shared(), guest(9000, checkpoint(seconds, cost=cost)), *owners(stops))


def test_checkpoints_that_are_too_rare_are_noted_with_a_better_interval() -> None:
    # sqrt(2 x 10 s x some 1,050 s) is some 145 s.
    [finding] = interval(400)

    assert finding.severity is Severity.NOTE
    assert finding.property_path == "Metadata/quota-constructs:share-policy/interruption/checkpoint_interval_seconds"
    assert finding.figures["interval_ms"] == 400_000
    assert 140_000 < float(finding.figures["suggested_interval_ms"]) < 170_000
    assert finding.fix.startswith("checkpoint more often, about every 0:02:")


def test_checkpoints_that_are_too_frequent_are_noted_too() -> None:
    [finding] = interval(50)

    assert finding.fix.startswith("checkpoint less often")


def test_an_interval_within_a_factor_of_two_is_good_enough() -> None:
    assert interval(80) == interval(280) == []


def test_four_interruptions_are_too_few_for_advice_on_checkpoints() -> None:
    assert interval(900, stops=4) == []
    assert len(interval(900, stops=5)) == 1


def test_no_interval_is_suggested_for_checkpoints_that_cost_nothing_or_too_much() -> None:
    assert interval(400, cost=0) == interval(400, cost=800, stops=100) == []


def test_no_interval_is_suggested_for_jobs_that_save_when_told_to_stop() -> None:
    kept = checkpoint(400, cost=10, on_stop=True)

    assert found("QC314", shared(), guest(9000, kept), *owners(10)) == []


def test_of_jobs_that_may_never_finish_it_is_said_how_many_did_not() -> None:
    [finding] = found("QC313", shared(), guest(3000, retries=2), *owners(5))

    assert "may never finish, whatever is spent (on this trace 0 did)" in finding.message
    assert finding.figures["finished"] == 0
