"""Settings of an arrangement that are judged in the light of the traces that were run."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.preemption import IN_SHARE
from quota_constructs.evaluator.system import System
from quota_constructs.policies.time_limits import BlockedReason
from quota_constructs.printable import plural, shortened

TIME_LIMITS = "Properties/JobStateTimeLimitActions"

NO_TIME_LIMIT = Rule(
    id="QC113",
    title="No time limit ends a job that blocks its share",
    severity=Severity.NOTE,
    what="The queue has no JobStateTimeLimitActions entry for one of the two reasons for which a job can never start. "
    "A note; a warning where a trace has such a job.",
    why="The service accepts a job that asks for more than its share can ever hold, and finds out at the head of the "
    "share. Without a time limit it stays there, and no later job of the share starts, until a person terminates it.",
    example="A share of 4 gets a job of 5 on Friday evening; on Monday the jobs behind it are still waiting.",
    fix="Give the queue a TERMINATE entry for each of the reasons; 600 s is the least that the service allows.",
)

ONE_PRIORITY = Rule(
    id="QC114",
    title="In-share preemption finds only jobs of one priority",
    severity=Severity.NOTE,
    what="A share has in-share preemption, and in all traces that were run its jobs (two or more) have one priority.",
    why="A job may only stop others of its share with a lower priority, so on these traces the setting does nothing. "
    "Either the jobs are not given the priorities that were agreed on, or the setting is not needed; it starts to stop "
    "jobs when the first team member raises one.",
    example="A share of 2 with in-share preemption, and a week of jobs that all have priority 0.",
    fix="Give urgent jobs a higher schedulingPriority, or disable in-share preemption.",
)

_MISCONFIGURATIONS = (BlockedReason.ENVIRONMENT_EXCEEDED, BlockedReason.QUOTA_EXCEEDED)


def check_time_limits(system: System, context: Context) -> Iterator[Finding]:
    """Yield a finding if jobs that can never start could stay for ever, and whether a trace has any."""
    limited = {limit.reason for limit in system.time_limits}
    missing = [reason for reason in _MISCONFIGURATIONS if reason not in limited]
    if not missing or not system.shares:
        return
    seen = [(each.trace, sum(each.blocked.get(reason, 0) for reason in missing)) for each in context.evidence]
    trace, jobs = next(((name, count) for name, count in seen if count), (None, 0))
    yield NO_TIME_LIMIT.finding(
        system,
        system.source,
        TIME_LIMITS,
        trace=trace,
        severity=None if trace is None else Severity.WARNING,
        message=f"queue '{shortened(system.name)}' has no time limit for {' and '.join(missing)}: "
        + (
            "a job that asks for too much would hold up its share until somebody terminates it"
            if trace is None
            else f"{plural(jobs, 'job')} of the trace can never start and hold up their shares for ever"
        ),
        fix=f"give the queue a TERMINATE entry of 600 s or more for {' and for '.join(missing)}",
        figures={"missing": len(missing), "jobs": jobs},
    )


def check_priorities(system: System, context: Context) -> Iterator[Finding]:
    """Yield a finding for each share that preempts its own jobs and has them all at one priority."""
    for share in system.shares:
        if not share.in_share_preemption:
            continue
        jobs = sum(each.jobs.get(share.name, 0) for each in context.evidence)
        seen = frozenset[int]().union(*(each.priorities.get(share.name, ()) for each in context.evidence))
        if jobs > 1 and len(seen) == 1:
            (priority,) = seen
            traces = sum(share.name in each.jobs for each in context.evidence)
            yield ONE_PRIORITY.on_share(
                system,
                share,
                IN_SHARE,
                message=f"share '{shortened(share.name)}' has in-share preemption, and all its {jobs:,} jobs in "
                f"{plural(traces, 'trace')} have priority {priority:,}: none can stop another",
                fix="give urgent jobs a higher priority, or disable in-share preemption",
                figures={"jobs": jobs, "traces": traces, "priority": priority},
            )
