from __future__ import annotations

from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from tests.templates import queue, write_template, write_trace

SHARES = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
ONE_JOB = {"id": "it", "share": "a", "submit": 0, "duration": 100}
PROMISE = '[shares.a]\nagreement.owner = "Research"\nobjectives.wait_max_seconds.bound = 60\n'


@pytest.fixture
def template(tmp_path: Path) -> str:
    return str(write_template(tmp_path / "t.json", queue("main", SHARES, capacity=2)))


def test_a_page_is_written_to_standard_output(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["agreement", template])

    shown = capsys.readouterr()
    assert (code, shown.err) == (GOOD, "")
    assert shown.out.startswith("# Allocations\n")
    assert "### Share `a`" in shown.out


def test_promises_of_a_file_are_measured_on_every_trace(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "agreed.toml").write_text(PROMISE, encoding="utf-8")
    traces = [str(write_trace(tmp_path / name, ONE_JOB)) for name in ("one.jsonl", "two.jsonl")]

    code = main(
        [
            "agreement",
            template,
            "--objectives",
            str(tmp_path / "agreed.toml"),
            "--trace",
            traces[0],
            "--trace",
            traces[1],
        ]
    )

    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| longest wait at most 60 s ")]
    assert code == GOOD
    assert [row.endswith(f"{name}` | yes |") for row, name in zip(rows, ("one.jsonl", "two.jsonl"), strict=True)] == [
        True,
        True,
    ]


def test_the_page_may_go_to_a_file(template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "allocations.md"

    code = main(["agreement", template, "--output", str(to)])

    assert (code, capsys.readouterr().out) == (GOOD, "")
    assert to.read_text(encoding="utf-8").startswith("# Allocations\n")


def test_a_trace_that_cannot_be_read_leaves_the_last_page_alone(template: str, tmp_path: Path) -> None:
    to = tmp_path / "allocations.md"
    to.write_text("the last one", encoding="utf-8")

    code = main(["agreement", template, "--trace", str(tmp_path / "nowhere.jsonl"), "-o", str(to)])

    assert code == BAD_INPUT
    assert to.read_text(encoding="utf-8") == "the last one"


def test_every_queue_is_on_the_page_unless_one_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = write_template(tmp_path / "t.json", queue("one", SHARES, capacity=2), queue("two", SHARES, capacity=2))

    codes = [main(["agreement", str(template)]), main(["agreement", str(template), "--queue", "two"])]

    both, _, two = capsys.readouterr().out.partition("# Allocations\n")[2].partition("# Allocations\n")
    assert codes == [GOOD, GOOD]
    assert [name for name in ("one", "two") if f"## Queue `{name}`" in both] == ["one", "two"]
    assert [name for name in ("one", "two") if f"## Queue `{name}`" in two] == ["two"]
