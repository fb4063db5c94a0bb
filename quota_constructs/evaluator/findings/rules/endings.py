"""Jobs that end without having done their work, and shares whose jobs never end."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.capacity import LIMITS
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.misconfiguration import never_starting
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import TIMEOUT, Queueing, State
from quota_constructs.printable import plural, shortened

NEVER_FINISHES = Rule(
    id="QC303",
    title="Jobs of a share are still waiting when nothing more can happen",
    severity=Severity.ERROR,
    what="At the end of the trace, when every running job has ended, jobs are waiting that the share could run.",
    why="They will wait for ever: behind a head that can never start, or for capacity that other shares' limits keep "
    "from them although it is idle.",
    example="A job of 5 at the head of a share of 4, and 20 jobs of one instance behind it.",
    fix="Remove what blocks the head (see QC301), or make the limits add up to no more than the environment has "
    "(see QC102).",
)

TIMED_OUT = Rule(
    id="QC304",
    title="Jobs run into their timeout",
    severity=Severity.WARNING,
    what="An attempt of a job took longer than the job's attemptDurationSeconds, and the job failed.",
    why="The instances were held for that time, and nothing came of it.",
    example="An hour of work with a checkpoint of 2 minutes every 10, and a timeout of an hour.",
    fix="Raise the timeout, shorten the job, or checkpoint less often: checkpoints and restores count.",
)

REJECTED = Rule(
    id="QC305",
    title="Jobs are rejected at submission",
    severity=Severity.WARNING,
    what="A job names a quota share that is disabled, or that the queue does not have.",
    why="The submission fails; the team gets nothing, however idle the environment is.",
    example="A job for share 'resaerch' where there is 'research'.",
    fix="Enable the share, declare it, or correct the name in the trace.",
)


def check_waiting(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share with jobs that could run and wait for ever."""
    stuck = {each.job.id: each for jobs in never_starting(evaluation).values() for each in jobs}
    heads = {
        each.job.share: each.job.id
        for each in stuck.values()
        if each.state is State.RUNNABLE and each.reason is not None
    }
    waiting = by_share(evaluation, lambda each: each.state is State.RUNNABLE and each.job.id not in stuck)
    for name, jobs in waiting.items():
        first = jobs[0]
        head = heads.get(name) if evaluation.assumptions.queueing is Queueing.STRICT else None
        needs = " and ".join(f"{count:,} of {shortened(unit)}" for unit, count in first.job.instances)
        yield NEVER_FINISHES.on_trace(
            evaluation,
            name,
            LIMITS,
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' never finished: still waiting when "
            f"nothing more can happen, '{shortened(first.job.id)}' first in the trace (it needs {needs}), "
            + (
                "for capacity that the limits of other shares keep from them"
                if head is None
                else f"behind '{shortened(head)}', which can never start"
            ),
            fix="make the limits of all shares add up to no more than the environment has"
            if head is None
            else "correct the job at the head, or give the queue a time limit that terminates it",
            figures={"jobs": len(jobs), "behind": head or ""},
        )


def check_timeouts(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share with jobs that hit their timeout."""
    late = by_share(evaluation, lambda each: each.state is State.FAILED and each.reason == TIMEOUT)
    for name, jobs in late.items():
        first = jobs[0].job
        yield TIMED_OUT.on_trace(
            evaluation,
            name,
            "Properties",
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' ran into the timeout, "
            f"'{shortened(first.id)}' first in the trace ({first.duration_ms / 1000:,.0f} s of work, "
            f"timeout {(first.timeout_ms or 0) / 1000:,.0f} s)",
            fix="raise the jobs' timeout, shorten them, or checkpoint less often",
            figures={"jobs": len(jobs)},
        )


def check_rejections(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each declared share whose jobs were rejected, and one for all undeclared shares together."""
    rejected = by_share(evaluation, lambda each: each.state is State.REJECTED)
    unknown = {name: jobs for name, jobs in rejected.items() if name not in evaluation.shares}
    for name, jobs in rejected.items():
        if name not in unknown:
            yield REJECTED.on_trace(
                evaluation,
                name,
                "Properties/State",
                message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' were rejected, "
                f"'{shortened(jobs[0].job.id)}' first in the trace: the share was disabled or not there",
                fix="enable the share, or send the jobs to another",
                figures={"jobs": len(jobs)},
            )
    if unknown:
        count = sum(len(jobs) for jobs in unknown.values())
        yield REJECTED.finding(
            evaluation.system,
            evaluation.system.source,
            "Properties",
            trace=evaluation.trace.name,
            message=f"{plural(count, 'job')} of {plural(len(unknown), 'undeclared share')} were rejected, "
            f"of share '{shortened(next(iter(unknown)))}' for one",
            fix="declare the share, or correct the name in the trace",
            figures={"jobs": count, "shares": len(unknown)},
        )
