"""What the live commands say when the service cannot be asked or does not answer: one line, and no half results."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.exits import BAD_INPUT, GOOD
from tests.live.account import Record
from tests.live.endpoint import Endpoint
from tests.live.failures import Failure
from tests.templates import queue, write_template

Live = Callable[..., Any]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let boto3 try again without a pause, and take no notice of a throttle otherwise."""
    monkeypatch.setattr("time.sleep", do_not_sleep)
    monkeypatch.setattr("botocore.retries.bucket.TokenBucket.acquire", acquire_at_once)


def do_not_sleep(seconds: float) -> None:
    """Take no time."""
    del seconds


def acquire_at_once(bucket: object, amount: int = 1, *, block: bool = True) -> bool:
    """Give what is asked for."""
    del bucket, amount, block
    return True


def refused(ran: Any) -> str:  # noqa: ANN401 - what the fixture `live` returns
    """Return the one line in which a command says why it does nothing."""
    assert (ran.code, ran.out) == (BAD_INPUT, "")
    [line] = ran.err.splitlines()
    assert line.startswith("quota-constructs: error: ")
    return str(line).removeprefix("quota-constructs: error: ")


def test_fails_without_credentials(training: Endpoint, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    line = refused(live("snapshot", "training"))

    assert line.startswith("no AWS credentials were found; sign in as for the AWS CLI")
    assert training.calls == []


def test_fails_with_half_of_the_credentials(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    assert "no AWS credentials were found" in refused(live("snapshot", "training"))


def test_fails_without_a_region(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")

    assert refused(live("snapshot", "training")).startswith("no Region is set; give --region, set AWS_DEFAULT_REGION")


def test_a_region_on_the_command_line_is_enough(
    training: Endpoint, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")

    ran = live("snapshot", "training", "--region", "eu-west-1")

    assert ran.code == GOOD
    assert training.calls != []


def test_fails_with_a_profile_that_does_not_exist(live: Live) -> None:
    line = refused(live("snapshot", "training", "--profile", "nobody\x1b[2J"))

    assert line.startswith("there is no profile 'nobody")
    assert "\x1b" not in line


def test_fails_if_nothing_answers_at_the_endpoint(live: Live, monkeypatch: pytest.MonkeyPatch, at_once: None) -> None:
    del at_once
    with socket.create_server(("127.0.0.1", 0)) as taken:
        unused = taken.getsockname()[1]
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")

    line = refused(live("snapshot", "training", "--endpoint-url", f"http://127.0.0.1:{unused}"))

    assert line.startswith("the endpoint of the service cannot be reached: ")
    assert f"127.0.0.1:{unused}" in line


def test_fails_if_the_credentials_are_not_valid_any_more(training: Endpoint, live: Live) -> None:
    training.faults.fail(Failure("ExpiredTokenException", "The security token included in the request is expired", 403))

    assert refused(live("snapshot", "training")).startswith("the AWS credentials are not valid, or not any more")


@pytest.mark.parametrize(
    ("operation", "action"),
    [
        ("DescribeJobQueues", "batch:DescribeJobQueues"),
        ("ListQuotaShares", "batch:ListQuotaShares"),
        ("GetJobQueueSnapshot", "batch:GetJobQueueSnapshot"),
    ],
)
def test_fails_naming_the_action_that_is_not_allowed(
    training: Endpoint, live: Live, operation: str, action: str
) -> None:
    training.faults.deny(operation)

    assert refused(live("snapshot", "training")).startswith(f"access denied: allow {action} to the credentials in use")


def test_fails_naming_the_action_of_another_service_that_is_not_allowed(
    training: Endpoint, live: Live, tmp_path: Path
) -> None:
    training.faults.deny("ListServiceQuotas")
    template = write_template(tmp_path / "t.json", queue("training", {"research": (4, "RESERVE")}, capacity=4))

    assert "allow servicequotas:ListServiceQuotas" in refused(live("preflight", str(template)))


def test_fails_on_a_queue_that_does_not_exist(training: Endpoint, live: Live) -> None:
    line = refused(live("snapshot", "trainning"))

    assert line.startswith("there is no queue 'trainning' in this account and Region; check the name")
    assert training.requests("DescribeJobQueues") == [{"jobQueues": ["trainning"]}]


def without_a_policy(endpoint: Endpoint) -> None:
    endpoint.account.add_queue("plain", scheduling=None)


def with_fair_shares(endpoint: Endpoint) -> None:
    endpoint.account.add_queue("plain", scheduling="fairsharePolicy")


def of_another_kind(endpoint: Endpoint) -> None:
    queue: Record = endpoint.account.add_queue("plain", scheduling=None)
    queue["jobQueueType"] = "ECS"
    queue["computeEnvironmentOrder"] = [{"order": 1, "computeEnvironment": "containers"}]
    del queue["serviceEnvironmentOrder"]


@pytest.mark.parametrize(
    ("add", "why"),
    [
        (without_a_policy, "it has no scheduling policy"),
        (with_fair_shares, "its scheduling policy, '.+', has no quota shares"),
        (of_another_kind, "its type is ECS"),
    ],
)
def test_fails_on_a_queue_that_is_not_quota_managed(
    endpoint: Endpoint, live: Live, add: Callable[[Endpoint], None], why: str
) -> None:
    add(endpoint)

    line = refused(live("snapshot", "plain"))

    assert line.startswith("queue 'plain' is not quota-managed: ")
    assert re.search(why, line)


@pytest.mark.parametrize("fault", ["throttle", "drop", "cut_short"])
def test_what_goes_wrong_now_and_then_is_tried_again(training: Endpoint, live: Live, at_once: None, fault: str) -> None:
    del at_once
    undisturbed = live("snapshot", "training", "--format", "json")
    getattr(training.faults, fault)(every=2)

    ran = live("snapshot", "training", "--format", "json")

    assert ran == undisturbed


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("throttle", "DescribeJobQueues was refused for too many requests, also when tried again; try later"),
        ("drop", "the endpoint of the service cannot be reached: "),
        ("cut_short", "DescribeJobQueues was answered in part, also when asked again; "),
    ],
)
def test_fails_on_what_goes_wrong_whenever_it_is_tried(
    training: Endpoint, live: Live, at_once: None, fault: str, said: str
) -> None:
    del at_once
    getattr(training.faults, fault)()

    assert refused(live("snapshot", "training")).startswith(said)
    assert 1 < len(training.calls) < 10


def test_fails_on_a_page_that_is_missing_from_a_listing_rather_than_leave_it_out(
    training: Endpoint, live: Live, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    del at_once
    monkeypatch.setattr("tests.live.batch.MOST_ON_A_PAGE", 2)
    for number in range(3):
        training.account.add_share(f"share-{number}")
    training.faults.fail(Failure("ServerException", "Internal error", 500), "ListQuotaShares", at=2)
    training.faults.fail(Failure("ClientException", "Invalid nextToken"), "ListQuotaShares", at=3)

    assert "ListQuotaShares was refused with ClientException: Invalid nextToken" in refused(
        live("snapshot", "training")
    )


def test_what_the_service_says_cannot_command_a_terminal(training: Endpoint, live: Live) -> None:
    training.faults.fail(Failure("ClientException", "no\x1b[2J\nway"))

    assert "\x1b" not in refused(live("snapshot", "training"))


@pytest.mark.usefixtures("training")
def test_a_region_in_the_variable_that_the_advice_names_is_taken(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    [variable] = re.findall("set (AWS_[A-Z_]+)", refused(live("snapshot", "training")))

    monkeypatch.setenv(variable, "eu-west-1")

    assert live("snapshot", "training").code == GOOD


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("AWS_MAX_ATTEMPTS", "many"),
        ("AWS_MAX_ATTEMPTS", "0"),
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:99999"),
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:port"),
        ("AWS_ENDPOINT_URL", "http://]"),
    ],
)
def test_fails_on_settings_that_boto3_cannot_read(
    training: Endpoint, live: Live, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)

    refused(live("snapshot", "training"))

    assert training.calls == []
