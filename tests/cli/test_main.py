from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from quota_constructs import __version__
from quota_constructs.cli import main, options, simulate
from quota_constructs.cli.exits import BAD_INPUT, BROKEN_PIPE, GOOD, HELP, INTERRUPTED, OUR_FAULT
from quota_constructs.cli.parser import new_parser
from quota_constructs.errors import SchedulingLoopError
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.traces import UnknownShares
from tests.templates import queue, write_template, write_trace

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "quota_constructs", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Return a template and a trace whose result is larger than any buffer between two programs."""
    template = write_template(tmp_path / "t.json", queue("main", {"a": (1, "RESERVE")}, capacity=1))
    jobs = ({"id": f"job {number}", "share": "a", "submit": number, "duration": 1} for number in range(2_000))
    return str(template), str(write_trace(tmp_path / "tráce.jsonl", *jobs))


@pytest.mark.parametrize("arguments", [["--help"], ["simulate", "--help"], ["check", "--help"], ["compare", "--help"]])
def test_help_explains_the_exit_codes(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)

    assert stopped.value.code == GOOD
    assert HELP in capsys.readouterr().out


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])

    assert stopped.value.code == GOOD
    assert capsys.readouterr().out == f"quota-constructs {__version__}\n"


def test_the_module_is_the_command() -> None:
    answer = run("--version")

    assert (answer.returncode, answer.stdout.decode().strip()) == (GOOD, f"quota-constructs {__version__}")


def test_the_options_offer_what_the_evaluator_knows() -> None:
    assert list(VictimOrder) == list(options.VICTIM_ORDERS)
    assert list(Queueing) == list(options.QUEUEINGS)
    assert list(UnknownShares) == list(options.UNKNOWN_SHARES)


def test_the_defaults_are_the_evaluators() -> None:
    stated = new_parser().parse_args(["simulate", "t.json", "--trace", "t.jsonl"])

    assert options.assumptions(stated) == Assumptions()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "COMMAND", id="no command"),
        pytest.param(["simulate"], "TEMPLATE", id="no template"),
        pytest.param(["simulate", "t.json"], "--trace", id="no trace"),
        pytest.param(["simulate", "t.json", "--tra", "x"], "--trace", id="an abbreviated option"),
        pytest.param(["check", "t.json", "--stop", "-1"], "--stop", id="a negative time"),
        pytest.param(["check", "t.json", "--stop", "nan"], "must be seconds", id="no number"),
        pytest.param(["check", "t.json", "--stop", "0.0001"], "at most three decimals", id="too fine a time"),
        pytest.param(["check", "t.json", "--stop", "9" * 5000], "must be seconds", id="an endless number"),
        pytest.param(["check", "t.json", "--queueing", "lifo"], "choose from", id="an unknown choice"),
        pytest.param(["check", "t.json", "--parameter", "Size"], "must be NAME=VALUE", id="no value"),
        pytest.param(["check", "t.json", "--parameter", "A=1", "--parameter", "A=2"], "given twice", id="two values"),
        pytest.param(["check", "t.json", "more.json\x1b[2J\u202e"], "unrecognized", id="an argument too many"),
        pytest.param(["check", "t.json", "--queue", "a", "--queue", "b"], "given twice", id="two queues"),
        pytest.param(["simulate", "t", "--trace", "a", "--trace", "b"], "given twice", id="two traces"),
        pytest.param(["check", "x" * 5000], "cannot be read: file name too long", id="too long a name"),
        pytest.param(["check", "missing.json"], "missing.json", id="a template that is not there"),
        pytest.param(["check", "missing\x1b]0;\x07.json"], "missing", id="a hostile name"),
    ],
)
def test_fails_with_one_line_for_what_cannot_be_used(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(arguments)

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert shown.err.startswith("quota-constructs: error: ")
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert shown.err.rstrip("\n").isprintable()


def failing(error: BaseException) -> Callable[[object], NoReturn]:
    def run(_: object) -> NoReturn:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(RuntimeError("boom\x1b\n"), r"internal error: RuntimeError: boom\x1b\n; ", id="unexpected"),
        pytest.param(SchedulingLoopError("a, b alternate"), "internal error: a, b alternate; ", id="a loop"),
    ],
)
def test_a_fault_of_our_own_is_one_line_that_asks_for_a_report(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("QUOTA_CONSTRUCTS_DEBUG", raising=False)
    monkeypatch.setattr(simulate, "run", failing(error))

    code = main(["simulate", "t.json", "--trace", "t.jsonl"])

    shown = capsys.readouterr().err
    assert code == OUR_FAULT
    assert said in shown
    assert "please report it" in shown
    assert shown.count("\n") == 1


@pytest.mark.parametrize(
    ("before", "after", "variable"),
    [
        pytest.param(["--debug"], [], "", id="option before the command"),
        pytest.param([], ["--debug"], "", id="option after the command"),
        pytest.param([], [], "1", id="variable"),
    ],
)
def test_a_traceback_is_shown_on_demand(
    before: list[str],
    after: list[str],
    variable: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("QUOTA_CONSTRUCTS_DEBUG", variable)
    monkeypatch.setattr(simulate, "run", failing(RuntimeError("boom")))

    code = main([*before, "simulate", "t.json", "--trace", "t.jsonl", *after])

    assert code == OUR_FAULT
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(simulate, "run", failing(KeyboardInterrupt()))

    code = main(["simulate", "t.json", "--trace", "t.jsonl"])

    assert (code, capsys.readouterr()) == (INTERRUPTED, ("", ""))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_reader_that_goes_away_ends_the_command_quietly(files: tuple[str, str], form: str) -> None:
    template, trace = files
    command = [sys.executable, "-m", "quota_constructs", "simulate", template, "--trace", trace, "--format", form]
    reading, writing = os.pipe()
    os.close(reading)

    with os.fdopen(writing, "wb") as nobody:
        ended = subprocess.run(command, cwd=ROOT, stdout=nobody, stderr=subprocess.PIPE, check=False)

    assert (ended.returncode, ended.stderr) == (BROKEN_PIPE, b"")


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
def test_a_full_disk_is_said_in_one_line(files: tuple[str, str]) -> None:
    template, trace = files
    command = [sys.executable, "-m", "quota_constructs", "simulate", template, "--trace", trace]

    with FULL.open("wb") as full:
        ended = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)

    assert ended.returncode == BAD_INPUT
    assert ended.stderr == b"quota-constructs: error: the result cannot be written: no space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_that_cannot_be_written_is_no_success(arguments: list[str], unbuffered: str) -> None:
    command = [sys.executable, "-m", "quota_constructs", *arguments]

    with FULL.open("wb") as full:
        ended = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert ended.returncode == BAD_INPUT
    assert ended.stderr == b"quota-constructs: error: the result cannot be written: no space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_complaint_that_cannot_be_written_leaves_the_exit_code(unbuffered: str) -> None:
    command = [sys.executable, "-m", "quota_constructs", "check", "missing.json"]

    with FULL.open("wb") as full:
        ended = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": unbuffered}, stderr=full, check=False
        )

    assert ended.returncode == BAD_INPUT


def test_a_complaint_that_nobody_takes_leaves_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stderr", None)  # what Python makes of a descriptor that is closed
        code = main(["check", "missing.json"])

    assert code == BAD_INPUT


def test_a_closed_output_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)  # what Python makes of a descriptor that is closed
        code = main(["check", "t.json"])

    assert (code, capsys.readouterr().err) == (
        BAD_INPUT,
        "quota-constructs: error: there is no standard output to write to\n",
    )


def test_what_the_terminal_cannot_show_is_escaped(files: tuple[str, str]) -> None:
    template, trace = files

    answer = run("simulate", template, "--trace", trace, PYTHONIOENCODING="ascii")

    assert answer.returncode == GOOD
    assert rb"tr\xe1ce.jsonl" in answer.stdout


def test_json_is_the_same_bytes_every_time(files: tuple[str, str]) -> None:
    template, trace = files
    arguments = ["simulate", template, "--trace", trace, "--format", "json"]

    first = run(*arguments, PYTHONHASHSEED="1")
    second = run(*arguments, PYTHONHASHSEED="2", LC_ALL="C", PYTHONIOENCODING="latin-1", COLUMNS="40")

    assert first.stdout == second.stdout
    assert len(first.stdout) > 1 << 16
