from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.workloads import arrangement
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces import write_trace
from quota_constructs.policies.sharing import Strategy
from tests.builders import job


@pytest.mark.parametrize(("arguments", "largest"), [([], 1_000_000), (["--quick"], 100_000)])
def test_everything_is_measured_once_and_printed(
    arguments: list[str], largest: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    def a_few(folder: Path, *, most: int) -> Mapping[str, tuple[System, Path]]:
        asked.append(most)
        path = folder / "few.jsonl"
        write_trace(Trace(name="", jobs=tuple(job(f"job-{number}", "all") for number in range(20))), path)
        return {"fifo-10000": (arrangement({"all": 2}, Strategy.RESERVE), path)}

    monkeypatch.setattr(benchmarks, "prepare", a_few)
    monkeypatch.setattr(benchmarks, "ROUNDS", 1)
    monkeypatch.setattr(benchmarks, "ROUNDS_OF_COMMANDS", 1)

    code = benchmarks.main(arguments)

    shown = capsys.readouterr().out
    assert code == 0
    assert asked == [largest]
    assert "fifo-10000, SimPy pool" in shown
    assert "quota-constructs --help" in shown
    assert "real traces" not in shown


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def nothing(folder: Path, *, most: int) -> Mapping[str, tuple[System, Path]]:
        del folder, most
        return {}

    monkeypatch.setattr(benchmarks, "prepare", nothing)
    monkeypatch.setattr(benchmarks, "EXAMPLE", Path("no such folder"))
    monkeypatch.setattr(benchmarks, "ROUNDS_OF_COMMANDS", 1)

    benchmarks.main([])

    shown = capsys.readouterr().out
    assert "the pool and real traces" in shown
    assert "make synth" in shown


def test_each_trace_is_written_before_anything_is_measured(tmp_path: Path) -> None:
    prepared = benchmarks.prepare(tmp_path, most=10_000, shared=tmp_path)

    [(_, path)] = prepared.values()
    assert len(path.read_text(encoding="utf-8").splitlines()) == 10_001
