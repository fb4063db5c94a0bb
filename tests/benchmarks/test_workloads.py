from pathlib import Path

import pytest

from benchmarks.workloads import UNIT, arrangement, contended, dealt, workloads
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.policies.sharing import Strategy
from tests.builders import job, trace

SHARED = Path(__file__).parents[3] / "shared"


def test_an_arrangement_holds_just_what_its_shares_are_allocated() -> None:
    made = arrangement({"b": 3, "a": 2}, Strategy.RESERVE)

    assert {each.name: each.limits for each in made.shares} == {"a": {UNIT: 2}, "b": {UNIT: 3}}
    assert made.environment.capacity == {UNIT: 5}


def test_jobs_are_dealt_in_turn_and_stay_what_they_are() -> None:
    before = trace(*(job(f"job-{number}", "all", number + 1, submit=number) for number in range(5)))

    after = dealt(before, 2)

    assert [each.share for each in after.jobs] == ["s00", "s01", "s00", "s01", "s00"]
    assert [(each.id, each.submit_ms, each.instances) for each in after.jobs] == [
        (each.id, each.submit_ms, each.instances) for each in before.jobs
    ]


def test_generated_jobs_come_in_order_and_are_the_same_each_time() -> None:
    arranged, generated = contended(1_500)

    times = [each.submit_ms for each in generated.jobs]
    assert times == sorted(times)
    assert len(times) == 1_500
    assert {each.share for each in generated.jobs} == {each.name for each in arranged.shares}
    assert contended(1_500) == (arranged, generated)


def test_there_is_about_one_preemption_for_each_generated_job() -> None:
    arranged, generated = contended(10_000)

    history = simulate(arranged, generated, Assumptions())

    preemptions = sum(each.cross_share_preemptions + each.in_share_preemptions for each in history.jobs)
    assert preemptions / 10_000 == pytest.approx(1, abs=0.1)


def test_without_the_shared_traces_only_what_is_generated_is_measured(tmp_path: Path) -> None:
    names = [each.name for each in workloads(most=10_000, shared=tmp_path)]

    assert names == ["10,000 generated"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared traces are not here")
def test_the_jobs_of_each_shared_workload_have_a_share_to_go_to() -> None:
    measured = list(workloads(most=0, shared=SHARED))

    assert [(each.name, len(each.trace.jobs), len(each.system.shares)) for each in measured] == [
        ("fifo-10000", 10_000, 1),
        ("fifo-10000, 4 shares", 10_000, 4),
        ("ITP, 10 shares", 69_351, 10),
    ]
    for each in measured:
        assert {one.share for one in each.trace.jobs} == {share.name for share in each.system.shares}
