"""What the service answers, as far as it is read here; what an answer has besides is dropped as it comes in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct, field

Milliseconds = Annotated[int, Meta(ge=0, le=253_402_300_799_999)]
"""Since 1970, up to the end of the year 9999."""


class Page(Struct, frozen=True, kw_only=True, rename="camel"):
    """One page of a list of Batch."""

    next_token: str | None = None


class CapacityLimit(Struct, frozen=True, kw_only=True, rename="camel"):
    """How many instances of a type."""

    capacity_unit: str
    max_capacity: int


class CapacityUsage(Struct, frozen=True, kw_only=True, rename="camel"):
    """How many instances of a type are held."""

    capacity_unit: str
    quantity: float


class ServiceEnvironmentOrder(Struct, frozen=True, kw_only=True, rename="camel"):
    """A service environment that a queue runs on."""

    order: int
    service_environment: str


class JobStateTimeLimitAction(Struct, frozen=True, kw_only=True, rename="camel"):
    """How long a blocking job is left at the head of a queue."""

    reason: str
    state: str
    max_time_seconds: int
    action: str


class JobQueue(Struct, frozen=True, kw_only=True, rename="camel"):
    """A job queue of any kind."""

    job_queue_name: str
    job_queue_arn: str
    state: str
    priority: int
    job_queue_type: str | None = None
    scheduling_policy_arn: str | None = None
    service_environment_order: list[ServiceEnvironmentOrder] = []
    job_state_time_limit_actions: list[JobStateTimeLimitAction] = []


class JobQueues(Page, frozen=True, kw_only=True, rename="camel"):
    """Answer to DescribeJobQueues."""

    job_queues: list[JobQueue] = []


class QuotaSharePolicy(Struct, frozen=True, kw_only=True, rename="camel"):
    """What makes a scheduling policy one of quota shares."""

    idle_resource_assignment_strategy: str


class SchedulingPolicy(Struct, frozen=True, kw_only=True, rename="camel"):
    """A scheduling policy of either kind."""

    name: str
    arn: str
    quota_share_policy: QuotaSharePolicy | None = None


class SchedulingPolicies(Struct, frozen=True, kw_only=True, rename="camel"):
    """Answer to DescribeSchedulingPolicies."""

    scheduling_policies: list[SchedulingPolicy] = []


class ServiceEnvironment(Struct, frozen=True, kw_only=True, rename="camel"):
    """A pool of instances."""

    service_environment_name: str
    service_environment_arn: str
    state: str = "ENABLED"
    capacity_limits: list[CapacityLimit]


class ServiceEnvironments(Page, frozen=True, kw_only=True, rename="camel"):
    """Answer to DescribeServiceEnvironments."""

    service_environments: list[ServiceEnvironment] = []


class ResourceSharing(Struct, frozen=True, kw_only=True, rename="camel"):
    """What a share does with what is idle."""

    strategy: str
    borrow_limit: int | None = None


class Preemption(Struct, frozen=True, kw_only=True, rename="camel"):
    """Whether a share's own jobs may stop each other."""

    in_share_preemption: str


class QuotaShare(Struct, frozen=True, kw_only=True, rename="camel"):
    """One share, as listed and as described."""

    quota_share_name: str
    quota_share_arn: str
    capacity_limits: list[CapacityLimit]
    resource_sharing_configuration: ResourceSharing
    preemption_configuration: Preemption
    state: str = "ENABLED"
    status: str | None = None


class QuotaShares(Page, frozen=True, kw_only=True, rename="camel"):
    """Answer to ListQuotaShares."""

    quota_shares: list[QuotaShare] = []


class ShareUtilization(Struct, frozen=True, kw_only=True, rename="camel"):
    """What the dispatched jobs of a share hold."""

    quota_share_name: str
    capacity_usage: list[CapacityUsage] = []


class QuotaShareUtilization(Struct, frozen=True, kw_only=True, rename="camel"):
    """What the dispatched jobs hold, by share."""

    top_capacity_utilization: list[ShareUtilization] = []


