"""What holds whatever happens, over random arrangements and traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.history import Attempt, History, JobHistory
from quota_constructs.evaluator.simulation.model import Assumptions, State
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Job, Trace
from quota_constructs.policies.sharing import Strategy
from tests.builders import checkpoint, job
from tests.reference.random_cases import Case, random_case, random_system

seeds = st.integers(min_value=0, max_value=2**32)
cases = seeds.map(random_case)
unhurried = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
"""The same examples in every run, and no verdict on how long one takes."""


def without_changes(case: Case) -> Case:
    """Return the case with an arrangement that stays as it is."""
    events = tuple(event for event in case.trace.events if not isinstance(event, ArrangementChange))
    trace = Trace(name=case.trace.name, jobs=case.trace.jobs, events=events)
    return Case(system=case.system, trace=trace, assumptions=case.assumptions)


unchanged = cases.map(without_changes)


def run(case: Case) -> History:
    """Run a case with the engine."""
    return simulate(case.system, case.trace, case.assumptions)


@unhurried
@given(case=unchanged)
def test_dispatched_and_stopping_jobs_never_hold_more_than_the_effective_capacity(case: Case) -> None:
    history = run(case)

    for unit in case.system.units:
        effective = min(case.system.environment.capacity.get(unit, 0), owned(case.system, unit))
        for now in instants(history):
            assert held(history.jobs, unit, now, holding) <= effective


@unhurried
@given(case=unchanged)
def test_a_reserved_shares_idle_capacity_is_never_used_by_others(case: Case) -> None:
    history = run(case)

    for reserve in (share for share in case.system.shares if share.strategy is Strategy.RESERVE):
        jobs = [each for each in history.jobs if each.job.share != reserve.name]
        for unit in case.system.units:
            others = owned(case.system, unit) - reserve.limits.get(unit, 0)
            for now in instants(history):
                assert held(jobs, unit, now, using(case)) <= others


@unhurried
@given(case=unchanged)
def test_all_excess_together_is_never_more_than_lenders_leave_idle(case: Case) -> None:
    history = run(case)

    for unit in case.system.units:
        for now in instants(history):
            beyond, lendable = 0, 0
            for share in case.system.shares:
                limit = share.limits.get(unit, 0)
                used = held(of_share(history, share.name), unit, now, using(case))
                beyond += max(0, used - limit)
                lendable += max(0, limit - used) if share.strategy.lends else 0
            assert beyond <= lendable


@unhurried
@given(case=cases)
def test_every_job_ends_in_exactly_one_state_that_its_times_agree_with(case: Case) -> None:
    history = run(case)

    assert [each.job for each in history.jobs] == list(case.trace.jobs)
    for each in history.jobs:
        never_ended = each.state in (State.RUNNABLE, State.REJECTED)
        never_was = each.state is State.CANCELLED and each.finish_ms is None
        assert (each.finish_ms is None) == (never_ended or never_was)
        assert (each.reason is not None) >= (each.state is State.FAILED)
        assert each.reason is None or each.state in (State.FAILED, State.RUNNABLE)
        assert not (never_was or each.state is State.REJECTED) or (each.attempts, each.queued_ms) == ([], 0)
        assert all(began <= ended for began, ended in each.attempts)


@unhurried
@given(case=cases)
def test_completion_is_queued_time_and_attempts(case: Case) -> None:
    for each in run(case).jobs:
        if each.completion_ms is not None:
            assert each.completion_ms == each.queued_ms + sum(ended - began for began, ended in each.attempts)


@unhurried
@given(case=cases)
def test_work_done_and_lost_and_overhead_add_up_to_the_time_held(case: Case) -> None:
    for each in run(case).jobs:
        if each.state is State.SUCCEEDED:
            time_held = sum(ended - began for began, ended in each.attempts)
            stopping = preemptions(each) * case.assumptions.stop_ms
            checkpointing = time_held - stopping - each.overhead_ms - each.job.duration_ms - each.lost_ms
            assert 0 <= checkpointing <= most_checkpointing(each)


@unhurried
@given(case=cases)
def test_a_job_that_was_never_stopped_takes_the_time_it_says(case: Case) -> None:
    for each in run(case).jobs:
        if each.state is State.SUCCEEDED and preemptions(each) == 0:
            (began, ended), work = each.attempts[0], each.job.duration_ms
            assert (len(each.attempts), each.lost_ms, each.overhead_ms) == (1, 0, each.job.startup_ms)
            assert ended - began == each.job.startup_ms + work + checkpoints(each.job, work) * cost(each.job)


@unhurried
@given(case=cases)
def test_the_same_input_gives_the_same_history(case: Case) -> None:
    assert outcomes(run(case)) == outcomes(run(case))


@unhurried
@given(seed=seeds, order=st.permutations(range(12)))
def test_the_order_of_lines_does_not_matter_for_jobs_submitted_at_different_times(seed: int, order: list[int]) -> None:
    rng = Random(seed)  # noqa: S311 - cases, not secrets
    arrangement = random_system(rng, ("ml.g5.xlarge",), wild=False)
    jobs = [odd_job(rng, number, arrangement) for number in range(12)]

    in_order = simulate(arrangement, Trace(name="in order", jobs=tuple(jobs)), Assumptions())
    shuffled = simulate(arrangement, Trace(name="shuffled", jobs=tuple(jobs[n] for n in order)), Assumptions())

    starts = [began for each in in_order.jobs for began, _ in each.attempts]
    assume(len(starts) == len(set(starts)))  # jobs dispatched at one instant are told apart by their place in the trace
    assert outcomes(in_order) == outcomes(shuffled)


def odd_job(rng: Random, number: int, arrangement: System) -> Job:
    """Draw a job that is submitted, and ends, when no other is."""
    return job(
        f"j{number}",
        rng.choice(arrangement.shares).name,
        rng.choice((1, 1, 2)),
        submit=7 * number + rng.randrange(6000) / 1000,
        duration=20 + rng.randrange(40_000) / 1000,
        priority=rng.randrange(3),
        checkpoint=rng.choice((None, checkpoint(5, restore=1))),
    )


def outcomes(history: History) -> dict[str, object]:
    """Return everything about every job, by its name."""
    return {
        each.job.id: (
            *(each.state, each.reason, each.finish_ms, each.attempts),
            *(each.queued_ms, each.overhead_ms, each.lost_ms),
            *(each.cross_share_preemptions, each.in_share_preemptions),
        )
        for each in history.jobs
    }


def owned(system: System, unit: str) -> int:
    """Return what all shares own together."""
    return sum(share.limits.get(unit, 0) for share in system.shares)


def instants(history: History) -> set[int]:
    """Return every instant at which an attempt begins, after which more is held than before."""
    return {began for each in history.jobs for began, _ in each.attempts}


Held = Callable[[JobHistory], Iterator[Attempt]]


def holding(each: JobHistory) -> Iterator[Attempt]:
    """Return when a job holds its instances: until its release."""
    yield from each.attempts


def using(case: Case) -> Held:
    """Return a function saying when a job counts as using its instances: until it is told to stop."""

    def spans(each: JobHistory) -> Iterator[Attempt]:
        for number, (began, ended) in enumerate(each.attempts):
            yield began, ended - (case.assumptions.stop_ms if number < preemptions(each) else 0)

    return spans


def of_share(history: History, name: str) -> list[JobHistory]:
    """Return the jobs of a share."""
    return [each for each in history.jobs if each.job.share == name]


def held(jobs: Sequence[JobHistory], unit: str, now: int, spans: Held) -> int:
    """Return the instances of *unit* that *jobs* hold after *now*."""
    return sum(
        dict(each.job.instances).get(unit, 0) for each in jobs for began, ended in spans(each) if began <= now < ended
    )


def preemptions(each: JobHistory) -> int:
    """Return how many of the job's attempts, the first ones, were stopped."""
    return each.cross_share_preemptions + each.in_share_preemptions


def cost(job: Job) -> int:
    """Return what one checkpoint costs."""
    return 0 if job.checkpoint is None else job.checkpoint.cost_ms


def checkpoints(job: Job, work: int) -> int:
    """Return how many checkpoints an undisturbed attempt at *work* makes."""
    if job.checkpoint is None or job.checkpoint.interval_ms is None:
        return 0
    return -(-work // job.checkpoint.interval_ms) - 1


def most_checkpointing(each: JobHistory) -> int:
    """Return the most time that all attempts can have spent on checkpoints."""
    return len(each.attempts) * checkpoints(each.job, each.job.duration_ms) * cost(each.job)
