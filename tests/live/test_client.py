"""The way to the service: what may go over it, and that it is only there when it is wanted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.exits import BAD_INPUT, INTERRUPTED
from quota_constructs.live import shapes
from quota_constructs.live.client import Access, Client
from quota_constructs.live.operations import DESCRIBE_JOB_QUEUES, DESCRIBE_SERVICE_JOB, LIST_QUOTA_SHARES, Command
from tests.live.endpoint import Endpoint
from tests.live.failures import Failure
from tests.live.recording import RECORD

Live = Callable[..., Any]


def test_fails_without_boto3_and_says_how_to_get_it(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)

    ran = live("snapshot", "training")

    assert ran.code == BAD_INPUT
    assert "boto3, which is not installed; say pip install 'quota-constructs[live]'" in ran.err


@pytest.mark.usefixtures("aws")
def test_fails_to_make_a_call_that_is_not_in_the_table_of_the_command(training: Endpoint) -> None:
    client = Client(Command.SNAPSHOT, Access())

    with pytest.raises(ValueError, match="DescribeServiceJob is no call of 'live snapshot'"):
        client.call(DESCRIBE_SERVICE_JOB, shapes.ServiceJob, jobId="job")

    assert training.calls == []


@pytest.mark.usefixtures("aws")
def test_an_endpoint_on_the_command_line_takes_the_place_of_all_others(
    training: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    client = Client(Command.SNAPSHOT, Access(endpoint_url=training.url))

    found = client.call(DESCRIBE_JOB_QUEUES, shapes.JobQueues, jobQueues=["training"])

    assert [queue.job_queue_name for queue in found.job_queues] == ["training"]


@pytest.mark.usefixtures("aws")
def test_a_list_is_read_to_its_last_page(training: Endpoint) -> None:
    client = Client(Command.SNAPSHOT, Access())

    pages = list(client.pages(LIST_QUOTA_SHARES, shapes.QuotaShares, jobQueue="training", maxResults=1))

    assert [share.quota_share_name for page in pages for share in page.quota_shares] == ["guest", "owner"]
    assert len(training.requests("ListQuotaShares")) == 2


@pytest.mark.usefixtures("now")
def test_a_recording_that_is_refused_says_where_it_goes_on(training: Endpoint, tmp_path: Path, live: Live) -> None:
    training.account.add_job("guest")
    training.faults.fail(Failure("ClientException", "Something else"), "DescribeServiceJob")

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert ran.code == BAD_INPUT
    assert f"is kept in {tmp_path / 't.jsonl.journal'}; the same command goes on from there" in ran.err
    assert not (tmp_path / "t.jsonl").exists()


@pytest.mark.usefixtures("now")
def test_a_recording_that_is_stopped_by_hand_says_where_it_goes_on(
    training: Endpoint, tmp_path: Path, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    training.account.add_job("guest")
    monkeypatch.setattr("quota_constructs.cli.progress.Bar.show", interrupt)

    ran = live(*RECORD, str(tmp_path / "t.jsonl"))

    assert ran.code == INTERRUPTED
    assert "the same command goes on from there" in ran.err


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt
