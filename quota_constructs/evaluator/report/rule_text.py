"""The rules for a terminal: one with all there is to say of it, or all of them in one line each."""

from __future__ import annotations

import re

from rich.text import Text

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.report.rules_page import explained
from quota_constructs.evaluator.report.screen import Screen, draw

_LINK = re.compile(r"\[([^]]+)]\([^)]+\)")
_WIDEST_SEVERITY = max(map(len, Severity))


def rule_text(rule: Rule, screen: Screen) -> str:
    """Return what the documentation says of *rule*, laid out for *screen*."""
    heading = Text.assemble((f"{rule.severity} {rule.id}", "bold"), f" {rule.title}")
    paragraphs = [
        Text.assemble((f"{title}: ", "bold"), _LINK.sub(r"\1", words)) for title, words in explained(rule).items()
    ]
    return draw([heading, Text(rule.what), *paragraphs], screen)


def rules_text() -> str:
    """Return all rules, each with its severity and what it finds."""
    return "".join(f"{rule.id}  {rule.severity:{_WIDEST_SEVERITY}}  {rule.title}\n" for rule in RULES.values())
