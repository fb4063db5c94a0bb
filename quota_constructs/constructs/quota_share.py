"""The quota share: one team's part of a queue's capacity, and what happens to it while it is idle."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk.interfaces.aws_batch import IJobQueueRef, IQuotaShareRef, QuotaShareReference
from constructs import Construct

from quota_constructs.constructs import arns
from quota_constructs.constructs.agreed import metadata_of, policy_of, tags_of
from quota_constructs.constructs.checks import (
    refuse,
    require_between,
    require_capacity,
    require_flag,
    require_name,
    require_neighbour,
    require_type,
)
from quota_constructs.constructs.declared import note_declaration
from quota_constructs.constructs.grants import QuotaShareGrants
from quota_constructs.constructs.ledger import Ledger
from quota_constructs.constructs.rendering import in_order, state
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objectives
from quota_constructs.policies.share_policy import METADATA_KEY
from quota_constructs.policies.sharing import UNLIMITED, ResourceSharing


@jsii.implements(IQuotaShareRef)
class QuotaShareBase(cdk.Resource):
    """A quota share, defined in this app or elsewhere."""

    _arn: str
    _name: str
    _queue_arn: str

    @property
    def quota_share_arn(self) -> str:
        """The ARN of the share."""
        return self._arn

    @property
    def quota_share_name(self) -> str:
        """The name by which jobs are submitted to the share."""
        return self._name

    @property
    def quota_share_ref(self) -> QuotaShareReference:
        """What the CDK's own constructs need to refer to the share."""
        return QuotaShareReference(quota_share_arn=self._arn)

    @property
    def grants(self) -> QuotaShareGrants:
        """The permissions that can be given on the share."""
        return QuotaShareGrants(self, self._arn, self._queue_arn)


