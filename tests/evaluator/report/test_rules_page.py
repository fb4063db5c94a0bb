from __future__ import annotations

from pathlib import Path

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.report.rules_page import rules_page

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"
REMAKE = (
    "docs/rules.md is out of date; make it anew: python -c 'from quota_constructs.evaluator.report.rules_page "
    'import rules_page; print(rules_page(), end="")\' > docs/rules.md'
)


def test_the_page_in_the_documentation_is_the_catalogues() -> None:
    assert PAGE.read_text(encoding="utf-8") == rules_page(), REMAKE


def test_every_rule_has_the_heading_that_findings_link_to() -> None:
    headings = [line for line in rules_page().splitlines() if line.startswith("## ")]

    assert headings == [f"## {rule_id}" for rule_id in RULES]
