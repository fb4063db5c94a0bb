"""Promises that a check says nothing of, because it ran none of the traces they name."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.agreements import POLICY
from quota_constructs.evaluator.promises import holds_for, promise_text, promised
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios import SCENARIOS
from quota_constructs.printable import shortened

UNTESTED = Rule(
    id="QC213",
    title="A promise was tested on nothing",
    severity=Severity.NOTE,
    what="An objective names the traces for which it holds, and none of them is among the traces and scenarios that "
    "were run. Not judged where nothing was run at all.",
    why="Nobody knows whether it is kept, and nothing fails if it is not. A name with a typing error in it leaves a "
    "promise untested for good.",
    example='traces = ["owner-return"]: no scenario and no file is called so, and no check ever fails.',
    fix="Correct the name, or run that trace or scenario as well.",
)


def check_tested(system: System, context: Context) -> Iterator[Finding]:
    """Yield a finding for each objective that holds for nothing that was run, if anything was."""
    for share in system.shares if context.ran else ():
        for name, objective in promised(share):
            if any(holds_for(objective, trace) for trace in context.ran):
                continue
            first = objective.traces[0]
            meant = [] if "." in first else get_close_matches(first[:100], SCENARIOS, n=1)  # with a dot it is a file
            only = " and ".join(f"'{shortened(each)}'" for each in objective.traces)
            yield UNTESTED.on_share(
                system,
                share,
                f"{POLICY}/objectives/{name}/traces",
                message=f"share '{shortened(share.name)}' is promised {promise_text(name, objective)} on "
                f"{shortened(only, length=200)} only, and nothing of that was run: the promise was not tested",
                fix=f"did you mean '{meant[0]}'?"
                if first not in SCENARIOS and meant
                else "run it as well, or correct the name",
                figures={"objective": name, "promised": objective.bound},
            )
