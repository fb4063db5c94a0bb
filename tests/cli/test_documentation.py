from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quota_constructs.cli import agreement, check, compare, review, simulate
from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.report.comparison_json import encode_comparisons
from quota_constructs.evaluator.report.findings_json import encode_findings
from quota_constructs.evaluator.report.result_json import encode_result
from quota_constructs.evaluator.side_by_side import compare_systems
from tests.builders import job, share, system, trace

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "add_options",
    [simulate.add_options, check.add_options, compare.add_options, review.add_options, agreement.add_options],
    ids=["simulate", "check", "compare", "review", "agreement"],
)
def test_every_option_is_explained(add_options: Callable[[argparse.ArgumentParser], None]) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)

    options = re.findall(r"--[a-z-]+", parser.format_usage())

    assert options
    assert [option for option in options if f"| `{option}" not in PAGE] == []


def test_every_key_of_a_result_is_explained() -> None:
    result = json.loads(b"".join(encode_result(evaluate(system(share("a", 1)), trace(job("it", "a"))))))

    keys = {*result, *result["jobs"][0], *result["assumptions"], *result["totals"], *result["totals"]["wait_ms"]}

    assert sorted(key for key in keys if f"`{key}`" not in PAGE) == []


def test_every_key_of_a_comparison_is_explained() -> None:
    reserving = system(share("a", 1))

    result = json.loads(b"".join(encode_comparisons([compare_systems(reserving, trace(job("it", "a")))])))

    [comparison] = result["comparisons"]
    arrangement, contrast = comparison["arrangements"][0], comparison["contrasts"][0]
    keys = {*comparison, *arrangement, *arrangement["shares"][0], *arrangement["shares"][0]["units"][0]}
    keys |= {*contrast, *contrast["shares"][0], *contrast["total"], *contrast["verdict"]}
    assert sorted(key for key in keys if f"`{key}`" not in PAGE) == []
    assert sorted(key for key in result if f'"{key}"' not in PAGE) == []


def test_every_key_of_a_finding_is_explained() -> None:
    findings = check_arrangement(system(share("a", 2), capacity=1))

    result = json.loads(encode_findings(findings))

    assert sorted(key for key in result["findings"][0] if f"`{key}`" not in PAGE) == []
    assert sorted(key for key in (*result, *result["summary"]) if f'"{key}"' not in PAGE) == []
