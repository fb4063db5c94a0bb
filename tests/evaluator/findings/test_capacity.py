from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.system import System
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, job, share, system, trace


def found(rule_id: str, arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id == rule_id]


def test_aws_own_example_is_free_of_errors_and_warnings() -> None:
    arrangement = system(
        share("QS1", 1, LEND_AND_BORROW, borrow_limit=200, in_share_preemption=True),
        share("QS2", 1, LEND),
        share("QS3", 1),
        capacity=3,
    )

    findings = check_arrangement(arrangement)

    assert {finding.severity for finding in findings} == {Severity.NOTE}
    assert [finding.rule_id for finding in findings] == ["QC109", "QC113", "QC201"]


def test_a_unit_that_the_environment_lacks_is_an_error_of_the_share() -> None:
    arrangement = system(share("a", {UNIT: 1, OTHER_UNIT: 2}), share("b", 1), capacity=2)

    [finding] = found("QC101", arrangement)

    assert finding.severity is Severity.ERROR
    assert (finding.source.logical_id, finding.property_path) == ("a", "Properties/CapacityLimits")
    assert finding.message == (
        "share 'a' is allocated 2 of ml.p4d.24xlarge, of which environment 'environment' has none "
        "(it has ml.g5.xlarge): no such job will ever start"
    )
    assert finding.figures == {"unit": OTHER_UNIT, "limit": 2, "capacity": 0}


def test_a_capacity_of_nothing_is_none() -> None:
    arrangement = system(share("a", {UNIT: 1, OTHER_UNIT: 2}), capacity={UNIT: 1, OTHER_UNIT: 0})

    [finding] = found("QC101", arrangement)

    assert "(it has ml.g5.xlarge)" in finding.message


def test_limits_that_add_up_to_more_than_the_environment_are_a_warning_for_each_unit() -> None:
    limits = {UNIT: 2, OTHER_UNIT: 1}
    arrangement = system(
        share("a", limits, LEND), share("b", limits, LEND_AND_BORROW), capacity={UNIT: 3, OTHER_UNIT: 2}
    )

    [finding] = found("QC102", arrangement)

    assert finding.severity is Severity.WARNING
    assert (finding.source.logical_id, finding.share) == ("Environment", None)
    assert finding.message == (
        "the shares are allocated 4 of ml.g5.xlarge and environment 'environment' has 3: when all are busy "
        "they are 1 instance short, and owners wait for each other"
    )
    assert finding.figures == {"unit": UNIT, "allocated": 4, "capacity": 3}


def test_limits_that_add_up_to_the_environment_are_no_finding() -> None:
    assert found("QC102", system(share("a", 1), share("b", 2), capacity=3)) == []


def test_a_share_above_the_whole_environment_is_an_error() -> None:
    [finding] = found("QC103", system(share("a", 5), share("b", 4), capacity=4))

    assert finding.severity is Severity.ERROR
    assert finding.share == "a"
    assert "is allocated 5 of ml.g5.xlarge and environment 'environment' has only 4" in finding.message
    assert finding.fix == (
        "raise the environment's capacity of ml.g5.xlarge to at least 5, or lower the share's limit to 4 or less"
    )


def test_what_others_reserve_may_leave_a_share_too_little() -> None:
    [finding] = found("QC106", system(share("a", 3, LEND), share("b", 2), share("c", 1, LEND), capacity=4))

    assert finding.severity is Severity.ERROR
    assert finding.message == (
        "share 'a' is allocated 3 of ml.g5.xlarge, but of the 4 that environment 'environment' has, "
        "other shares reserve 2: no job of more than 2 will ever start"
    )


def test_what_others_reserve_may_leave_a_share_nothing() -> None:
    [finding] = found("QC106", system(share("a", 1, LEND), share("b", 2), capacity=2))

    assert finding.share == "a"
    assert finding.message.endswith("other shares reserve 2: no such job will ever start")


def test_a_finding_about_reserves_is_what_happens() -> None:
    arrangement = system(share("a", 3, LEND), share("b", 2), share("c", 1, LEND), capacity=4)

    evaluation = evaluate(arrangement, trace(job("two", "a", 2), job("three", "a", 3, submit=500)))

    assert [each.state for each in evaluation.history.jobs] == [State.SUCCEEDED, State.RUNNABLE]


def test_an_overcommitment_that_lenders_can_settle_leaves_nobody_too_little() -> None:
    assert found("QC106", system(share("a", 3, LEND), share("b", 3, LEND), share("c", 1), capacity=4)) == []


def test_names_from_outside_cannot_steer_a_terminal() -> None:
    arrangement = system(share("a\x1b[2J\u202e", 5), capacity=4)

    messages = [finding.message + finding.fix for finding in check_arrangement(arrangement)]

    assert messages
    assert all(message.isprintable() for message in messages)
    assert any(r"a\x1b[2J\u202e" in message for message in messages)
