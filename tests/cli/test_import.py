"""`quota-constructs trace import`."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from quota_constructs.cli import importing, main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from quota_constructs.evaluator.traces.importers import IMPORTERS
from tests.importing import table

COLUMNS = "job,team,submit,took,gpus,kind"
MAP = ["--map", "id=job", "--map", "share=team", "--map", "duration=took", "--map", "units=gpus"]


PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text(encoding="utf-8")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    rows = [f"j{n},{'ab'[n % 2]},{n * 3600},1800,8,V100" for n in range(48)]
    return table(tmp_path / "log.csv", COLUMNS, *rows).name


def test_a_trace_is_written_and_the_report_said(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["trace", "import", "csv", log, *MAP, "-o", "it.jsonl"])

    shown = capsys.readouterr()
    header, *jobs = Path("it.jsonl").read_text(encoding="utf-8").splitlines()
    assert (code, shown.out) == (GOOD, "")
    assert shown.err.splitlines() == [
        "quota-constructs: 48 rows read, 48 jobs of 2 shares written",
        "quota-constructs: 192 GPU-hours of work",
    ]
    assert json.loads(header)["source"] == "csv: log.csv"
    assert len(jobs) == 48


def test_standard_output_gets_what_a_file_would(log: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    main(["trace", "import", "csv", log, *MAP, "-o", "it.jsonl"])
    main(["trace", "import", "csv", log, *MAP])

    assert capsysbinary.readouterr().out == Path("it.jsonl").read_bytes()


def test_options_reach_the_import(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--share", "a=red", "--instance-type", "ml.p4d.24xlarge", "--gpus-per-instance", "8"]
    chosen += ["--from", "1d", "--to", "26h", "--warm-up", "60m", "--scale-submit", "0.5", "--scale-duration", "2"]
    chosen += ["--priority", "kind", "--priority-of", "V100=7"]

    code = main(["trace", "import", "csv", log, *MAP, *chosen])

    jobs = [json.loads(line) for line in capsys.readouterr().out.splitlines()[1:]]
    assert code == GOOD
    assert [(job["id"], job["share"], job["submit"]) for job in jobs] == [
        ("j23", "b", 0),
        ("j24", "red", 1800),
        ("j25", "b", 3600),
    ]
    assert {(job["duration"], job["instance_type"], job["instance_count"], job["priority"]) for job in jobs} == {
        (3600, "ml.p4d.24xlarge", 1, 7)
    }


def test_the_unit_of_times_can_be_chosen(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["trace", "import", "csv", log, *MAP, "--time-unit", "ms"])

    assert json.loads(capsys.readouterr().out.splitlines()[1])["duration"] == 1.8


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["xls", "log.csv"], "invalid choice: 'xls'", id="no such format"),
        pytest.param(["csv"], "FILE", id="no file"),
        pytest.param(["csv", "none.csv"], "none.csv: cannot be read", id="a file that is not there"),
        pytest.param(["csv", "log.csv"], "log.csv:2: there is no column for 'duration'", id="no map"),
        pytest.param(["csv", "log.csv", *MAP, "-o", "it.csv"], "ends in .jsonl", id="no trace"),
        pytest.param(["csv", "log.csv", *MAP, "-o", "no/it.jsonl"], "no/it.jsonl: cannot be written", id="no folder"),
        pytest.param(["csv", "log.csv", *MAP, "--map", "id=kind"], "--map id is given twice", id="two columns"),
        pytest.param(["csv", "log.csv", "--map", "id"], "must be NAME=VALUE", id="no column"),
        pytest.param(["csv", "log.csv", "--duration", "long"], "--duration means nothing", id="no such choice"),
        pytest.param(["swf", "log.csv", "--map", "id=job"], "--map means nothing to the format swf", id="a map"),
        pytest.param(["swf", "log.csv", "--time-unit", "ms"], "--time-unit means nothing", id="a unit"),
        pytest.param(["swf", "log.csv", "--zone", "UTC"], "--zone means nothing", id="a zone"),
        pytest.param(["slurm", "log.csv", "--zone", "Nowhere/At_All"], "--zone must be a zone", id="no such zone"),
        pytest.param(["slurm", "log.csv", "--zone", "../../etc/passwd"], "--zone must be a zone", id="a path"),
        pytest.param(["slurm", "log.csv", "--duration", "long"], "one of elapsed, end-start", id="no such way"),
        pytest.param(["csv", "log.csv", "--others", "rest"], "add it", id="others of all"),
        pytest.param(["csv", "log.csv", "--warm-up", "1d"], "--warm-up comes before --from", id="warm up to nothing"),
        pytest.param(["csv", "log.csv", "--from", "2d", "--to", "1d"], "--to must be later", id="a window upside down"),
        pytest.param(["csv", "log.csv", "--from", "1w"], "must be seconds, or a span", id="no span"),
        pytest.param(["csv", "log.csv", "--sample", "1.5"], "--sample must be above 0", id="more than all"),
        pytest.param(["csv", "log.csv", "--sample", "0"], "must be a number above 0", id="none"),
        pytest.param(["csv", "log.csv", "--gpus-per-instance", "0"], "whole number from 1", id="no GPU"),
        pytest.param(["csv", "log.csv", "--priority-of", "x=high"], "--priority-of x must be", id="no priority"),
        pytest.param(["csv", "log.csv", "--top", "-1"], "--top", id="a negative number of teams"),
        pytest.param(["csv", "log.csv", "--top", "1", "--top", "2"], "given twice", id="two numbers of teams"),
    ],
)
def test_fails_with_one_line_and_leaves_nothing_behind(
    arguments: list[str], said: str, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["trace", "import", *arguments])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == [log]


@pytest.mark.parametrize("link", [False, True])
def test_fails_rather_than_write_over_the_log(log: str, link: bool, capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(log).rename("log.jsonl")
    to = Path("it.jsonl") if link else source
    if link:
        to.symlink_to(source)
    before = source.read_bytes()

    code = main(["trace", "import", "csv", str(source), *MAP, "-o", str(to)])

    assert code == BAD_INPUT
    assert "-o must not be one of the files that are read" in capsys.readouterr().err
    assert source.read_bytes() == before


def test_a_file_that_fails_halfway_leaves_the_old_trace(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Path(log).open("a", encoding="utf-8") as file:
        file.write("j48,a,172")
    Path("it.jsonl").write_text("precious", encoding="utf-8")

    code = main(["trace", "import", "csv", log, *MAP, "-o", "it.jsonl"])

    assert code == BAD_INPUT
    assert "log.csv:50: the row has 3 cells and there are 6 columns" in capsys.readouterr().err
    assert Path("it.jsonl").read_text(encoding="utf-8") == "precious"


def test_names_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path / "log\x1b[2J.csv", "id,share,submit,duration", "a\x1b[2J,x\x1b[2J,0,oops\x1b[2J")

    main(["trace", "import", "csv", str(path)])

    assert "\x1b" not in capsys.readouterr().err


def test_every_option_is_explained() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    importing.add_options(parser)

    options = re.findall(r"--[a-z-]+", parser.format_usage())

    assert options
    assert [option for option in options if not re.search(rf"^\| .*`{option}\b", PAGE, flags=re.MULTILINE)] == []


@pytest.mark.parametrize("name", IMPORTERS)
def test_every_format_is_explained(name: str) -> None:
    importer = IMPORTERS[name]

    [row] = re.findall(rf"^\| `{name}` .*$", PAGE, flags=re.MULTILINE)

    assert [each for each in (*importer.teams, *importer.labels, *importer.durations) if f"`{each}`" not in row] == []
