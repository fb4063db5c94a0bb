from __future__ import annotations

import re
from pathlib import Path

import pytest

from quota_constructs.evaluator.findings.catalogue import REVIEW_RULES, RULES
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.report.rules_page import rules_page

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"
REMAKE = (
    "docs/rules.md is out of date; make it anew: python -c 'from quota_constructs.evaluator.report.rules_page "
    'import rules_page; print(rules_page(), end="")\' > docs/rules.md'
)


def test_the_page_in_the_documentation_is_the_catalogues() -> None:
    assert PAGE.read_text(encoding="utf-8") == rules_page(), REMAKE


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_every_rule_has_a_section_that_findings_link_to(rule: Rule) -> None:
    _, _, section = rules_page().partition(f"\n## {rule.id}\n")
    section, _, _ = section.partition("\n## ")

    assert f"#{rule.id.lower()}" in rule.documentation
    assert rule.title in section
    for heading, words in {
        "Why it matters": rule.why,
        "For example": rule.example,
        "What to do": rule.fix,
        "How to accept it": f'rule = "{rule.id}"' if rule in REVIEW_RULES else f"quota-constructs::{rule.id}",
    }.items():
        (paragraph,) = [each for each in section.split("\n\n") if each.startswith(f"**{heading}.** ")]
        assert words in paragraph


def test_no_rule_is_explained_that_there_is_not() -> None:
    explained = re.findall(r"^## (QC\d+)$", rules_page(), flags=re.MULTILINE)

    assert explained == list(RULES)
