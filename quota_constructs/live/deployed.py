"""A quota-managed queue as it is deployed: read from the service, in the evaluator's own values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from quota_constructs.errors import LiveError
from quota_constructs.evaluator.system import QuotaShare, Source
from quota_constructs.live import shapes
from quota_constructs.live.client import Client
from quota_constructs.live.operations import (
    DESCRIBE_JOB_QUEUES,
    DESCRIBE_QUOTA_SHARE,
    DESCRIBE_SCHEDULING_POLICIES,
    DESCRIBE_SERVICE_ENVIRONMENTS,
    LIST_QUOTA_SHARES,
)
from quota_constructs.policies.sharing import UNLIMITED, Strategy
from quota_constructs.printable import shortened

SAGEMAKER_TRAINING = "SAGEMAKER_TRAINING"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedQueue:
    """A queue with its scheduling policy, its environment and its shares, as the service tells them."""

    name: str
    arn: str
    state: str
    priority: int
    idle_assignment: str
    """How idle capacity is handed out: the policy's `IdleResourceAssignmentStrategy`."""

    time_limits: Mapping[str, str]
    """By reason, what is done with a blocking job and when: `TERMINATE after 3600 s`."""

    environment: str
    environment_state: str
    capacity: Mapping[str, int]
    shares: tuple[QuotaShare, ...]
    """In order of name."""

    def share(self, name: str) -> QuotaShare | None:
        """Return the share called *name*, or None."""
        return next((share for share in self.shares if share.name == name), None)


def find_queue(client: Client, queue: str) -> shapes.JobQueue | None:
    """Return what the service says of *queue*, a name or an ARN; None if there is none."""
    pages = client.pages(DESCRIBE_JOB_QUEUES, shapes.JobQueues, jobQueues=[queue])
    return next((found for page in pages for found in page.job_queues), None)


def read_queue(client: Client, queue: str, *, describe_shares: bool = False) -> DeployedQueue:
    """
    Return what is deployed as *queue*, a name or an ARN; refuse a queue that is not quota-managed.

    With *describe_shares* each share is asked for by itself, as the list of them may lag behind a change.
    """
    found = find_queue(client, queue)
    if found is None:
        raise LiveError(
            f"there is no queue '{shortened(queue)}' in this account and Region; check the name, --region and --profile"
        )
    return complete(client, found, describe_shares=describe_shares)


def complete(client: Client, found: shapes.JobQueue, *, describe_shares: bool = False) -> DeployedQueue:
    """Return the queue that was *found* with what belongs to it."""
    policy = _policy(client, found)
    environment = _environment(client, found)
    listed = [
        share
        for page in client.pages(LIST_QUOTA_SHARES, shapes.QuotaShares, jobQueue=found.job_queue_arn)
        for share in page.quota_shares
    ]
    if describe_shares:
        listed = [
            client.call(DESCRIBE_QUOTA_SHARE, shapes.QuotaShare, quotaShareArn=share.quota_share_arn)
            for share in listed
        ]
    return DeployedQueue(
        name=found.job_queue_name,
        arn=found.job_queue_arn,
        state=found.state,
        priority=found.priority,
        idle_assignment=policy.idle_resource_assignment_strategy,
        time_limits={
            limit.reason: f"{limit.action} after {limit.max_time_seconds} s"
            for limit in sorted(found.job_state_time_limit_actions, key=lambda limit: limit.reason)
        },
        environment=environment.service_environment_name,
        environment_state=environment.state,
        capacity=_limits(environment.capacity_limits),
        shares=tuple(sorted(_shares(listed), key=lambda share: share.name)),
    )


def _policy(client: Client, queue: shapes.JobQueue) -> shapes.QuotaSharePolicy:
    """Return the policy of *queue* that makes it quota-managed."""
    if queue.job_queue_type != SAGEMAKER_TRAINING:
        raise _unmanaged(queue, f"its type is {shortened(queue.job_queue_type or 'not given')}")
    if queue.scheduling_policy_arn is None:
        raise _unmanaged(queue, "it has no scheduling policy")
    answer = client.call(DESCRIBE_SCHEDULING_POLICIES, shapes.SchedulingPolicies, arns=[queue.scheduling_policy_arn])
    for policy in answer.scheduling_policies:
        if policy.quota_share_policy is not None:
            return policy.quota_share_policy
    raise _unmanaged(queue, f"its scheduling policy, '{shortened(queue.scheduling_policy_arn)}', has no quota shares")


def _unmanaged(queue: shapes.JobQueue, why: str) -> LiveError:
    return LiveError(
        f"queue '{shortened(queue.job_queue_name)}' is not quota-managed: {why}; name a queue of type "
        f"{SAGEMAKER_TRAINING} whose scheduling policy has a quota-share policy"
    )


def _environment(client: Client, queue: shapes.JobQueue) -> shapes.ServiceEnvironment:
    order = queue.service_environment_order
    pages = client.pages(
        DESCRIBE_SERVICE_ENVIRONMENTS,
        shapes.ServiceEnvironments,
        serviceEnvironments=[entry.service_environment for entry in order],
    )
    found = [environment for page in pages for environment in page.service_environments] if order else []
    if len(found) != 1:
        raise _unmanaged(queue, f"it runs on {len(found)} service environments, not on one")
    return found[0]


def _shares(listed: Iterable[shapes.QuotaShare]) -> Iterator[QuotaShare]:
    for share in listed:
        sharing = share.resource_sharing_configuration
        if sharing.strategy not in list(Strategy):
            raise LiveError(
                f"share '{shortened(share.quota_share_name)}' has the strategy '{shortened(sharing.strategy)}', which "
                "this version does not know; update quota-constructs"
            )
        yield QuotaShare(
            name=share.quota_share_name,
            limits=_limits(share.capacity_limits),
            strategy=Strategy(sharing.strategy),
            borrow_limit_percent=UNLIMITED if sharing.borrow_limit is None else sharing.borrow_limit,
            in_share_preemption=share.preemption_configuration.in_share_preemption == "ENABLED",
            enabled=share.state == "ENABLED",
            source=Source(template=shortened(share.quota_share_arn, length=400), logical_id=share.quota_share_name),
        )


def _limits(limits: Iterable[shapes.CapacityLimit]) -> dict[str, int]:
    return {limit.capacity_unit: limit.max_capacity for limit in sorted(limits, key=lambda each: each.capacity_unit)}
