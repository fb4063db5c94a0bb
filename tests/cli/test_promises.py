"""Promises that hold, and each of them broken in turn, through `check`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import FOUND_ERRORS, GOOD
from tests.promised import BREAKS, FAILING, WORKLOAD, a_little_more, promises
from tests.templates import queue, write_template, write_trace

SHARES = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}


def check(
    folder: Path,
    bounds: Mapping[str, Mapping[str, float]],
    capsys: pytest.CaptureFixture[str],
    *,
    lines: Sequence[Mapping[str, object]] = WORKLOAD,
) -> tuple[int, list[tuple[str, str, str]]]:
    """Return the exit code, and each broken promise as its severity, share and objective."""
    template = write_template(folder / "t.json", queue("main", SHARES, capacity=2))
    trace = write_trace(folder / "t.jsonl", *lines)
    agreed = folder / "agreed.toml"
    agreed.write_text(
        "".join(
            f"[shares.{share}.objectives]\n"
            + "".join(f"{name} = {{bound = {bound}}}\n" for name, bound in each.items())
            for share, each in bounds.items()
        ),
        encoding="utf-8",
    )
    given = ["--trace", str(trace), "--objectives", str(agreed), "--no-sensitivity", "--format", "json"]
    code = main(["check", str(template), *given])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return code, [
        (each["severity"], each["share"], each["figures"]["objective"])
        for each in findings
        if each["rule_id"] == "QC306"
    ]


def test_promises_that_are_kept_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, promises(), capsys) == (GOOD, [])


@pytest.mark.parametrize(("name", "share"), BREAKS.items())
def test_each_promise_fails_the_check_when_it_is_broken(
    name: str, share: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bounds = promises(**{name: a_little_more(name)})

    assert check(tmp_path, bounds, capsys) == (FOUND_ERRORS, [("error", share, name)])


def test_a_job_that_does_not_finish_fails_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bounds = {"a": {"all_jobs_finish": 0.0}}

    code, broken = check(tmp_path, bounds, capsys, lines=FAILING)

    assert (code, broken) == (FOUND_ERRORS, [("error", "a", "all_jobs_finish")])
