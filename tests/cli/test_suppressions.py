from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from quota_constructs.policies.share_policy import METADATA_KEY
from tests.templates import queue, write_template

TOO_MUCH = 'rule = "QC103"\nshare = "a"\nreason = "more is coming"'
DATES = "1 date of agreements or suppressions not judged"


@pytest.fixture
def template(tmp_path: Path) -> str:
    """Return a template with one error, QC103, and an agreement that was to be reviewed by the end of June."""
    resources = queue("main", {"a": (3, "RESERVE")}, capacity=2)
    agreement = {"owner": "team a", "review_by": "2026-06-30"}
    resources["maina"]["Metadata"] = {METADATA_KEY: {"version": 1, "agreement": agreement}}
    return str(write_template(tmp_path / "t.json", resources))


def accept(tmp_path: Path, *entries: str) -> str:
    path = tmp_path / "accepted.toml"
    path.write_text("".join(f"[[suppressions]]\n{entry}\n" for entry in entries), encoding="utf-8")
    return str(path)


def test_a_suppressed_error_does_not_fail_the_check_and_is_listed_with_its_reason(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = accept(tmp_path, TOO_MUCH)

    before = main(["check", template, "--no-scenarios"])
    capsys.readouterr()
    after = main(["check", template, "--no-scenarios", "--suppressions", accepted])

    shown = capsys.readouterr().out
    assert (before, after) == (FOUND_ERRORS, GOOD)
    assert "suppressed error QC103 A share is allocated more than the whole environment" in shown
    assert "    because more is coming\n" in shown
    assert shown.endswith("; 1 suppressed.\n")


def test_json_lists_what_is_suppressed_apart(template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accepted = accept(tmp_path, TOO_MUCH)

    code = main(["check", template, "--no-scenarios", "--suppressions", accepted, "--format", "json"])

    result = json.loads(capsys.readouterr().out)
    assert (code, result["summary"]["error"]) == (GOOD, 0)
    assert [(each["rule_id"], each["reason"]) for each in result["suppressed"]] == [("QC103", "more is coming")]
    assert "QC103" not in [each["rule_id"] for each in result["findings"]]


def test_a_suppression_that_has_expired_suppresses_nothing(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = accept(tmp_path, f"{TOO_MUCH}\nuntil = 2026-11-28")
    check = ["check", template, "--no-scenarios", "--suppressions", accepted]

    assert main([*check, "--today", "2026-11-28"]) == GOOD
    assert main([*check, "--today", "2026-11-29"]) == FOUND_ERRORS
    assert "QC402" in capsys.readouterr().out


def test_a_suppression_that_matches_nothing_is_found_at_its_entry(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = accept(tmp_path, TOO_MUCH, 'rule = "QC105"\nshare = "b\\u001b[2J"\nreason = "of old"')

    code = main(["check", template, "--no-scenarios", "--suppressions", accepted, "--format", "json"])

    shown = capsys.readouterr().out
    (unused,) = [each for each in json.loads(shown)["findings"] if each["rule_id"] == "QC401"]
    assert (code, shown.isascii()) == (GOOD, True)
    assert unused["message"] == r"the suppression of QC105 for share 'b\x1b[2J' matches no finding"
    assert (unused["template"], unused["logical_id"], unused["property_path"]) == (accepted, "suppressions", "2")


def test_dates_are_judged_by_the_day_that_is_given_and_by_no_other(
    template: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", template, "--no-scenarios"])
    undated = capsys.readouterr()
    main(["check", template, "--no-scenarios", "--today", "2026-07-01"])
    dated = capsys.readouterr()

    assert f"note: {DATES}: no day was given" in undated.err
    assert "QC209" not in undated.out
    assert (dated.err, "warning QC209" in dated.out) == ("", True)


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "20261129", "2026-W48-7", "2026-1-1", ""])
def test_fails_for_a_day_that_is_none(day: str, template: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", template, "--today", day])

    assert code == BAD_INPUT
    assert f"--today: must be a day, as 2026-11-29, got {day!r}" in capsys.readouterr().err


def test_fails_with_one_line_for_a_file_that_cannot_be_used(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", template, "--suppressions", accept(tmp_path, 'rule = "QC103"')])

    shown = capsys.readouterr()
    assert (code, shown.out, shown.err.count("\n")) == (BAD_INPUT, "", 1)
    assert "accepted.toml: suppression 1: 'reason' is missing" in shown.err
