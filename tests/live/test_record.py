"""`quota-constructs live record`: what is recorded, and what of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.exits import BAD_INPUT, GOOD
from quota_constructs.live.operations import OPERATIONS, Command
from tests.live.account import SECRET, START_MS, UNIT, Account
from tests.live.endpoint import Endpoint
from tests.live.recording import DAY_MS, MINUTE_MS, NOW_MS, RECORD, SINCE_MS, add_jobs, jobs_in, written

Live = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("now")


def test_a_job_is_recorded_with_what_a_trace_says_of_it(training: Endpoint, tmp_path: Path, live: Live) -> None:
    job = training.account.add_job(
        "guest",
        created_ms=START_MS,
        ran_ms=[(START_MS + 5 * MINUTE_MS, START_MS + 15 * MINUTE_MS)],
        instances={UNIT: 3},
        priority=7,
    )
    job["preemptionConfiguration"] = {"preemptionRetriesBeforeTermination": 2}

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    [recorded] = jobs_in(tmp_path / "t.jsonl")
    assert (ran.code, ran.out) == (GOOD, "")
    assert "1 job recorded" in ran.err
    assert (recorded.id, recorded.share, recorded.priority) == (job["jobId"], "guest", 7)
    assert (recorded.submit_ms, recorded.duration_ms) == (START_MS - SINCE_MS, 10 * MINUTE_MS)
    assert (dict(recorded.instances), recorded.preemption_retries) == ({UNIT: 3}, 2)
    assert recorded.startup_ms == 30_000
    assert training.actions == {
        operation.action for operation in OPERATIONS[Command.RECORD] if operation.name != "DescribeTrainingJob"
    }


@pytest.mark.parametrize(
    ("checkpoints", "minutes"),
    [
        pytest.param(True, 4 + 10, id="with a checkpoint configuration attempts add up"),
        pytest.param(False, 10, id="without one only the last counts"),
    ],
)
def test_the_work_of_a_preempted_job_is_what_its_attempts_come_to(
    training: Endpoint, tmp_path: Path, live: Live, checkpoints: bool, minutes: int
) -> None:
    training.account.add_job(
        "guest",
        created_ms=START_MS,
        preempted_ms=[(START_MS + 1 * MINUTE_MS, START_MS + 5 * MINUTE_MS)],
        ran_ms=[(START_MS + 20 * MINUTE_MS, START_MS + 30 * MINUTE_MS)],
        checkpoints=checkpoints,
    )

    live(*RECORD, str(tmp_path / "t.jsonl"))

    [facts] = [json.loads(line) for line in (tmp_path / "t.facts.jsonl").read_text().splitlines()]
    [recorded] = jobs_in(tmp_path / "t.jsonl")
    assert recorded.duration_ms == minutes * MINUTE_MS
    assert (facts["preemptions"], facts["has_checkpoint_config"]) == (1, checkpoints)
    assert [attempt.get("preempted", False) for attempt in facts["attempts"]] == [True, False]


def test_sagemaker_is_asked_when_an_attempt_ran_if_batch_does_not_say(
    training: Endpoint, tmp_path: Path, live: Live
) -> None:
    job = training.account.add_job(
        "guest", created_ms=START_MS, ran_ms=[(START_MS + 5 * MINUTE_MS, START_MS + 15 * MINUTE_MS)]
    )
    del job["attempts"][0]["startedAt"], job["attempts"][0]["stoppedAt"]
    name = job["latestAttempt"]["serviceResourceId"]["value"].rpartition("/")[2]

    live(*RECORD, str(tmp_path / "t.jsonl"))

    [recorded] = jobs_in(tmp_path / "t.jsonl")
    assert recorded.duration_ms == 10 * MINUTE_MS
    assert training.requests("DescribeTrainingJob") == [{"TrainingJobName": name}]
    assert training.actions == {operation.action for operation in OPERATIONS[Command.RECORD]}


def test_a_job_is_dropped_if_sagemaker_has_forgotten_when_it_ran(
    training: Endpoint, tmp_path: Path, live: Live
) -> None:
    job = training.account.add_job("guest")
    del job["attempts"][0]["startedAt"], job["attempts"][0]["stoppedAt"]
    training.account.training_jobs.clear()

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert jobs_in(tmp_path / "t.jsonl") == ()
    assert "dropped 1 job: ran at times that are not on record" in ran.err


def test_what_a_trace_cannot_hold_is_dropped_by_name_and_count(training: Endpoint, tmp_path: Path, live: Live) -> None:
    training.account.add_job("guest", "RUNNABLE")
    training.account.add_job("guest", "SUBMITTED")
    kept = training.account.add_job("owner", "RUNNING", created_ms=NOW_MS - 10 * MINUTE_MS)
    gone = training.account.add_job("owner")
    training.faults.change(lambda account: account.jobs.pop(gone["jobId"]), "DescribeServiceJob", at=1)

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    [recorded] = jobs_in(tmp_path / "t.jsonl")
    assert (recorded.id, recorded.duration_ms) == (kept["jobId"], 9 * MINUTE_MS)
    assert "dropped 2 jobs: never ran" in ran.err
    assert "dropped 1 job: was not there any more when it was asked about" in ran.err
    assert "altered 1 job: not over" in ran.err


def test_jobs_are_those_of_this_queue_that_were_submitted_in_the_window(
    training: Endpoint, tmp_path: Path, live: Live
) -> None:
    training.account.add_queue("other")
    training.account.add_share("guest", queue="other")
    training.account.add_job("guest", queue="other")
    training.account.add_job("guest", created_ms=SINCE_MS - 1)
    first = training.account.add_job("guest", created_ms=SINCE_MS)
    training.account.add_job("guest", created_ms=NOW_MS)

    live(*RECORD, str(tmp_path / "t.jsonl"))

    assert [job.id for job in jobs_in(tmp_path / "t.jsonl")] == [first["jobId"]]


@pytest.mark.parametrize(
    ("window", "days"),
    [
        pytest.param(("--since", "3d"), [27, 28, 29], id="days back"),
        pytest.param(("--since", "72h", "--until", "36h"), [27], id="hours back"),
        pytest.param(("--since", "2026-01-03", "--until", "2026-01-05"), [2, 3], id="days of the calendar"),
        pytest.param(("--since", "2026-01-02T23:59:59Z", "--until", "2026-01-03T12:00:01Z"), [2], id="moments"),
        pytest.param(("--since", "2026-01-29", "--until", "2030-01-01"), [28, 29], id="an end yet to come is now"),
    ],
)
def test_a_window_is_said_as_time_back_or_as_moments_in_utc(
    training: Endpoint, tmp_path: Path, live: Live, window: tuple[str, ...], days: list[int]
) -> None:
    jobs = [training.account.add_job("guest", created_ms=START_MS + day * DAY_MS + DAY_MS // 2) for day in range(30)]

    ran = live("record", "training", *window, "-o", str(tmp_path / "t.jsonl"))

    assert ran.code == GOOD
    assert [job.id for job in jobs_in(tmp_path / "t.jsonl")] == [jobs[day]["jobId"] for day in days]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "yesterday", "-o", "t.jsonl"), "--since"),
        (("--since", "2026-13-01", "-o", "t.jsonl"), "--since"),
        (("--since", "0d", "-o", "t.jsonl"), "--since"),
        (("--since", "1d", "--until", "2d", "-o", "t.jsonl"), "--since 1d is not before the end, --until 2d"),
        (("--since", "1d", "-o", "t.csv"), "-o must name a file that ends in .jsonl"),
        (("--since", "1d", "-o", "none/t.jsonl"), "its journal cannot be kept beside it"),
    ],
)
@pytest.mark.usefixtures("training")
def test_fails_on_a_window_or_an_output_that_makes_no_sense(
    tmp_path: Path, live: Live, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)

    ran = live("record", "training", *arguments)

    assert (ran.code, ran.out) == (BAD_INPUT, "")
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


def test_listing_stops_at_the_first_page_from_before_the_window(training: Endpoint, tmp_path: Path, live: Live) -> None:
    for number in range(1_000):
        training.account.add_job("guest", created_ms=START_MS + number * MINUTE_MS)

    live("record", "training", "--since", "30d", "-o", str(tmp_path / "all.jsonl"))
    pages_of_all = len(training.requests("ListServiceJobs"))
    training.account.jobs = {
        job_id: job | {"createdAt": job["createdAt"] - 40 * DAY_MS} for job_id, job in training.account.jobs.items()
    }
    live("record", "training", "--since", "30d", "-o", str(tmp_path / "none.jsonl"))
    pages_of_none = len(training.requests("ListServiceJobs")) - pages_of_all

    assert pages_of_all - pages_of_none >= 9
    assert jobs_in(tmp_path / "none.jsonl") == ()


def test_no_job_is_lost_or_repeated_though_the_queue_moves_on_while_it_is_listed(
    training: Endpoint, tmp_path: Path, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.live.batch.MOST_ON_A_PAGE", 3)
    account = training.account
    moving = [
        account.add_job("guest", "RUNNING", created_ms=NOW_MS - (20 - number) * MINUTE_MS) for number in range(10)
    ]
    turns = itertools.count()

    def move_on(_: Account) -> None:
        """Let one job end, and another go back to wait, as one that is stopped for an owner does."""
        turn = next(turns)
        if turn < len(moving):
            for job, status in ((moving[turn], "SUCCEEDED"), (moving[-turn - 1], "RUNNABLE")):
                job["status"] = status
                job["attempts"][0]["stoppedAt"] = NOW_MS

    training.faults.change(move_on, "ListServiceJobs", every=2)

    live(*RECORD, str(tmp_path / "t.jsonl"))

    assert sorted(job.id for job in jobs_in(tmp_path / "t.jsonl")) == [job["jobId"] for job in moving]
    assert len(training.requests("DescribeServiceJob")) == 10


def test_nothing_of_a_payload_is_written_not_even_while_recording(
    training: Endpoint, tmp_path: Path, live: Live
) -> None:
    add_jobs(training.account, 250)
    seen: dict[str, bytes] = {}
    training.faults.change(lambda _: seen.update(written(tmp_path)), "DescribeServiceJob", at=240)

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert list(seen) == ["t.jsonl.journal"]
    assert sorted(written(tmp_path)) == ["t.facts.jsonl", "t.jsonl"]
    assert SECRET.encode() not in b"".join([*seen.values(), *written(tmp_path).values()])
    assert SECRET not in ran.err
