"""What is measured: traces with their arrangements, from files or generated from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from msgspec.structs import replace

from benchmarks import real_traces
from quota_constructs.evaluator.inputs import read_queue
from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, Source, System
from quota_constructs.evaluator.trace import Checkpoint, Job, Trace
from quota_constructs.evaluator.traces import read_trace
from quota_constructs.policies.sharing import Strategy

UNIT = "ml.g5.xlarge"
SWEEP = 500
"""How many jobs the borrowers submit at once, and their lenders one by one before the next sweep."""

MEAN_GAP_MS = 12_400

HERE = Source(template="benchmarks", logical_id="Queue")


SHARED = Path(__file__).parents[2] / "shared"
"""Where the traces lie that are not part of the project."""

FIFO, DEALT, ITP = "fifo-10000", "fifo-10000, 4 shares", "ITP, 10 shares"
GENERATED = {count: f"{count:,} generated" for count in (10_000, 100_000, 1_000_000)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One row of the table."""

    name: str
    system: System
    trace: Trace


def workloads(*, most: int, shared: Path = SHARED) -> Iterator[Workload]:
    """Yield what is measured, up to *most* generated jobs; what needs the *shared* traces only where they are."""
    if (cases := shared / "cases" / "fifo-10000.jsonl").is_file():
        pool = arrangement({"all": 256}, Strategy.RESERVE)
        fifo = read_trace(cases, system=pool)
        yield Workload(name=FIFO, system=pool, trace=fifo)
        four = arrangement({f"s{number:02}": 64 for number in range(4)}, Strategy.LEND_AND_BORROW)
        yield Workload(name=DEALT, system=four, trace=dealt(fifo, 4))
    if (logs := shared / "traces" / "ms-itp-elasticflow").is_dir():
        ten = read_queue(real_traces.TEMPLATES / "itp.yaml")
        yield Workload(name=ITP, system=ten, trace=real_traces.itp(logs))
    for count, name in GENERATED.items():
        if count <= most:
            system, trace = contended(count)
            yield Workload(name=name, system=system, trace=trace)


def arrangement(limits: dict[str, int], strategy: Strategy) -> System:
    """Return a system of one unit whose environment holds just what its shares are allocated."""
    return System(
        name="queue",
        source=HERE,
        environment=ServiceEnvironment(name="environment", capacity={UNIT: sum(limits.values())}, source=HERE),
        shares=tuple(
            QuotaShare(name=name, limits={UNIT: limit}, strategy=strategy, source=HERE)
            for name, limit in sorted(limits.items())
        ),
    )


def dealt(trace: Trace, shares: int) -> Trace:
    """Return *trace* with its jobs dealt over shares `s00`, `s01`, ... in turn."""
    jobs = (replace(job, share=f"s{number % shares:02}") for number, job in enumerate(trace.jobs))
    return replace(trace, name=f"{trace.name}, dealt over {shares}", jobs=tuple(jobs))


def contended(jobs: int, *, shares: int = 20, limit: int = 16, seed: int = 1) -> tuple[System, Trace]:
    """
    Return *shares* shares with *jobs* jobs between them, and about one preemption for every job.

    Again and again a sweep of one-instance jobs that keep their checkpoints comes to the odd shares at once, and
    fills whatever is idle; while it is worked off, the even shares come with short jobs of up to eight instances,
    and take their own back. The load is 0.85, so queues grow with a sweep and not from one to the next.
    """
    random = Random(seed)  # noqa: S311 - a workload, not a secret
    checkpoint = Checkpoint(interval_ms=300_000)
    drawn: list[Job] = []
    now = 0
    while len(drawn) < jobs:
        place = len(drawn) % (2 * SWEEP)
        borrows = place < SWEEP
        now += 0 if borrows else round(random.expovariate(1 / MEAN_GAP_MS))
        drawn.append(
            Job(
                id=f"job-{len(drawn)}",
                share=f"s{random.randrange(1 if borrows else 0, shares, 2):02}",
                submit_ms=now,
                duration_ms=1_000 + round(random.expovariate(1 / (3_000_000 if borrows else 100_000))),
                instances=((UNIT, 1 if borrows else random.choice((1, 2, 4, 8))),),
                checkpoint=checkpoint if borrows else None,
            )
        )
    system = arrangement({f"s{number:02}": limit for number in range(shares)}, Strategy.LEND_AND_BORROW)
    return system, Trace(name=f"{jobs} generated jobs over {shares} shares", jobs=tuple(drawn))
