from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, job, share, system, trace

SHORT = system(share("a", 3, LEND_AND_BORROW), share("b", 2, LEND), capacity=8)


def found(rule_id: str, arrangement: System) -> list[Finding]:
    return [finding for finding in check_arrangement(arrangement) if finding.rule_id == rule_id]


def test_capacity_that_no_share_owns_is_a_warning_with_the_numbers() -> None:
    [finding] = found("QC107", SHORT)

    assert finding.severity is Severity.WARNING
    assert (finding.source.logical_id, finding.property_path) == ("Environment", "Properties/CapacityLimits")
    assert finding.message == (
        "environment 'environment' has 8 of ml.g5.xlarge and the shares are allocated 5: 3 instances will stay idle "
        "however many jobs wait, as nobody can borrow what no share owns"
    )
    assert finding.figures == {"unit": UNIT, "allocated": 5, "capacity": 8}


def test_what_it_says_is_what_happens() -> None:
    jobs = evaluate(SHORT, trace(*(job(str(number), "a") for number in range(6)))).history.jobs

    assert [each.wait_ms for each in jobs] == [0, 0, 0, 0, 0, 100_000]


@pytest.mark.parametrize(
    "arrangement",
    [
        pytest.param(system(share("a", 3), share("b", 2), capacity=5), id="all of it"),
        pytest.param(system(share("a", 3), share("b", 3), capacity=5), id="more than all"),
        pytest.param(system(share("a", 3), capacity={UNIT: 3, OTHER_UNIT: 2}), id="a type that nobody may use at all"),
    ],
)
def test_no_capacity_is_unowned_where_shares_are_allocated(arrangement: System) -> None:
    assert found("QC107", arrangement) == []


def test_an_instance_type_that_no_share_may_use_is_a_warning() -> None:
    [finding] = found("QC108", system(share("a", 1), share("b", 1), capacity={UNIT: 2, OTHER_UNIT: 4}))

    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "environment 'environment' has 4 of ml.p4d.24xlarge, and none of its 2 shares has a limit for it: "
        "no job can run there"
    )


@pytest.mark.parametrize(
    "arrangement",
    [
        pytest.param(system(share("a", {UNIT: 1, OTHER_UNIT: 1})), id="one share may use it"),
        pytest.param(system(share("a", 1), capacity={UNIT: 1, OTHER_UNIT: 0}), id="there is none of it"),
        pytest.param(system(capacity=4), id="there are no shares at all"),
    ],
)
def test_no_instance_type_is_out_of_reach(arrangement: System) -> None:
    assert found("QC108", arrangement) == []
