"""Arrangements side by side in a comment: who gains and who pays first, each share's figures folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quota_constructs.evaluator.comparison import Comparison, ShareOutcome
from quota_constructs.evaluator.metrics import JobFigures, Spread
from quota_constructs.evaluator.numbers import as_clock, as_hours, as_seconds
from quota_constructs.evaluator.report.findings_markdown import MOST_ROWS, Basis
from quota_constructs.evaluator.report.markdown import Part, code, fit, folded, marker, prose, table
from quota_constructs.evaluator.report.text import ALL
from quota_constructs.evaluator.report.verdict import on_balance, verdict
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.printable import plural

NONE = "-"
MOST_DETAILED = 12
"""Traces of which each share's figures are in the comment."""


def comparison_markdown(comparisons: Sequence[Comparison]) -> str:
    """
    Return *comparisons* as a comment on a pull request.

    Where it has no room for the figures of all shares, it says so and keeps what each other arrangement comes to.
    """
    basis = Basis(
        queues=list(dict.fromkeys(each.queue for each in comparisons)), traces=[each.trace for each in comparisons]
    )
    contrasts = [(each, contrast) for each in comparisons for contrast in each.contrasts]
    differing = [(each, contrast) for each, contrast in contrasts if contrast.total.differs]
    if not differing:
        return fit(
            [Part(versions=(f"{marker('compare')}\n**Quota comparison: no job finishes at another time.** {basis}",))]
        )
    verdicts = [[code(each.trace, length=40), prose(verdict(contrast))] for each, contrast in contrasts]
    head = f"**Quota comparison: who gains and who pays.** {basis}"
    first = table(["on", "the declared arrangement"], verdicts[:MOST_ROWS])
    rest = table(["on", "the declared arrangement"], verdicts[MOST_ROWS:])
    return fit(
        [
            Part(versions=(f"{marker('compare')}\n{head}\n\n{first}",)),
            *([folded("On further traces", rest)] if len(verdicts) > MOST_ROWS else []),
            *(
                folded(f"Figures of trace {number} of {len(comparisons)}", *_figures(each))
                for number, each in enumerate(comparisons[:MOST_DETAILED], 1)
            ),
            Part(versions=(_not_detailed(len(comparisons) - MOST_DETAILED),)),
        ]
    )


def _not_detailed(traces: int) -> str:
    if traces <= 0:
        return ""
    return f"The figures of {plural(traces, 'more trace')} are in any other format, such as `--output json=FILE`."


def _figures(comparison: Comparison) -> list[str]:
    """Return what a comparison comes to, in full and then ever shorter."""
    assumed = comparison.assumptions
    about = (
        f"Trace {code(comparison.trace)} on queue {code(comparison.queue)}, {_arrangements(comparison)}. Assumed, as "
        f"AWS does not publish it: stop time {as_seconds(assumed.stop_ms)}, victim order {assumed.victim_order}, "
        f"queueing {assumed.queueing}."
    )
    blocks = [about, _balances(comparison), _jobs(comparison), _hours(comparison)]
    return ["\n\n".join(blocks[:count]) for count in range(len(blocks), 1, -1)]


def _arrangements(comparison: Comparison) -> str:
    return ", ".join(
        outcome.name if outcome.template is None else f"{outcome.name} ({code(outcome.template, length=200)})"
        for outcome in comparison.outcomes
    )


def _balances(comparison: Comparison) -> str:
    return table(
        ["against", "share", "sooner", "by", "later", "by", "on balance", "succeed only here", "only there"],
        (
            [
                contrast.against,
                ALL if balance.share is None else code(balance.share),
                f"{balance.sooner:,}",
                as_clock(balance.sooner_ms),
                f"{balance.later:,}",
                as_clock(balance.later_ms),
                on_balance(balance) if balance.compared else NONE,
                f"{balance.gained:,}",
                f"{balance.forgone:,}",
            ]
            for contrast in comparison.contrasts
            for balance in (*contrast.shares, contrast.total)
        ),
    )


def _jobs(comparison: Comparison) -> str:
    return table(
        [
            "share",
            "arrangement",
            "jobs",
            "succeeded",
            "wait p95",
            "completion p95",
            "cross-share",
            "in-share",
            "missed",
        ],
        (
            [
                name,
                arrangement,
                f"{jobs.jobs:,}",
                f"{jobs.count(State.SUCCEEDED):,}",
                _p95(jobs.wait_ms),
                _p95(jobs.completion_ms),
                f"{jobs.cross_share_preemptions:,}",
                f"{jobs.in_share_preemptions:,}",
                f"{jobs.deadlines_missed:,}",
            ]
            for name, arrangement, jobs in _rows(comparison)
        ),
    )


def _rows(comparison: Comparison) -> Iterator[tuple[str, str, JobFigures]]:
    for share, arrangement in _shares(comparison):
        yield code(share.share), arrangement, share.jobs
    for outcome in comparison.outcomes:
        yield ALL, outcome.name, outcome.jobs


def _shares(comparison: Comparison) -> Iterator[tuple[ShareOutcome, str]]:
    """Yield each share, with what it got of each arrangement."""
    for of_share in zip(*(outcome.shares for outcome in comparison.outcomes), strict=True):
        yield from zip(of_share, (outcome.name for outcome in comparison.outcomes), strict=True)


def _hours(comparison: Comparison) -> str:
    return table(
        ["share", "arrangement", "instance type", "allocated h", "used own h", "borrowed h", "lost h", "overhead h"],
        (
            [
                code(share.share),
                arrangement,
                code(unit.use.unit),
                *(NONE if part is None else as_hours(part) for part in (unit.allocated, unit.used_own, unit.borrowed)),
                as_hours(unit.lost),
                as_hours(unit.overhead),
            ]
            for share, arrangement in _shares(comparison)
            for unit in share.units
        ),
    )


def _p95(spread: Spread | None) -> str:
    return NONE if spread is None else as_clock(spread.p95)
