"""Measure speed and memory, everything in one run, beside what is to be reached: `python -m benchmarks`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import RenderableType

from benchmarks.measure import Cost, cost_of, cost_of_command, cost_of_pool
from benchmarks.table import HELP, NOTHING, command_table, workload_table
from benchmarks.workloads import FIFO, GENERATED, SHARED, workloads
from quota_constructs.evaluator.report.screen import Screen, draw
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces import write_trace

ROUNDS = 7
ROUNDS_OF_THE_LARGEST = 3
ROUNDS_OF_COMMANDS = 20
WIDTH = 200
ROOT = Path(__file__).parents[1]
EXAMPLE, TRACE = ROOT / "cdk.out", ROOT / "stacks" / "traces" / "owner-returns.jsonl"

Prepared = Mapping[str, tuple[System, Path]]
"""By name of the workload, the arrangement and the file with the trace."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print, and succeed whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the million jobs")
    quick = parser.parse_args(arguments).quick
    with TemporaryDirectory() as folder:
        prepared = prepare(Path(folder), most=sorted(GENERATED)[-2 if quick else -1])
        costs, pool_s = measure_workloads(prepared, rounds=ROUNDS)
    commands = measure_commands(rounds=ROUNDS_OF_COMMANDS)
    blocks: list[RenderableType] = [workload_table(costs, pool_s), command_table(commands)]
    if FIFO not in prepared:
        blocks.append(f"Left out, for want of the folder {SHARED.name}/ beside the project: the pool and real traces.")
    if not EXAMPLE.exists():
        blocks.append("Left out, for want of a synthesized example (`make synth`): quota-constructs check.")
    print(draw(blocks, Screen(width=WIDTH)), end="")
    return 0


def prepare(folder: Path, *, most: int, shared: Path = SHARED) -> Prepared:
    """Write the trace of every workload into *folder*."""
    prepared: dict[str, tuple[System, Path]] = {}
    for number, workload in enumerate(workloads(most=most, shared=shared)):
        path = folder / f"{number}.jsonl"
        write_trace(workload.trace, path)
        prepared[workload.name] = workload.system, path
    return prepared


def measure_workloads(prepared: Prepared, *, rounds: int) -> tuple[Mapping[str, Cost], float | None]:
    """Return the least cost of each workload in *rounds* that take turns, and what the bare pool takes a job."""
    costs: dict[str, list[Cost]] = {name: [] for name in prepared}
    pool: list[float] = []
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as process:
        for number in range(rounds):
            if FIFO in prepared:
                pool.append(process.submit(cost_of_pool, *prepared[FIFO]).result())
            for name, (system, path) in prepared.items():
                if name != GENERATED[max(GENERATED)] or number < ROUNDS_OF_THE_LARGEST:
                    _tell(f"round {number + 1} of {rounds}: {name}")
                    costs[name].append(process.submit(cost_of, system, path).result())
    return {name: _least(each) for name, each in costs.items()}, min(pool, default=None)


def measure_commands(*, rounds: int) -> Mapping[str, float]:
    """Return the least seconds of each command in *rounds* that take turns."""
    script = str(Path(sys.executable).with_name("quota-constructs"))
    commands = {NOTHING: [sys.executable, "-c", "pass"], HELP: [script, "--help"]}
    if EXAMPLE.exists():
        commands["quota-constructs check, the example"] = [script, "check", str(EXAMPLE)]
        commands["the same, with its trace"] = [script, "check", str(EXAMPLE), "--trace", str(TRACE)]
    taken = [{name: cost_of_command(command) for name, command in commands.items()} for _ in range(rounds)]
    return {name: min(each[name] for each in taken) for name in commands}


def _least(costs: Sequence[Cost]) -> Cost:
    """Return the least seconds of several runs of the same: what is above them is the machine's doing."""
    return replace(
        min(costs, key=lambda cost: cost.most),
        read_s=min(cost.read_s for cost in costs),
        simulate_s=min(cost.simulate_s for cost in costs),
    )


def _tell(step: str) -> None:
    print(step, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
