"""
Permissions on quota shares and their queue, each with the actions and the resources that it needs and no more.

Source: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsbatch.html
"""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from constructs import Construct

from quota_constructs.constructs import arns
from quota_constructs.constructs.checks import require_between

MAX_PRIORITY = 9_999
"""The highest `schedulingPriority` of a service job."""


class QuotaShareGrants:
    """What a principal may be allowed to do with one quota share."""

    def __init__(self, share: cdk.Resource, share_arn: str, queue_arn: str) -> None:
        """Offer the grants of *share*."""
        self._share = share
        self._share_arn = share_arn
        self._queue_arn = queue_arn

    def submit(self, grantee: iam.IGrantable, *, max_priority: float | None = None) -> iam.Grant:
        """
        Let *grantee* submit jobs to this share, and to no other share of the queue.

        *max_priority* is the highest scheduling priority (0 to 9,999) of a job that names one; it defaults to no
        bound. SageMaker also asks the grantee for `iam:PassRole`: call `grant_pass_role(...)` on the role that the
        training jobs run with. A submission that tags its job needs `batch:TagResource` too.
        """
        return iam.Grant.add_to_principal(
            grantee=grantee,
            actions=["batch:SubmitServiceJob"],
            resource_arns=[self._queue_arn, self._share_arn, arns.all_service_jobs_beside(self._share)],
            conditions=_at_most(self._share, max_priority),
        )

    def read(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let *grantee* read this share's configuration and status."""
        return self._on_share(grantee, "batch:DescribeQuotaShare")

    def update(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let *grantee* change this share's capacity, sharing, preemption and state, outside of CloudFormation."""
        return self._on_share(grantee, "batch:UpdateQuotaShare")

    def _on_share(self, grantee: iam.IGrantable, action: str) -> iam.Grant:
        return iam.Grant.add_to_principal(grantee=grantee, actions=[action], resource_arns=[self._share_arn])


class JobQueueGrants:
    """What a principal may be allowed to do with a quota-managed queue."""

    def __init__(self, queue: cdk.Resource, queue_arn: str) -> None:
        """Offer the grants of *queue*."""
        self._queue = queue
        self._queue_arn = queue_arn

    def read(self, grantee: iam.IGrantable) -> iam.Grant:
        """
        Let *grantee* list the queue's shares and see what waits at their heads and how much each uses.

        It may also list and describe jobs and queues, which the service cannot confine to one queue.
        """
        on_queue = iam.Grant.add_to_principal(
            grantee=grantee,
            actions=["batch:GetJobQueueSnapshot", "batch:ListQuotaShares"],
            resource_arns=[self._queue_arn],
        )
        on_all = iam.Grant.add_to_principal(
            grantee=grantee,
            actions=["batch:DescribeJobQueues", "batch:DescribeServiceJob", "batch:ListServiceJobs"],
            resource_arns=["*"],
        )
        return on_queue.combine(on_all)

    def manage_jobs(self, grantee: iam.IGrantable, *, max_priority: float | None = None) -> iam.Grant:
        """
        Let *grantee* terminate service jobs and change their scheduling priority, to *max_priority* at most.

        The ARN of a service job names neither queue nor share, so this reaches every service job of the account
        and Region; to narrow it, tag the jobs and apply a condition on the tag. *max_priority* (0 to 9,999)
        defaults to no bound.
        """
        jobs = [arns.all_service_jobs_beside(self._queue)]
        terminate = iam.Grant.add_to_principal(
            grantee=grantee, actions=["batch:TerminateServiceJob"], resource_arns=jobs
        )
        update = iam.Grant.add_to_principal(
            grantee=grantee,
            actions=["batch:UpdateServiceJob"],
            resource_arns=jobs,
            conditions=_at_most(self._queue, max_priority),
        )
        return terminate.combine(update)


def _at_most(scope: Construct, max_priority: float | None) -> Mapping[str, Mapping[str, object]] | None:
    if max_priority is None:
        return None
    require_between(scope, "'max_priority'", max_priority, 0, MAX_PRIORITY)
    # A job that names no priority carries no such key, and is let through.
    return {"NumericLessThanEqualsIfExists": {"batch:SchedulingPriority": cdk.Token.as_string(max_priority)}}
