"""What holds for all scenarios, on whatever arrangement."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from quota_constructs.cli import options
from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.simulation.borrowing import misconfiguration
from quota_constructs.evaluator.simulation.model import PREEMPTION_RETRIES_EXHAUSTED, State
from quota_constructs.evaluator.system import Source, System
from quota_constructs.evaluator.trace import ArrangementChange, Trace, arrangements
from quota_constructs.evaluator.traces import encode_trace, read_trace, write_trace
from quota_constructs.evaluator.traces.scenarios import DEFAULT_SCENARIOS, DEFAULT_SEED, SCENARIOS
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, share, system
from tests.evaluator.traces.scenarios.arrangements import GOLDEN, ODD

ROOT = Path(__file__).parents[4]

EVERY = pytest.mark.parametrize("name", SCENARIOS)
EVERYWHERE = pytest.mark.parametrize("arrangement", ODD.values(), ids=ODD)

WRITTEN = {
    "owner-returns": "83f3cda8067b3ed15f5f432f2bbe53333733a6075708a45dad182e02f1e02fd9",
    "everyone-at-once": "de54f8a6a4d2b96adfd6e51ffb5ba4cfe83cd537834bfd72a5dfda45e10f7c32",
    "deadline-crunch": "8e5bd19590c007caa94979751fe6853589d5754cd14c03a50535389761bab6c9",
    "priority-inflation": "7a269dcf79f86a005e42ca3ac0c7b9dba10a62bd7ea4fcc075cf39b60e454abb",
    "long-jobs-borrow": "47fd67e3007815bc0abc3b5c275ee6462c10b311e87f65ee0e044dde711b7c66",
    "big-gang": "d1f25cdf6727e4da739ba219d8a1c709f88a64be9af57da0f18f00182c9aaba0",
    "retry-exhaustion": "903bc0a7109dab52dd3bc16453723294dd929f695652afbe6b061174afa5411d",
    "steady-week": "ea367d63cf796aff9a78b22daca9bb6f1ac03da7ca79c6d35e79a2e9a4a31752",
    "limits-lowered": "c5ad814e160f1405e687c1406c0673d63cf6bbdfcb6c68ef37f66300a6a788e5",
}
"""The SHA-256 of each scenario's file for the golden arrangement: whoever changes one changes users' results."""


def written(trace: Trace) -> bytes:
    return b"".join(encode_trace(trace, folder=Path()))


def test_the_command_line_offers_every_scenario() -> None:
    assert list(options.SCENARIOS) == list(SCENARIOS)
    assert options.DEFAULT_SCENARIOS == DEFAULT_SCENARIOS
    assert options.DEFAULT_SEED == DEFAULT_SEED


@EVERY
def test_a_seed_makes_the_same_bytes_for_ever(name: str) -> None:
    trace = SCENARIOS[name].build(GOLDEN, 42)

    assert sha256(written(trace)).hexdigest() == WRITTEN[name]


def test_the_order_of_hashes_changes_nothing() -> None:
    code = (
        "from tests.evaluator.traces.scenarios.test_every_scenario import GOLDEN, SCENARIOS, written\n"
        "import sys\n"
        "for scenario in SCENARIOS.values():\n"
        "    sys.stdout.buffer.write(written(scenario.build(GOLDEN, 42)))"
    )

    here = b"".join(written(scenario.build(GOLDEN, 42)) for scenario in SCENARIOS.values())
    elsewhere = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert elsewhere == [here, here]


@EVERY
def test_another_seed_makes_another_trace(name: str) -> None:
    one, other = (SCENARIOS[name].build(GOLDEN, seed) for seed in (1, 2))

    assert one.jobs != other.jobs


@EVERY
def test_a_trace_says_what_it_is(name: str) -> None:
    trace = SCENARIOS[name].build(GOLDEN, 3)

    assert trace.name == name
    assert trace.description == f"{SCENARIOS[name].description} (seed 3)"


@EVERY
@EVERYWHERE
def test_jobs_are_only_such_as_the_arrangement_can_run(name: str, arrangement: System) -> None:
    trace = SCENARIOS[name].build(arrangement)

    shares = {share.name: share for share in arrangement.shares}
    for job in trace.jobs:
        declared = shares[job.share]
        ((unit, count),) = job.instances
        assert declared.enabled
        assert count <= declared.limits[unit] or declared.strategy.borrows
        for played in arrangements(arrangement, trace):
            share = played.share(job.share)
            assert share is not None
            assert misconfiguration(played, share, job.instances) is None


@EVERY
@EVERYWHERE
def test_every_job_comes_to_an_end(name: str, arrangement: System) -> None:
    evaluation = evaluate(arrangement, SCENARIOS[name].build(arrangement))

    for each in evaluation.history.jobs:
        assert each.state is State.SUCCEEDED or each.reason == PREEMPTION_RETRIES_EXHAUSTED, each.job.id


@EVERY
@EVERYWHERE
def test_ids_are_unique_and_jobs_in_order_of_time(name: str, arrangement: System) -> None:
    trace = SCENARIOS[name].build(arrangement)

    assert len({job.id for job in trace.jobs}) == len(trace.jobs)
    assert [job.submit_ms for job in trace.jobs] == sorted(job.submit_ms for job in trace.jobs)


@EVERY
def test_jobs_leave_what_the_contract_says_to_the_contract(name: str) -> None:
    trace = SCENARIOS[name].build(GOLDEN)

    assert {job.checkpoint for job in trace.jobs} == {None}
    assert {job.keeps_nothing or job.retries_unlimited for job in trace.jobs} == {False}
    if name != "retry-exhaustion":
        assert {job.preemption_retries for job in trace.jobs} == {None}


@EVERY
def test_a_trace_reads_back_as_it_was_written(name: str, tmp_path: Path) -> None:
    after = dataclasses.replace(GOLDEN, source=Source(template=str(tmp_path / "after.json"), logical_id="Queue"))
    trace = with_arrangement(SCENARIOS[name].build(GOLDEN), after)

    write_trace(trace, tmp_path / "it.jsonl")

    read = read_trace(tmp_path / "it.jsonl", system=GOLDEN, read_arrangement=lambda _: after)
    assert (read.jobs, read.events, read.description) == (trace.jobs, trace.events, trace.description)


def with_arrangement(trace: Trace, system: System) -> Trace:
    return Trace(
        name=trace.name,
        jobs=trace.jobs,
        events=tuple(
            ArrangementChange(time_ms=event.time_ms, system=system) if isinstance(event, ArrangementChange) else event
            for event in trace.events
        ),
        description=trace.description,
        source=trace.source,
    )


@EVERY
def test_larger_limits_make_larger_jobs_and_not_more(name: str) -> None:
    units = [f"ml.type{number}.xlarge" for number in range(5)]
    strategies = (LEND_AND_BORROW, LEND, LEND_AND_BORROW, RESERVE)
    large = system(
        *(share(f"s{number:02}", dict.fromkeys(units, 10_000), strategies[number % 4]) for number in range(20))
    )

    trace = SCENARIOS[name].build(large)

    assert 100 <= len(trace.jobs) <= 2_000
