"""Each scenario does what it says, on an arrangement that has a part for everybody."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import PREEMPTION_RETRIES_EXHAUSTED
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Job, PriorityUpdate
from quota_constructs.evaluator.traces.scenarios import SCENARIOS
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, UNIT, share, system

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

SYSTEM = system(
    share("guest", 4, LEND_AND_BORROW), share("keeper", 2, RESERVE), share("owner", 6, LEND), share("second", 3, LEND)
)

SEEDS = pytest.mark.parametrize("seed", range(5))


def play(name: str, seed: int = 1, arrangement: System = SYSTEM) -> Evaluation:
    return evaluate(arrangement, SCENARIOS[name].build(arrangement, seed))


def jobs_of(share: str, jobs: Iterable[Job]) -> list[Job]:
    return [job for job in jobs if job.share == share]


def instances(jobs: Iterable[Job]) -> int:
    return sum(count for job in jobs for _, count in job.instances)


def stopped_shares(evaluation: Evaluation) -> set[str]:
    return {each.job.share for each in evaluation.history.jobs if each.cross_share_preemptions}


@SEEDS
def test_owners_return_to_a_guest_that_has_taken_everything(seed: int) -> None:
    evaluation = play("owner-returns", seed)

    before = [job for job in evaluation.trace.jobs if job.submit_ms < HOUR_MS]
    assert {job.share for job in before} == {"guest"}
    assert instances(before) == 4 + 6 + 3
    assert instances(jobs_of("owner", evaluation.trace.jobs)) == 6
    assert stopped_shares(evaluation) == {"guest"}


@SEEDS
def test_where_all_borrow_some_are_owners_and_still_return(seed: int) -> None:
    evaluation = play("owner-returns", seed, system(*(share(name, 4, LEND_AND_BORROW) for name in "abcde")))

    before = {job.share for job in evaluation.trace.jobs if job.submit_ms < HOUR_MS}
    assert len(before) == 3
    assert stopped_shares(evaluation) <= before
    assert evaluation.figures.jobs.cross_share_preemptions > 0


def test_a_guest_borrows_no_more_than_it_may() -> None:
    bounded = system(share("guest", 4, LEND_AND_BORROW, borrow_limit=50), share("owner", 6, LEND))

    trace = SCENARIOS["owner-returns"].build(bounded)

    assert instances(jobs_of("guest", trace.jobs)) == 6


def test_guests_share_what_is_lent() -> None:
    two = system(
        share("a", 1, LEND_AND_BORROW, borrow_limit=100),
        share("b", 1, LEND_AND_BORROW),
        share("c", 1, LEND_AND_BORROW),
        share("owner", 8, LEND),
    )

    trace = SCENARIOS["owner-returns"].build(two, 1)

    guests = {job.share for job in trace.jobs if job.submit_ms < HOUR_MS}
    assert len(guests) == 2
    assert sum(instances(jobs_of(name, trace.jobs)) for name in guests) == 2 + 8 + 1


@SEEDS
def test_everyone_comes_within_a_minute_for_twice_its_own(seed: int) -> None:
    evaluation = play("everyone-at-once", seed)

    jobs = evaluation.trace.jobs
    assert max(job.submit_ms for job in jobs) < 60_000
    assert {each.name: instances(jobs_of(each.name, jobs)) for each in SYSTEM.shares} == {
        "guest": 8,
        "keeper": 4,
        "owner": 12,
        "second": 6,
    }


@SEEDS
def test_one_share_has_deadlines_that_it_cannot_all_meet_on_its_own(seed: int) -> None:
    alone = system(*(share(name, 4, RESERVE) for name in "abc"))

    evaluation = play("deadline-crunch", seed, alone)

    hurried = {job.share for job in evaluation.trace.jobs if job.deadline_ms is not None}
    assert len(hurried) == 1
    assert len({job.deadline_ms for job in evaluation.trace.jobs}) == 2
    assert evaluation.figures.jobs.deadlines_hit == 16
    assert evaluation.figures.jobs.deadlines_missed == 8


def test_every_share_has_its_turn_to_hurry() -> None:
    hurried = {
        job.share
        for seed in range(30)
        for job in SCENARIOS["deadline-crunch"].build(SYSTEM, seed).jobs
        if job.deadline_ms is not None
    }

    assert hurried == {share.name for share in SYSTEM.shares}


@SEEDS
def test_ever_more_jobs_are_raised_to_the_top(seed: int) -> None:
    trace = SCENARIOS["priority-inflation"].build(SYSTEM, seed)

    updates = [event for event in trace.events if isinstance(event, PriorityUpdate)]
    submitted = {job.id: job.submit_ms for job in trace.jobs}
    raised = [submitted[update.job] // HOUR_MS for update in updates]
    early, late = (sum(hour in hours for hour in raised) for hours in (range(4), range(4, 8)))
    last = [job.id for job in trace.jobs if job.submit_ms >= 7 * HOUR_MS]
    assert {job.priority for job in trace.jobs} == {100}
    assert {update.priority for update in updates} == {9_999}
    assert all(update.time_ms > submitted[update.job] for update in updates)
    assert early < late
    assert set(last) <= {update.job for update in updates}


def test_raised_jobs_stop_others_of_their_share() -> None:
    urgent = system(share("a", 4, in_share_preemption=True))

    assert play("priority-inflation", 1, urgent).figures.jobs.in_share_preemptions > 0


@SEEDS
def test_long_jobs_are_interrupted_again_and_again(seed: int) -> None:
    evaluation = play("long-jobs-borrow", seed)

    guests = [each for each in evaluation.history.jobs if each.job.share == "guest"]
    assert min(each.job.duration_ms for each in guests) >= 1.5 * DAY_MS
    assert max(each.cross_share_preemptions for each in guests) >= 3
    assert stopped_shares(evaluation) == {"guest"}


@SEEDS
def test_a_gang_needs_nearly_all_that_its_share_can_hold(seed: int) -> None:
    trace = SCENARIOS["big-gang"].build(SYSTEM, seed)

    most = {each.name: SYSTEM.most_usable(each, UNIT) for each in SYSTEM.shares}
    largest = {name: max(job.instances[0][1] for job in jobs_of(name, trace.jobs)) for name in most}
    assert most == {"guest": 13, "keeper": 2, "owner": 6, "second": 3}
    assert all(0.8 * most[name] <= largest[name] <= most[name] for name in most)


@SEEDS
def test_retries_run_out(seed: int) -> None:
    evaluation = play("retry-exhaustion", seed)

    failed = [each for each in evaluation.history.jobs if each.reason == PREEMPTION_RETRIES_EXHAUSTED]
    assert {each.job.share for each in failed} == {"guest"}
    assert {job.share: job.preemption_retries for job in evaluation.trace.jobs} == {
        "guest": 1,
        "keeper": None,
        "owner": None,
        "second": None,
    }


@SEEDS
def test_a_week_has_days_and_nights_and_a_weekend(seed: int) -> None:
    trace = SCENARIOS["steady-week"].build(SYSTEM, seed)

    hours = [job.submit_ms // HOUR_MS for job in trace.jobs]
    by_day = sum(9 <= hour % 24 < 21 for hour in hours)
    weekend = sum(hour >= 5 * 24 for hour in hours)
    assert 0 <= min(hours) <= max(hours) < 7 * 24
    assert 1.5 < by_day / (len(hours) - by_day) < 3.5
    assert 0.08 < weekend / len(hours) < 0.25


@SEEDS
def test_a_week_has_many_small_jobs_and_few_that_make_most_of_the_work(seed: int) -> None:
    trace = SCENARIOS["steady-week"].build(SYSTEM, seed)

    work = sorted(job.duration_ms * job.instances[0][1] for job in trace.jobs)
    tenth = len(work) // 10
    assert sum(work[-tenth:]) > 0.35 * sum(work)
    assert max(job.duration_ms for job in trace.jobs) <= 3 * DAY_MS


@SEEDS
def test_a_week_asks_of_each_share_what_it_can_do(seed: int) -> None:
    trace = SCENARIOS["steady-week"].build(SYSTEM, seed)

    for each in SYSTEM.shares:
        work = sum(job.duration_ms * job.instances[0][1] for job in jobs_of(each.name, trace.jobs))
        assert 0.25 < work / (7 * DAY_MS * each.limits[UNIT]) < 0.95


@SEEDS
def test_limits_are_halved_while_jobs_run_beyond_them(seed: int) -> None:
    evaluation = play("limits-lowered", seed)

    ((time_ms, after),) = (
        (event.time_ms, event.system) for event in evaluation.trace.events if isinstance(event, ArrangementChange)
    )
    assert {each.name: each.limits for each in after.shares} == {
        "guest": {UNIT: 2},
        "keeper": {UNIT: 1},
        "owner": {UNIT: 3},
        "second": {UNIT: 2},
    }
    assert after.environment.capacity == {UNIT: 8}
    running = [each for each in evaluation.history.jobs if each.attempts[0][0] < time_ms < each.attempts[0][1]]
    busy = {run.job.share for run in running}
    assert len(busy) == 2
    assert instances(run.job for run in running) == sum(
        each.limits[UNIT] for each in SYSTEM.shares if each.name in busy
    )
    assert stopped_shares(evaluation) <= busy
    assert stopped_shares(evaluation)
