"""What is on record of one job: all that a trace is made from, and nothing of the job's payload."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from quota_constructs.live import shapes

AskTrainingJob = Callable[[str], shapes.TrainingJob | None]
"""Gives a training job by its ARN; None if it is not there any more."""


class AttemptFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One time that a job was dispatched."""

    started_ms: int | None = None
    stopped_ms: int | None = None
    preempted: bool = False


class JobFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One job. Times are milliseconds since 1970."""

    id: str
    share: str
    status: str
    created_ms: int
    scheduled_ms: int | None = None
    """When it was last dispatched."""

    priority: int | None = None
    instances: dict[str, float] = {}
    attempts: list[AttemptFacts] = []
    """In order of time; of those that were preempted, only the latest are on record."""

    preemptions: int = 0
    preemption_retries: int | None = None
    retry_attempts: int | None = None
    """How often it may be tried, preemptions aside."""

    timeout_s: int | None = None
    has_checkpoint_config: bool | None = None
    """Whether SageMaker was told where its checkpoints are; None if its request cannot be read."""


class _Request(Struct, frozen=True, kw_only=True, rename="pascal"):
    checkpoint_config: dict[str, object] | None = None


def facts_of(job: shapes.ServiceJob, ask: AskTrainingJob) -> JobFacts:
    """Return what is on record of *job*; *ask* for a training job only where Batch does not know when it ran."""
    return JobFacts(
        id=job.job_id,
        share=job.quota_share_name or "",
        status=job.status,
        created_ms=job.created_at or 0,
        scheduled_ms=job.scheduled_at or None,
        priority=job.scheduling_priority,
        instances={
            usage.capacity_unit: usage.quantity
            for usage in sorted(job.capacity_usage, key=lambda usage: usage.capacity_unit)
        },
        attempts=sorted(_attempts(job, ask), key=_by_time),
        preemptions=job.preemption_summary.preempted_attempt_count,
        preemption_retries=job.preemption_configuration.preemption_retries_before_termination,
        retry_attempts=None if job.retry_strategy is None else job.retry_strategy.attempts,
        timeout_s=job.timeout_config.attempt_duration_seconds,
        has_checkpoint_config=_has_checkpoint_config(job.service_request_payload),
    )


def _attempts(job: shapes.ServiceJob, ask: AskTrainingJob) -> Iterator[AttemptFacts]:
    preempted = job.preemption_summary.recent_preempted_attempts
    seen = {_arn(attempt) for attempt in preempted}
    for attempt in preempted:
        yield _attempt(attempt, ask, preempted=True)
    others = [attempt for attempt in job.attempts if _arn(attempt) is None or _arn(attempt) not in seen]
    for attempt in others:
        yield _attempt(attempt, ask)
    if _is_listed(job, [*preempted, *others]):
        return
    running = shapes.Attempt(
        service_resource_id=None if job.latest_attempt is None else job.latest_attempt.service_resource_id,
        started_at=job.started_at,
        stopped_at=job.stopped_at,
    )
    if running.started_at or _arn(running) is not None:
        yield _attempt(running, ask)


def _is_listed(job: shapes.ServiceJob, attempts: Sequence[shapes.Attempt]) -> bool:
    """Whether the latest attempt of *job* is among *attempts*: the service may list an attempt once it is over."""
    latest = None if job.latest_attempt is None else _arn(job.latest_attempt)
    if latest is None:
        return bool(attempts)
    return any(_arn(attempt) == latest for attempt in attempts)


def _attempt(attempt: shapes.Attempt, ask: AskTrainingJob, *, preempted: bool = False) -> AttemptFacts:
    started, stopped, arn = attempt.started_at or None, attempt.stopped_at or None, _arn(attempt)
    if started is None and arn is not None:
        training = ask(arn)
        if training is not None and training.training_start_time is not None:
            started = round(training.training_start_time.timestamp() * 1000)
            if training.training_end_time is not None:
                stopped = round(training.training_end_time.timestamp() * 1000)
    return AttemptFacts(started_ms=started, stopped_ms=stopped, preempted=preempted)


def _arn(attempt: shapes.LatestAttempt) -> str | None:
    return None if attempt.service_resource_id is None else attempt.service_resource_id.value


def _by_time(attempt: AttemptFacts) -> tuple[bool, int, int]:
    """
    Sort key of attempts.

    1. those that never started, last
    2. started earlier
    3. stopped earlier, those that still run last
    """
    started, stopped = attempt.started_ms, attempt.stopped_ms
    return started is None, started or 0, 2**63 if stopped is None else stopped


def _has_checkpoint_config(payload: str | None) -> bool | None:
    if payload is None:
        return None
    try:
        return msgspec.json.decode(payload, type=_Request).checkpoint_config is not None
    except (msgspec.DecodeError, RecursionError):
        return None
