"""`quota-constructs explain`: what the documentation says of a rule, for who has only the command at hand."""

from __future__ import annotations

import argparse

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import GOOD
from quota_constructs.errors import UsageError

NAME = "explain"
HELP = "Explain a rule: what it finds, why it matters, what to do, and how to accept it; without RULE, list them all."

ACKNOWLEDGED_AS = "QUOTA-CONSTRUCTS::"
"""What the CDK puts before a rule in its report, in capitals."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("rule", metavar="RULE", nargs="?", help="the id of a rule, such as QC301 (default: list them)")
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=options.DEBUG_HELP)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain one rule, or list all of them."""
    from quota_constructs.evaluator.findings.catalogue import RULES
    from quota_constructs.evaluator.report.rule_text import rule_text, rules_text

    if args.rule is None:
        output.write_text(rules_text())
        return GOOD
    rule = RULES.get(args.rule.upper().removeprefix(ACKNOWLEDGED_AS))
    if rule is None:
        raise _no_rule(args.rule, list(RULES))
    output.write_text(rule_text(rule, output.screen()))
    return GOOD


def _no_rule(asked: str, ids: list[str]) -> UsageError:
    from difflib import get_close_matches

    from quota_constructs.printable import shortened

    near = get_close_matches(asked.upper()[:80], ids, n=1)
    suggestion = f"did you mean {near[0]}? " if near else ""
    return UsageError(
        f"there is no rule '{shortened(asked)}'; {suggestion}they go from {ids[0]} to {ids[-1]}, and "
        "'quota-constructs explain' lists them all"
    )