class QueueUtilization(Struct, frozen=True, kw_only=True, rename="camel"):
    """What the dispatched jobs of a queue hold."""

    total_capacity_usage: list[CapacityUsage] = []
    quota_share_utilization: QuotaShareUtilization = field(default_factory=QuotaShareUtilization)
    last_updated_at: Milliseconds | None = None


class JobQueueSnapshot(Struct, frozen=True, kw_only=True, rename="camel"):
    """Answer to GetJobQueueSnapshot."""

    queue_utilization: QueueUtilization = field(default_factory=QueueUtilization)


class ServiceJobSummary(Struct, frozen=True, kw_only=True, rename="camel"):
    """A job, as listed."""

    job_id: str
    job_name: str
    job_arn: str | None = None
    quota_share_name: str | None = None
    capacity_usage: list[CapacityUsage] = []
    scheduled_at: Milliseconds | None = None
    created_at: Milliseconds | None = None


class ServiceJobs(Page, frozen=True, kw_only=True, rename="camel"):
    """Answer to ListServiceJobs."""

    job_summary_list: list[ServiceJobSummary] = []


class ServiceQuota(Struct, frozen=True, kw_only=True, rename="pascal"):
    """One quota of one service for this account and Region."""

    quota_name: str
    quota_code: str = ""
    value: float | None = None


class ServiceQuotas(Struct, frozen=True, kw_only=True, rename="pascal"):
    """Answer to ListServiceQuotas."""

    next_token: str | None = None
    quotas: list[ServiceQuota] = []


class ServiceResource(Struct, frozen=True, kw_only=True, rename="camel"):
    """What an attempt runs as."""

    value: str
    """The ARN of a training job."""


class LatestAttempt(Struct, frozen=True, kw_only=True, rename="camel"):
    """The last attempt so far."""

    service_resource_id: ServiceResource | None = None


class Attempt(LatestAttempt, frozen=True, kw_only=True, rename="camel"):
    """One time that a job was dispatched."""

    started_at: Milliseconds | None = None
    stopped_at: Milliseconds | None = None


class PreemptionSummary(Struct, frozen=True, kw_only=True, rename="camel"):
    """How often a job was stopped for another."""

    preempted_attempt_count: int = 0
    recent_preempted_attempts: list[Attempt] = []


class PreemptionConfiguration(Struct, frozen=True, kw_only=True, rename="camel"):
    """How often a job may be stopped for another."""

    preemption_retries_before_termination: int | None = None


class TimeoutConfig(Struct, frozen=True, kw_only=True, rename="camel"):
    """How long an attempt may take."""

    attempt_duration_seconds: int | None = None


class RetryStrategy(Struct, frozen=True, kw_only=True, rename="camel"):
    """How often a job is tried."""

    attempts: int


class ServiceJob(Struct, frozen=True, kw_only=True, rename="camel"):
    """Answer to DescribeServiceJob."""

    job_id: str
    status: str
    quota_share_name: str | None = None
    created_at: Milliseconds | None = None
    scheduled_at: Milliseconds | None = None
    started_at: Milliseconds | None = None
    """0 of a job that has not started, too."""

    stopped_at: Milliseconds | None = None
    scheduling_priority: int | None = None
    capacity_usage: list[CapacityUsage] = []
    attempts: list[Attempt] = []
    latest_attempt: LatestAttempt | None = None
    preemption_summary: PreemptionSummary = field(default_factory=PreemptionSummary)
    preemption_configuration: PreemptionConfiguration = field(default_factory=PreemptionConfiguration)
    retry_strategy: RetryStrategy | None = None
    timeout_config: TimeoutConfig = field(default_factory=TimeoutConfig)
    service_request_payload: str | None = None
    """May hold secrets; looked into for one question, and never kept."""


class TrainingJob(Struct, frozen=True, kw_only=True, rename="pascal"):
    """Answer to DescribeTrainingJob."""

    training_start_time: datetime | None = None
    training_end_time: datetime | None = None
