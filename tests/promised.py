"""
A small trace, and what it gives two shares of one instance each: `a`, which borrows, and `b`, which lends.

The guest of `a` borrows, is stopped after 50 of its 100 s for the owner, waits for it and begins again; `last` waits
too.
"""

from __future__ import annotations

from collections.abc import Mapping

WORKLOAD: tuple[Mapping[str, object], ...] = (
    {"id": "first", "share": "a", "submit": 0, "duration": 1000, "deadline": 1000},
    {"id": "guest", "share": "a", "submit": 10, "duration": 100, "deadline": 110},
    {"id": "owner", "share": "b", "submit": 60, "duration": 300},
    {"id": "last", "share": "a", "submit": 70, "duration": 30},
)
"""As lines of a trace file."""

BORROWER: Mapping[str, float] = {
    "wait_p50_seconds": 0,
    "wait_p95_seconds": 410,
    "wait_max_seconds": 410,
    "completion_p95_seconds": 1000,
    "slowdown_p95": 440 / 30,
    "deadline_hit_percent": 50,
    "preemptions_per_job": 1,
    "lost_work_percent": 100 * 50 / (50 + 1000 + 100 + 30),
    "goodput_percent": 100 * (1000 + 100 + 30) / 1000,
    "entitled_wait_seconds": 0,
    "all_jobs_finish": 0,
}
"""What it gives `a`, by objective."""

LENDER: Mapping[str, float] = {"wait_p50_seconds": 20, "entitled_wait_seconds": 20}
"""Of what it gives `b`, that which is not nothing as for `a`."""

FAILING: tuple[Mapping[str, object], ...] = tuple(
    line | {"preemption_retries": 0} if line["id"] == "guest" else line for line in map(dict, WORKLOAD)
)
"""The same trace with a guest that fails when it is stopped, so that not all jobs finish."""

BREAKS: Mapping[str, str] = {name: "b" if name in LENDER else "a" for name in BORROWER if name != "all_jobs_finish"}
"""Whose promise of each objective can be made a little too large for `WORKLOAD`."""


def promises(**changed: float) -> dict[str, dict[str, float]]:
    """Return bounds by share that are just kept, but for those *changed*, for the share that `BREAKS` names."""
    kept = {"a": dict(BORROWER), "b": dict(LENDER)}
    for name, bound in changed.items():
        kept[BREAKS[name]][name] = bound
    return kept


def a_little_more(name: str) -> float:
    """Return a bound for the objective *name* that is a little more than `WORKLOAD` keeps."""
    given = (LENDER if BREAKS[name] == "b" else BORROWER)[name]
    return given * (1.01 if name in ("deadline_hit_percent", "goodput_percent") else 0.99)
