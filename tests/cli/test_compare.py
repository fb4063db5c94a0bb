from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest

from benchmarks import real_traces
from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from tests.pages import ROOT
from tests.templates import queue, write_template, write_trace

SHARES = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
BORROWER = {"id": "borrower", "share": "a", "submit": 0, "duration": 100, "instance_count": 2}
OWNER = {"id": "owner", "share": "b", "submit": 50, "duration": 100}

PHILLY = ROOT.parent / "shared" / "traces" / "philly-4vc" / "philly_4vc_2weeks.csv"


@pytest.fixture
def template(tmp_path: Path) -> str:
    return str(write_template(tmp_path / "t.json", queue("main", SHARES, capacity=2)))


@pytest.fixture
def trace(tmp_path: Path) -> str:
    return str(write_trace(tmp_path / "t.jsonl", BORROWER, OWNER))


def test_tables_and_the_bottom_line_are_shown(template: str, trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["compare", template, "--trace", trace])

    shown = capsys.readouterr()
    assert (code, shown.err) == (GOOD, "")
    assert shown.out.startswith("Queue main, trace ")
    assert re.findall(r"^Against (\w+): ", shown.out, flags=re.MULTILINE) == ["partition", "pool"]


def test_json_has_the_knobs_that_were_set_and_every_trace(
    template: str, trace: str, capsys: pytest.CaptureFixture[str]
) -> None:
    knobs = ["--stop", "0.5", "--victim-order", "oldest", "--queueing", "backfill"]

    code = main(["compare", template, "--trace", trace, "--scenario", "big-gang", "--format", "json", *knobs])

    result = json.loads(capsys.readouterr().out)
    assert (code, result["compare"]) == (GOOD, 1)
    assert [each["trace"] for each in result["comparisons"]] == [trace, "big-gang"]
    assert result["comparisons"][0]["assumptions"] == {
        "stop_seconds": 0.5,
        "victim_order": "oldest",
        "queueing": "backfill",
    }


def test_without_a_trace_the_usual_scenarios_are_compared(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["compare", template, "--format", "json"])

    traces = [each["trace"] for each in json.loads(capsys.readouterr().out)["comparisons"]]
    assert code == GOOD
    assert len(traces) > 1
    assert "owner-returns" in traces


def test_without_traces_and_scenarios_there_is_nothing_to_compare(
    template: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["compare", template, "--no-scenarios"])

    assert code == BAD_INPUT
    assert "nothing to compare by; give a --trace or a --scenario" in capsys.readouterr().err


def test_other_templates_are_compared_in_their_order(
    template: str, trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reserving = write_template(tmp_path / "z.json", queue("old", {"a": (2, "RESERVE")}, capacity=2))
    lending = write_template(tmp_path / "a.json", queue("main", SHARES, capacity=2), queue("other", SHARES, capacity=1))

    code = main(
        ["compare", template, "--trace", trace, "--with", str(reserving), "--with", str(lending), "--format", "json"]
    )

    [comparison] = json.loads(capsys.readouterr().out)["comparisons"]
    assert code == GOOD
    assert [(each["arrangement"], each["template"]) for each in comparison["arrangements"]] == [
        ("declared", template),
        ("partition", None),
        ("pool", None),
        ("base 1", str(reserving)),
        ("base 2", str(lending)),
    ]
    assert [each["verdict"]["differs"] for each in comparison["contrasts"]] == [True, True, True, False]


def test_parameters_reach_every_template_that_declares_them(
    trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sized = queue("main", SHARES, capacity={"Ref": "Size"})
    declared = write_template(tmp_path / "now.json", sized, parameters={"Size": {"Type": "Number"}})
    base = write_template(tmp_path / "before.json", queue("main", SHARES, capacity=2))

    code = main(
        ["compare", str(declared), "--trace", trace, "--with", str(base), "--parameter", "Size=2", "--format", "json"]
    )

    [comparison] = json.loads(capsys.readouterr().out)["comparisons"]
    assert code == GOOD
    assert not comparison["contrasts"][2]["verdict"]["differs"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--with", "missing.json"], "missing.json"),
        (["--trace", "missing.jsonl"], "missing.jsonl"),
        (["--with", "t.json", "--with", "./t.json"], "--with t.json is given twice"),
        (["-o", "text=missing/out.txt"], "missing/out.txt: cannot be written"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_shown(
    arguments: list[str],
    complaint: str,
    template: str,
    trace: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with contextlib.chdir(Path(template).parent):
        code = main(["compare", template, "--trace", trace, *arguments])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert complaint in shown.err


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_file_holds_what_a_pipe_would(
    form: str, template: str, trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "comparison"
    command = ["compare", template, "--trace", trace, "--format", form]

    code = main([*command, "-o", f"{form}={to}"])

    assert code == GOOD
    assert capsys.readouterr().out == to.read_text(encoding="utf-8")


@pytest.mark.skipif(not PHILLY.exists(), reason="needs a log of real jobs that is not part of the project")
def test_lending_among_real_teams_is_held_against_a_partition_and_a_pool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = str(tmp_path / "philly.jsonl")
    real_traces.main(["philly", str(PHILLY), jobs])
    capsys.readouterr()

    code = main(["compare", str(real_traces.TEMPLATES / "philly.yaml"), "--trace", jobs, "--format", "json"])

    [comparison] = json.loads(capsys.readouterr().out)["comparisons"]
    partition, pool = comparison["contrasts"]
    assert code == GOOD
    # what docs/real-traces.md shows of both runs
    assert [each["totals"]["wait_ms"]["p50"] for each in comparison["arrangements"][:2]] == [131_506_000, 256_415_000]
    assert sum(partition["total"][key] for key in ("same", "sooner", "later")) == 1577
    assert partition["verdict"]["change_ms"] < 0 < partition["total"]["later"]
    assert pool["verdict"]["pays_most"]["share"] in pool["verdict"]["sentence"]
    for arrangement in comparison["arrangements"]:
        [unit] = arrangement["totals"]["units"]
        assert unit["used_instance_ms"] == sum(share["units"][0]["used_instance_ms"] for share in arrangement["shares"])
