from __future__ import annotations

from dataclasses import replace

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.review.matching import QueuePair, match
from quota_constructs.evaluator.review.moments import moments_of
from quota_constructs.evaluator.review.running import Deployment, Running, ShareHit, deploy
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.policies.sharing import Strategy
from tests.builders import (
    LEND,
    LEND_AND_BORROW,
    RESERVE,
    UNIT,
    checkpoint,
    job,
    ms,
    rearrange,
    share,
    source,
    system,
    trace,
)
from tests.reference.random_cases import random_case

HOUR = 3600

FOUR_AND_FOUR = system(share("research", 4, LEND_AND_BORROW), share("product", 4, LEND))
THREE_AND_FIVE = system(share("research", 3, LEND_AND_BORROW), share("product", 5, LEND))
AFTERNOON = trace(
    *(job(f"sweep {number}", "research", duration=4 * HOUR) for number in range(1, 5)),
    job("tune", "product", 4, duration=2 * HOUR),
    job("nightly", "product", submit=HOUR, duration=2 * HOUR),
)
"""
By hand, for FOUR_AND_FOUR: the sweeps run from 0 to 14400 on their own, `tune` from 0 to 7200, `nightly` from then
on to 14400. If THREE_AND_FIVE comes after an hour, `nightly` waits and takes back what the last sweep holds, at once.
"""


def pair(base: System, head: System) -> QueuePair:
    [both] = match([base], [head])
    return both


def deployed(base: System, head: System, jobs: Trace, *percents: int, stop: float = 20) -> Running:
    return deploy(pair(base, head), evaluate(base, jobs, Assumptions(stop_ms=ms(stop))), percents)


def at(running: Running, seconds: float) -> Deployment:
    return next(each for each in running.deployments if each.moment.at_ms == ms(seconds) + 1)


def hit(deployment: Deployment, name: str) -> ShareHit:
    return next(each for each in deployment.shares if each.share == name)


def test_a_lowered_limit_makes_the_last_started_job_eligible_and_stops_it_for_the_new_owner() -> None:
    running = deployed(FOUR_AND_FOUR, THREE_AND_FIVE, AFTERNOON, 25)

    assert hit(at(running, HOUR), "research") == ShareHit(
        share="research",
        running=4,
        eligible=("sweep 4",),
        stopped=("sweep 4",),
        terminated=(),
        lost_instance_ms=ms(HOUR) + 1,
    )
    assert hit(at(running, HOUR), "product") == ShareHit(
        share="product", running=1, eligible=(), stopped=(), terminated=(), lost_instance_ms=0
    )


@pytest.mark.parametrize("strategy", [RESERVE, LEND])
def test_even_a_share_that_never_borrows_has_jobs_that_may_be_stopped(strategy: Strategy) -> None:
    lowered = system(replace(THREE_AND_FIVE.shares[1], strategy=strategy), share("product", 5, LEND))
    own = system(replace(FOUR_AND_FOUR.shares[1], strategy=strategy), share("product", 4, LEND))

    running = deployed(own, lowered, AFTERNOON, 25)

    assert hit(at(running, HOUR), "research").eligible == ("sweep 4",)
    assert hit(at(running, HOUR), "research").stopped == ("sweep 4",)


def test_what_nobody_needs_stays_eligible_and_is_not_stopped() -> None:
    sweeps = trace(*AFTERNOON.jobs[:4])

    running = deployed(FOUR_AND_FOUR, THREE_AND_FIVE, sweeps, 25)

    found = hit(at(running, HOUR), "research")
    assert (found.eligible, found.stopped, found.lost_instance_ms) == (("sweep 4",), (), 0)


def test_a_job_that_was_stopped_without_the_deployment_is_not_stopped_by_it() -> None:
    both = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
    jobs = trace(job("guest", "a", 2, duration=HOUR), job("owner", "b", submit=600, duration=HOUR))

    running = deployed(both, replace(both, time_limits=()), jobs, 1)

    assert all(not each.stopped and not each.eligible for each in running.deployments[0].shares)


def test_checkpoints_keep_their_work_and_only_the_rest_is_lost() -> None:
    kept = trace(
        *(job(f"sweep {number}", "research", duration=4 * HOUR, checkpoint=checkpoint(1000)) for number in range(1, 5)),
        *AFTERNOON.jobs[4:],
    )

    running = deployed(FOUR_AND_FOUR, THREE_AND_FIVE, kept, 25)

    assert hit(at(running, HOUR), "research").lost_instance_ms == ms(600) + 1


