"""Traces built in a test are those of the published format, and are read back as what they were meant to be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.trace import Cancel, Checkpoint, Job, PriorityUpdate, Trace
from quota_constructs.evaluator.traces import read_trace
from quota_constructs.testing import (
    HandmadeTrace,
    a_cancellation,
    a_checkpoint,
    a_job,
    a_priority_update,
    a_trace,
)
from tests.builders import OTHER_UNIT, UNIT, share, system

ARRANGEMENT = system(share("research", 4), share("mixed", {UNIT: 1, OTHER_UNIT: 1}))


def read_back(trace: HandmadeTrace, folder: Path) -> Trace:
    return read_trace(trace.write(folder), system=ARRANGEMENT)


def test_a_job_is_an_hour_on_one_instance_unless_it_says_otherwise(tmp_path: Path) -> None:
    trace = read_back(a_trace(a_job("one", "research")), tmp_path)

    assert trace.jobs == (Job(id="one", share="research", submit_ms=0, duration_ms=3_600_000, instances=((UNIT, 1),)),)


def test_everything_that_a_job_says_is_read_back(tmp_path: Path) -> None:
    job = a_job(
        "all",
        "research",
        3,
        submit=0.5,
        duration=60,
        priority=7,
        preemption_retries=2,
        checkpoint=a_checkpoint(10, cost=1, restore=2, on_stop=True),
        startup=3,
        timeout=120,
        deadline=600,
    )

    trace = read_back(a_trace(job), tmp_path)

    assert trace.jobs == (
        Job(
            id="all",
            share="research",
            submit_ms=500,
            duration_ms=60_000,
            instances=((UNIT, 3),),
            priority=7,
            preemption_retries=2,
            checkpoint=Checkpoint(interval_ms=10_000, cost_ms=1_000, restore_ms=2_000, on_stop=True),
            startup_ms=3_000,
            timeout_ms=120_000,
            deadline_ms=600_000,
        ),
    )


def test_a_job_may_hold_several_instance_types(tmp_path: Path) -> None:
    trace = read_back(a_trace(a_job("both", "mixed", {UNIT: 1, OTHER_UNIT: 2})), tmp_path)

    assert dict(trace.jobs[0].instances) == {UNIT: 1, OTHER_UNIT: 2}


def test_none_says_outright_what_silence_leaves_to_the_contract_of_the_share(tmp_path: Path) -> None:
    outright = a_job("outright", "research", checkpoint=None, preemption_retries=None)

    said, silent = read_back(a_trace(outright, a_job("silent", "research")), tmp_path).jobs

    assert (said.keeps_nothing, said.retries_unlimited) == (True, True)
    assert (silent.keeps_nothing, silent.retries_unlimited) == (False, False)


def test_events_are_read_back(tmp_path: Path) -> None:
    made = a_trace(a_job("one", "research"), a_priority_update(10, "one", 5), a_cancellation(20, "one"))

    trace = read_back(made, tmp_path)

    assert trace.events == (
        PriorityUpdate(time_ms=10_000, job="one", priority=5),
        Cancel(time_ms=20_000, job="one"),
    )


def test_the_file_is_called_as_the_trace_and_says_no_more_than_it_must(tmp_path: Path) -> None:
    file = a_trace(a_job("one", "research"), name="busy.jsonl", description="a busy day").write(tmp_path)

    assert file == tmp_path / "busy.jsonl"
    assert [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] == [
        {"trace": 1, "description": "a busy day"},
        {"id": "one", "share": "research", "instance_count": 1, "submit": 0, "duration": 3600},
    ]


@pytest.mark.parametrize(
    "name", ["../busy.jsonl", "/busy.jsonl", "a\\b.jsonl", "busy.csv", ".jsonl", "", "busy.jsonl\n"]
)
def test_a_trace_is_called_as_a_file_of_its_folder_can_be(name: str) -> None:
    with pytest.raises(UsageError, match="a trace's name must be that of a file in any folder"):
        a_trace(name=name)
