"""Arrangements side by side as tables for a terminal, and the bottom line in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from rich.console import Group, RenderableType
from rich.table import Table

from quota_constructs.evaluator.balance import Balance
from quota_constructs.evaluator.comparison import (
    PARTITION,
    POOL,
    Comparison,
    Outcome,
    ShareOutcome,
    UnitOutcome,
)
from quota_constructs.evaluator.metrics import JobFigures
from quota_constructs.evaluator.numbers import as_clock, as_hours, as_percent
from quota_constructs.evaluator.report.folding import Columns, folded
from quota_constructs.evaluator.report.screen import Screen, draw, safe
from quota_constructs.evaluator.report.text import ALL, as_clocks, assumptions_line, contracts_note
from quota_constructs.evaluator.report.verdict import on_balance, verdict
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.printable import plural, shortened

NONE = "-"
MADE = {
    PARTITION: "every share keeps what it is allocated; nobody lends or borrows",
    POOL: "one queue for all that the shares are allocated; nothing in it is anybody's own, nobody is stopped, and a "
    "job larger than its share may ever hold runs if it fits the pool",
}
"""What an arrangement is that no template declares."""

MOST_SHARES_NAMED = 3


def comparison_text(comparisons: Iterable[Comparison], screen: Screen) -> str:
    """Return *comparisons* one below the other, laid out for *screen*."""
    return draw(chain.from_iterable(_blocks(comparison, screen) for comparison in comparisons), screen)


def _blocks(comparison: Comparison, screen: Screen) -> Iterator[RenderableType]:
    declared = comparison.outcomes[0]
    yield safe(
        f"Queue {shortened(comparison.queue)}, trace {shortened(comparison.trace)}: "
        f"{plural(declared.jobs.jobs, 'job')} in {plural(len(declared.shares), 'share')} under "
        f"{plural(len(comparison.outcomes), 'arrangement')}",
        style="bold",
    )
    yield Group(*(safe(_explained(outcome)) for outcome in comparison.outcomes))
    yield assumptions_line(comparison.assumptions)
    if comparison.contract_use:
        yield contracts_note(comparison.contract_use)
    yield from _jobs(comparison, screen)
    yield from _hours(comparison, screen)
    yield from _environment(comparison, screen)
    yield from _balances(comparison, screen)
    for contrast in comparison.contrasts:
        yield safe(verdict(contrast), style="bold")


def _explained(outcome: Outcome) -> str:
    what = MADE[outcome.name] if outcome.name in MADE else shortened(outcome.template or "given")
    lacking = [each for each in outcome.shares if not each.declared and each.jobs.jobs]
    return f"{outcome.name}: {what}{_lacking(lacking)}"


def _lacking(shares: Sequence[ShareOutcome]) -> str:
    if not shares:
        return ""
    named = ", ".join(f"'{shortened(each.share)}'" for each in shares[:MOST_SHARES_NAMED])
    more = f" and {len(shares) - MOST_SHARES_NAMED:,} more" if len(shares) > MOST_SHARES_NAMED else ""
    rejected = plural(sum(each.jobs.count(State.REJECTED) for each in shares), "job")
    return f"; it lacks {named}{more}, and so rejects {rejected}"


def _jobs(comparison: Comparison, screen: Screen) -> Iterator[Table]:
    rows = [
        (share, arrangement, jobs)
        for share, of_share in _by_share(comparison)
        for arrangement, jobs in zip(_names(comparison), of_share, strict=True)
    ]
    figures = [jobs for _, _, jobs in rows]
    counts = [("jobs", [each.jobs for each in figures]), ("succeeded", _counts(figures, State.SUCCEEDED))]
    if any(rejected := _counts(figures, State.REJECTED)):
        counts.append(("rejected", rejected))
    groups = [
        _count_columns(*counts),
        Columns(headings=("wait\np50", "\np95", "\nmax"), rows=[as_clocks(each.wait_ms) for each in figures]),
        Columns(headings=("completion\np50", "\np95"), rows=[as_clocks(each.completion_ms)[:2] for each in figures]),
        _count_columns(
            ("preempted\ncross-\nshare", [each.cross_share_preemptions for each in figures]),
            ("\nin-\nshare", [each.in_share_preemptions for each in figures]),
        ),
    ]
    if any(each.deadlines_hit or each.deadlines_missed for each in figures):
        hit, missed = [each.deadlines_hit for each in figures], [each.deadlines_missed for each in figures]
        groups.append(_count_columns(("deadlines\nhit", hit), ("\nmissed", missed)))
    names = Columns(headings=("share", "arrangement"), rows=[row[:2] for row in rows])
    return folded("Jobs (times in h:mm:ss)", names, groups, screen)


def _by_share(comparison: Comparison) -> Iterator[tuple[str, list[JobFigures]]]:
    """Yield each share, then all, with its figures under each arrangement."""
    for of_share in zip(*(outcome.shares for outcome in comparison.outcomes), strict=True):
        yield of_share[0].share, [each.jobs for each in of_share]
    yield ALL, [outcome.jobs for outcome in comparison.outcomes]


def _names(comparison: Comparison) -> list[str]:
    return [outcome.name for outcome in comparison.outcomes]


def _counts(figures: Sequence[JobFigures], state: State) -> list[int]:
    return [each.count(state) for each in figures]


def _count_columns(*columns: tuple[str, Sequence[int]]) -> Columns:
    rows = zip(*(numbers for _, numbers in columns), strict=True)
    return Columns(headings=tuple(name for name, _ in columns), rows=[[f"{each:,}" for each in row] for row in rows])


def _hours(comparison: Comparison, screen: Screen) -> Iterator[Table]:
    of_unit: dict[str, list[tuple[str, str, UnitOutcome]]] = {}
    for of_share in zip(*(outcome.shares for outcome in comparison.outcomes), strict=True):
        for each, name in zip(of_share, _names(comparison), strict=True):
            for unit in each.units:
                of_unit.setdefault(unit.use.unit, []).append((each.share, name, unit))
    for unit, rows in sorted(of_unit.items()):
        outcomes = [each for _, _, each in rows]
        owned = Columns(
            headings=("allocated", "used own", "borrowed"),
            rows=[
                [_hours_or_none(part) for part in (each.allocated, each.used_own, each.borrowed)] for each in outcomes
            ],
        )
        names = Columns(headings=("share", "arrangement"), rows=[row[:2] for row in rows])
        yield from folded(f"Instance-hours of {shortened(unit)}", names, [owned, *_use(outcomes)], screen)


def _environment(comparison: Comparison, screen: Screen) -> Iterator[Table]:
    for unit in sorted({each.use.unit for outcome in comparison.outcomes for each in outcome.units}):
        rows = [(outcome, each) for outcome in comparison.outcomes for each in outcome.units if each.use.unit == unit]
        runs = Columns(
            headings=("run takes", "capacity"),
            rows=[[as_clock(outcome.horizon_ms), as_hours(each.use.capacity)] for outcome, each in rows],
        )
        names = Columns(headings=("arrangement",), rows=[[outcome.name] for outcome, _ in rows])
        title = f"The environment's instance-hours of {shortened(unit)}"
        yield from folded(title, names, [runs, *_use([each for _, each in rows])], screen)


def _use(outcomes: Sequence[UnitOutcome]) -> list[Columns]:
    """Return what was held; a busy instance is not finished work, so what was and what is done again stand beside."""
    return [
        Columns(
            headings=("held", "finished\nwork"),
            rows=[[as_hours(each.use.used), as_hours(each.use.good)] for each in outcomes],
        ),
        Columns(
            headings=("utilization", "goodput", "lost\nwork", "over-\nhead"),
            rows=[
                [
                    as_percent(each.use.utilization),
                    as_percent(each.use.goodput),
                    as_hours(each.lost),
                    as_hours(each.overhead),
                ]
                for each in outcomes
            ],
        ),
    ]


def _hours_or_none(amount: int | None) -> str:
    return NONE if amount is None else as_hours(amount)


def _balances(comparison: Comparison, screen: Screen) -> Iterator[Table]:
    rows = [
        (contrast.against, balance)
        for contrast in comparison.contrasts
        for balance in (*contrast.shares, contrast.total)
    ]
    balances = [balance for _, balance in rows]
    groups = [
        Columns(
            headings=("finish\nsooner", "\nby"),
            rows=[[f"{each.sooner:,}", as_clock(each.sooner_ms)] for each in balances],
        ),
        Columns(
            headings=("finish\nlater", "\nby"),
            rows=[[f"{each.later:,}", as_clock(each.later_ms)] for each in balances],
        ),
        Columns(
            headings=("same\ntime", "on balance"), rows=[[f"{each.same:,}", _on_balance(each)] for each in balances]
        ),
        _count_columns(
            ("succeed\nonly here", [each.gained for each in balances]),
            ("\nonly there", [each.forgone for each in balances]),
        ),
    ]
    names = Columns(headings=("against", "share"), rows=[[against, each.share or ALL] for against, each in rows])
    return folded("Who gains and who pays, as declared", names, groups, screen)


def _on_balance(balance: Balance) -> str:
    return on_balance(balance) if balance.compared else NONE
