from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report.review_json import encode_review
from quota_constructs.evaluator.report.review_text import review_text
from quota_constructs.evaluator.report.screen import Screen
from quota_constructs.evaluator.system import System
from quota_constructs.policies.agreement import Agreement
from tests.builders import LEND_AND_BORROW, share, source
from tests.reviews import BASE, HEADS, PRODUCT, RESEARCH, agreed, arrangement, review

PAGE = (Path(__file__).parents[3] / "docs" / "review.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_what_is_said_of_each_kind_of_change(head: System, snapshot: SnapshotAssertion) -> None:
    assert review_text(review(head), Screen(width=100)) == snapshot


def test_nothing_to_review_is_one_line_and_what_was_found_before() -> None:
    assert review_text(review(BASE), Screen()).startswith("No policy change.\n")


def test_the_verdict_depends_on_what_is_to_fail() -> None:
    found = review(HEADS["one instance to another team"])

    assert review_text(found, Screen()).startswith("Fails: 1 new error (QC306). 2 changes in 2 shares of 1 queue.")
    assert review_text(found, Screen(), fail_on=None).startswith("Passes: no new finding can fail it")


def test_names_and_texts_from_outside_cannot_steer_a_terminal() -> None:
    evil = "\x1b[2J[bold]\u202e`|\n"
    head = replace(
        arrangement(
            agreed(replace(RESEARCH, source=source(evil)), agreement=Agreement(owner=evil)),
            share(evil, 1, LEND_AND_BORROW),
        ),
        name=evil,
    )

    text = review_text(review(head), Screen())

    assert text.replace("\n", "").isprintable()
    assert "\u202e" not in text
    assert encode_review(review(head)).isascii()


def test_long_texts_are_shortened_in_text_and_whole_in_json() -> None:
    long = "x" * 4_000
    found = review(arrangement(agreed(RESEARCH, agreement=Agreement(owner="ann", purpose=long)), PRODUCT))

    assert max(map(len, review_text(found, Screen()).splitlines())) <= 120
    assert "xxx...xxx" in review_text(found, Screen())
    assert long in [change["after"] for change in json.loads(encode_review(found))["changes"]]


def test_lines_are_no_wider_than_the_screen() -> None:
    found = review(HEADS["one instance to another team"])

    assert max(map(len, review_text(found, Screen(width=60)).splitlines())) <= 60


def test_every_key_of_a_review_is_explained() -> None:
    result = json.loads(encode_review(review(HEADS["one instance to another team"])))

    [on_trace] = result["on_traces"]
    team, deployment = on_trace["people"]["total"], on_trace["running"]["deployments"][0]
    keys = {*result, *result["verdict"], *result["changes"][0], *result["findings"], *on_trace, *on_trace["people"]}
    keys |= {*team, *team["figures"][0], *team["jobs_finish"]}
    keys |= {*on_trace["running"], *deployment, *deployment["shares"][0]}
    keys |= {figure["unit"] for figure in team["figures"]}
    assert sorted(key for key in keys if f"`{key}`" not in PAGE) == []


def test_json_says_whether_it_fails_and_by_what() -> None:
    found = review(HEADS["share renamed"])

    failing = json.loads(encode_review(found))
    reported = json.loads(encode_review(found, fail_on=None))

    assert (failing["verdict"]["fail_on"], failing["verdict"]["fails"]) == ("error", True)
    assert (reported["verdict"]["fail_on"], reported["verdict"]["fails"]) == ("never", False)
    assert failing["findings"] == reported["findings"]
    assert [each["rule_id"] for each in failing["findings"]["new"]] == ["QC501"]


def test_every_finding_is_in_every_format() -> None:
    found = review(HEADS["environment shrunk"])

    value, text = json.loads(encode_review(found)), review_text(found, Screen())

    for group in ("new", "fixed", "unchanged"):
        rules = [finding.rule_id for finding in getattr(found.findings, group)]
        assert [each["rule_id"] for each in value["findings"][group]] == rules
        assert not rules or re.search(rf"^{group.capitalize()} findings \({len(rules)}\)$", text, re.MULTILINE)
        assert all(rule in text for rule in rules)
    assert found.failing(Severity.NOTE) == found.findings.new
