"""`quota-constructs trace`, and scenarios on the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from quota_constructs.evaluator.traces.scenarios import DEFAULT_SCENARIOS, SCENARIOS
from tests.templates import queue, write_template, write_trace

SHARES = {"guest": (4, "LEND_AND_BORROW"), "owner": (6, "LEND")}
OUTCOME = ("jobs", "shares", "totals")


@pytest.fixture
def template(tmp_path: Path) -> str:
    return str(write_template(tmp_path / "t.json", queue("main", SHARES, capacity=10)))


def result_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["simulate", *arguments, "--format", "json"]) == GOOD
    result: dict[str, object] = json.loads(capsys.readouterr().out)
    return {name: result[name] for name in OUTCOME}


def traces_found_by(capsys: pytest.CaptureFixture[str], *arguments: str) -> set[str | None]:
    main(["check", *arguments, "--format", "json"])
    return {finding["trace"] for finding in json.loads(capsys.readouterr().out)["findings"]}


def test_scenarios_are_listed_with_what_happens_in_them(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["trace", "scenarios"])

    lines = capsys.readouterr().out.splitlines()
    assert code == GOOD
    assert [line.split(maxsplit=1) for line in lines] == [[name, each.description] for name, each in SCENARIOS.items()]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_that_is_written_and_read_gives_the_same_run(
    name: str, template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "folder" / "it.jsonl"
    trace.parent.mkdir()

    code = main(["trace", "scenario", name, template, "-o", str(trace)])

    assert (code, capsys.readouterr()) == (GOOD, ("", ""))
    assert result_of(capsys, template, "--trace", str(trace)) == result_of(capsys, template, "--scenario", name)


def test_the_arrangement_that_takes_over_is_written_beside_the_trace(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["trace", "scenario", "limits-lowered", template, "-o", str(tmp_path / "week.one.jsonl")])

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "t.json",
        "week.one.jsonl",
        "week.one.lowered.template.json",
    ]
    assert main(["check", str(tmp_path / "week.one.lowered.template.json"), "--no-scenarios"]) == GOOD
    assert "QC102" not in capsys.readouterr().out


def test_standard_output_gets_what_a_file_would(
    template: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    trace = tmp_path / "it.jsonl"

    main(["trace", "scenario", "owner-returns", template, "-o", str(trace)])
    main(["trace", "scenario", "owner-returns", template])

    assert capsysbinary.readouterr().out == trace.read_bytes()


def test_another_seed_writes_another_trace(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    written: list[str] = []
    for seed in ([], ["--seed", "1"], ["--seed", "2"]):
        main(["trace", "scenario", "steady-week", template, *seed])
        written.append(capsys.readouterr().out)

    assert written[0] == written[1] != written[2]


def test_of_several_queues_the_named_one_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = write_template(
        tmp_path / "t.json", queue("first", SHARES, capacity=10), queue("second", {"x": (1, "RESERVE")}, capacity=1)
    )

    code = main(["trace", "scenario", "everyone-at-once", str(template), "--queue", "second"])

    jobs = [json.loads(line) for line in capsys.readouterr().out.splitlines()[1:]]
    assert code == GOOD
    assert {job["share"] for job in jobs} == {"x"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["no-such", "TEMPLATE"], "choose from", id="an unknown scenario"),
        pytest.param(["limits-lowered", "TEMPLATE"], "say where with -o FILE", id="two files on one output"),
        pytest.param(["big-gang", "TEMPLATE", "-o", "it.json"], "must name a file that ends in .jsonl", id="no trace"),
        pytest.param(["big-gang", "TEMPLATE", "-o", ".jsonl"], "must name a file", id="no name"),
        pytest.param(
            ["big-gang", "TEMPLATE", "-o", "none/it.jsonl"], "none/it.jsonl: cannot be written", id="no folder"
        ),
        pytest.param(["big-gang", "TEMPLATE", "-o", "a.jsonl", "-o", "b.jsonl"], "given twice", id="two files"),
        pytest.param(["big-gang", "TEMPLATE", "--seed", "-1"], "--seed", id="a negative seed"),
        pytest.param(["big-gang", "TEMPLATE", "--seed", "1e3"], "must be a whole number", id="no whole seed"),
        pytest.param(["big-gang", "missing.json"], "missing.json", id="no template"),
    ],
)
def test_fails_with_one_line_and_leaves_nothing_behind(
    arguments: list[str],
    said: str,
    *,
    template: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    code = main(["trace", "scenario", *(template if each == "TEMPLATE" else each for each in arguments)])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]


def test_a_file_that_cannot_be_finished_leaves_the_old_one(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "it.jsonl"
    trace.write_text("precious", encoding="utf-8")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)

    code = main(["trace", "scenario", "big-gang", template, "-o", str(trace)])

    assert code == BAD_INPUT
    assert capsys.readouterr().err.endswith("it.jsonl: cannot be written: no space left on device\n")
    assert trace.read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["it.jsonl", "t.json"]


def test_simulate_runs_a_scenario_in_the_place_of_a_trace(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["simulate", template, "--scenario", "owner-returns"])

    assert code == GOOD
    assert capsys.readouterr().out.startswith("Queue main, trace owner-returns: ")


def test_check_names_the_scenario_that_a_finding_shows_on(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", template, "--scenario", "retry-exhaustion", "--scenario", "retry-exhaustion"])

    shown = capsys.readouterr().out
    assert code == FOUND_ERRORS
    assert shown.count("error QC302") == 1
    assert "on  retry-exhaustion\n" in shown


def test_check_runs_the_usual_scenarios_unless_told_what_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Two owners of one instance: under any load one of them waits for what it is allocated.
    template = str(write_template(tmp_path / "t.json", queue("main", {"a": (1, "LEND"), "b": (1, "LEND")}, capacity=1)))
    trace = str(write_trace(tmp_path / "t.jsonl", {"id": "it", "share": "a", "submit": 0, "duration": 60}))

    assert None in traces_found_by(capsys, template)
    assert traces_found_by(capsys, template) - {None} <= set(DEFAULT_SCENARIOS)
    assert traces_found_by(capsys, template) & set(DEFAULT_SCENARIOS)
    assert traces_found_by(capsys, template, "--no-scenarios") == {None}
    assert traces_found_by(capsys, template, "--trace", trace) == {None}
    assert traces_found_by(capsys, template, "--trace", trace, "--scenario", "steady-week") == {None, "steady-week"}


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["simulate", "t.json", "--scenario", "big-gang", "--trace", "t.jsonl"], id="a trace too"),
        pytest.param(["simulate", "t.json", "--scenario", "big-gang", "--scenario", "big-gang"], id="two for one"),
        pytest.param(["check", "t.json", "--scenario", "big-gang", "--no-scenarios"], id="some and none"),
        pytest.param(["check", "t.json", "--scenario", "lunch"], id="an unknown one"),
    ],
)
def test_fails_for_scenarios_that_make_no_sense(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = main(arguments)

    assert code == BAD_INPUT
    assert "--scenario" in capsys.readouterr().err
