"""The result of a simulation as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from quota_constructs.evaluator.contracts import ContractUse
from quota_constructs.evaluator.metrics import Figures, JobFigures, Spread
from quota_constructs.evaluator.numbers import as_clock, as_hours, as_percent, as_seconds
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.report.promises_text import promises_table
from quota_constructs.evaluator.report.screen import Screen, draw, new_table, safe
from quota_constructs.evaluator.simulation.model import Assumptions, State
from quota_constructs.printable import plural, shortened

ALL = "all jobs"


def result_text(evaluation: Evaluation, screen: Screen) -> str:
    """Return what *evaluation* came to, laid out for *screen*."""
    return draw(_blocks(evaluation), screen)


def _blocks(evaluation: Evaluation) -> Iterator[RenderableType]:
    figures = evaluation.figures
    yield _heading(evaluation)
    yield assumptions_line(evaluation.assumptions)
    if evaluation.contract_use:
        yield contracts_note(evaluation.contract_use)
    if promises := promises_table(evaluation):
        yield promises
    yield _hours(figures)
    yield _waits(figures)
    yield _completions(figures)
    yield _preemptions(figures)
    yield _outcomes(figures)
    yield _units(figures)
    if waiting := figures.jobs.count(State.RUNNABLE):
        yield safe(
            f"The run ended with {plural(waiting, 'job')} still waiting, and nothing more can happen that starts them.",
            style="bold",
        )


def _heading(evaluation: Evaluation) -> Text:
    figures = evaluation.figures
    return safe(
        f"Queue {shortened(evaluation.system.name)}, trace {shortened(evaluation.trace.name)}: "
        f"{plural(figures.jobs.jobs, 'job')} in {plural(len(figures.shares), 'share')} "
        f"over {as_clock(figures.end_ms - figures.start_ms)}",
        style="bold",
    )


def assumptions_line(assumed: Assumptions) -> Text:
    """Return what was assumed, in one line."""
    return safe(
        f"Assumed, as AWS does not publish it: stop time {as_seconds(assumed.stop_ms)}, "
        f"victim order {assumed.victim_order}, queueing {assumed.queueing}"
    )


def contracts_note(contract_use: Mapping[str, ContractUse]) -> Text:
    """Return what rests on interruption contracts, one share a line."""
    lines = [
        f"Lost work, overhead and endings of '{shortened(share)}' rest on its interruption contract where the trace is "
        f"silent: {use.text}"
        for share, use in contract_use.items()
    ]
    return Text("\n".join(lines))


def _hours(figures: Figures) -> Table:
    table = new_table(
        "Instance-hours", "share", "instance type", "allocated", "used own", "borrowed", "idle own", words=2
    )
    for share in figures.shares:
        for unit, usage in share.usage.items():
            table.add_row(
                safe(share.share),
                safe(unit),
                as_hours(usage.allocated),
                as_hours(usage.used - usage.borrowed),
                as_hours(usage.borrowed),
                as_hours(usage.idle_own),
            )
    return table


def _waits(figures: Figures) -> Table:
    table = new_table("Wait for the first start (h:mm:ss)", "share", "jobs", "started", "p50", "p95", "max", words=1)
    for name, jobs in _rows(figures):
        table.add_row(safe(name), f"{jobs.jobs:,}", f"{jobs.started:,}", *as_clocks(jobs.wait_ms))
    return table


def _completions(figures: Figures) -> Table:
    table = new_table(
        "Completion of jobs that succeeded (h:mm:ss)",
        "share",
        "succeeded",
        "p50",
        "p95",
        "max",
        "slowdown p50",
        "p95",
        words=1,
    )
    for name, jobs in _rows(figures):
        slowdown = jobs.slowdown
        table.add_row(
            safe(name),
            f"{jobs.count(State.SUCCEEDED):,}",
            *as_clocks(jobs.completion_ms),
            *(("-", "-") if slowdown is None else (f"{slowdown.p50:,.2f}", f"{slowdown.p95:,.2f}")),
        )
    return table


def _preemptions(figures: Figures) -> Table:
    deadlines = figures.jobs.deadlines_hit or figures.jobs.deadlines_missed
    table = new_table(
        "Preemptions suffered, and instance-hours lost",
        "share",
        "cross-share",
        "in-share",
        "jobs preempted",
        "lost work",
        "overhead",
        *(("deadlines hit", "missed") if deadlines else ()),
        words=1,
    )
    for name, jobs in _rows(figures):
        table.add_row(
            safe(name),
            f"{jobs.cross_share_preemptions:,}",
            f"{jobs.in_share_preemptions:,}",
            f"{jobs.preempted_jobs:,}",
            as_hours(jobs.lost_instance_ms),
            as_hours(jobs.overhead_instance_ms),
            *((f"{jobs.deadlines_hit:,}", f"{jobs.deadlines_missed:,}") if deadlines else ()),
        )
    return table


def _outcomes(figures: Figures) -> Table:
    table = new_table("How jobs ended", "share", "state", "reason", "jobs", words=3)
    for name, jobs in _rows(figures):
        for (state, reason), count in jobs.outcomes.items():
            table.add_row(safe(name), state, safe(reason or ""), f"{count:,}")
    return table


def _units(figures: Figures) -> Table:
    table = new_table(
        "Environment, in instance-hours",
        "instance type",
        "capacity",
        "held",
        "utilization",
        "finished work",
        "goodput",
        words=1,
    )
    for unit in figures.units:
        table.add_row(
            safe(unit.unit),
            as_hours(unit.capacity),
            as_hours(unit.used),
            as_percent(unit.utilization),
            as_hours(unit.good),
            as_percent(unit.goodput),
        )
    return table


def _rows(figures: Figures) -> Iterator[tuple[str, JobFigures]]:
    for share in figures.shares:
        yield share.share, share.jobs
    yield ALL, figures.jobs


def as_clocks(spread: Spread | None) -> tuple[str, str, str]:
    """Return p50, p95 and the longest of a time, `-` where there is none."""
    if spread is None:
        return "-", "-", "-"
    return as_clock(spread.p50), as_clock(spread.p95), as_clock(spread.max)
