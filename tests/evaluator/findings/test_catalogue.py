from __future__ import annotations

import re

import pytest

from quota_constructs.evaluator.findings.catalogue import (
    ARRANGEMENT_RULES,
    CONTEXT_RULES,
    OUTCOME_RULES,
    REVIEW_RULES,
    RULES,
    SUPPRESSION_RULES,
)
from quota_constructs.evaluator.findings.rule import Rule


def test_ids_are_unique_and_in_order() -> None:
    ids = [rule.id for rule, _ in (*ARRANGEMENT_RULES, *CONTEXT_RULES, *OUTCOME_RULES)]
    ids += [rule.id for rule in (*SUPPRESSION_RULES, *REVIEW_RULES)]

    assert sorted(ids) == sorted(set(ids)) == list(RULES)


def test_the_first_digit_says_what_a_rule_looks_at() -> None:
    assert {rule.id[:3] for rule, _ in (*ARRANGEMENT_RULES, *CONTEXT_RULES)} == {"QC1", "QC2"}
    assert {rule.id[:3] for rule, _ in OUTCOME_RULES} == {"QC3"}
    assert {rule.id[:3] for rule in SUPPRESSION_RULES} == {"QC4"}
    assert {rule.id[:3] for rule in REVIEW_RULES} == {"QC5"}


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_every_rule_explains_itself(rule: Rule) -> None:
    assert re.fullmatch(r"QC\d{3}", rule.id)
    assert rule.documentation == f"docs/rules.md#{rule.id.lower()}"
    assert not rule.title.endswith(".")
    assert all(words.endswith(".") for words in (rule.what, rule.why, rule.example, rule.fix))
