"""How long a job that can never start may block the head of its quota share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MIN_TIME_LIMIT_SECONDS = 600
MAX_TIME_LIMIT_SECONDS = 86_400


class BlockedReason(StrEnum):
    """Why a job blocks its share, as AWS Batch reports it and as a time limit names it."""

    ENVIRONMENT_EXCEEDED = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
    """The job needs more of a unit than the service environment has."""

    QUOTA_EXCEEDED = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
    """The job needs more of a unit than its share can ever hold, borrowing included."""

    INSUFFICIENT_CAPACITY = "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"
    """SageMaker could not provision the instances."""


@dataclass(frozen=True, slots=True)
class JobStateTimeLimitAction:
    """
    Terminate a RUNNABLE job that has blocked the head of its share for *max_time_seconds*.

    TERMINATE and RUNNABLE are the only action and state the service knows for SageMaker Training queues.
    Source: https://docs.aws.amazon.com/batch/latest/APIReference/API_JobStateTimeLimitAction.html
    """

    reason: BlockedReason
    max_time_seconds: float
    """600 to 86,400 seconds; may be a CDK number token, which is checked when it is known."""
