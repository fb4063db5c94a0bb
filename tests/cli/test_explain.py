from __future__ import annotations

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, GOOD
from quota_constructs.evaluator.findings.catalogue import RULES


@pytest.mark.parametrize("asked", ["QC301", "qc301", "quota-constructs::QC301"])
def test_a_rule_is_explained_however_it_is_written(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", asked])

    said = capsys.readouterr().out
    assert code == GOOD
    assert said.startswith("error QC301 Jobs of the trace can never start\n\nA job needs more ")
    assert RULES["QC301"].example in said
    for heading in ("Why it matters", "For example", "What to do", "How to accept it"):
        assert f"\n\n{heading}: " in said


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained_without_the_marks_of_markdown_links(
    rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["explain", rule])

    said = capsys.readouterr().out
    assert code == GOOD
    assert "](" not in said
    assert f'"quota-constructs::{rule}"' in said or f'`rule = "{rule}"`' in said


def test_all_rules_are_listed_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain"])

    lines = capsys.readouterr().out.splitlines()
    assert code == GOOD
    assert [line.split(maxsplit=2) for line in lines] == [
        [rule.id, rule.severity, rule.title] for rule in RULES.values()
    ]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("QC-301", "there is no rule 'QC-301'; did you mean QC301? ", id="a misspelt id"),
        pytest.param("\x1b[2J\u202e", r"there is no rule '\x1b[2J\u202e'; they go from QC101 to ", id="a hostile name"),
        pytest.param("x" * 5_000, "xxx...xxx", id="an endless name"),
    ],
)
def test_fails_with_one_line_for_a_rule_that_there_is_not(
    asked: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["explain", asked])

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert said in shown.err
    assert "'quota-constructs explain' lists them all" in shown.err
    assert shown.err.count("\n") == 1
