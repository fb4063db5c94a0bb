"""The measurements as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.table import Table

from benchmarks.measure import Cost
from benchmarks.targets import TIMES_BARE_PYTHON, Target, targets_of, times_the_pool
from benchmarks.workloads import FIFO

NOTHING = "python -c pass"
HELP = "quota-constructs --help"


def workload_table(costs: Mapping[str, Cost], pool_s: float | None) -> Table:
    """Lay out what each workload cost, beside what the bare pool takes a job."""
    table = _table(
        "workload",
        "stops\na job",
        "jobs/s\nsimulated",
        "x pool",
        "jobs/s\nread too",
        "x pool",
        "reading /\nsimulating",
        "KB a job\nkept",
        "KB a job\nat most",
        "peak\nMB",
        "targets",
    )
    if pool_s is not None:
        table.add_row(f"{FIFO}, SimPy pool", "-", f"{1 / pool_s:,.0f}", "1.00", *["-"] * 7)
    for name, cost in costs.items():
        table.add_row(
            name,
            f"{cost.preemptions / cost.jobs:.2f}",
            *_speed(cost.simulate_s, cost.jobs, pool_s),
            *_speed(cost.simulate_s + cost.read_s, cost.jobs, pool_s),
            f"{cost.read_s / cost.simulate_s:.2f}",
            f"{cost.kept / cost.jobs / 1000:.2f}",
            f"{cost.most / cost.jobs / 1000:.2f}",
            f"{cost.peak / 1e6:,.0f}",
            "\n".join(map(str, targets_of(name, costs, pool_s))),
        )
    return table


def command_table(seconds: Mapping[str, float]) -> Table:
    """Lay out what each command took, beside a Python that does nothing."""
    table = _table("command", "ms", f"x {NOTHING}", "targets")
    for command, taken in seconds.items():
        times = taken / seconds[NOTHING]
        target = Target(f"under {TIMES_BARE_PYTHON:g}x", times < TIMES_BARE_PYTHON) if command == HELP else "-"
        table.add_row(command, f"{taken * 1000:,.0f}", f"{times:.2f}", str(target))
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.ASCII2, show_edge=False, pad_edge=False, show_lines=True)
    for number, column in enumerate(columns):
        outer = number in (0, len(columns) - 1)
        table.add_column(column, justify="left" if outer else "right", no_wrap=True)
    return table


def _speed(seconds: float, jobs: int, pool_s: float | None) -> Iterator[str]:
    yield f"{jobs / seconds:,.0f}"
    yield "-" if pool_s is None else f"{times_the_pool(seconds, jobs, pool_s):.2f}"
