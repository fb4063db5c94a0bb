"""
An HTTP endpoint on loopback that answers as Batch, SageMaker and Service Quotas do, from an account in memory.

Clients reach it as they reach AWS, by botocore's own settings: `Endpoint.environment` is all that a command needs.
"""

from __future__ import annotations

import contextlib
import http.server
import os
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from tests.live import batch, neighbours
from tests.live.account import REGION, Account, Record
from tests.live.failures import Failure, Violation
from tests.live.faults import CutShort, Dropped, Faults
from tests.live.protocol import JSON_1_1, Call, read_call, write_answer, write_failure

OPERATIONS: dict[str, dict[str, Callable[[Account, Record], Record]]] = {
    "batch": batch.OPERATIONS,
    "sagemaker": neighbours.SAGEMAKER,
    "service-quotas": neighbours.SERVICE_QUOTAS,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes over the wire, and how much of the content before the connection is closed, if not all."""

    status: int
    headers: dict[str, str]
    content: bytes
    sent: int | None = None


class Endpoint:
    """A running endpoint: its account, its faults, and the record of what was asked of it."""

    def __init__(self) -> None:
        self.account = Account()
        self.faults = Faults(self.account)
        self.calls: list[Call] = []
        self.violations: list[str] = []
        """What no service would have understood or said; a test fails for any of them."""
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        """Start to answer."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, without waiting for clients that are still connected."""
        self.faults.ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Return the address to give as `endpoint_url`."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def environment(self) -> dict[str, str]:
        """Return variables that lead botocore here, and to nothing that belongs to the person who runs the tests."""
        return {
            "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ENDPOINT_URL": self.url,
            "AWS_SECRET_ACCESS_KEY": "example",
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            "PATH": os.defpath,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }

    def requests(self, operation: str) -> list[Record]:
        """Return what was asked of an operation, call by call, those included that a fault struck."""
        return [call.request for call in self.calls if call.operation == operation]

    @property
    def actions(self) -> set[str]:
        """Return what a policy of IAM must allow for the calls that were made."""
        return {call.action for call in self.calls}

    def answer(self, path: str, headers: Message, body: bytes) -> Answer:
        """Return what to answer a request with, or raise if there is to be no answer."""
        try:
            call = read_call(path, headers, body)
        except Violation as violation:
            self.violations.append(str(violation))
            return Answer(400, {"x-amzn-ErrorType": "ValidationException"}, b"{}")
        kind = {"Content-Type": "application/json" if call.service == "batch" else JSON_1_1}
        with self._lock:
            self.calls.append(call)
        try:
            cut_short = self._strike(call)
            with self._lock:
                content = write_answer(call, self._result(call))
        except Failure as failure:
            extra, content = write_failure(call, failure)
            return Answer(failure.status, kind | extra, content)
        except Violation as violation:
            self.violations.append(str(violation))
            return Answer(500, kind, b"{}")
        return Answer(200, kind, content, sent=len(content) // 2 if cut_short else None)

    def _strike(self, call: Call) -> bool:
        """Let the faults act, and say whether the answer is to be cut short."""
        try:
            self.faults.strike(call)
        except CutShort:
            return True
        return False

    def _result(self, call: Call) -> Record:
        operation = OPERATIONS[call.service].get(call.operation)
        if operation is None:
            raise Violation(f"{call.action} is no operation that a command should need")
        return operation(self.account, call.request)


class _Server(http.server.ThreadingHTTPServer):
    """A server that can hang up on its clients."""

    daemon_threads = False
    request_queue_size = 128

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as inherited
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - as inherited
        self._connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End every connection, so that no thread waits for another request."""
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401, ARG002 - as inherited
        """Let a client go that went away; anything else is a mistake of this code."""
        if not isinstance(sys.exception(), ConnectionError):
            self.endpoint.violations.append(traceback.format_exc())


class _Handler(http.server.BaseHTTPRequestHandler):
    """One connection, which may bring many requests."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer one request."""
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        if len(body) < length:  # the client was ended in the middle of it, which asks for nothing
            self.close_connection = True
            return
        try:
            answer = cast("_Server", self.server).endpoint.answer(self.path, self.headers, body)
        except Dropped:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.content)))
        self.send_header("x-amzn-RequestId", "00000000-0000-4000-8000-000000000000")
        self.end_headers()
        self.wfile.write(answer.content[: answer.sent])
        if answer.sent is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
        """Stay silent."""
