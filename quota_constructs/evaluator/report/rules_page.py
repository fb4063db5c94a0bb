"""The page that explains the rules, `docs/rules.md`, made from the catalogue."""

from __future__ import annotations

from quota_constructs.evaluator.findings.catalogue import RULES, SUPPRESSION_RULES
from quota_constructs.evaluator.findings.rule import Rule

_HEAD = """\
# Rules

What `quota-constructs check` and the CDK validation plugin look for: QC1xx in the arrangement, QC2xx in what was agreed
on it, QC3xx in what it does with a trace or a scenario, QC4xx in the file of suppressions; and `review` in a change, QC5xx. An
error makes the check fail; a warning and a note do not. An id is never given to another rule.

Where no share of a queue says anything about an owner, an interruption contract or a promise, as in templates that were
not made with this package, the rules that ask for what is missing are silent, and one note says so
([QC201](#qc201)). Dates are judged by the day that `--today` (or `today=` of the plugin) gives, and not without it: a
check reads no clock.

## How to accept a finding

In a CDK app, acknowledge it on the construct that it names, or above it, with a reason. Elsewhere, or for many at once,
list it in the [file of suppressions](command-line.md#suppressions). Either way it is still shown, and fails nothing.

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


def _section(rule: Rule) -> str:
    return (
        f"\n## {rule.id}\n\n**{rule.title}** ({rule.severity})\n\n{rule.what}\n\n"
        f"**Why it matters.** {rule.why}\n\n**For example.** {rule.example}\n\n**What to do.** {rule.fix}\n\n"
        f"**How to accept it.** {_how_to_accept(rule)}\n"
    )


def _how_to_accept(rule: Rule) -> str:
    acknowledgement = (
        f'`cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id="quota-constructs::{rule.id}", '
        'reason="..."))`'
    )
    if rule in SUPPRESSION_RULES:
        return f"In a CDK app, on the app itself: {acknowledgement}. A file of suppressions cannot suppress it."
    return f'{acknowledgement}, or `rule = "{rule.id}"` with a `reason` in a file of suppressions.'
