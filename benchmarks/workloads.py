"""What is measured: traces with their arrangements, from files or generated from a seed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from msgspec.structs import replace

from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, Source, System
from quota_constructs.evaluator.trace import Checkpoint, Job, Trace
from quota_constructs.policies.sharing import Strategy

UNIT = "ml.g5.xlarge"
HERE = Source(template="benchmarks", logical_id="Queue")


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

    Odd shares fill whatever is idle with long one-instance jobs that keep their checkpoints; even shares
    return again and again with short jobs of up to eight instances, and take their own back.
    """
    random = Random(seed)  # noqa: S311 - a workload, not a secret
    checkpoint = Checkpoint(interval_ms=30_000)
    drawn: list[Job] = []
    now = 0
    for number in range(jobs):
        now += round(random.expovariate(1 / 820))
        owner = number % 3 == 0
        share = random.randrange(0, shares, 2) if owner else random.randrange(1, shares, 2)
        work = 1_000 + round(random.expovariate(1 / (60_000 if owner else 300_000)))
        count = random.choice((1, 2, 4, 8)) if owner else 1
        drawn.append(
            Job(
                id=f"job-{number}",
                share=f"s{share:02}",
                submit_ms=now,
                duration_ms=work,
                instances=((UNIT, count),),
                checkpoint=None if owner else checkpoint,
            )
        )
    system = arrangement({f"s{number:02}": limit for number in range(shares)}, Strategy.LEND_AND_BORROW)
    return system, Trace(name=f"{jobs} generated jobs over {shares} shares", jobs=tuple(drawn))
