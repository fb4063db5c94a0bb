"""
Judge a trace under every assumption there is to make, and say of each finding on which it depends.

AWS publishes neither how victims are chosen nor whether a blocked job holds up those behind it, and of the stop
time one sample. A finding that comes and goes with these is worth less than one that stays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.robustness import MOST_FOR_ALL, MOST_FOR_ANY, Extent, Robustness
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.promises import MEASURES
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.trace import Trace

STOP_TIMES_MS = (0, 20_000, 120_000)
"""None at all, the one published sample, and the whole time that SageMaker leaves a job after SIGTERM."""

Run = Callable[[Assumptions], Evaluation]


def extent_for(trace: Trace) -> Extent:
    """Return under how many assumptions *trace* is worth the time."""
    size = len(trace.jobs) + len(trace.events)
    if size <= MOST_FOR_ALL:
        return Extent.ALL
    return Extent.ONE_AT_A_TIME if size <= MOST_FOR_ANY else Extent.NOT_TRIED


def check_sensitivity(evaluation: Evaluation, run: Run) -> tuple[Finding, ...]:
    """
    Return what *evaluation* shows, each finding with its robustness; *run* evaluates it under other assumptions.

    What shows only under other assumptions follows, as notes.
    """
    chosen, extent = evaluation.assumptions, extent_for(evaluation.trace)
    cases: dict[Hashable, _Case] = {}
    tried: list[Assumptions] = []
    for assumed, findings in _judgements(evaluation, run, extent):
        tried.append(assumed)
        for finding in findings:
            cases.setdefault(_identity(finding), _Case(finding)).add(assumed, finding)
    return tuple(
        replace(
            case.first,
            severity=case.first.severity if chosen in case.shows_under else Severity.NOTE,
            robustness=Robustness(
                extent=extent,
                chosen=chosen,
                shows_under=tuple(case.shows_under),
                not_under=tuple(each for each in tried if each not in case.shows_under),
                measured=(min(case.measured), max(case.measured)) if case.measured else None,
                unit=_unit(case.first),
            ),
        )
        for case in cases.values()
    )


@dataclass(slots=True)
class _Case:
    """One finding over all judgements; `first` is the one under the assumptions nearest to the chosen."""

    first: Finding
    shows_under: dict[Assumptions, None] = field(default_factory=dict[Assumptions, None])
    measured: list[float] = field(default_factory=list[float])

    def add(self, assumed: Assumptions, finding: Finding) -> None:
        self.shows_under[assumed] = None
        measured = finding.figures.get("measured")
        if measured is not None:
            self.measured.append(float(measured))


def _unit(finding: Finding) -> str:
    measure = MEASURES.get(str(finding.figures.get("objective")))
    return measure.unit if measure else ""


def _identity(finding: Finding) -> Hashable:
    """Return by what the same finding is known under other assumptions, where its numbers differ."""
    which: Mapping[str, Hashable] = finding.figures
    return finding.rule_id, finding.share, finding.source, which.get("objective"), which.get("reason")


def _judgements(evaluation: Evaluation, run: Run, extent: Extent) -> Iterator[tuple[Assumptions, tuple[Finding, ...]]]:
    """
    Yield what is found under each combination, the chosen one first, then by how much they differ from it.

    Where nobody is ever stopped, it does not matter who would be, nor for how long: one run stands for all of these.
    """
    chosen = evaluation.assumptions
    yield chosen, check_outcome(evaluation)
    if extent is Extent.NOT_TRIED:
        return
    undisturbed: dict[Queueing, Evaluation] = {}
    judged: dict[tuple[Queueing, int], tuple[Finding, ...]] = {}
    if not evaluation.figures.jobs.preempted_jobs:
        undisturbed[chosen.queueing] = evaluation
    for assumed in _others(chosen, one_at_a_time=extent is Extent.ONE_AT_A_TIME):
        key = assumed.queueing, assumed.stop_ms
        if key in judged:
            yield assumed, judged[key]
            continue
        if assumed.queueing in undisturbed:
            # The findings may compare with the stop time, though the run does not.
            findings = judged[key] = check_outcome(replace(undisturbed[assumed.queueing], assumptions=assumed))
            yield assumed, findings
            continue
        other = run(assumed)
        findings = check_outcome(other)
        if not other.figures.jobs.preempted_jobs:
            undisturbed[assumed.queueing] = other
            judged[key] = findings
        yield assumed, findings


def _others(chosen: Assumptions, *, one_at_a_time: bool) -> Iterable[Assumptions]:
    """Return every other combination, those first that differ the least."""
    combinations = (
        Assumptions(stop_ms=stop_ms, victim_order=order, queueing=queueing)
        for queueing in Queueing
        for order in VictimOrder
        for stop_ms in sorted({*STOP_TIMES_MS, chosen.stop_ms})
    )
    by_distance = sorted(combinations, key=lambda other: _distance(chosen, other))
    return [other for other in by_distance if 1 <= _distance(chosen, other) <= (1 if one_at_a_time else 3)]


def _distance(chosen: Assumptions, other: Assumptions) -> int:
    return (
        (chosen.stop_ms != other.stop_ms)
        + (chosen.victim_order != other.victim_order)
        + (chosen.queueing != other.queueing)
    )
