"""The evaluator's front door: read a template, run traces against it, judge the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from quota_constructs.evaluator.contracts import under_contracts
from quota_constructs.evaluator.findings.catalogue import check_arrangement, check_outcome
from quota_constructs.evaluator.findings.context import Context, Evidence, gather
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rules.agreements import dated
from quota_constructs.evaluator.findings.suppression import suppress
from quota_constructs.evaluator.findings.unused import Coverage, check_suppressions
from quota_constructs.evaluator.inputs import (
    choose_scenarios,
    ignore,
    load_trace,
    load_traces,
    queues_to_check,
    read_queue,
)
from quota_constructs.evaluator.metrics import measure
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.sensitivity import check_sensitivity
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.suppressions_file import read_suppressions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace, arrangements, shares_of
from quota_constructs.evaluator.traces import UnknownShares
from quota_constructs.evaluator.traces.scenarios import Scenario
from quota_constructs.printable import plural

__all__ = [
    "Evaluation",
    "check_path",
    "check_systems",
    "evaluate",
    "judge",
    "simulate_path",
]

DEFAULT_ASSUMPTIONS = Assumptions()


def _let_go(run: Evaluation) -> None:
    """Take a run and leave it."""


def evaluate(system: System, trace: Trace, assumptions: Assumptions = DEFAULT_ASSUMPTIONS) -> Evaluation:
    """Run *trace* against *system* and measure what came of it; contracts speak where the trace is silent."""
    trace, contract_use = under_contracts(trace, shares_of(arrangements(system, trace)))
    history = simulate(system, trace, assumptions)
    return Evaluation(
        system=system,
        trace=trace,
        assumptions=assumptions,
        history=history,
        figures=measure(history),
        contract_use=contract_use,
    )


def simulate_path(
    path: Path,
    trace: Path | Scenario,
    *,
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
    tell: Callable[[str], object] = ignore,
) -> Evaluation:
    """
    Run the trace at *trace*, or a scenario, against the queue in the template or cloud assembly at *path*.

    *queue* says which, where there are several. *objectives* is a file that says more of what was agreed on its
    shares than the template does. *tell* is called with each note of the reading.
    """
    system = read_queue(path, parameters=parameters, queue=queue, objectives=objectives, tell=tell)
    if isinstance(trace, Scenario):
        played = trace.build(system)
    else:
        played = load_trace(trace, system, parameters=parameters, unknown_shares=unknown_shares)
    return evaluate(system, played, assumptions)


def check_path(
    path: Path,
    *,
    traces: Sequence[Path] = (),
    scenarios: Sequence[str] | None = None,
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
    suppressions: Path | None = None,
    today: date | None = None,
    sensitivity: bool = False,
    allow_none: bool = False,
    tell: Callable[[str], object] = ignore,
) -> tuple[Finding, ...]:
    """
    Return what is wrong with the queues in the template or cloud assembly at *path*, by themselves and under load.

    The load is *traces* and the *scenarios* named; these default to a usual few if there are no traces, and to none
    if there are. Traces need a single queue to run on: *queue* says which, where there are several. Scenarios are
    made for each queue. What the file of *suppressions* accepts is returned too, with the reason. Dates are judged as
    of *today*; without it they are not, and *tell* is called to say so. With *sensitivity*, each finding on the load
    says under which other assumptions it shows, and what shows only there is added. That there is no queue at all is
    an error, unless *allow_none* or traces need one.
    """
    systems = queues_to_check(
        path,
        traces=traces,
        parameters=parameters,
        queue=queue,
        objectives=objectives,
        allow_none=allow_none,
        tell=tell,
    )
    return check_systems(
        systems,
        traces=traces,
        scenarios=scenarios,
        assumptions=assumptions,
        parameters=parameters,
        queue=queue,
        unknown_shares=unknown_shares,
        suppressions=suppressions,
        today=today,
        sensitivity=sensitivity,
        tell=tell,
    )


def check_systems(
    systems: Sequence[System],
    *,
    traces: Sequence[Path] = (),
    scenarios: Sequence[str] | None = None,
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
    suppressions: Path | None = None,
    today: date | None = None,
    sensitivity: bool = False,
    tell: Callable[[str], object] = ignore,
    watch: Callable[[Evaluation], object] = _let_go,
) -> tuple[Finding, ...]:
    """
    Return what is wrong with *systems*, which `queues_to_check` has read, as `check_path` does.

    *watch* is called with each run under the assumptions, which is then let go.
    """
    accepted = () if suppressions is None else read_suppressions(suppressions)
    played = choose_scenarios(scenarios, besides=traces)
    undated = sum(map(dated, systems)) + sum(each.until is not None for each in accepted)
    if today is None and undated:
        tell(f"{plural(undated, 'date')} of agreements or suppressions not judged: no day was given to judge them by")
    findings: list[Finding] = []
    for system in systems:
        loaded = load_traces(traces, played, system, parameters=parameters, unknown_shares=unknown_shares)
        runs = _run(system, loaded, assumptions, watch)
        findings += judge(system, runs, assumptions, given=len(traces), today=today, sensitivity=sensitivity)
    if suppressions is None:
        return tuple(findings)
    coverage = Coverage(
        queues=None if queue is None else frozenset(system.name for system in systems),
        traces=(*map(str, traces), *(scenario.name for scenario in played)),
        dates=today is not None,
    )
    return (
        *suppress(findings, accepted, today),
        *check_suppressions(accepted, findings, file=str(suppressions), today=today, coverage=coverage),
    )


def _run(
    system: System, traces: Iterable[Trace], assumptions: Assumptions, watch: Callable[[Evaluation], object]
) -> Iterator[Evaluation]:
    """Yield what comes of each of *traces*, when its turn comes."""
    for trace in traces:
        evaluation = evaluate(system, trace, assumptions)
        watch(evaluation)
        yield evaluation


def judge(
    system: System,
    evaluations: Iterable[Evaluation],
    assumptions: Assumptions,
    *,
    given: int,
    today: date | None,
    sensitivity: bool,
) -> Iterator[Finding]:
    """
    Yield what is wrong with *system*, and then what is wrong in each of its *evaluations*, none of which is kept.

    The first *given* of them show how the system is used: what we make up ourselves proves nothing of that.
    """
    outcomes: list[Finding] = []
    evidence: list[Evidence] = []
    ran: list[str] = []
    for number, evaluation in enumerate(evaluations):
        ran.append(evaluation.trace.name)
        outcomes += (
            check_sensitivity(evaluation, partial(evaluate, system, evaluation.trace))
            if sensitivity
            else check_outcome(evaluation)
        )
        if number < given:
            evidence.append(gather(evaluation))
    context = Context(today=today, stop_ms=assumptions.stop_ms, evidence=tuple(evidence), ran=tuple(ran))
    yield from check_arrangement(system, context)
    yield from outcomes