class QuotaShare(QuotaShareBase):
    """
    One team's allocation in a quota-managed queue; `queue.add_quota_share(...)` is the everyday way to define it.

    **A share that is deleted or replaced terminates its jobs, running ones included.** It is replaced when
    `quota_share_name` or `job_queue` changes, when the queue itself is replaced, and when the construct's id or
    place in the tree changes. All else can be changed while jobs run.
    Source: https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        *,
        job_queue: IJobQueueRef,
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
    ) -> None:
        """
        Define a quota share.

        Args:
            scope: The construct to define it in.
            id: Its id there.
            job_queue: The quota-managed queue that it is a share of, in the same account and Region. Changing it
                replaces the share and terminates its jobs.
            capacity: The instances that are the share's own, by SageMaker training instance type; 1 to 5 types, each
                with at least 1. A type that is left out can be neither used nor borrowed. Once it is lowered, jobs
                beyond it may be stopped for jobs of other shares.
            sharing: What becomes of its idle capacity. Defaults to `ResourceSharing.reserve()`: it stays idle, and
                the share borrows nothing.
            in_share_preemption: Whether a waiting job may stop jobs of this share with a lower priority. Other
                shares take back lent capacity in any case. Defaults to false.
            quota_share_name: The name by which jobs are submitted to it. Changing it replaces the share and
                terminates its jobs. Defaults to the construct's id.
            enabled: Whether it accepts new jobs; those already submitted finish either way. Defaults to true.
            agreement: Who is entitled to the share, who decides on it, and when that is reviewed. Owner and review
                date also become tags, in which `_` stands for what no tag may hold. Defaults to none.
            interruption_contract: What being stopped costs its jobs. It speaks for them in an evaluation whose trace
                does not. Defaults to none.
            objectives: What is promised to its jobs; the evaluator measures it. Defaults to none.
            tags: Tags of the share, besides those of `Tags.of(...)` and of the agreement. Defaults to none.
            removal_policy: What becomes of it when it leaves the stack. Defaults to deletion, which terminates
                its jobs.

        """
        name = id if quota_share_name is None else quota_share_name
        super().__init__(scope, id, physical_name=name)
        sharing = ResourceSharing.reserve() if sharing is None else sharing
        require_name(self, "quota_share_name", name)
        require_capacity(self, capacity)
        require_type(
            self, "sharing", sharing, ResourceSharing, "ResourceSharing.reserve(), .lend() or .lend_and_borrow(...)"
        )
        require_flag(self, "in_share_preemption", in_share_preemption)
        require_flag(self, "enabled", enabled)
        require_neighbour(self, "job_queue", job_queue)
        if isinstance(job_queue, batch.JobQueue):
            raise refuse(
                self,
                "'job_queue' must be quota-managed, got a queue on compute environments; give a QuotaManagedJobQueue",
            )
        if sharing.borrow_limit_percent is not None:
            require_between(
                self,
                "'borrow_limit_percent'",
                sharing.borrow_limit_percent,
                UNLIMITED,
                way_out=f"{UNLIMITED} is unlimited, 0 allows no borrowing",
            )
        policy = policy_of(self, agreement, interruption_contract, objectives)
        self._queue_arn = job_queue.job_queue_ref.job_queue_arn
        Ledger.of(self).add_share(self, name, capacity, self._queue_arn)

        resource = batch.CfnQuotaShare(
            self,
            "Resource",
            quota_share_name=self._physical_name,
            job_queue=self._queue_arn,
            capacity_limits=[
                batch.CfnQuotaShare.QuotaShareCapacityLimitProperty(capacity_unit=unit, max_capacity=limit)
                for unit, limit in in_order(capacity)
            ],
            resource_sharing_configuration=batch.CfnQuotaShare.QuotaShareResourceSharingConfigurationProperty(
                strategy=sharing.strategy, borrow_limit=sharing.borrow_limit_percent
            ),
            preemption_configuration=batch.CfnQuotaShare.QuotaSharePreemptionConfigurationProperty(
                in_share_preemption=state(enabled=in_share_preemption)
            ),
            state=state(enabled=enabled),
            tags={**tags_of(policy), **(tags or {})} or None,
        )
        metadata = metadata_of(policy)
        if metadata is not None:
            resource.add_metadata(METADATA_KEY, metadata)
        note_declaration(resource)
        if removal_policy is not None:
            resource.apply_removal_policy(removal_policy)

        queue_name = arns.name_in(self, self._queue_arn)
        self._arn = self._get_resource_arn_attribute(
            resource.attr_quota_share_arn,
            service=arns.SERVICE,
            resource=arns.JOB_QUEUE,
            resource_name=f"{queue_name}/{arns.QUOTA_SHARE}/{self._physical_name}",
        )
        self._name = self._get_resource_name_attribute(arns.share_name_in(self, resource.attr_quota_share_arn))

    @classmethod
    def from_quota_share_arn(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        quota_share_arn: str,
    ) -> QuotaShareBase:
        """Refer to a share that exists already, by its ARN."""
        arns.require_arn(scope, "quota_share_arn", quota_share_arn, arns.JOB_QUEUE, arns.QUOTA_SHARE)
        return _Imported(scope, id, quota_share_arn, arns.queue_arn_in(scope, quota_share_arn))

    @classmethod
    def from_quota_share_name(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        quota_share_name: str,
        *,
        job_queue: IJobQueueRef,
    ) -> QuotaShareBase:
        """Refer to a share of *job_queue* that exists already, by its name."""
        require_name(scope, "quota_share_name", quota_share_name)
        queue_arn = job_queue.job_queue_ref.job_queue_arn
        return _Imported(scope, id, f"{queue_arn}/{arns.QUOTA_SHARE}/{quota_share_name}", queue_arn)


class _Imported(QuotaShareBase):
    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        arn: str,
        queue_arn: str,
    ) -> None:
        super().__init__(scope, id, environment_from_arn=arn)
        self._arn = arn
        self._name = arns.share_name_in(self, arn)
        self._queue_arn = queue_arn
