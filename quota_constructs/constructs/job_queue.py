"""The quota-managed job queue: one service environment, dealt out in quota shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk.interfaces.aws_batch import (
    IJobQueueRef,
    ISchedulingPolicyRef,
    IServiceEnvironmentRef,
    JobQueueReference,
)
from constructs import Construct, IConstruct

from quota_constructs.constructs import arns
from quota_constructs.constructs.checks import refuse, require_between, require_flag, require_name, require_neighbour
from quota_constructs.constructs.declared import note_declaration
from quota_constructs.constructs.grants import JobQueueGrants
from quota_constructs.constructs.ledger import Ledger
from quota_constructs.constructs.quota_share import QuotaShare
from quota_constructs.constructs.rendering import state
from quota_constructs.constructs.scheduling_policy import QuotaSchedulingPolicy
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objectives
from quota_constructs.policies.sharing import ResourceSharing
from quota_constructs.policies.time_limits import (
    MAX_TIME_LIMIT_SECONDS,
    MIN_TIME_LIMIT_SECONDS,
    BlockedReason,
    JobStateTimeLimitAction,
)

MAX_QUEUE_PRIORITY = 1_000

NO_SHARES = "quota-constructs:QuotaManagedJobQueue.noShares"
"""The id by which the warning of a queue without shares is acknowledged."""


@jsii.implements(IJobQueueRef)
class QuotaManagedJobQueueBase(cdk.Resource):
    """A quota-managed job queue, defined in this app or elsewhere."""

    _arn: str
    _name: str

    @property
    def job_queue_arn(self) -> str:
        """The ARN of the queue."""
        return self._arn

    @property
    def job_queue_name(self) -> str:
        """The name of the queue."""
        return self._name

    @property
    def job_queue_ref(self) -> JobQueueReference:
        """What the CDK's own constructs need to refer to the queue."""
        return JobQueueReference(job_queue_arn=self._arn)

    @property
    def grants(self) -> JobQueueGrants:
        """The permissions that can be given on the queue."""
        return JobQueueGrants(self, self._arn)


