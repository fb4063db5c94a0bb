from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, job, rearrange, share, system, trace

ENVIRONMENT = BlockedReason.ENVIRONMENT_EXCEEDED
QUOTA = BlockedReason.QUOTA_EXCEEDED


def found(arrangement: System, *lines: Job | Event, queueing: Queueing = Queueing.STRICT) -> list[Finding]:
    evaluation = evaluate(arrangement, trace(*lines), Assumptions(queueing=queueing))
    return [finding for finding in check_outcome(evaluation) if finding.rule_id == "QC301"]


def test_jobs_that_fit_are_no_finding() -> None:
    assert found(system(share("a", 2)), job("it", "a", 2)) == []


@pytest.mark.parametrize(
    ("arrangement", "need", "reason", "most"),
    [
        pytest.param(system(share("a", 4), capacity=4), 5, ENVIRONMENT, 4, id="more than the environment has"),
        pytest.param(system(share("a", 4), share("b", 4)), 5, QUOTA, 4, id="more than the share's limit"),
        pytest.param(
            system(share("a", 2, LEND_AND_BORROW, borrow_limit=100), share("b", 4, LEND)),
            5,
            QUOTA,
            4,
            id="more than limit and borrow limit",
        ),
        pytest.param(
            system(share("a", 4, LEND_AND_BORROW, borrow_limit=200), share("b", 4, LEND), capacity=20),
            10,
            QUOTA,
            8,
            id="more than all that is lent",
        ),
    ],
)
def test_the_documented_reason_is_given_with_need_and_bound(
    arrangement: System, need: int, reason: BlockedReason, most: int
) -> None:
    [finding] = found(arrangement, job("big", "a", need))

    assert finding.severity is Severity.ERROR
    assert f"can never start ({reason}): 'big' needs {need} of ml.g5.xlarge" in finding.message
    assert f"at most {most};" in finding.message
    assert finding.figures["need"] == need
    assert finding.figures["most"] == most


@pytest.mark.parametrize(
    ("reason", "need", "logical_id"),
    [pytest.param(ENVIRONMENT, 9, "Environment", id="environment"), pytest.param(QUOTA, 5, "a", id="share")],
)
def test_the_finding_points_at_what_is_too_small(reason: BlockedReason, need: int, logical_id: str) -> None:
    [finding] = found(system(share("a", 4), share("b", 4)), job("big", "a", need))

    assert finding.figures["reason"] == reason
    assert finding.source.logical_id == logical_id
    assert (finding.property_path, finding.share, finding.trace) == ("Properties/CapacityLimits", "a", "test")


def test_a_unit_without_a_limit_is_reported_by_name() -> None:
    [finding] = found(system(share("a", 1), share("b", {OTHER_UNIT: 1})), job("stray", "a", {OTHER_UNIT: 1}))

    assert "needs 1 of ml.p4d.24xlarge and the share can hold, borrowing included, at most 0" in finding.message


def test_without_a_time_limit_the_jobs_behind_are_blocked_for_ever() -> None:
    [finding] = found(
        system(share("a", 2), share("b", 1)),
        job("big", "a", 3, submit=10),
        job("before", "a", submit=0),
        job("behind 1", "a", submit=20),
        job("behind 2", "a", submit=30),
        job("elsewhere", "b", submit=20),
    )

    assert finding.message.endswith("no time limit ends it, and 2 jobs behind it never started")
    assert (finding.figures["blocked_to_the_end"], finding.figures["delayed"]) == (2, 0)
    assert finding.fix == f"ask for at most 2 of {UNIT}, or allow 3, and give the queue a time limit for {QUOTA}"


def test_with_a_time_limit_the_jobs_behind_are_delayed() -> None:
    [finding] = found(
        system(share("a", 2), share("b", 1), time_limits={QUOTA: 600}),
        job("big", "a", 3, submit=10),
        job("before", "a", submit=0),
        job("behind", "a", submit=20),
        job("after", "a", submit=1000),
        job("elsewhere", "b", duration=700),
        job("next elsewhere", "b", submit=20),
    )

    assert finding.message.endswith("the time limit of 600 s ends it, and held up 1 job behind it until then")
    assert (finding.figures["blocked_to_the_end"], finding.figures["delayed"]) == (0, 1)
    assert finding.fix == f"ask for at most 2 of {UNIT}, or allow 3"


def test_with_backfill_nobody_is_blocked() -> None:
    [finding] = found(
        system(share("a", 2), share("b", 1)),
        job("big", "a", 3),
        job("behind", "a", submit=20),
        queueing=Queueing.BACKFILL,
    )

    assert finding.message.endswith("with backfill, others pass it")
    assert finding.figures["blocked_to_the_end"] == 0


def test_with_backfill_a_job_that_waits_for_others_is_not_held_up() -> None:
    [finding] = found(
        system(share("a", 2), share("b", 1), time_limits={QUOTA: 600}),
        job("running", "a", 2, duration=1000),
        job("big", "a", 3),
        job("waiting", "a", submit=20),
        queueing=Queueing.BACKFILL,
    )

    assert finding.figures["delayed"] == 0


def test_misconfigured_jobs_behind_a_misconfigured_head_are_counted_as_such() -> None:
    [finding] = found(
        system(share("a", 2), share("b", 9)), job("big", "a", 3), job("bigger", "a", 5), job("behind", "a")
    )

    assert finding.message.startswith("2 jobs of share 'a' can never start")
    assert "'bigger' needs 5" in finding.message
    assert finding.figures["blocked_to_the_end"] == 1


def test_the_arrangement_that_came_later_is_the_judge() -> None:
    smaller = system(share("a", 1), share("b", 9))

    [finding] = found(system(share("a", 4), share("b", 9)), job("big", "a", 3, submit=100), rearrange(50, smaller))

    assert "'big' needs 3 of ml.g5.xlarge and the share can hold, borrowing included, at most 1" in finding.message
