"""The comment on a pull request: written once, then updated, by a service that listens on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.action.forge import BOT, COMMENTS, Forge, listening
from tests.pages import ROOT

MARKER = "<!-- quota-constructs:review -->"
BODY = f"{MARKER}\n\nShare `research` loses most.\n"


@pytest.fixture
def forge() -> Iterator[Forge]:
    with listening() as forge:
        yield forge


def comment(forge: Forge, folder: Path, *, changed: bool = True) -> subprocess.CompletedProcess[str]:
    body = folder / "comment.md"
    body.write_text(BODY, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", str(ROOT / "action" / "comment.py")],
        env={
            "PATH": os.environ["PATH"],
            "GITHUB_API_URL": f"http://127.0.0.1:{forge.server_port}",
            "GITHUB_REPOSITORY": "team/platform",
            "AUTHOR": BOT,
            "BODY": str(body),
            "CHANGED": str(changed).lower(),
            "PULL_REQUEST": "7",
            "TOKEN": "secret",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_comment_is_written(forge: Forge, tmp_path: Path) -> None:
    forge.remembers("Looks good!", author="someone")

    run = comment(forge, tmp_path)

    assert (run.returncode, run.stderr) == (0, "")
    assert forge.changes == [("POST", COMMENTS, {"body": BODY}, "Bearer secret")]


@pytest.mark.parametrize("others", [1, 99, 100, 250])
def test_a_later_one_takes_its_place_however_many_there_are(forge: Forge, tmp_path: Path, others: int) -> None:
    for _ in range(others):
        forge.remembers("Looks good!", author="someone")
    forge.remembers(f"{MARKER}\n\nNo policy change.\n")

    run = comment(forge, tmp_path)

    assert (run.returncode, run.stderr) == (0, "")
    assert forge.changes == [
        ("PATCH", f"/repos/team/platform/issues/comments/{others + 1}", {"body": BODY}, "Bearer secret")
    ]


def test_what_another_wrote_is_not_touched_whatever_it_begins_with(forge: Forge, tmp_path: Path) -> None:
    forge.remembers(BODY, author="someone")

    comment(forge, tmp_path)

    assert [method for method, *_ in forge.changes] == ["POST"]


def test_nothing_is_written_where_nothing_changes(forge: Forge, tmp_path: Path) -> None:
    run = comment(forge, tmp_path, changed=False)

    assert (run.returncode, forge.changes) == (0, [])


def test_a_change_that_was_taken_back_is_taken_back_in_the_comment_too(forge: Forge, tmp_path: Path) -> None:
    forge.remembers(BODY)

    comment(forge, tmp_path, changed=False)

    assert [method for method, *_ in forge.changes] == ["PATCH"]


@pytest.mark.parametrize("refusal", [HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.UNAUTHORIZED])
def test_a_token_that_may_not_write_fails_nothing(forge: Forge, tmp_path: Path, refusal: HTTPStatus) -> None:
    forge.refuses = refusal

    run = comment(forge, tmp_path)

    assert run.returncode == 0
    assert "may not comment here, as on a pull request from a fork" in run.stdout


def test_a_forge_that_fails_is_told(forge: Forge, tmp_path: Path) -> None:
    forge.refuses = HTTPStatus.BAD_GATEWAY

    run = comment(forge, tmp_path)

    assert (run.returncode, run.stderr) == (1, "quota-constructs: the comment cannot be written: 502 Bad Gateway\n")
