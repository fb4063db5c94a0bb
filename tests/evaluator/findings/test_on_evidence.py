from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.context import Context, gather
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import job, reprioritise, share, system, trace

BOTH = {BlockedReason.ENVIRONMENT_EXCEEDED: 600, BlockedReason.QUOTA_EXCEEDED: 600}
PREEMPTING = system(share("a", 2, in_share_preemption=True), share("b", 1), time_limits=BOTH)


def found(rule_id: str, arrangement: System, *runs: tuple[Job | Event, ...]) -> list[Finding]:
    evidence = tuple(gather(evaluate(arrangement, trace(*lines))) for lines in runs)
    findings = check_arrangement(arrangement, Context(evidence=evidence))
    return [finding for finding in findings if finding.rule_id == rule_id]


def test_a_queue_without_time_limits_is_a_note() -> None:
    [finding] = found("QC113", system(share("a", 1)))

    assert (finding.severity, finding.source.logical_id, finding.trace) == (Severity.NOTE, "Queue", None)
    assert finding.property_path == "Properties/JobStateTimeLimitActions"
    assert finding.message.endswith(
        "has no time limit for MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE and "
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED: "
        "a job that asks for too much would hold up its share until somebody terminates it"
    )


def test_it_is_a_warning_on_the_first_trace_with_a_job_that_blocks_for_such_a_reason() -> None:
    arrangement = system(share("a", 1), share("b", 1), time_limits={BlockedReason.ENVIRONMENT_EXCEEDED: 600})

    [finding] = found("QC113", arrangement, (job("fine", "a"),), (job("big", "a", 2), job("bigger", "a", 2)))

    assert (finding.severity, finding.trace, finding.figures["jobs"]) == (Severity.WARNING, "test", 2)
    assert finding.message == (
        "queue 'queue' has no time limit for MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED: "
        "2 jobs of the trace can never start and hold up their shares for ever"
    )


def test_a_job_that_a_time_limit_ends_leaves_it_at_a_note() -> None:
    arrangement = system(share("a", 1), share("b", 1), time_limits={BlockedReason.QUOTA_EXCEEDED: 600})

    [finding] = found("QC113", arrangement, (job("big", "a", 2),))

    assert finding.severity is Severity.NOTE


def test_a_queue_with_both_time_limits_is_no_finding() -> None:
    assert found("QC113", PREEMPTING, (job("big", "a", 9),)) == []


def test_in_share_preemption_among_jobs_of_one_priority_is_a_note_over_all_traces() -> None:
    [finding] = found("QC114", PREEMPTING, (job("1", "a", priority=5),), (job("2", "a", priority=5), job("3", "b")))

    assert (finding.severity, finding.share) == (Severity.NOTE, "a")
    assert finding.property_path == "Properties/PreemptionConfiguration/InSharePreemption"
    assert finding.message == (
        "share 'a' has in-share preemption, and all its 2 jobs in 2 traces have priority 5: none can stop another"
    )


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param([(job("1", "a"), job("2", "a", priority=1))], id="two priorities"),
        pytest.param([(job("1", "a"),), (job("2", "a", priority=1),)], id="two priorities over two traces"),
        pytest.param([(job("1", "a"), job("2", "a"), reprioritise(10, "2", 1))], id="a priority that is raised"),
        pytest.param([(job("1", "a"),)], id="a single job"),
        pytest.param([(job("1", "b"), job("2", "b"))], id="jobs of a share without it"),
        pytest.param([], id="no trace"),
    ],
)
def test_in_share_preemption_may_do_something(runs: list[tuple[Job | Event, ...]]) -> None:
    assert found("QC114", PREEMPTING, *runs) == []
