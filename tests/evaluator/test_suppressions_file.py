from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.findings.suppression import Suppression
from quota_constructs.evaluator.suppressions_file import MAX_ENTRIES, read_suppressions
from tests.pages import ROOT, blocks_of

ENTRY = '[[suppressions]]\nrule = "QC110"\nreason = "agreed"\n'


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "accepted.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_documented_file_is_read(tmp_path: Path) -> None:
    (example,) = [block.text for block in blocks_of(ROOT / "docs" / "command-line.md") if block.language == "toml"]

    assert read_suppressions(written(tmp_path, example)) == (
        Suppression(
            rule="QC110",
            share="research",
            reason="the only borrower; agreed in the platform review of June",
            until=date(2027, 1, 31),
        ),
    )


def test_an_entry_may_be_narrowed_down_to_where_it_holds(tmp_path: Path) -> None:
    scope = 'queue = "q"\nlogical_id = "Share"\ntrace = "week.jsonl"\n'

    assert read_suppressions(written(tmp_path, ENTRY + scope)) == (
        Suppression(rule="QC110", reason="agreed", queue="q", logical_id="Share", trace="week.jsonl"),
    )


def test_a_file_of_nothing_suppresses_nothing(tmp_path: Path) -> None:
    assert read_suppressions(written(tmp_path, "# none yet\n")) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[[suppressions]", "not TOML: ", id="no TOML"),
        pytest.param("[suppression]", "'suppression' is not known; write tables [[suppressions]]", id="another table"),
        pytest.param("suppressions = 3", "'suppressions' must be a list of tables", id="no list"),
        pytest.param("suppressions = [3]", "suppression 1: must be a table", id="no table"),
        pytest.param(ENTRY.replace("QC110", "QC999"), "suppression 1, rule: must be one of QC101 to QC", id="no rule"),
        pytest.param(ENTRY.replace("QC110", "QC401"), "got 'QC401'", id="a rule on suppressions"),
        pytest.param('[[suppressions]]\nrule = "QC110"', "suppression 1: 'reason' is missing", id="no reason"),
        pytest.param(ENTRY.replace("agreed", "  "), "suppression 1, reason: must be text of 1 to", id="blank reason"),
        pytest.param(ENTRY + "share = 3", "suppression 1, share: must be text of 1 to 4,000", id="share, no text"),
        pytest.param(ENTRY + ENTRY + 'team = "x"', "suppression 2: 'team' is not known; there are", id="unknown key"),
        pytest.param(ENTRY + 'until = "2027-01-31"', "until: must be a day without quotes", id="day in quotes"),
        pytest.param(ENTRY + "until = 2027-01-31T00:00:00", "until: must be a day", id="day with a time"),
        pytest.param(ENTRY * (MAX_ENTRIES + 1), "must have at most 1,000 suppressions, got 1,001", id="too many"),
        pytest.param("x = " + "[" * 5_000, "not TOML", id="nested too deeply"),
        pytest.param('"\\u001b[2J\\u202e" = 1', r"'\x1b[2J\u202e' is not known", id="hostile key"),
        pytest.param(ENTRY.replace("QC110", "\\u001b[2J"), r"got '\x1b[2J'", id="hostile rule"),
    ],
)
def test_fails_with_one_line_that_names_the_place(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)

    with pytest.raises(UsageError) as refused:
        read_suppressions(path)

    assert str(refused.value).startswith(f"{path}: ")
    assert message in str(refused.value)
    assert str(refused.value).isprintable()
