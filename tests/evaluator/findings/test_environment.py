from __future__ import annotations

from dataclasses import replace

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from tests.builders import share, system

ALONE = system(share("a", 1))


def found(arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id == "QC116"]


def test_an_environment_of_two_queues_is_an_error_of_each() -> None:
    shared = replace(ALONE, environment=replace(ALONE.environment, other_queues=("second",)))

    [finding] = found(shared)

    assert finding.severity is Severity.ERROR
    assert (finding.source.logical_id, finding.property_path) == ("Queue", "Properties/ServiceEnvironmentOrder")
    assert finding.message == (
        "queue 'queue' uses environment 'environment', and so does 'second': a quota-managed service environment "
        "serves one queue, and the deployment will fail"
    )


def test_an_environment_of_one_queue_is_no_finding() -> None:
    assert found(ALONE) == []
