"""What each share was promised, beside what it got, as a table for a terminal."""

from __future__ import annotations

from rich.table import Table

from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.promises import MEASURES, amount_text, holds_for, kept, measured, promised
from quota_constructs.evaluator.report.screen import new_table, safe


def promises_table(evaluation: Evaluation) -> Table | None:
    """Return every promise that holds for the trace of *evaluation*, None if there is none."""
    table = new_table("Promises", "share", "what is measured", "promised", "measured", "kept", words=2)
    for share in evaluation.shares.values():
        for name, objective in promised(share):
            if not holds_for(objective, evaluation.trace.name):
                continue
            got = measured(name, evaluation, share.name)
            table.add_row(
                safe(share.name),
                MEASURES[name].what,
                f"{MEASURES[name].bound} {amount_text(name, objective.bound)}",
                "-" if got is None else amount_text(name, got).partition(" of ")[0],  # the promise says of what
                "-" if got is None else "yes" if kept(name, objective, got) else "NO",
            )
    return table if table.rows else None