def test_a_removed_share_loses_its_running_and_waiting_jobs_and_all_their_work() -> None:
    jobs = trace(
        job("runs", "research", 4, duration=4 * HOUR, checkpoint=checkpoint(1000)),
        job("waits", "research", 4, submit=60, duration=HOUR),
        job("other", "product", duration=4 * HOUR),
    )

    running = deployed(FOUR_AND_FOUR, system(share("product", 4, LEND), capacity=8), jobs, 20)

    found = hit(at(running, HOUR), "research")
    assert (found.running, found.eligible, found.stopped) == (1, (), ())
    assert found.terminated == ("runs", "waits")
    assert found.lost_instance_ms == 4 * (ms(HOUR) + 1)


def test_a_renamed_share_loses_its_jobs_and_later_ones_go_to_the_new_name() -> None:
    renamed = system(
        replace(share("science", 4, LEND_AND_BORROW), source=source("research")), share("product", 4, LEND)
    )
    jobs = trace(
        job("early", "research", duration=2 * HOUR), job("late", "research", submit=1.5 * HOUR, duration=HOUR / 2)
    )

    running = deployed(FOUR_AND_FOUR, renamed, jobs, 50)

    assert hit(at(running, HOUR), "research").terminated == ("early",)


def test_a_replaced_queue_loses_all_jobs_although_its_shares_keep_their_names() -> None:
    running = deployed(FOUR_AND_FOUR, replace(FOUR_AND_FOUR, name="other"), AFTERNOON, 25)

    terminated = [each for share in at(running, HOUR).shares for each in share.terminated]
    assert sorted(terminated) == ["nightly", "sweep 1", "sweep 2", "sweep 3", "sweep 4", "tune"]


def test_the_same_arrangement_hits_nobody() -> None:
    running = deployed(FOUR_AND_FOUR, FOUR_AND_FOUR, AFTERNOON, 10, 25, 50)

    assert [each.gravity for each in running.deployments] == [(0, 0, 0, 0)] * len(running.deployments)


def test_no_stopping_time_changes_nothing_of_what_is_found() -> None:
    running = deployed(FOUR_AND_FOUR, THREE_AND_FIVE, AFTERNOON, 25, stop=0)

    assert hit(at(running, HOUR), "research").stopped == ("sweep 4",)
    assert hit(at(running, HOUR), "research").lost_instance_ms == ms(HOUR) + 1


def test_the_worst_is_what_terminates_most_then_loses_most() -> None:
    running = deployed(FOUR_AND_FOUR, THREE_AND_FIVE, AFTERNOON, 10, 25, 40)

    assert running.worst is not None
    assert running.worst.moment.at_ms == ms(4 * HOUR * 0.4) + 1


def test_a_trace_that_changes_the_arrangement_itself_is_left_alone() -> None:
    running = deployed(FOUR_AND_FOUR, THREE_AND_FIVE, trace(job("one", "research"), rearrange(5, FOUR_AND_FOUR)))

    assert (running.deployments, running.not_tried) == ((), "the trace changes the arrangement itself")


def test_a_trace_without_jobs_has_no_moments() -> None:
    assert deployed(FOUR_AND_FOUR, THREE_AND_FIVE, trace(), 50).deployments == ()


def test_the_busiest_and_the_most_exposed_moments_are_among_those_that_are_tried() -> None:
    both = system(share("a", 4, RESERVE), share("b", 2, RESERVE))
    jobs = trace(
        job("exposed", "a", 4, duration=100),
        job("b only", "b", 2, submit=200, duration=100),
        job("last", "a", submit=400),
    )
    history = evaluate(both, jobs).history

    moments = moments_of(
        history, {("a", UNIT): 4, ("b", UNIT): 2}, {("a", UNIT): 4, ("b", UNIT): 1}, stop_ms=0, percents=()
    )

    assert [(each.at_ms, each.why) for each in moments] == [
        (1, "most instances are held"),
        (ms(200) + 1, "most instances are above their new limits"),
    ]


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_on_random_cases_the_same_arrangement_hits_nobody(first: int) -> None:
    for seed in range(first, first + 100):
        case = random_case(seed)

        running = deploy(pair(case.system, case.system), evaluate(case.system, case.trace, case.assumptions))

        assert {each.gravity for each in running.deployments} <= {(0, 0, 0, 0)}, f"seed {seed}"


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_on_random_cases_what_is_hit_ran_and_is_hit_once(first: int) -> None:
    for seed in range(first, first + 100):
        case, other = random_case(seed), random_case(seed + 1)
        evaluation = evaluate(case.system, case.trace, case.assumptions)

        running = deploy(pair(case.system, other.system), evaluation)

        for deployment in running.deployments:
            for each in deployment.shares:
                hits = [*each.stopped, *each.terminated]
                assert len(set(hits)) == len(hits), f"seed {seed}"
                assert len(each.eligible) + len(each.stopped) <= 2 * each.running, f"seed {seed}"
                assert each.lost_instance_ms >= 0, f"seed {seed}"
                assert hits or not each.lost_instance_ms, f"seed {seed}"
