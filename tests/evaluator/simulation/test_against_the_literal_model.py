"""
The engine and the literal model agree on random cases, to the millisecond.

`pytest tests/evaluator/simulation/test_against_the_literal_model.py --cases 36000` compares for a few minutes.
"""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.history import History
from tests.reference.crowded_cases import crowded_case
from tests.reference.literal import literal_simulate
from tests.reference.random_cases import random_case


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" not in metafunc.fixturenames or metafunc.function is test_seeds_that_told_the_two_apart_once:
        return
    cases = metafunc.config.option.cases
    crowded = metafunc.function is test_the_engine_agrees_with_the_literal_model_where_many_jobs_run
    metafunc.parametrize("seed", range(cases // 8 if crowded else cases))


def test_the_engine_agrees_with_the_literal_model(seed: int) -> None:
    case = random_case(seed)

    found = simulate(case.system, case.trace, case.assumptions)

    assert in_plain(found) == in_plain(literal_simulate(case.system, case.trace, case.assumptions))


# Events after the last change of a job's state, which is where the horizon ends.
@pytest.mark.parametrize("seed", [102314, 104165, 108643, 111250])
def test_seeds_that_told_the_two_apart_once(seed: int) -> None:
    case = random_case(seed)

    found = simulate(case.system, case.trace, case.assumptions)

    assert in_plain(found) == in_plain(literal_simulate(case.system, case.trace, case.assumptions))


def test_the_engine_agrees_with_the_literal_model_where_many_jobs_run(seed: int) -> None:
    case = crowded_case(seed)

    found = simulate(case.system, case.trace, case.assumptions)

    assert in_plain(found) == in_plain(literal_simulate(case.system, case.trace, case.assumptions))


def in_plain(history: History) -> dict[str, object]:
    """Write a history as values that compare."""
    return {
        "jobs": {
            each.job.id: (
                each.state,
                each.reason,
                each.attempts,
                each.finish_ms,
                each.queued_ms,
                each.overhead_ms,
                each.lost_ms,
                each.entitled_wait_ms,
                each.cross_share_preemptions,
                each.in_share_preemptions,
            )
            for each in history.jobs
        },
        "usage": list(history.usage.items()),
        "capacity": dict(history.capacity),
        "horizon": (history.start_ms, history.end_ms),
    }
