from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from quota_constructs.cli.formats import FORMATS
from quota_constructs.evaluator import evaluation
from tests.templates import queue, write_template, write_trace

ONE_JOB = {"id": "it", "share": "a", "submit": 0, "duration": 100}
each_format = pytest.mark.parametrize("form", FORMATS)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    """Return a template with an error, and one more on any trace that submits nine instances."""
    return str(write_template(tmp_path / "bad.json", queue("main", {"a": (9, "RESERVE")}, capacity=1)))


@pytest.fixture
def good(tmp_path: Path) -> str:
    shares = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
    return str(write_template(tmp_path / "good.json", queue("main", shares, capacity=2)))


READERS: dict[str, Callable[[str], object]] = {
    "text": lambda shown: "QC103" in shown,
    "json": lambda shown: "QC103" in {each["rule_id"] for each in json.loads(shown)["findings"]},
    "markdown": lambda shown: (
        shown.startswith("<!-- quota-constructs:check -->\n**Quota check fails: ") and "QC103" in shown
    ),
    "sarif": lambda shown: "QC103" in {each["ruleId"] for each in json.loads(shown)["runs"][0]["results"]},
    "junit": lambda shown: any(
        case.find("failure") is not None
        for case in ET.fromstring(shown).iter("testcase")  # noqa: S314 - written by ourselves
        if case.get("classname") == "quota-constructs.QC103"
    ),
}
"""What finds out whether a result in a format says that a share is allocated more than there is."""


@each_format
def test_every_format_shows_what_was_found_and_none_changes_the_exit_code(
    form: str, bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", bad, "--no-scenarios", "--format", form])

    assert code == FOUND_ERRORS
    assert READERS[form](capsys.readouterr().out)


@each_format
@pytest.mark.parametrize("command", ["check", "compare"])
def test_every_format_of_what_is_sound_ends_well(
    command: str, form: str, good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = str(write_trace(tmp_path / "t.jsonl", ONE_JOB))

    code = main([command, good, "--trace", trace, "--format", form])

    assert code == GOOD
    assert capsys.readouterr().out


def test_several_files_and_the_terminal_come_of_one_run(
    bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check = Mock(wraps=evaluation.check_systems)
    monkeypatch.setattr(evaluation, "check_systems", check)
    files = {form: tmp_path / f"result.{form}" for form in FORMATS}

    code = main(["check", bad, *(f"--output={form}={path}" for form, path in files.items())])

    assert code == FOUND_ERRORS
    assert check.call_count == 1
    assert {form: READERS[form](path.read_text(encoding="utf-8")) for form, path in files.items()} == dict.fromkeys(
        FORMATS, True
    )
    assert capsys.readouterr().out == files["text"].read_text(encoding="utf-8")


@each_format
def test_the_same_input_makes_the_same_bytes(form: str, bad: str, tmp_path: Path) -> None:
    files = tmp_path / "one", tmp_path / "two"

    for file in files:
        main(["check", bad, "--output", f"{form}={file}"])

    assert files[0].read_bytes() == files[1].read_bytes()


def test_contested_hours_are_drawn_of_what_was_run(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = [
        {**ONE_JOB, "instance_count": 2, "preemption_retries": 0},
        {**ONE_JOB, "id": "owner", "share": "b", "submit": 50},
    ]
    trace = str(write_trace(tmp_path / "t.jsonl", *jobs))

    main(["check", good, "--trace", trace, "--format", "markdown"])

    shown = capsys.readouterr().out
    assert "<details><summary>Contested hours</summary>" in shown
    assert "    borrowed it stopped :crit, done, 2001-01-01 00:00:00, 2001-01-01 00:01:10\n" in shown


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        pytest.param(["json"], "must be FORMAT=FILE with one of text, json, markdown", id="no file"),
        pytest.param(["json="], "must be FORMAT=FILE", id="no name"),
        pytest.param(["html=x"], "must be FORMAT=FILE", id="an unknown format"),
        pytest.param(["json=x", "sarif=./x"], "--output names the file x twice", id="one file twice"),
        pytest.param(["json=missing/x"], "missing/x: cannot be written: no such file or directory", id="no folder"),
        pytest.param(["json=."], ".: cannot be written: is a directory", id="a folder"),
        pytest.param(["json=x\x1b[2J/\u202e"], "cannot be written", id="a hostile name"),
    ],
)
def test_what_cannot_be_written_ends_with_one_line_and_leaves_nothing(
    outputs: list[str], said: str, good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()

    with contextlib.chdir(folder):
        code = main(["check", good, "--output", "text=first", *(f"--output={each}" for each in outputs)])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert said in shown.err
    assert shown.err.rstrip("\n").isprintable()
    assert list(folder.iterdir()) == []


def test_a_file_that_cannot_be_finished_leaves_the_old_one(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old"
    old.write_text("as it was", encoding="utf-8")

    code = main(["check", good, "--output", f"json={old}", "--output", f"text={tmp_path / 'none' / 'x'}"])

    assert code == BAD_INPUT
    assert old.read_text(encoding="utf-8") == "as it was"
    assert "none" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_link_stays_a_link_to_the_new_file(good: str, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)

    main(["check", good, "--output", f"text={link}"])

    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").endswith(" notes.\n")


def test_a_link_that_leads_to_itself_is_refused(good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)

    code = main(["check", good, "--output", f"text={link}", "--output", f"json={tmp_path / 'other'}"])

    assert code == BAD_INPUT
    assert f"{link}: cannot be written: too many levels of symbolic links" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def test_what_is_no_file_is_written_to_and_not_replaced(good: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    main(["check", good, "--output", f"text={pipe}"])

    with os.fdopen(reader, "rb") as reading:
        assert reading.read().endswith(b" notes.\n")
    assert pipe.is_fifo()
