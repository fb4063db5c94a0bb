"""An endpoint for each test, which must have understood every request that it got, and clients of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.live.account import REGION
from tests.live.endpoint import Endpoint

boto3_session: Any = importlib.import_module("boto3.session")  # ships no types
botocore_config: Any = importlib.import_module("botocore.config")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Start an endpoint with an empty account, and fail if a client or this endpoint itself broke a service's model."""
    with Endpoint() as running:
        yield running

    assert running.violations == []


@pytest.fixture
def connect(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Return a maker of boto3's clients that reach the endpoint; they retry once, and wait a second for an answer."""
    clients: list[Any] = []
    for name, value in endpoint.environment.items():
        if name.startswith("AWS_"):
            monkeypatch.setenv(name, value)

    def client(service: str, *, attempts: int = 1, timeout_s: float = 1) -> Any:  # noqa: ANN401 - boto3 ships no types
        config = botocore_config.Config(
            retries={"total_max_attempts": attempts, "mode": "standard"}, read_timeout=timeout_s, proxies={}
        )
        clients.append(boto3_session.Session(region_name=REGION).client(service, config=config))
        return clients[-1]

    yield client

    for made in clients:
        made.close()
