"""What a deployment would do to the jobs that are there now, and whether SageMaker lets the environment be filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quota_constructs.errors import LiveError
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.template.settings import QueueSettings
from quota_constructs.live import shapes
from quota_constructs.live.client import Client
from quota_constructs.live.deployed import DeployedQueue, complete, find_queue
from quota_constructs.live.operations import LIST_AWS_DEFAULT_SERVICE_QUOTAS, LIST_SERVICE_JOBS, LIST_SERVICE_QUOTAS
from quota_constructs.printable import shortened

DISPATCHED = ("SCHEDULED", "STARTING", "RUNNING")
WAITING = ("SUBMITTED", "PENDING", "RUNNABLE")

JobsOf = Callable[[str, Sequence[str]], Sequence[shapes.ServiceJobSummary]]
"""Gives the jobs of a share that are in one of some states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareHit:
    """What the deployment does to the jobs of one deployed share."""

    share: str
    team: str
    """Who owns it, as the template says it was agreed on; empty if it does not say."""

    deleted: bool
    """Whether the deployment deletes it, and its jobs are terminated."""

    dispatched: int
    waiting: int
    """Jobs that wait for capacity; only counted where the share is deleted."""

    eligible: tuple[str, ...]
    """
    Ids of dispatched jobs that stand above the new limits, and do not stand above the present ones.

    AWS says that a share's jobs may be stopped if it uses more than its limit, not which: those dispatched last count.
    """

    unsized: int
    """Dispatched jobs of which the service does not say what they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A resource that is not deployed by its name, or not declared by it."""

    resource: str
    before: str | None
    after: str | None
    """What takes its place; None if nothing does, or only what has another name and is a new one to the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingQuota:
    """SageMaker's own quota for training jobs on one instance type, beside the environment's capacity."""

    unit: str
    capacity: int
    quota: float | None
    """None if Service Quotas does not list it."""

    @property
    def is_too_small(self) -> bool:
        """Whether jobs would be dispatched that SageMaker refuses."""
        return self.quota is not None and self.quota < self.capacity


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflight:
    """All that is to be known before a deployment."""

    queue: str
    is_deployed: bool
    shares: tuple[ShareHit, ...]
    replacements: tuple[Replacement, ...]
    quotas: tuple[TrainingQuota, ...]

    @property
    def has_hits(self) -> bool:
        """Whether the deployment stops, may stop, deletes or replaces anything, or leads to jobs that fail."""
        return bool(
            any(share.deleted or share.eligible for share in self.shares)
            or any(replacement.before is not None for replacement in self.replacements)
            or any(quota.is_too_small for quota in self.quotas)
        )


def preflight(client: Client, declared: System, settings: QueueSettings, deployed_as: str | None) -> Preflight:
    """
    Return what deploying *declared* would do to the queue that is deployed.

    That is the one called *deployed_as*, a name or an ARN; without it, the one of the name that is declared.
    """
    found = find_queue(client, deployed_as or settings.name or declared.name)
    if found is None and deployed_as is not None:
        raise LiveError(
            f"there is no queue '{shortened(deployed_as)}' in this account and Region; "
            "check the name, --region and --profile"
        )
    quotas = tuple(_quotas(client, declared.environment.capacity))
    if found is None:
        return Preflight(queue=declared.name, is_deployed=False, shares=(), replacements=(), quotas=quotas)
    deployed = complete(client, found)

    def jobs_of(share: str, states: Sequence[str]) -> Sequence[shapes.ServiceJobSummary]:
        return list(_list_jobs(client, deployed.arn, share, states))

    return Preflight(
        queue=deployed.name,
        is_deployed=True,
        shares=tuple(share_hits(declared, deployed, jobs_of, queue_replaced=_is_replaced(settings, deployed))),
        replacements=tuple(replacements(declared, settings, deployed)),
        quotas=quotas,
    )


def share_hits(
    declared: System, deployed: DeployedQueue, jobs_of: JobsOf, *, queue_replaced: bool
) -> Iterator[ShareHit]:
    """Yield what happens to the jobs of each deployed share, by name."""
    for before in deployed.shares:
        after = declared.share(before.name)
        deleted = after is None or queue_replaced
        dispatched = jobs_of(before.name, DISPATCHED)
        agreement = None if after is None else after.policy.agreement
        yield ShareHit(
            share=before.name,
            team="" if agreement is None else agreement.owner or "",
            deleted=deleted,
            dispatched=len(dispatched),
            waiting=len(jobs_of(before.name, WAITING)) if deleted else 0,
            eligible=() if after is None or deleted else tuple(newly_eligible(before, after, dispatched)),
            unsized=sum(not job.capacity_usage for job in dispatched),
        )


def newly_eligible(
    before: QuotaShare, after: QuotaShare, dispatched: Iterable[shapes.ServiceJobSummary]
) -> Iterator[str]:
    """Yield the ids of jobs that stand above the limits of *after* and not above those of *before*."""
    held: dict[str, float] = {}
    for job in sorted(dispatched, key=_by_dispatch):
        for usage in job.capacity_usage:
            held[usage.capacity_unit] = held.get(usage.capacity_unit, 0) + usage.quantity
        units = [usage.capacity_unit for usage in job.capacity_usage]
        above_old = any(held[unit] > before.limits.get(unit, 0) for unit in units)
        if not above_old and any(held[unit] > after.limits.get(unit, 0) for unit in units):
            yield job.job_id


def replacements(declared: System, settings: QueueSettings, deployed: DeployedQueue) -> Iterator[Replacement]:
    """Yield what does not keep its name: the service cannot rename a thing, so that it is deleted or made anew."""
    if _is_replaced(settings, deployed):
        yield Replacement(resource="AWS::Batch::JobQueue", before=deployed.name, after=settings.name)
    if settings.environment is not None and settings.environment != deployed.environment:
        yield Replacement(
            resource="AWS::Batch::ServiceEnvironment", before=deployed.environment, after=settings.environment
        )
    for share in deployed.shares:
        if declared.share(share.name) is None:
            yield Replacement(resource="AWS::Batch::QuotaShare", before=share.name, after=None)
    for share in declared.shares:
        if deployed.share(share.name) is None:
            yield Replacement(resource="AWS::Batch::QuotaShare", before=None, after=share.name)


def _is_replaced(settings: QueueSettings, deployed: DeployedQueue) -> bool:
    return settings.name is not None and settings.name != deployed.name


def _by_dispatch(job: shapes.ServiceJobSummary) -> tuple[bool, int, str]:
    """
    Sort key of dispatched jobs; the first stand on their share's own capacity.

    1. those whose time of dispatch is known
    2. dispatched earlier
    3. id, only so that the order is total
    """
    return (job.scheduled_at is None, job.scheduled_at or 0, job.job_id)


def _list_jobs(client: Client, queue: str, share: str, states: Sequence[str]) -> Iterator[shapes.ServiceJobSummary]:
    """Yield the jobs of *share* in one of *states*; one that changes its state in between is given once."""
    seen: set[str] = set()
    for state in states:
        for page in client.pages(
            LIST_SERVICE_JOBS,
            shapes.ServiceJobs,
            jobQueue=queue,
            jobStatus=state,
            filters=[{"name": "QUOTA_SHARE_NAME", "values": [share]}],
        ):
            for job in page.job_summary_list:
                if job.job_id not in seen:
                    seen.add(job.job_id)
                    yield job


def _quotas(client: Client, capacity: Mapping[str, int]) -> Iterator[TrainingQuota]:
    """Yield the quota for each type of *capacity*: the account's own or, where it has none, the default."""
    values: dict[str, float | None] = {}
    for operation in (LIST_AWS_DEFAULT_SERVICE_QUOTAS, LIST_SERVICE_QUOTAS):  # the account's own come last
        for page in client.pages(operation, shapes.ServiceQuotas, ServiceCode="sagemaker", MaxResults=100):
            values |= {quota.quota_name: quota.value for quota in page.quotas}
    for unit, count in sorted(capacity.items()):
        yield TrainingQuota(unit=unit, capacity=count, quota=values.get(f"{unit} for training job usage"))
