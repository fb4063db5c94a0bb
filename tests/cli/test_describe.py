"""`quota-constructs trace describe`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from tests.templates import queue, write_template, write_trace

SHARES = {"guest": (2, "LEND_AND_BORROW"), "owner": (4, "LEND")}


@pytest.fixture
def template(tmp_path: Path) -> str:
    return str(write_template(tmp_path / "t.json", queue("main", SHARES, capacity=6)))


def job(name: str, share: str, count: int, submit: int = 0, duration: int = 3600) -> dict[str, Any]:
    return {"id": name, "share": share, "submit": submit, "duration": duration, "instance_count": count}


def described(
    capsys: pytest.CaptureFixture[str], template: str, folder: Path, *jobs: dict[str, Any], also: tuple[str, ...] = ()
) -> str:
    trace = str(write_trace(folder / "t.jsonl", *jobs))
    code = main(["trace", "describe", template, "--trace", trace, *also])
    shown = capsys.readouterr()
    assert (code, shown.err) == (GOOD, "")
    return shown.out


def test_shows_what_is_asked_for_and_what_can_be_borrowed(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = described(capsys, template, tmp_path, job("a", "guest", 2), job("b", "guest", 2), job("c", "owner", 3))

    rows = [line.split() for line in text.splitlines()]
    assert "3 jobs of 2 shares, submitted over 0:00:00" in " ".join(text.split())
    assert ["guest", "ml.g5.xlarge", "2", "4.00", "4.0", "4", "2", "100.0", "%", "2.00"] in rows
    assert ["owner", "ml.g5.xlarge", "1", "3.00", "3.0", "3", "4", "0.0", "%", "0.00"] in rows
    assert ["ml.g5.xlarge", "7.00", "7.0", "7", "6", "100.0", "%", "1.00", "14.3", "%"] in rows
    assert ["ml.g5.xlarge", "guest", "0:05:00", "7.0", "7", "6", "0.08"] in rows
    assert "contends" not in text


def test_says_that_a_trace_without_contention_tests_nothing(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = described(capsys, template, tmp_path, job("a", "guest", 2), job("b", "owner", 4))

    assert "The trace never contends: " in text
    assert "It tests nothing" in text


@pytest.mark.parametrize(
    ("jobs", "said"),
    [
        pytest.param(
            [job("a", "guest", 3), job("b", "owner", 4)], "Nothing can be borrowed: ", id="nobody lends at that time"
        ),
        pytest.param([job("a", "guest", 9)], "1 job can never start: ", id="too large a job"),
        pytest.param([job("a", "guest", 6)], "1 job can run by borrowing only: ", id="a job larger than its limit"),
    ],
)
def test_says_what_else_is_to_be_known(
    template: str, jobs: list[dict[str, Any]], said: str, *, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in described(capsys, template, tmp_path, *jobs)


def test_jobs_of_no_share_are_refused_or_left_out(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stranger = job("a", "nobody", 1)
    trace = str(write_trace(tmp_path / "t.jsonl", stranger))

    assert main(["trace", "describe", template, "--trace", trace]) == BAD_INPUT
    assert "got 'nobody'" in capsys.readouterr().err
    text = described(capsys, template, tmp_path, stranger, also=("--unknown-shares", "reject"))
    assert "1 job would be rejected, as their share is disabled or not declared." in text


def test_json_has_it_all(template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = described(capsys, template, tmp_path, job("a", "guest", 3), job("b", "owner", 1), also=("--format", "json"))

    result = json.loads(text)
    assert text.isascii()
    assert (result["contends"], result["lets_borrow"], result["jobs"]) == (True, True, 2)
    assert [(each["share"], each["peak"], each["excess_ms"]) for each in result["shares"]] == [
        ("guest", 3, 3_600_000),
        ("owner", 1, 0),
    ]
    (unit,) = result["units"]
    assert unit["borrowable_ms"] == 3_600_000
    assert len(unit["periods"]) == 12
