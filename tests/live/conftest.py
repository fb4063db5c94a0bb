"""An endpoint for each test, which must have understood every request that it got, and clients of it."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from quota_constructs.cli import main
from tests.live.account import Record
from tests.live.endpoint import Endpoint
from tests.live.recording import NOW_MS

boto3_session: Any = importlib.import_module("boto3.session")  # ships no types
botocore_config: Any = importlib.import_module("botocore.config")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Start an endpoint with an empty account, and fail if a client or this endpoint itself broke a service's model."""
    with Endpoint() as running:
        yield running

    assert running.violations == []


@pytest.fixture
def training(endpoint: Endpoint) -> Endpoint:
    """Deploy a queue with a share that borrows and one that lends."""
    endpoint.account.add_queue(capacity=10)
    endpoint.account.add_share("guest", 4, "LEND_AND_BORROW")
    endpoint.account.add_share("owner", 6, "LEND")
    return endpoint


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command of this process start at the same time."""
    monkeypatch.setattr("time.time_ns", lambda: NOW_MS * 1_000_000)


@pytest.fixture
def aws(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lead boto3 to the endpoint, and to nothing else."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in endpoint.environment.items():
        if name.startswith("AWS_") or name.lower() == "no_proxy":
            monkeypatch.setenv(name, value)


@pytest.fixture
def connect(aws: None) -> Iterator[Callable[..., Any]]:
    """Return a maker of boto3's clients that reach the endpoint; they do not retry unless told to."""
    del aws
    clients: list[Any] = []

    def client(service: str, *, attempts: int = 1, timeout_s: float = 30) -> Any:  # noqa: ANN401 - boto3 ships no types
        retries = {"total_max_attempts": attempts, "mode": "standard"}
        config = botocore_config.Config(retries=retries, read_timeout=timeout_s)
        clients.append(boto3_session.Session().client(service, config=config))
        return clients[-1]

    yield client

    for made in clients:
        made.close()


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Record:
        """Return what it wrote to standard output, which is JSON."""
        read: Record = json.loads(self.out)
        return read


@pytest.fixture
def live(aws: None, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return what runs `quota-constructs live` against the endpoint, in this process."""
    del aws

    def run(*arguments: str) -> Ran:
        code = main(["live", *arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
