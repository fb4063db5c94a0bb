"""
Keep one comment of the review on a pull request: written once, then updated.

It is found by its first line, which nobody sees, and by its author. Where nothing changes, none is written; where the
token may not write, as on a pull request from a fork, that is said and nothing fails.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

PAGE = 100
TIMEOUT_SECONDS = 30
NOT_ALLOWED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


def main() -> int:
    """Write, update or leave the comment, and return the exit code."""
    body = Path(os.environ["BODY"]).read_text(encoding="utf-8")
    issue = f"{os.environ['GITHUB_REPOSITORY']}/issues"
    number = int(os.environ["PULL_REQUEST"])
    try:
        comment = _mine(f"{issue}/{number}/comments", marker=body.partition("\n")[0])
        if comment is not None:
            _call("PATCH", f"{issue}/comments/{comment}", {"body": body})
        elif os.environ["CHANGED"] == "true":
            _call("POST", f"{issue}/{number}/comments", {"body": body})
    except urllib.error.HTTPError as error:
        if error.code in NOT_ALLOWED:
            print("the token may not comment here, as on a pull request from a fork; the review is in the step summary")
            return 0
        return _failed(f"{error.code} {error.reason}")
    except OSError as error:
        return _failed(str(error))
    return 0


def _mine(comments: str, *, marker: str) -> int | None:
    """Return the id of the comment to update."""
    for comment in _pages(comments):
        if comment["user"]["login"] == os.environ["AUTHOR"] and comment["body"].startswith(marker):
            return int(comment["id"])
    return None


def _pages(path: str) -> Iterator[Any]:
    page = 1
    while True:
        found = _call("GET", f"{path}?per_page={PAGE}&page={page}")
        yield from found
        if len(found) < PAGE:
            return
        page += 1


def _call(method: str, path: str, content: object = None) -> Any:  # noqa: ANN401 - any JSON
    request = urllib.request.Request(  # noqa: S310 - the runner names the address, and only it
        f"{os.environ['GITHUB_API_URL']}/repos/{path}",
        method=method,
        data=None if content is None else json.dumps(content).encode(),
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {os.environ['TOKEN']}",
            "Content-Type": "application/json",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310 - as above
        return json.load(response)


def _failed(reason: str) -> int:
    print(f"quota-constructs: the comment cannot be written: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
