"""Queues and traces from disk, and the choice among them, for all that is asked about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from quota_constructs.errors import TemplateError, UsageError
from quota_constructs.evaluator.objectives_file import agreed_in
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template import read_systems
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces import UnknownShares, read_trace
from quota_constructs.evaluator.traces.scenarios import DEFAULT_SCENARIOS, SCENARIOS, Scenario
from quota_constructs.printable import shortened


def ignore(note: str) -> None:
    """Take a note and leave it."""


def queues_to_check(
    path: Path,
    *,
    traces: Sequence[Path] = (),
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    allow_none: bool = False,
    tell: Callable[[str], object] = ignore,
) -> tuple[System, ...]:
    """Return the queues at *path* that a check is about: all, or one if *queue* says which or *traces* need it."""
    if queue is None and not traces:
        return read_queues(path, parameters=parameters, objectives=objectives, allow_none=allow_none, tell=tell)
    return (read_queue(path, parameters=parameters, queue=queue, objectives=objectives, tell=tell),)


def read_queues(
    path: Path,
    *,
    parameters: Mapping[str, str] | None = None,
    allow_undeclared: bool = False,
    allow_none: bool = False,
    objectives: Path | None = None,
    tell: Callable[[str], object] = ignore,
) -> tuple[System, ...]:
    """
    Return every quota-managed queue of the template or cloud assembly at *path*.

    That there is none is an error, unless *allow_none*.

    A parameter that the template does not declare is an error too, unless *allow_undeclared*. What the file
    *objectives* says of shares takes the place of what the template says.
    """
    reading = read_systems(path, parameters=parameters or {}, allow_undeclared=allow_undeclared)
    for note in reading.notes:
        tell(note)
    if not reading.systems and not allow_none:
        raise TemplateError(f"{path}: no quota-managed job queue is declared here; give the template that declares it")
    systems = tuple(reading.systems)
    return systems if objectives is None else agreed_in(objectives, systems)


def read_queue(
    path: Path,
    *,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    tell: Callable[[str], object] = ignore,
) -> System:
    """Return the one queue at *path*, or the one called *queue* (its name or logical id)."""
    return _pick(read_queues(path, parameters=parameters, objectives=objectives, tell=tell), path, queue)


def read_counterpart(
    path: Path,
    system: System,
    *,
    parameters: Mapping[str, str] | None = None,
    tell: Callable[[str], object] = ignore,
) -> System:
    """
    Return the queue at *path* that can take the place of *system*: the only one, or the one that is called like it.

    Those of *parameters* that the template does not declare are left out.
    """
    systems = read_queues(path, parameters=parameters, allow_undeclared=True, tell=tell)
    return _pick(systems, path, system.name if len(systems) > 1 else None)


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


def choose_scenarios(names: Sequence[str] | None, *, besides: Sequence[Path]) -> list[Scenario]:
    """Return the scenarios called *names*, each once; None leaves the choice to us."""
    if names is None:
        names = () if besides else DEFAULT_SCENARIOS
    for name in names:
        if name not in SCENARIOS:
            raise UsageError(f"no scenario '{shortened(name)}'; a scenario must be one of {', '.join(SCENARIOS)}")
    return [SCENARIOS[name] for name in dict.fromkeys(names)]
