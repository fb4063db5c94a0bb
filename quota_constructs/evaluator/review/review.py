"""The value that a comment is written from: all that a pull request changes, and what that was judged on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quota_constructs.evaluator.contested_hours import ContestedHours
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.review.changes import Change
from quota_constructs.evaluator.review.people import People, Team
from quota_constructs.evaluator.review.regression import Regression
from quota_constructs.evaluator.review.running import Deployment, Running
from quota_constructs.evaluator.simulation.model import Assumptions

SEVERITIES = tuple(Severity)
"""The gravest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTrace:
    """What a queue's change does on one trace."""

    queue: str
    trace: str
    jobs: int
    people: People
    running: Running
    contested: ContestedHours | None = None
    """Of the run under the head; None if nobody is in anybody's way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What the head of a pull request changes of its base."""

    base: str
    """What was read for it, as the user would name it."""

    head: str
    changes: tuple[Change, ...] | None
    """None if it is not known, as the results that were given do not say what they were about."""

    findings: Regression
    on_traces: tuple[OnTrace, ...] = ()
    """For each queue that changes and each trace; queues that are on one side only are left out."""

    traces: tuple[str, ...] = ()
    """What was run, by name."""

    assumptions: Assumptions | None = None
    """None if nothing was run for this review."""

    @property
    def changes_nothing(self) -> bool:
        """Whether the policy is the same, and so is what was found."""
        return self.changes == () and not self.findings.new and not self.findings.fixed

    def failing(self, fail_on: Severity | None) -> tuple[Finding, ...]:
        """Return the new findings that nobody accepted and that are as grave as *fail_on*; None is none of them."""
        if fail_on is None:
            return ()
        grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
        return tuple(each for each in self.findings.new if each.suppressed_because is None and each.severity in grave)

    def losers(self) -> Iterator[tuple[OnTrace, Team]]:
        """Yield the teams that lose, trace by trace, those that lose most first."""
        for on_trace in self.on_traces:
            for team in on_trace.people.teams:
                if team.loses:
                    yield on_trace, team

    @property
    def worst_deployment(self) -> tuple[OnTrace, Deployment] | None:
        """Return the deployment that hits running jobs hardest of all that were tried; None if none hits any."""
        tried = [(on_trace, on_trace.running.worst) for on_trace in self.on_traces]
        hits = [(on_trace, worst) for on_trace, worst in tried if worst is not None and any(worst.gravity)]
        return max(hits, key=lambda hit: hit[1].gravity, default=None)
