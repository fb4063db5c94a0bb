"""What is agreed on shares of a template that says nothing of it, given in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from tests.templates import queue, write_template, write_trace

SHARES = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
ONE = {"id": "one", "share": "a", "submit": 0, "duration": 100, "instance_count": 2}
TWO = {"id": "two", "share": "a", "submit": 0, "duration": 100}


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    template = write_template(tmp_path / "t.json", queue("main", SHARES, capacity=2))
    trace = write_trace(tmp_path / "t.jsonl", ONE, TWO)
    return [str(template), "--trace", str(trace), "--objectives", str(tmp_path / "agreed.toml")]


def promise(given: list[str], bound: int) -> None:
    text = f'[shares.a]\nagreement.owner = "A"\nobjectives.wait_max_seconds = {{bound = {bound}}}\n'
    Path(given[-1]).write_text(text, encoding="utf-8")


def test_check_fails_for_a_broken_promise_of_the_file(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    promise(given, 99)

    code = main(["check", *given])

    assert code == FOUND_ERRORS
    assert "share 'a' was promised longest wait at most 99 s, and got 100 s" in capsys.readouterr().out


def test_check_passes_where_the_promise_is_kept(given: list[str]) -> None:
    promise(given, 100)

    assert main(["check", *given]) == GOOD


def test_simulate_shows_the_promises_of_the_file(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    promise(given, 99)

    code = main(["simulate", *given])

    assert code == GOOD
    assert "Promises" in capsys.readouterr().out


def test_a_misspelt_promise_is_bad_input(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(given[-1]).write_text("shares.a.objectives.wait_max.bound = 1", encoding="utf-8")

    code = main(["check", *given])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert shown.err == (
        f"quota-constructs: error: {given[-1]}: 'shares.a': 'wait_max' is no field of 'objectives'; "
        "did you mean 'wait_max_seconds'?\n"
    )


def test_a_file_that_is_not_there_is_bad_input(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", *given])

    assert code == BAD_INPUT
    assert "agreed.toml" in capsys.readouterr().err
