"""How a job of a log ended, and what follows of it."""

from __future__ import annotations

from collections.abc import Container

STILL_RUNNING = "still running where the log ends, so how long it works is not known"
NEVER_RAN = "never ran, so there is no work to repeat"
ENDS_BEFORE_IT_STARTS = "ends before it starts"


def ending_remarks(state: str, good: Container[str]) -> tuple[str, ...]:
    """Say that a job in a *state* other than the *good* ones may have been cut short; it counts as recorded."""
    if not state or state.upper() in good:
        return ()
    return (f"ended as {state.lower()}: the time recorded may be less than the job needed",)
