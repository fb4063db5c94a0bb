"""Run a simulation in a test and read its result in seconds."""

from __future__ import annotations

from collections.abc import Callable

from quota_constructs.evaluator.simulation.history import History, JobHistory, Usage
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, State, VictimOrder
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job, Trace
from tests.builders import UNIT, ms, trace

Simulate = Callable[[System, Trace, Assumptions], History]


class Run:
    """What came out of one run, by job name, in seconds."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._jobs = {each.job.id: each for each in history.jobs}

    def __getitem__(self, name: str) -> JobHistory:
        return self._jobs[name]

    def attempts(self, name: str) -> list[tuple[float, float]]:
        """Return when each attempt was dispatched and when it ended."""
        return [(began / 1000, ended / 1000) for began, ended in self[name].attempts]

    def started(self, name: str) -> float | None:
        """Return when the job was first dispatched."""
        return in_seconds(self[name].first_dispatch_ms)

    def finished(self, name: str) -> float | None:
        """Return when the job ended, however it did."""
        return in_seconds(self[name].finish_ms)

    def outcome(self, name: str) -> tuple[State, str | None, float | None]:
        """Return the job's state, reason and finish."""
        return self[name].state, self[name].reason, self.finished(name)

    def preemptions(self, name: str) -> tuple[int, int]:
        """Return how often the job was stopped: for other shares, for its own."""
        return self[name].cross_share_preemptions, self[name].in_share_preemptions

    def stopped(self) -> set[str]:
        """Return the jobs that were ever stopped for another."""
        return {name for name in self._jobs if sum(self.preemptions(name)) > 0}

    def usage(self, name: str, unit: str = UNIT) -> Usage:
        """Return a share's use of a unit."""
        return self.history.usage[name, unit]


class Runner:
    """Runs jobs and events on a system with one implementation of the model."""

    def __init__(self, simulate: Simulate) -> None:
        self._simulate = simulate

    def __call__(
        self,
        system: System,
        *lines: Job | Event,
        stop: float = 20,
        order: VictimOrder = VictimOrder.BORROWING_FIRST,
        queueing: Queueing = Queueing.STRICT,
    ) -> Run:
        """Run *lines* on *system*; a stop takes *stop* seconds."""
        assumptions = Assumptions(stop_ms=ms(stop), victim_order=order, queueing=queueing)
        return Run(self._simulate(system, trace(*lines), assumptions))


def in_seconds(milliseconds: int | None) -> float | None:
    """Turn milliseconds into seconds, nothing into nothing."""
    return None if milliseconds is None else milliseconds / 1000
