"""Jobs and events as a scenario thinks of them, in whole seconds, and put in order at the end."""

from __future__ import annotations

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Event, Job, PriorityUpdate, Trace
from quota_constructs.evaluator.traces.scenarios.allocations import Allocation

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR

STARTUP = 3 * MINUTE
"""From dispatch to the first productive moment, for all jobs of all scenarios; an assumption."""


class Script:
    """Collects what happens in a scenario, in any order."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._events: list[Event] = []
        self._counts: dict[str, int] = {}

    def submit(
        self,
        allocation: Allocation,
        instances: int,
        *,
        at_s: int,
        work_s: int,
        priority: int = 0,
        preemption_retries: int | None = None,
        deadline_s: int | None = None,
    ) -> str:
        """
        Let the share of *allocation* submit a job for *instances* of its unit, and return the job's id.

        It says nothing about checkpoints, and about retries only if they are given, so that those of the share's
        interruption contract hold.
        """
        number = self._counts[allocation.share] = self._counts.get(allocation.share, 0) + 1
        job = Job(
            id=f"{allocation.share}-{number}",
            share=allocation.share,
            submit_ms=1_000 * at_s,
            duration_ms=1_000 * work_s,
            instances=((allocation.unit, instances),),
            priority=priority,
            preemption_retries=preemption_retries,
            startup_ms=1_000 * STARTUP,
            deadline_ms=None if deadline_s is None else 1_000 * deadline_s,
        )
        self._jobs.append(job)
        return job.id

    def reprioritise(self, job: str, priority: int, *, at_s: int) -> None:
        """Change the priority of the job called *job*."""
        self._events.append(PriorityUpdate(time_ms=1_000 * at_s, job=job, priority=priority))

    def rearrange(self, system: System, *, at_s: int) -> None:
        """Let *system* take over."""
        self._events.append(ArrangementChange(time_ms=1_000 * at_s, system=system))

    def trace(self, *, name: str, description: str, source: str) -> Trace:
        """Return all of it in order of time; what happens at one time stays in the order in which it was thought of."""
        return Trace(
            name=name,
            jobs=tuple(sorted(self._jobs, key=lambda job: job.submit_ms)),
            events=tuple(sorted(self._events, key=lambda event: event.time_ms)),
            description=description,
            source=source,
        )
