"""`quota-constructs live record`, interrupted: begun again it goes on, and neither loses nor repeats a job."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.exits import BAD_INPUT, GOOD
from quota_constructs.live.client import Client
from quota_constructs.live.journal import Journal, Window
from quota_constructs.live.operations import Operation
from tests.live.account import Account, Record
from tests.live.endpoint import OPERATIONS, Endpoint
from tests.live.recording import DAY_MS, NOW_MS, RECORD, add_jobs, jobs_in, written

Live = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("now")

AT_A_GIVEN_TIME = """
import sys, time
import botocore.retries.bucket
from quota_constructs.cli import main

now_ms = int(sys.argv.pop(1))
time.time_ns = lambda: now_ms * 1_000_000
time.sleep = lambda _: None
botocore.retries.bucket.TokenBucket.acquire = lambda *_, **__: True
sys.exit(main(["live", *sys.argv[1:]]))
"""
"""Starts a command as if at a given time, and lets boto3 try again without a pause."""


def test_a_recording_that_was_interrupted_goes_on_where_it_was(
    training: Endpoint, tmp_path: Path, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_jobs(training.account, 350)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    live(*RECORD, str(tmp_path / "one" / "t.jsonl"))
    asked_undisturbed = len(training.requests("DescribeServiceJob"))
    training.faults.deny("DescribeServiceJob", at=250)

    interrupted = live(*RECORD, str(tmp_path / "two" / "t.jsonl"))
    left = list(written(tmp_path / "two"))
    monkeypatch.setattr("time.time_ns", lambda: (NOW_MS + DAY_MS) * 1_000_000)
    training.account.add_job("guest", created_ms=NOW_MS + 1)
    again = live(*RECORD, str(tmp_path / "two" / "t.jsonl"))

    asked_twice = len(training.requests("DescribeServiceJob")) - 2 * asked_undisturbed
    assert (interrupted.code, left) == (BAD_INPUT, ["t.jsonl.journal"])
    assert again.code == GOOD
    assert written(tmp_path / "two") == written(tmp_path / "one")
    assert asked_twice <= 100


@pytest.mark.parametrize("cut", [1, 40], ids=["the last byte", "half of a line"])
def test_a_journal_that_was_cut_off_is_gone_on_from(training: Endpoint, tmp_path: Path, live: Live, cut: int) -> None:
    add_jobs(training.account, 150)
    path = tmp_path / "t.jsonl"
    live(*RECORD, str(path))
    whole = written(tmp_path)
    training.faults.deny("DescribeServiceJob", at=120)
    live(*RECORD, str(path))
    journal = path.with_name("t.jsonl.journal")
    journal.write_bytes(journal.read_bytes()[:-cut])

    ran = live(*RECORD, str(path))

    assert ran.code == GOOD
    assert written(tmp_path) == whole


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"nonsense\n", "is no journal of a recording"),
        (
            b'{"journal":1,"queue":"arn:aws:batch:eu-west-1:1:job-queue/x","since":"1d","until":"now","since_ms":1,"until_ms":2}\n',
            "job-queue/x since 1d, until now; finish that one, or remove the file",
        ),
    ],
)
def test_fails_on_a_journal_of_something_else(
    training: Endpoint, tmp_path: Path, live: Live, content: bytes, said: str
) -> None:
    add_jobs(training.account, 1)
    journal = tmp_path / "t.jsonl.journal"
    journal.write_bytes(content)

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert ran.code == BAD_INPUT
    assert said in ran.err
    assert written(tmp_path) == {"t.jsonl.journal": content}


@pytest.mark.skipif(sys.platform == "win32", reason="there is no lock that a kill lets go of")
def test_fails_while_another_recording_to_the_same_output_is_under_way(
    training: Endpoint, tmp_path: Path, live: Live
) -> None:
    add_jobs(training.account, 1)
    path = tmp_path / "t.jsonl"
    other = Window(queue="the same or another", since="40d", until="now", since_ms=1, until_ms=2)

    with Journal(path, other):
        ran = live(*RECORD, str(path))

    assert ran.code == BAD_INPUT
    assert "t.jsonl.journal: another recording to the same output is under way" in ran.err
    assert list(written(tmp_path)) == ["t.jsonl.journal"]


@pytest.mark.parametrize("name", ["t.jsonl", "t.facts.jsonl"])
def test_an_output_that_is_a_folder_is_refused_before_anything_is_asked(
    training: Endpoint, tmp_path: Path, live: Live, name: str
) -> None:
    (tmp_path / name).mkdir()

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert ran.code == BAD_INPUT
    assert f"{name}: cannot be written: is a directory" in ran.err
    assert training.calls == []


def test_a_page_that_cannot_be_had_leaves_no_trace_rather_than_half_of_one(
    training: Endpoint, tmp_path: Path, live: Live
) -> None:
    add_jobs(training.account, 500)
    training.faults.deny("ListServiceJobs", at=9)

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert ran.code == BAD_INPUT
    assert "allow batch:ListServiceJobs" in ran.err
    assert not (tmp_path / "t.jsonl").exists()


def test_ten_thousand_jobs_with_throttles_and_a_kill_in_the_middle_give_the_undisturbed_trace(
    training: Endpoint, tmp_path: Path, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_jobs(training.account, 10_000)
    (tmp_path / "undisturbed").mkdir()
    (tmp_path / "killed").mkdir()
    with monkeypatch.context() as patched:  # what boto3 does is left out, as another 10,000 requests would take long
        patched.setattr(Client, "_method", answer_from(training.account))
        live(*RECORD, str(tmp_path / "undisturbed" / "t.jsonl"))
    command = [sys.executable, "-c", AT_A_GIVEN_TIME]
    arguments = [*RECORD, str(tmp_path / "killed" / "t.jsonl")]
    training.faults.throttle(first=3)
    training.faults.throttle(every=97)
    training.faults.drop("DescribeServiceJob", every=1_999)
    training.faults.cut_short("ListServiceJobs", every=31)
    begun = subprocess.Popen([*command, str(NOW_MS), *arguments], env=training.environment)
    training.faults.change(lambda _: begun.kill(), "DescribeServiceJob", at=5_000)

    killed = begun.wait(timeout=300)
    left = list(written(tmp_path / "killed"))
    asked = len(training.requests("DescribeServiceJob"))
    again = subprocess.run(
        [*command, str(NOW_MS + DAY_MS), *arguments], env=training.environment, check=False, capture_output=True
    )

    assert killed == -9
    assert left == ["t.jsonl.journal"]
    assert again.returncode == GOOD
    assert asked < len(training.requests("DescribeServiceJob")) < 10_500
    assert written(tmp_path / "killed") == written(tmp_path / "undisturbed")
    assert len(jobs_in(tmp_path / "killed" / "t.jsonl")) == 10_000


def answer_from(account: Account) -> Callable[[Client, Operation], Callable[..., Record]]:
    """Return what takes the place of boto3: the services' answers, with no way to them on which one could be lost."""

    def method(_: Client, operation: Operation) -> Callable[..., Record]:
        def ask(**request: object) -> Record:
            return OPERATIONS[operation.service][operation.name](account, request)

        return ask

    return method
