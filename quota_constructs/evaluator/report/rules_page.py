"""The page that explains the rules, `docs/rules.md`, made from the catalogue."""

from __future__ import annotations

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.rule import Rule

_HEAD = """\
# Rules

What `quota-constructs check` and the CDK validation plugin look for. QC1xx shows in a template alone, QC3xx when a
trace is run against it; QC2xx is kept for agreements. An error makes the check fail, a warning does not. An id is
never given to another rule.

| rule | severity | finds |
| --- | --- | --- |
"""


def rules_page() -> str:
    """Return the whole page, in Markdown."""
    table = "".join(
        f"| [{rule.id}](#{rule.id.lower()}) | {rule.severity} | {rule.title} |\n" for rule in RULES.values()
    )
    return _HEAD + table + "".join(_section(rule) for rule in RULES.values())


def _section(rule: Rule) -> str:
    return (
        f"\n## {rule.id}\n\n**{rule.title}** ({rule.severity})\n\n{rule.what}\n\n"
        f"**Why it matters.** {rule.why}\n\n**What to do.** {rule.fix}\n"
    )
