"""What a share is promised, in terms that a trace can measure."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from quota_constructs.policies.limits import Amount, Names


class PromiseSeverity(StrEnum):
    """How much it matters that a promise is not kept: a broken `error` fails a check."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Objective(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One bound, the traces it holds for and how much it matters."""

    bound: Amount
    traces: Names = ()
    """Names of scenarios, or of trace files without their folder; none means all."""

    severity: PromiseSeverity = PromiseSeverity.ERROR


class Objectives(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    The promises to one share, each of which may be left out.

    Times are in seconds; fractions and percentages say so in their name. A percentile p of n sorted values is
    the value at index ceil(p/100 x n) - 1, over the jobs for which there is one.
    """

    wait_p50_seconds: Objective | None = None
    """From submission to first dispatch."""

    wait_p95_seconds: Objective | None = None
    wait_max_seconds: Objective | None = None
    """Jobs that never started count with their wait up to the end of the trace."""

    completion_p95_seconds: Objective | None = None
    """From submission to finish, of jobs that succeeded."""

    slowdown_p95: Objective | None = None
    """Completion divided by what it would have been undisturbed and without waiting."""

    deadline_hit_percent: Objective | None = None
    """At least this share of the jobs with a deadline succeed by then."""

    preemptions_per_job: Objective | None = None
    """No job is preempted more often."""

    lost_work_percent: Objective | None = None
    """At most this much of all productive instance-time is thrown away by preemptions."""

    goodput_percent: Objective | None = None
    """Finished work is at least this much of what the share was allocated over the trace."""

    entitled_wait_seconds: Objective | None = None
    """The longest time a job at the head fitted within the share's own allocation and still did not run."""

    all_jobs_finish: Objective | None = None
    """At most `bound` jobs fail or are left waiting at the end (0 promises all); cancelled and rejected ones aside."""
