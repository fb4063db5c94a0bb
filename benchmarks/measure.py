"""What one run costs. Each function is called in a process of its own, so that no run inherits another's memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from os import sysconf
from pathlib import Path
from time import process_time

from benchmarks import pool
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.evaluator.traces import read_trace

SELF = Path("/proc/self")
WARM_UP = 200
"""Jobs that are run before anything is measured, so that all code is loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What it took to read a trace and to simulate it, in processor seconds and bytes."""

    jobs: int
    preemptions: int
    read_s: float
    simulate_s: float
    kept: int
    """What the process grew by in simulating, with the history held."""

    most: int
    """What it grew by at the worst moment of simulating."""

    peak: int
    """The most the process ever held, Python and reading included."""


def cost_of(system: System, path: Path) -> Cost:
    """Read the trace at *path*, and simulate it on *system*."""
    began = process_time()
    trace = read_trace(path, system=system)
    read_s = process_time() - began
    simulate(system, Trace(name="warm-up", jobs=trace.jobs[:WARM_UP]), Assumptions())

    peak_of_reading = _peak()
    before = _resident()
    _forget_peak()
    began = process_time()
    history = simulate(system, trace, Assumptions())
    simulate_s = process_time() - began
    peak = _peak()
    return Cost(
        jobs=len(trace.jobs),
        preemptions=sum(each.cross_share_preemptions + each.in_share_preemptions for each in history.jobs),
        read_s=read_s,
        simulate_s=simulate_s,
        kept=_resident() - before,
        most=peak - before,
        peak=max(peak, peak_of_reading),
    )


def cost_of_pool(system: System, path: Path) -> float:
    """Return the processor seconds a job that the bare pool takes for the trace at *path*, without reading it."""
    jobs = read_trace(path, system=system).jobs
    capacity = sum(system.environment.capacity.values())
    pool.run(jobs[:WARM_UP], capacity)
    began = process_time()
    pool.run(jobs, capacity)
    return (process_time() - began) / len(jobs)


def cost_of_command(command: Sequence[str]) -> float:
    """Return the processor seconds that *command* takes from beginning to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _resident() -> int:
    """Return what the process holds; where the system does not tell, the most it ever held."""
    try:
        return int((SELF / "statm").read_text(encoding="ascii").split()[1]) * sysconf("SC_PAGE_SIZE")
    except OSError:
        return _peak()


def _peak() -> int:
    """Return the most the process held since its start, or since `_forget_peak`."""
    try:
        lines = (SELF / "status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def _forget_peak() -> None:
    """Let the peak begin anew (`man 5 proc`, clear_refs); where that cannot be done it includes the reading."""
    try:
        (SELF / "clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return
