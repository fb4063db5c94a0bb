from __future__ import annotations

import pytest
from msgspec import structs

from quota_constructs.evaluator.contracts import ContractUse, checkpoint_of, under_contracts
from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.trace import shares_of
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, checkpoint, job, ms, rearrange, share, system, trace

CONTRACT = InterruptionContract(
    can_resume=True,
    checkpoint_interval_seconds=600,
    checkpoint_cost_seconds=5,
    restore_seconds=30,
    upload_lag_seconds=20,
    preemption_retries=3,
)
KEEPS = checkpoint(600, cost=5, restore=30, lag=20)


def test_a_contract_speaks_where_the_trace_is_silent() -> None:
    arrangement = system(share("a", 1, interruption=CONTRACT))

    filled, uses = under_contracts(trace(job("it", "a")), shares_of([arrangement]))

    assert [(each.checkpoint, each.preemption_retries) for each in filled.jobs] == [(KEEPS, 3)]
    assert uses == {"a": ContractUse(checkpoints=1, retries=1)}


def test_what_the_trace_says_outright_stays() -> None:
    said = job("said", "a", checkpoint=checkpoint(60), retries=0)
    nothing = structs.replace(job("nothing", "a"), keeps_nothing=True, retries_unlimited=True)
    given = trace(said, nothing)

    filled, uses = under_contracts(given, shares_of([system(share("a", 1, interruption=CONTRACT))]))

    assert filled is given
    assert uses == {}


def test_one_half_of_a_job_may_be_said_and_the_other_not() -> None:
    half = job("half", "a", checkpoint=checkpoint(60))
    other = structs.replace(job("other", "a", retries=1))

    filled, uses = under_contracts(trace(half, other), shares_of([system(share("a", 1, interruption=CONTRACT))]))

    assert [(each.checkpoint, each.preemption_retries) for each in filled.jobs] == [(checkpoint(60), 3), (KEEPS, 1)]
    assert uses == {"a": ContractUse(checkpoints=1, retries=1)}


def test_a_job_under_a_contract_that_cannot_resume_keeps_nothing() -> None:
    contract = InterruptionContract(can_resume=False, checkpoint_interval_seconds=60)

    filled, uses = under_contracts(trace(job("it", "a")), shares_of([system(share("a", 1, interruption=contract))]))

    assert [(each.checkpoint, each.keeps_nothing) for each in filled.jobs] == [(None, True)]
    assert uses == {"a": ContractUse(checkpoints=1)}


def test_shares_without_a_contract_are_left_alone() -> None:
    arrangement = system(share("a", 1, interruption=CONTRACT), share("b", 1))
    theirs = job("theirs", "b")

    filled, uses = under_contracts(trace(theirs, job("ours", "a")), shares_of([arrangement]))

    assert filled.jobs[0] is theirs
    assert list(uses) == ["a"]


def test_applying_contracts_twice_is_the_same_as_once() -> None:
    shares = shares_of([system(share("a", 1, interruption=CONTRACT))])
    once, _ = under_contracts(trace(job("it", "a")), shares)

    twice, uses = under_contracts(once, shares)

    assert twice is once
    assert uses == {}


@pytest.mark.parametrize(
    ("seconds", "on_stop"),
    [
        pytest.param(None, True, id="in no time that is stated"),
        pytest.param(120, True, id="just in time"),
        pytest.param(121, False, id="longer than the service waits"),
    ],
)
def test_saving_when_told_to_stop_counts_only_within_the_window(seconds: float | None, on_stop: bool) -> None:
    contract = InterruptionContract(can_resume=True, saves_on_sigterm=True, save_on_sigterm_seconds=seconds)

    assert checkpoint_of(contract) == checkpoint(on_stop=on_stop)


def test_an_interval_below_the_clock_s_tick_is_one_tick() -> None:
    keeps = checkpoint_of(InterruptionContract(can_resume=True, checkpoint_interval_seconds=0.0001))

    assert keeps == checkpoint(0.001)


def test_every_evaluation_is_under_the_contracts_and_says_so() -> None:
    arrangement = system(share("guest", 1, LEND_AND_BORROW, interruption=CONTRACT), share("owner", 1, LEND))
    jobs = trace(job("long", "guest", 2, duration=3600), job("back", "owner", submit=1000, duration=100))

    evaluation = evaluate(arrangement, jobs)

    (long, _) = evaluation.history.jobs
    assert long.lost_ms == ms(395)  # 1,000 s are one checkpoint of 600 s, its 5 s, and 395 s
    assert evaluation.contract_use == {"guest": ContractUse(checkpoints=1, retries=1)}


def test_a_share_that_a_later_arrangement_declares_brings_its_contract() -> None:
    later = system(share("a", 1), share("b", 1, interruption=CONTRACT))

    evaluation = evaluate(system(share("a", 1)), trace(rearrange(10, later), job("it", "b", submit=20)))

    assert evaluation.trace.jobs[0].checkpoint == KEEPS
