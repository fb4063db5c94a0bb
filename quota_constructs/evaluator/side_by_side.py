"""Run a trace under a declared arrangement, under a partition and a pool made from it, and under others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.arrangements import partitioned, pooled, restored
from quota_constructs.evaluator.comparison import BASE, DECLARED, PARTITION, POOL, Comparison, Contender, compare
from quota_constructs.evaluator.contracts import under_contracts
from quota_constructs.evaluator.evaluation import DEFAULT_ASSUMPTIONS
from quota_constructs.evaluator.inputs import choose_scenarios, load_traces, read_counterpart, read_queue
from quota_constructs.evaluator.metrics import measure
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace, arrangements, shares_of
from quota_constructs.evaluator.traces import UnknownShares
from quota_constructs.printable import shortened


def compare_path(
    path: Path,
    *,
    traces: Sequence[Path] = (),
    scenarios: Sequence[str] | None = None,
    bases: Sequence[Path] = (),
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    unknown_shares: UnknownShares = UnknownShares.FAIL,
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[Comparison]:
    """
    Yield for each trace how the queue in the template or cloud assembly at *path* compares to others.

    The traces are *traces* and the *scenarios* named; these default to a usual few if there are no traces, and to none
    if there are. The others are a partition, a pool, and the queue of the same name, or the only queue, in each of
    *bases*.
    """
    played = choose_scenarios(scenarios, besides=traces)
    if not traces and not played:
        raise UsageError("there is nothing to compare by; give a --trace or a --scenario")
    for base in bases:
        if bases.count(base) > 1:
            raise UsageError(f"--with {shortened(str(base))} is given twice; give it once")
    system = read_queue(path, parameters=parameters, queue=queue, objectives=objectives, tell=tell)
    others = {str(base): read_counterpart(base, system, parameters=parameters, tell=tell) for base in bases}
    for trace in load_traces(traces, played, system, parameters=parameters, unknown_shares=unknown_shares):
        yield compare_systems(system, trace, bases=others, assumptions=assumptions, template=str(path))


def compare_systems(
    system: System,
    trace: Trace,
    *,
    bases: Mapping[str, System] | None = None,
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    template: str | None = None,
) -> Comparison:
    """
    Return what becomes of *trace* under *system*, beside a partition, a pool, and *bases* by their templates.

    The jobs are the same everywhere: where the trace is silent, the contracts of *system* speak for all, and those of
    *bases* for shares that it lacks.
    """
    bases = bases or {}
    trace, contract_use = under_contracts(trace, shares_of((*arrangements(system, trace), *bases.values())))

    def run(arrangement: System, jobs: Trace) -> Evaluation:
        history = restored(simulate(arrangement, jobs, assumptions), trace)
        return Evaluation(
            system=arrangement,
            trace=jobs,
            assumptions=assumptions,
            history=history,
            figures=measure(history),
            contract_use=contract_use,
        )

    names = [BASE] if len(bases) == 1 else [f"{BASE} {number}" for number in range(1, len(bases) + 1)]
    return compare(
        Contender(name=DECLARED, evaluation=run(system, trace), template=template),
        [
            Contender(name=PARTITION, evaluation=run(*partitioned(system, trace))),
            Contender(name=POOL, evaluation=run(*pooled(system, trace)), pooled=True),
            *(
                Contender(name=name, evaluation=run(base, trace), template=path)
                for name, (path, base) in zip(names, bases.items(), strict=True)
            ),
        ],
    )
