"""What a trace asks for, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from quota_constructs.evaluator.demand import Demand, ShareDemand
from quota_constructs.evaluator.numbers import as_clock, as_hours, as_percent
from quota_constructs.evaluator.report.screen import Screen, draw, new_table, safe
from quota_constructs.printable import plural, shortened

MAX_NAMED = 4
ASSUMED = "Demand is counted as if every job started when it is submitted."


def demand_text(demand: Demand, screen: Screen) -> str:
    """Return *demand*, laid out for *screen*."""
    return draw(_blocks(demand), screen)


def _blocks(demand: Demand) -> Iterator[RenderableType]:
    yield safe(
        f"Queue {shortened(demand.queue)}, trace {shortened(demand.trace)}: {plural(demand.jobs, 'job')} of "
        f"{plural(demand.teams, 'share')}, submitted over {as_clock(demand.last_submit_ms - demand.start_ms)}",
        style="bold",
    )
    yield safe(ASSUMED)
    yield _shares(demand)
    yield _units(demand)
    yield _periods(demand)
    yield from (safe(line, style="bold") for line in _verdict(demand))


def _verdict(demand: Demand) -> Iterator[str]:
    """Yield what follows for whoever wants to test an arrangement with this trace."""
    if demand.rejected:
        yield f"{plural(demand.rejected, 'job')} would be rejected, as their share is disabled or not declared."
    if demand.never:
        yield f"{plural(demand.never, 'job')} can never start: they hold more than their share can ever use."
    if demand.changes:
        yield f"The trace changes the arrangement {plural(demand.changes, 'time')}; these are the limits before that."
    if only_by_borrowing := sum(each.larger_than_limit for each in demand.shares):
        yield f"{plural(only_by_borrowing, 'job')} can run by borrowing only: they hold more than their share's limit."
    if not demand.contends:
        yield (
            "The trace never contends: no share ever asks for more than its limit, so nothing waits, borrows or is "
            "stopped, and every arrangement of these limits does the same. It tests nothing; take smaller limits, or "
            "a trace with more load."
        )
    elif not demand.lets_borrow:
        yield (
            "Nothing can be borrowed: whenever a share asks for more than its limit, none lends, or it may not "
            "borrow. Jobs wait, which may lead to borrowing later."
        )


def _shares(demand: Demand) -> Table:
    table = new_table(
        "Demand by share (instances)",
        *("share", "unit", "jobs", "hours", "mean", "peak", "limit", "time over limit", "hours over limit"),
        words=2,
    )
    span_ms = demand.end_ms - demand.start_ms
    for each in demand.shares:
        table.add_row(safe(shortened(each.share)), safe(shortened(each.unit)), *_figures(each, span_ms))
    return table


def _figures(each: ShareDemand, span_ms: int) -> list[str]:
    return [
        f"{each.jobs:,}",
        as_hours(each.work_ms),
        _mean(each.work_ms, span_ms),
        f"{each.peak:,}",
        f"{each.limit:,}",
        as_percent(_part(each.over_ms, span_ms)),
        as_hours(each.excess_ms),
    ]


def _units(demand: Demand) -> Table:
    table = new_table(
        "Demand of all shares",
        *("unit", "hours", "mean", "peak", "capacity", "time over capacity", "hours borrowable", "of all"),
        words=1,
    )
    span_ms = demand.end_ms - demand.start_ms
    for each in demand.units:
        table.add_row(
            safe(shortened(each.unit)),
            as_hours(each.work_ms),
            _mean(each.work_ms, span_ms),
            f"{each.peak:,}",
            f"{each.capacity:,}",
            as_percent(_part(each.over_ms, span_ms)),
            as_hours(each.borrowable_ms),
            as_percent(_part(each.borrowable_ms, each.work_ms)),
        )
    return table


def _periods(demand: Demand) -> Table:
    table = new_table(
        "Demand over time",
        *("unit", "shares over their limit", "from", "mean", "peak", "capacity", "hours borrowable"),
        words=2,
    )
    for unit in demand.units:
        for period in unit.periods:
            more = len(period.over) - MAX_NAMED
            named = ", ".join(shortened(name, length=30) for name in period.over[:MAX_NAMED])
            table.add_row(
                safe(shortened(unit.unit)),
                safe(named + (f" and {more} more" if more > 0 else "") or "-"),
                as_clock(period.start_ms),
                _mean(period.work_ms, period.end_ms - period.start_ms),
                f"{period.peak:,}",
                f"{unit.capacity:,}",
                as_hours(period.borrowable_ms),
            )
    return table


def _mean(work_ms: int, span_ms: int) -> str:
    return f"{work_ms / span_ms:,.1f}" if span_ms else "-"


def _part(part: int, whole: int) -> float | None:
    return part / whole if whole else None
