from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.findings_markdown import (
    MOST_ROWS,
    Basis,
    all_findings,
    counted,
    findings_markdown,
    worst_findings,
)
from quota_constructs.evaluator.report.markdown import MOST, size
from tests.findings import finding, hostile_finding
from tests.hostile import HOSTILE

BASIS = Basis(queues=("main",), traces=("day.jsonl",))
MARKER = "<!-- quota-constructs:check -->\n"


def rows_of(comment: str) -> list[list[str]]:
    """Return the cells of the first table below its head."""
    lines = [line for line in comment.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def html_of(comment: str) -> list[str]:
    """Return the HTML that a forge finds in *comment*."""
    tokens = MarkdownIt("commonmark").enable("table").parse(comment)
    inline = [child for token in tokens for child in token.children or ()]
    return [token.content for token in (*tokens, *inline) if token.type in ("html_block", "html_inline")]


def test_nothing_found_is_one_line_behind_the_marker() -> None:
    assert (
        findings_markdown([], BASIS) == f"{MARKER}**Quota check: no findings.** Queue `main`; 1 trace: `day.jsonl`.\n"
    )


def test_the_verdict_comes_first_then_a_table_then_all_of_it_folded() -> None:
    found = [finding("QC102"), finding(trace="day.jsonl")]

    comment = findings_markdown(found, BASIS)

    marker, verdict, *rest = comment.split("\n")
    assert f"{marker}\n" == MARKER
    assert verdict == "**Quota check fails: 1 error, 1 warning.** Queue `main`; 1 trace: `day.jsonl`."
    assert rows_of(comment) == [
        ["error", "QC101", "`a`", "`day.jsonl`", "6 of 5 are allocated"],
        ["warning", "QC102", "`a`", "", "6 of 5 are allocated"],
    ]
    assert rest.index("<details><summary>All findings (1 error, 1 warning)</summary>") > rest.index(
        "| warning | QC102 | `a` |  | 6 of 5 are allocated |"
    )


def test_a_finding_is_folded_with_its_fix_and_its_place() -> None:
    [full, *_] = all_findings([finding(suppressed_because="agreed on")]).versions

    assert full == (
        "<details><summary>All findings (1 suppressed)</summary>\n\n"
        f"**QC101 {RULES['QC101'].title}**\n\n"
        "- suppressed error, `a`: 6 of 5 are allocated\n"
        "  - suppressed because: agreed on\n"
        "  - fix: allocate less\n"
        "  - at: `Share` `Properties/CapacityLimits` in `Test.template.json`\n\n"
        "</details>"
    )


def test_what_is_suppressed_does_not_fail_and_is_listed() -> None:
    comment = findings_markdown([finding(suppressed_because="agreed on")], BASIS)

    assert "**Quota check: 1 suppressed.**" in comment
    assert rows_of(comment) == []
    assert "suppressed because: agreed on" in comment


def test_ten_rows_at_most_the_worst_first() -> None:
    warnings = [finding("QC102", share=f"s{number}") for number in range(20)]

    shown = worst_findings([*warnings, finding()])

    assert [row[0] for row in rows_of(shown)] == ["error"] + ["warning"] * (MOST_ROWS - 1)
    assert shown.endswith("\n\nand 11 more below.")


def test_queues_are_named_where_there_are_several() -> None:
    shown = worst_findings([finding(), finding(queue="other", share=None)])

    assert [row[2] for row in rows_of(shown)] == ["`main` `a`", "queue `other`"]


def test_findings_are_counted_by_severity() -> None:
    assert counted([]) == "no findings"
    assert counted([finding(), finding(severity=Severity.NOTE), finding(suppressed_because="x")]) == (
        "1 error, 1 note, 1 suppressed"
    )


MANY = {
    "of few shares": [finding(share=f"s{number % 7}", message="m " * 100) for number in range(5_000)],
    "of many shares": [finding(share=f"{number:0128}", message="m " * 100) for number in range(5_000)],
    "of many rules and queues": [
        finding(rule_id, share=f"{number:0128}", queue=f"{number % 20:0128}", message="m " * 500)
        for number in range(5_000 // len(RULES))
        for rule_id in RULES
    ],
    "that are all hostile": [
        finding(share=HOSTILE["many marks"], message=text * 50, fix=text * 50, trace=text)
        for _ in range(5_000 // len(HOSTILE))
        for text in HOSTILE.values()
    ],
}


@pytest.mark.parametrize("findings", MANY.values(), ids=MANY)
def test_a_comment_has_room_for_five_thousand_findings_and_counts_every_one(findings: list[Finding]) -> None:
    comment = findings_markdown(findings, BASIS)

    assert size(comment) <= MOST
    assert "There is no room in a comment for " in comment
    listed = re.findall(r"^- (QC\d+) \((.*?)\): ", comment, flags=re.MULTILINE)
    assert {rule_id for rule_id, _ in listed} == {each.rule_id for each in findings}
    assert sum(
        int(number.replace(",", "")) for _, counts in listed for number in re.findall(r"[\d,]*\d", counts)
    ) == len(findings)


def test_shares_are_named_with_how_often_each_is_found_where_there_is_no_room_for_more() -> None:
    comment = findings_markdown(MANY["of few shares"], BASIS)

    assert "- QC101 (5,000 errors): `s0` 715, `s1` 715, `s2` 714, " in comment


def test_charts_are_left_out_before_findings_are_shortened() -> None:
    chart = "c" * 30_000
    findings = [finding(share=f"s{number}", message="m " * 100) for number in range(80)]

    comment = findings_markdown(findings, BASIS, charts=[chart, chart])

    assert size(comment) <= MOST
    assert "There is no room in a comment for the charts of 1 more trace" in comment
    assert "  - fix: allocate less" in comment


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_stay_in_their_place(text: str) -> None:
    bad = hostile_finding(text)
    suppressed = replace(bad, suppressed_because=text)

    comment = findings_markdown([suppressed, bad], Basis(queues=(text,), traces=(text,)))

    assert comment.replace("\n", "").isprintable()
    assert [html.splitlines() for html in html_of(comment)] == [
        [MARKER.strip()],
        ["<details><summary>All findings (1 error, 1 suppressed)</summary>"],
        ["</details>"],
    ]
    assert len(rows_of(comment)) == 1
    assert len(rows_of(comment)[0]) == 5


def test_the_same_findings_make_the_same_comment() -> None:
    findings = [finding(), finding("QC301", trace="day.jsonl")]

    assert findings_markdown(findings, BASIS) == findings_markdown(list(findings), BASIS)
