"""What holds of any comparison, on random cases."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.balance import Balance
from quota_constructs.evaluator.side_by_side import compare_systems
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.trace import ArrangementChange
from tests.reference.random_cases import random_case


@pytest.mark.parametrize("seed", range(60))
def test_shares_add_up_and_an_arrangement_does_not_differ_from_itself(seed: int) -> None:
    case = random_case(seed)

    comparison = compare_systems(
        case.system, case.trace, bases={"itself.json": case.system}, assumptions=case.assumptions
    )

    declared, partition, pool, itself = comparison.outcomes
    for outcome in comparison.outcomes:
        for total in outcome.units:
            of_shares = [unit for share in outcome.shares for unit in share.units if unit.use.unit == total.use.unit]
            assert total.use.used == sum(unit.use.used for unit in of_shares)
            assert total.use.good == sum(unit.use.good for unit in of_shares)
            assert total.lost == sum(unit.lost for unit in of_shares)
    for contrast in comparison.contrasts:
        for figure in ("same", "sooner", "sooner_ms", "later", "later_ms", "gained", "forgone"):
            assert getattr(contrast.total, figure) == sum(getattr(share, figure) for share in contrast.shares)
    assert comparison.contrasts[2].total == Balance(share=None, same=declared.jobs.count(State.SUCCEEDED))
    assert itself.units == declared.units
    assert pool.jobs.preempted_jobs == 0
    changes = any(isinstance(event, ArrangementChange) for event in case.trace.events)
    assert changes or partition.jobs.cross_share_preemptions == 0
