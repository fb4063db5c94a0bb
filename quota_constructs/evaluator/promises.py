"""What a share was promised, beside what a run gave it: one measure for each objective that can be declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from quota_constructs.evaluator.metrics import ShareFigures, Spread
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.system import QuotaShare
from quota_constructs.policies.objectives import Objective


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How one kind of promise is measured, and what it is called."""

    what: str
    """What is measured, as the subject of a sentence: `longest wait`."""

    unit: str
    """What stands behind the number, with its space: ` s`; empty for bare counts."""

    at_least: bool = False
    """Whether the bound is the least that is promised; the most, if not."""

    of: Callable[[ShareFigures], float | None]

    @property
    def bound(self) -> str:
        """How the number binds, in words."""
        return "at least" if self.at_least else "at most"


def promised(share: QuotaShare) -> Iterator[tuple[str, Objective]]:
    """Yield each objective that *share* declares, with its name, in the order of `Objectives`."""
    objectives = share.policy.objectives
    if objectives is not None:
        for name in MEASURES:
            objective: Objective | None = getattr(objectives, name)
            if objective is not None:
                yield name, objective


def measured(name: str, evaluation: Evaluation, share: str) -> float | None:
    """Return what the run gave *share* of the objective *name*, in its unit; None where there is nothing to measure."""
    figures = next((each for each in evaluation.figures.shares if each.share == share), None)
    return None if figures is None else MEASURES[name].of(figures)


def kept(name: str, objective: Objective, measured: float) -> bool:
    """Return whether what was *measured* is within the bound of the objective *name*."""
    return measured >= objective.bound if MEASURES[name].at_least else measured <= objective.bound


def holds_for(objective: Objective, trace: str) -> bool:
    """Return whether *objective* is promised on *trace*: the name of a scenario, or the path of a trace file."""
    return not objective.traces or trace in objective.traces or PurePath(trace).name in objective.traces


def promise_text(name: str, objective: Objective) -> str:
    """Return a promise in words: `longest wait at most 600 s`."""
    measure = MEASURES[name]
    return f"{measure.what} {measure.bound} {amount_text(name, objective.bound)}"


def amount_text(name: str, amount: float) -> str:
    """Return an amount of what the objective *name* measures, with its unit: `1,234.5 s`."""
    return f"{amount:,.3f}".rstrip("0").rstrip(".") + MEASURES[name].unit


def _seconds(ms: float | None) -> float | None:
    return None if ms is None else ms / 1000


def _p50_seconds(spread: Spread | None) -> float | None:
    return None if spread is None else _seconds(spread.p50)


def _p95_seconds(spread: Spread | None) -> float | None:
    return None if spread is None else _seconds(spread.p95)


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _lost_percent(figures: ShareFigures) -> float | None:
    """Return the work lost of all that was done; kept is what jobs did that succeeded."""
    lost = figures.jobs.lost_instance_ms
    return _percent(lost, lost + figures.jobs.good_instance_ms)


def _goodput_percent(figures: ShareFigures) -> float | None:
    allocated = sum(usage.allocated for usage in figures.usage.values())
    return _percent(figures.jobs.good_instance_ms, allocated) if _accepted(figures) else None


def _deadline_percent(figures: ShareFigures) -> float | None:
    return _percent(figures.jobs.deadlines_hit, figures.jobs.deadlines_hit + figures.jobs.deadlines_missed)


def _unfinished(figures: ShareFigures) -> float | None:
    return figures.jobs.count(State.FAILED) + figures.jobs.count(State.RUNNABLE) if _accepted(figures) else None


def _accepted(figures: ShareFigures) -> int:
    """Return how many jobs there were that nobody refused or cancelled."""
    return figures.jobs.jobs - figures.jobs.count(State.REJECTED) - figures.jobs.count(State.CANCELLED)


MEASURES: Mapping[str, Measure] = {
    "wait_p50_seconds": Measure(
        what="wait of half of the jobs",
        unit=" s",
        of=lambda figures: _p50_seconds(figures.jobs.wait_ms),
    ),
    "wait_p95_seconds": Measure(
        what="wait of 95 % of the jobs",
        unit=" s",
        of=lambda figures: _p95_seconds(figures.jobs.wait_ms),
    ),
    "wait_max_seconds": Measure(
        what="longest wait",
        unit=" s",
        of=lambda figures: _seconds(figures.jobs.longest_wait_ms),
    ),
    "completion_p95_seconds": Measure(
        what="completion time of 95 % of the jobs",
        unit=" s",
        of=lambda figures: _p95_seconds(figures.jobs.completion_ms),
    ),
    "slowdown_p95": Measure(
        what="slowdown of 95 % of the jobs",
        unit=" times",
        of=lambda figures: None if figures.jobs.slowdown is None else figures.jobs.slowdown.p95,
    ),
    "deadline_hit_percent": Measure(what="deadlines met", unit=" %", at_least=True, of=_deadline_percent),
    "preemptions_per_job": Measure(
        what="preemptions of any one job",
        unit="",
        of=lambda figures: figures.jobs.most_preemptions if _accepted(figures) else None,
    ),
    "lost_work_percent": Measure(what="work lost to preemptions", unit=" % of the work done", of=_lost_percent),
    "goodput_percent": Measure(what="finished work", unit=" % of the allocation", at_least=True, of=_goodput_percent),
    "entitled_wait_seconds": Measure(
        what="longest wait for what the share itself is allocated",
        unit=" s",
        of=lambda figures: _seconds(figures.jobs.longest_entitled_wait_ms) if _accepted(figures) else None,
    ),
    "all_jobs_finish": Measure(what="jobs that do not finish", unit="", of=_unfinished),
}
"""How each objective is measured, by its name, in the order of `Objectives`."""
