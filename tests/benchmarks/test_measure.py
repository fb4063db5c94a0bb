import sys
from pathlib import Path

import pytest

from benchmarks import pool
from benchmarks.measure import cost_of, cost_of_command, cost_of_pool
from benchmarks.workloads import UNIT, arrangement
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces import write_trace
from quota_constructs.policies.sharing import Strategy
from tests.builders import job, trace

CROWD = trace(*(job(f"job-{n}", "all", 1 + n % 4, submit=10 * n, duration=30 + 7 * (n % 5)) for n in range(300)))


def one_share() -> System:
    return arrangement({"all": 8}, Strategy.RESERVE)


def test_the_bare_pool_ends_when_a_single_reserve_share_does() -> None:
    history = simulate(one_share(), CROWD, Assumptions())

    ended = pool.run(CROWD.jobs, 8)

    assert any(each.wait_ms for each in history.jobs), "nobody waits: the comparison would show nothing"
    assert ended == history.end_ms


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "crowd.jsonl"
    write_trace(CROWD, written)
    return written


def test_a_run_is_counted(path: Path) -> None:
    cost = cost_of(one_share(), path)

    assert (cost.jobs, cost.preemptions) == (300, 0)
    assert min(cost.read_s, cost.simulate_s) > 0
    assert 0 <= cost.most < cost.peak


def test_every_stop_is_counted(tmp_path: Path) -> None:
    written = tmp_path / "returns.jsonl"
    both = trace(job("guest", "a", 2, duration=100), job("owner", "b", submit=10, duration=10))
    write_trace(Trace(name="", jobs=both.jobs), written)

    cost = cost_of(arrangement({"a": 1, "b": 1}, Strategy.LEND_AND_BORROW), written)

    assert cost.preemptions == 1


def test_the_pool_is_charged_by_the_job(path: Path) -> None:
    taken = cost_of_pool(one_share(), path)

    assert taken > 0


def test_a_command_is_charged_for_what_it_computes() -> None:
    taken = cost_of_command([sys.executable, "-c", "pass"])

    assert taken > 0


def test_the_builders_and_the_workloads_mean_the_same_unit() -> None:
    assert {unit for each in CROWD.jobs for unit, _ in each.instances} == {UNIT}
