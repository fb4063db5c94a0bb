"""What is to be reached, and whether it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.measure import Cost
from benchmarks.workloads import DEALT, FIFO, GENERATED

TIMES_THE_POOL = {FIFO: 2.0, DEALT: 1.0} | dict.fromkeys(GENERATED.values(), 0.3)
"""How fast each workload is to be simulated, in jobs a second of the bare pool."""

TIMES_A_TENTH = 12.0
"""What ten times the jobs may cost at most."""

BYTES_A_JOB = 1_000
TIMES_BARE_PYTHON = 4.0


@dataclass(frozen=True, slots=True)
class Target:
    """One target, in words, and whether it was met."""

    text: str
    met: bool

    def __str__(self) -> str:
        return f"{'met' if self.met else 'MISSED'}: {self.text}"


def targets_of(name: str, costs: Mapping[str, Cost], pool_s: float | None) -> Iterator[Target]:
    """Yield what *name* is to reach; the speed only where the pool was measured too."""
    cost = costs[name]
    wanted = TIMES_THE_POOL.get(name)
    if wanted is not None and pool_s is not None:
        yield Target(f"{wanted:g}x pool", times_the_pool(cost.simulate_s, cost.jobs, pool_s) >= wanted)
    if (tenth := costs.get(GENERATED.get(cost.jobs // 10, ""))) is not None and name in GENERATED.values():
        times = cost.simulate_s / tenth.simulate_s
        yield Target(f"under {TIMES_A_TENTH:g}x a tenth ({times:.1f}x)", times <= TIMES_A_TENTH)
    yield Target("under 1 KB a job", cost.most / cost.jobs < BYTES_A_JOB)
    yield Target("read no slower", cost.read_s <= cost.simulate_s)


def times_the_pool(seconds: float, jobs: int, pool_s: float) -> float:
    """Return how many jobs are dealt with while the bare pool deals with one."""
    return pool_s * jobs / seconds
