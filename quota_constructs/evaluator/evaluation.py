"""The evaluator's front door: read a template, run traces against it, judge the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from quota_constructs.errors import TemplateError, UsageError
from quota_constructs.evaluator.contracts import under_contracts
from quota_constructs.evaluator.findings.catalogue import check_arrangement, check_outcome
from quota_constructs.evaluator.findings.context import Context, Evidence, gather
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rules.agreements import dated
from quota_constructs.evaluator.findings.suppression import suppress
from quota_constructs.evaluator.findings.unused import Coverage, check_suppressions
from quota_constructs.evaluator.metrics import measure
from quota_constructs.evaluator.objectives_file import agreed_in
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.sensitivity import check_sensitivity
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.suppressions_file import read_suppressions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template import read_systems
from quota_constructs.evaluator.trace import Trace, arrangements, shares_of
from quota_constructs.evaluator.traces import UnknownShares, read_trace
from quota_constructs.evaluator.traces.scenarios import DEFAULT_SCENARIOS, SCENARIOS, Scenario
from quota_constructs.printable import plural, shortened

__all__ = [
    "Evaluation",
    "check_path",
    "check_systems",
    "choose_scenarios",
    "evaluate",
    "judge",
    "load_trace",
    "load_traces",
    "queues_to_check",
    "read_counterpart",
    "read_queue",
    "read_queues",
    "simulate_path",
]

DEFAULT_ASSUMPTIONS = Assumptions()


def _ignore(note: str) -> None:
    """Take a note and leave it."""


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
    tell: Callable[[str], object] = _ignore,
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
    tell: Callable[[str], object] = _ignore,
) -> tuple[Finding, ...]:
    """
    Return what is wrong with the queues in the template or cloud assembly at *path*, by themselves and under load.

    The load is *traces* and the *scenarios* named; these default to a usual few if there are no traces, and to none
    if there are. Traces need a single queue to run on: *queue* says which, where there are several. Scenarios are
    made for each queue. What the file of *suppressions* accepts is returned too, with the reason. Dates are judged as
    of *today*; without it they are not, and *tell* is called to say so. With *sensitivity*, each finding on the load
    says under which other assumptions it shows, and what shows only there is added.
    """
    systems = queues_to_check(path, traces=traces, parameters=parameters, queue=queue, objectives=objectives, tell=tell)
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


def queues_to_check(
    path: Path,
    *,
    traces: Sequence[Path] = (),
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    tell: Callable[[str], object] = _ignore,
) -> tuple[System, ...]:
    """Return the queues at *path* that a check is about: all, or one if *queue* says which or *traces* need it."""
    if queue is None and not traces:
        return read_queues(path, parameters=parameters, objectives=objectives, tell=tell)
    return (read_queue(path, parameters=parameters, queue=queue, objectives=objectives, tell=tell),)


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
    tell: Callable[[str], object] = _ignore,
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


def choose_scenarios(names: Sequence[str] | None, *, besides: Sequence[Path]) -> list[Scenario]:
    """Return the scenarios called *names*, each once; None leaves the choice to us."""
    if names is None:
        names = () if besides else DEFAULT_SCENARIOS
    for name in names:
        if name not in SCENARIOS:
            raise UsageError(f"no scenario '{shortened(name)}'; a scenario must be one of {', '.join(SCENARIOS)}")
    return [SCENARIOS[name] for name in dict.fromkeys(names)]


def read_queues(
    path: Path,
    *,
    parameters: Mapping[str, str] | None = None,
    allow_undeclared: bool = False,
    objectives: Path | None = None,
    tell: Callable[[str], object] = _ignore,
) -> tuple[System, ...]:
    """
    Return every quota-managed queue of the template or cloud assembly at *path*; that there is none is an error.

    A parameter that the template does not declare is an error too, unless *allow_undeclared*. What the file
    *objectives* says of shares takes the place of what the template says.
    """
    reading = read_systems(path, parameters=parameters or {}, allow_undeclared=allow_undeclared)
    for note in reading.notes:
        tell(note)
    if not reading.systems:
        raise TemplateError(f"{path}: no quota-managed job queue is declared here; give the template that declares it")
    systems = tuple(reading.systems)
    return systems if objectives is None else agreed_in(objectives, systems)


def read_queue(
    path: Path,
    *,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    tell: Callable[[str], object] = _ignore,
) -> System:
    """Return the one queue at *path*, or the one called *queue* (its name or logical id)."""
    return _pick(read_queues(path, parameters=parameters, objectives=objectives, tell=tell), path, queue)


def _pick(systems: Sequence[System], path: Path, queue: str | None) -> System:
    found = [system for system in systems if queue in (None, system.name, system.source.logical_id)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(shortened(system.name) for system in systems)
    if queue is None:
        raise UsageError(f"{path}: several quota-managed job queues ({names}); say which one with --queue NAME")
    if not found:
        raise UsageError(f"{path}: no queue '{shortened(queue)}'; --queue must be one of {names}")
    raise UsageError(f"{path}: several queues are called '{shortened(queue)}'; give the template of one stack alone")


def load_trace(
    path: Path,
    system: System,
    *,
    parameters: Mapping[str, str] | None = None,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
) -> Trace:
    """
    Read the trace at *path* for *system*.

    A template that a change of arrangement names is read with those of *parameters* that it declares; of several
    queues in it, the one that is called like *system* takes over.
    """

    def read_arrangement(template: Path) -> System:
        return read_counterpart(template, system, parameters=parameters)

    return read_trace(path, system=system, unknown_shares=unknown_shares, read_arrangement=read_arrangement)


def load_traces(
    traces: Iterable[Path],
    scenarios: Iterable[Scenario],
    system: System,
    *,
    parameters: Mapping[str, str] | None = None,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
) -> Iterator[Trace]:
    """Read each of *traces* for *system*, and make each of *scenarios* for it, when its turn comes."""
    for trace in traces:
        yield load_trace(trace, system, parameters=parameters, unknown_shares=unknown_shares)
    for scenario in scenarios:
        yield scenario.build(system)


def read_counterpart(
    path: Path,
    system: System,
    *,
    parameters: Mapping[str, str] | None = None,
    tell: Callable[[str], object] = _ignore,
) -> System:
    """
    Return the queue at *path* that can take the place of *system*: the only one, or the one that is called like it.

    Those of *parameters* that the template does not declare are left out.
    """
    systems = read_queues(path, parameters=parameters, allow_undeclared=True, tell=tell)
    return _pick(systems, path, system.name if len(systems) > 1 else None)
