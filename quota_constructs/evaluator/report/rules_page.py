"""The page that explains the rules, `docs/rules.md`, made from the catalogue."""

from __future__ import annotations

from quota_constructs.evaluator.findings.catalogue import REVIEW_RULES, RULES, SUPPRESSION_RULES
from quota_constructs.evaluator.findings.rule import Rule

_HEAD = """\
# Rules

What `quota-constructs check` and the CDK validation plugin look for: QC1xx in the arrangement, QC2xx in what was agreed
on it, QC3xx in what it does with a trace or a scenario, QC4xx in the file of suppressions; and `review` in a change,
QC5xx. An error makes the check fail; a warning and a note do not. An id is never given to another rule.
`quota-constructs explain QC301` prints what is said here of a rule, and `quota-constructs explain` lists them.

Where no share of a queue says anything about an owner, an interruption contract or a promise, as in templates that were
not made with this package, the rules that ask for what is missing are silent, and one note says so
([QC201](#qc201)). Dates are judged by the day that `--today` (or `today=` of the plugin) gives, and not without it: a
check reads no clock.

## How to accept a finding

In a CDK app, acknowledge it on the construct that it names, or above it, with a reason. Elsewhere, or for many at once,
list it in the [file of suppressions](command-line.md#suppressions). Either way it fails nothing. What a file suppresses
is still listed; what is acknowledged stays in the CDK's `validation-report.json`, and counts in a synthesis only:
`check` and `review` read templates, where no acknowledgement stands.

## All rules

| rule | severity | finds |
| --- | --- | --- |
"""


def rules_page() -> str:
    """Return the whole page, in Markdown."""
    table = "".join(
        f"| [{rule.id}](#{rule.id.lower()}) | {rule.severity} | {rule.title} |\n" for rule in RULES.values()
    )
    return _HEAD + table + "".join(_section(rule) for rule in RULES.values())


def explained(rule: Rule) -> dict[str, str]:
    """Return what there is to say of *rule* beyond what it finds, by heading."""
    return {
        "Why it matters": rule.why,
        "For example": rule.example,
        "What to do": rule.fix,
        "How to accept it": _how_to_accept(rule),
    }


def _section(rule: Rule) -> str:
    paragraphs = "".join(f"\n**{heading}.** {words}\n" for heading, words in explained(rule).items())
    return f"\n## {rule.id}\n\n**{rule.title}** ({rule.severity})\n\n{rule.what}\n{paragraphs}"


def _how_to_accept(rule: Rule) -> str:
    acknowledgement = (
        f'`cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id="quota-constructs::{rule.id}", '
        'reason="..."))`'
    )
    suppression = f'`rule = "{rule.id}"` with a `reason` in a file of suppressions'
    if rule in SUPPRESSION_RULES:
        return f"In a CDK app, on the app itself: {acknowledgement}. A file of suppressions cannot suppress it."
    if rule in REVIEW_RULES:
        return f"{suppression} that `review` is given."
    return f"{acknowledgement}, or {suppression}."
