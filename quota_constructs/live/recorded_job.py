"""From what is on record of a job to a job of a trace: what it worked, and what cannot be known."""

from __future__ import annotations

from dataclasses import dataclass

from quota_constructs.evaluator.trace import Job
from quota_constructs.evaluator.traces.schema import MAX_COUNT, MAX_PRIORITY
from quota_constructs.live.facts import AttemptFacts, JobFacts

SUCCEEDED = "SUCCEEDED"
FAILED = "FAILED"

ANOTHER_TIME = "was submitted at another time, or at one that is not on record"
NEVER_RAN = "never ran"
NO_TIMES = "ran at times that are not on record"
NO_INSTANCES = "the service does not say what it holds, in whole instances"

CUT_OFF = "not over: what it worked until the end of the recording counts as all its work"
WORK_OF_FAILED = "failed: what it worked until then counts as all its work"
FORGOTTEN_ATTEMPTS = "preempted more often than the service lists: the work of the attempts not listed is missing"
RESTARTED = "ran more than once without a checkpoint configuration: only the work of its last attempt counts"
TIMEOUT_LEFT_OUT = "worked for longer in all its attempts than one may take: it is given no timeout"


@dataclass(frozen=True, slots=True)
class RecordedJob:
    """A job of a trace, and which of the rules above changed it."""

    job: Job
    altered: tuple[str, ...]


def recorded_job(facts: JobFacts, *, since_ms: int, until_ms: int) -> RecordedJob | str:
    """
    Return the job of a trace that begins at *since_ms* and ends at *until_ms*, or why there is none.

    A job with a checkpoint configuration goes on where it was stopped, so that its attempts add up. Any other begins
    again each time, so that its last attempt is all its work.
    """
    if not since_ms <= facts.created_ms < until_ms:
        return ANOTHER_TIME
    instances = _whole(facts.instances)
    if instances is None:
        return NO_INSTANCES
    if not facts.attempts:
        return NEVER_RAN
    ran = [(attempt, worked) for attempt in facts.attempts if (worked := _worked_ms(attempt, facts, until_ms)) > 0]
    if not ran:
        return NO_TIMES if any(attempt.started_ms is None for attempt in facts.attempts) else NEVER_RAN
    resumes = bool(facts.has_checkpoint_config)
    duration_ms = sum(worked for _, worked in ran) if resumes else ran[-1][1]
    timeout_ms = None if not facts.timeout_s or facts.timeout_s < 0 else facts.timeout_s * 1000
    too_short = timeout_ms is not None and timeout_ms < duration_ms
    retries = facts.preemption_retries
    listed = sum(attempt.preempted for attempt in facts.attempts)
    altered = {
        CUT_OFF: facts.status not in (SUCCEEDED, FAILED),
        WORK_OF_FAILED: facts.status == FAILED,
        FORGOTTEN_ATTEMPTS: resumes and facts.preemptions > listed,
        RESTARTED: not resumes and len(ran) > 1,
        TIMEOUT_LEFT_OUT: too_short,
    }
    job = Job(
        id=facts.id,
        share=facts.share,
        submit_ms=facts.created_ms - since_ms,
        duration_ms=duration_ms,
        instances=instances,
        priority=min(max(facts.priority or 0, 0), MAX_PRIORITY),
        preemption_retries=retries if retries is not None and 0 <= retries <= MAX_COUNT else None,
        startup_ms=_startup_ms(facts, ran[-1][0]),
        timeout_ms=None if too_short else timeout_ms,
    )
    return RecordedJob(job, tuple(rule for rule, holds in altered.items() if holds))


def _worked_ms(attempt: AttemptFacts, facts: JobFacts, until_ms: int) -> int:
    """Return how long *attempt* worked; what still runs, until the recording ends."""
    if attempt.started_ms is None:
        return 0
    if attempt.stopped_ms is None:
        return 0 if facts.status in (SUCCEEDED, FAILED) else max(0, until_ms - attempt.started_ms)
    return max(0, attempt.stopped_ms - attempt.started_ms)


def _startup_ms(facts: JobFacts, last: AttemptFacts) -> int:
    """Return how long the last attempt took from its dispatch to its start, 0 if that is not on record."""
    if facts.scheduled_ms is None or last.started_ms is None:
        return 0
    return max(0, last.started_ms - facts.scheduled_ms)


def _whole(instances: dict[str, float]) -> tuple[tuple[str, int], ...] | None:
    """Return *instances* as a job of a trace holds them; None if there are none, or parts of one."""
    if not instances or not all(count.is_integer() and 1 <= count <= MAX_COUNT for count in instances.values()):
        return None
    return tuple((unit, int(count)) for unit, count in sorted(instances.items()))
