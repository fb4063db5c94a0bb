"""A forge that listens on this machine and keeps the comments of one pull request."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

COMMENTS = "/repos/team/platform/issues/7/comments"
BOT = "github-actions[bot]"


class Forge(ThreadingHTTPServer):
    """A forge that keeps the comments of one pull request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments: list[dict[str, Any]] = []
        self.changes: list[tuple[str, str, Any, str | None]] = []
        self.refuses: HTTPStatus | None = None

    def remembers(self, body: str, *, author: str = BOT) -> None:
        """Let there be a comment already."""
        self.comments.append({"id": len(self.comments) + 1, "user": {"login": author}, "body": body})


class Handler(BaseHTTPRequestHandler):
    @property
    def forge(self) -> Forge:
        assert isinstance(self.server, Forge)
        return self.server

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = {name: int(values[0]) for name, values in parse_qs(url.query).items()}
        first = (query["page"] - 1) * query["per_page"]
        assert url.path == COMMENTS
        self.answer(HTTPStatus.OK, self.forge.comments[first : first + query["per_page"]])

    def do_POST(self) -> None:
        self.change()

    def do_PATCH(self) -> None:
        self.change()

    def change(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.forge.changes.append((self.command, self.path, content, self.headers["Authorization"]))
        self.answer(self.forge.refuses or HTTPStatus.OK, {})

    def answer(self, status: HTTPStatus, content: object) -> None:
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
        """Say nothing."""


@contextmanager
def listening() -> Generator[Forge]:
    """Yield a forge that answers."""
    with Forge() as forge:
        thread = threading.Thread(target=forge.serve_forever)
        thread.start()
        try:
            yield forge
        finally:
            forge.shutdown()
            thread.join()