class QuotaManagedJobQueue(QuotaManagedJobQueueBase):
    """
    A SageMaker Training job queue whose capacity is dealt out in quota shares.

    **A queue that is replaced replaces all its shares, which terminates their jobs, running ones included.** It is
    replaced when `job_queue_name` changes, and when the construct's id or place in the tree changes.

    A queue for which the app declares no share is warned of. Where another app declares them, acknowledge it:
    `cdk.Annotations.of(queue).acknowledge_warning("quota-constructs:QuotaManagedJobQueue.noShares", "...")`.
    Source: https://docs.aws.amazon.com/batch/latest/userguide/quota-management.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        *,
        service_environment: IServiceEnvironmentRef,
        scheduling_policy: ISchedulingPolicyRef | None = None,
        priority: float = 1,
        job_state_time_limit_actions: Sequence[JobStateTimeLimitAction] = (),
        job_queue_name: str | None = None,
        enabled: bool = True,
        tags: Mapping[str, str] | None = None,
        removal_policy: cdk.RemovalPolicy | None = None,
    ) -> None:
        """
        Define a quota-managed queue.

        Args:
            scope: The construct to define it in.
            id: Its id there.
            service_environment: What its jobs run on. It serves this queue and no other.
            scheduling_policy: A quota-share policy that exists already. It can be exchanged later, but not removed.
                Defaults to a `QuotaSchedulingPolicy` of its own.
            priority: 0 to 1,000. Decides nothing while the environment serves one queue. Defaults to 1.
            job_state_time_limit_actions: When to terminate a job that blocks the head of its share. Defaults to
                never: a job that can never start then blocks its share until somebody terminates it.
            job_queue_name: The name. Changing it replaces the queue and all its shares, and terminates their jobs.
                Defaults to a name that CloudFormation generates.
            enabled: Whether it accepts new jobs; those already submitted finish either way. Defaults to true.
            tags: Tags of the queue, besides those of `Tags.of(...)`. Defaults to none.
            removal_policy: What becomes of the queue and of its own scheduling policy when they leave the stack, and
                of shares that are added without one. Defaults to deletion, which terminates all jobs.

        """
        super().__init__(scope, id, physical_name=job_queue_name)
        require_between(self, "'priority'", priority, 0, MAX_QUEUE_PRIORITY)
        if job_queue_name is not None:
            require_name(self, "job_queue_name", job_queue_name)
        require_flag(self, "enabled", enabled)
        require_neighbour(self, "service_environment", service_environment)
        if scheduling_policy is not None:
            require_neighbour(self, "scheduling_policy", scheduling_policy)
        if isinstance(scheduling_policy, batch.FairshareSchedulingPolicy):
            raise refuse(
                self,
                "'scheduling_policy' must be a quota-share policy, got a fair-share policy; "
                "leave it out, or give a QuotaSchedulingPolicy",
            )
        environment_arn = service_environment.service_environment_ref.service_environment_arn
        self._removal_policy = removal_policy
        policy = scheduling_policy or QuotaSchedulingPolicy(self, "SchedulingPolicy", removal_policy=removal_policy)

        resource = batch.CfnJobQueue(
            self,
            "Resource",
            job_queue_name=self._physical_name,
            job_queue_type="SAGEMAKER_TRAINING",
            priority=priority,
            scheduling_policy_arn=policy.scheduling_policy_ref.scheduling_policy_arn,
            service_environment_order=[
                batch.CfnJobQueue.ServiceEnvironmentOrderProperty(order=1, service_environment=environment_arn)
            ],
            job_state_time_limit_actions=[self._render(action) for action in job_state_time_limit_actions] or None,
            state=state(enabled=enabled),
            tags=tags,
        )
        note_declaration(resource)
        if removal_policy is not None:
            resource.apply_removal_policy(removal_policy)

        self._arn = self._get_resource_arn_attribute(
            resource.attr_job_queue_arn,
            service=arns.SERVICE,
            resource=arns.JOB_QUEUE,
            resource_name=self._physical_name,
        )
        self._name = self._get_resource_name_attribute(arns.name_in(self, resource.attr_job_queue_arn))
        Ledger.of(self).add_queue(self, self._arn, environment_arn)
        cdk.Aspects.of(self).add(_LooksForShares(self), priority=cdk.AspectPriority.READONLY)

    def add_quota_share(
        self,
        id: str,  # noqa: A002 - the CDK calls it so
        *,
        capacity: Mapping[str, float],
        sharing: ResourceSharing | None = None,
        in_share_preemption: bool = False,
        quota_share_name: str | None = None,
        enabled: bool = True,
        agreement: Agreement | None = None,
        interruption_contract: InterruptionContract | None = None,
        objectives: Objectives | None = None,
        tags: Mapping[str, str] | None = None,
        removal_policy: cdk.RemovalPolicy | None = None,
    ) -> QuotaShare:
        """
        Define a share of this queue, in this queue's scope.

        The arguments are those of `QuotaShare`, except that *removal_policy* defaults to the queue's.
        """
        return QuotaShare(
            self,
            id,
            job_queue=self,
            capacity=capacity,
            sharing=sharing,
            in_share_preemption=in_share_preemption,
            quota_share_name=quota_share_name,
            enabled=enabled,
            agreement=agreement,
            interruption_contract=interruption_contract,
            objectives=objectives,
            tags=tags,
            removal_policy=self._removal_policy if removal_policy is None else removal_policy,
        )

    @classmethod
    def from_job_queue_arn(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        job_queue_arn: str,
    ) -> QuotaManagedJobQueueBase:
        """Refer to a queue that exists already, by its ARN."""
        arns.require_arn(scope, "job_queue_arn", job_queue_arn, arns.JOB_QUEUE)
        return _Imported(scope, id, job_queue_arn)

    @classmethod
    def from_job_queue_name(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        job_queue_name: str,
    ) -> QuotaManagedJobQueueBase:
        """Refer to a queue that exists already in the account and Region of the stack, by its name."""
        require_name(scope, "job_queue_name", job_queue_name)
        return _Imported(scope, id, arns.arn_of(scope, arns.JOB_QUEUE, job_queue_name))

    def _render(self, action: JobStateTimeLimitAction) -> batch.CfnJobQueue.JobStateTimeLimitActionProperty:
        if action.reason not in tuple(BlockedReason):
            raise refuse(
                self,
                f"'job_state_time_limit_actions' must be for one of {', '.join(BlockedReason)}, got {action.reason!r}",
            )
        require_between(
            self,
            f"'max_time_seconds' of {action.reason}",
            action.max_time_seconds,
            MIN_TIME_LIMIT_SECONDS,
            MAX_TIME_LIMIT_SECONDS,
        )
        return batch.CfnJobQueue.JobStateTimeLimitActionProperty(
            action="TERMINATE", reason=action.reason, state="RUNNABLE", max_time_seconds=action.max_time_seconds
        )


@jsii.implements(cdk.IAspect)
class _LooksForShares:
    def __init__(self, queue: QuotaManagedJobQueueBase) -> None:
        self._queue = queue

    def visit(self, node: IConstruct) -> None:
        """Warn, when all is declared, if that includes no share; they may be in another app, so it is no error."""
        if node.node.path == self._queue.node.path and not Ledger.of(node).has_shares(self._queue.job_queue_arn):
            cdk.Annotations.of(node).add_warning_v2(
                NO_SHARES,
                "the queue has no quota share here, and without one it accepts no job; call 'add_quota_share()', or "
                "acknowledge this if its shares are declared elsewhere",
            )


class _Imported(QuotaManagedJobQueueBase):
    def __init__(self, scope: Construct, id: str, arn: str) -> None:  # noqa: A002 - jsii passes it by this name
        super().__init__(scope, id, environment_from_arn=arn)
        self._arn = arn
        self._name = arns.name_in(self, arn)
