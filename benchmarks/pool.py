"""The floor: the same jobs on one bare pool of SimPy, without shares, priorities or preemption."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import simpy

from quota_constructs.evaluator.trace import Job

Steps = Generator[simpy.Event, object, None]


def run(jobs: Sequence[Job], capacity: int) -> int:
    """Let *jobs*, in order of submission, take what they need from *capacity* in turn; return when the last ends."""
    environment = simpy.Environment()
    pool = simpy.Container(environment, capacity=capacity, init=capacity)
    environment.process(_submit(environment, pool, jobs))
    environment.run()
    return int(environment.now)


def _submit(environment: simpy.Environment, pool: simpy.Container, jobs: Sequence[Job]) -> Steps:
    for job in jobs:
        yield environment.timeout(job.submit_ms - environment.now)
        environment.process(_hold(environment, pool, job))


def _hold(environment: simpy.Environment, pool: simpy.Container, job: Job) -> Steps:
    count = job.instances[0][1]
    yield pool.get(count)
    yield environment.timeout(job.duration_ms)
    yield pool.put(count)
