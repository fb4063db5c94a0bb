"""Jobs that were preempted once too often."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.sharing import STRATEGY
from quota_constructs.evaluator.metrics import measure_jobs
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import PREEMPTION_RETRIES_EXHAUSTED, State
from quota_constructs.printable import plural, shortened

IN_SHARE = "Properties/PreemptionConfiguration/InSharePreemption"

RETRIES_EXHAUSTED = Rule(
    id="QC302",
    title="Jobs fail because they are preempted too often",
    severity=Severity.ERROR,
    what="A job was preempted more often than its preemptionRetriesBeforeTermination allows, and failed.",
    why="The job never finishes, and all it had worked is thrown away. Work that runs on borrowed capacity is "
    "stopped whenever the lender's owner returns; no setting turns that off.",
    example="A job with 2 retries runs on borrowed instances for days, and the lender's owner returns three times.",
    fix="Let the share own what such jobs need, allow the jobs more preemptions, or checkpoint them and keep them "
    "short. If it is the share's own jobs that stop them, reconsider in-share preemption or the priorities.",
)


def check(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share with jobs that ran out of preemption retries."""
    failed = by_share(
        evaluation, lambda each: each.state is State.FAILED and each.reason == PREEMPTION_RETRIES_EXHAUSTED
    )
    for name, jobs in failed.items():
        figures = measure_jobs(jobs)
        cross_share, in_share = figures.cross_share_preemptions, figures.in_share_preemptions
        lost_hours = figures.lost_instance_ms / 3_600_000
        stopped = f"{plural(cross_share, 'time')} for other shares and {plural(in_share, 'time')} for jobs of their own"
        mostly_in_share = in_share > cross_share
        yield RETRIES_EXHAUSTED.on_trace(
            evaluation,
            name,
            IN_SHARE if mostly_in_share else STRATEGY,
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' failed because preemption retries ran "
            f"out, '{shortened(jobs[0].job.id)}' first in the trace: stopped {stopped}, "
            f"with {lost_hours:,.2f} instance-hours of work lost",
            fix="lower the priority gap within the share, allow the jobs more preemption retries, or checkpoint them"
            if mostly_in_share
            else "raise the share's own capacity, allow the jobs more preemption retries, or checkpoint them",
            figures={
                "jobs": len(jobs),
                "cross_share_preemptions": cross_share,
                "in_share_preemptions": in_share,
                "lost_instance_ms": figures.lost_instance_ms,
            },
        )
