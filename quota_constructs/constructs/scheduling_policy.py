"""The scheduling policy that makes a job queue quota-managed."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk.interfaces.aws_batch import ISchedulingPolicyRef, SchedulingPolicyReference
from constructs import Construct

from quota_constructs.constructs import arns
from quota_constructs.constructs.checks import require_name
from quota_constructs.constructs.declared import note_declaration


@jsii.implements(ISchedulingPolicyRef)
class QuotaSchedulingPolicyBase(cdk.Resource):
    """A quota-share scheduling policy, defined in this app or elsewhere."""

    _arn: str
    _name: str

    @property
    def scheduling_policy_arn(self) -> str:
        """The ARN of the policy."""
        return self._arn

    @property
    def scheduling_policy_name(self) -> str:
        """The name of the policy."""
        return self._name

    @property
    def scheduling_policy_ref(self) -> SchedulingPolicyReference:
        """What the CDK's own constructs need to refer to the policy."""
        return SchedulingPolicyReference(scheduling_policy_arn=self._arn)


class QuotaSchedulingPolicy(QuotaSchedulingPolicyBase):
    """
    A scheduling policy with quota shares, as opposed to fair shares.

    A queue makes its own; define one to let several queues use the same, which changes nothing in how they schedule.
    Idle capacity goes to borrowing shares first in, first out: the service knows no other way.
    Source: https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaSharePolicy.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        *,
        scheduling_policy_name: str | None = None,
        tags: Mapping[str, str] | None = None,
        removal_policy: cdk.RemovalPolicy | None = None,
    ) -> None:
        """
        Define a quota-share scheduling policy.

        Args:
            scope: The construct to define it in.
            id: Its id there.
            scheduling_policy_name: The name. Changing it replaces the policy, and the queue then takes the new one.
                Defaults to a name that CloudFormation generates.
            tags: Tags of the policy, besides those of `Tags.of(...)`. Defaults to none.
            removal_policy: What becomes of it when it leaves the stack. Defaults to deletion, which the service
                refuses while a queue still uses it.

        """
        super().__init__(scope, id, physical_name=scheduling_policy_name)
        if scheduling_policy_name is not None:
            require_name(self, "scheduling_policy_name", scheduling_policy_name)

        resource = batch.CfnSchedulingPolicy(
            self,
            "Resource",
            name=self._physical_name,
            quota_share_policy=batch.CfnSchedulingPolicy.QuotaSharePolicyProperty(
                # The schema lets it be left out, the API does not.
                idle_resource_assignment_strategy="FIFO",
            ),
            tags=tags,
        )
        note_declaration(resource)
        if removal_policy is not None:
            resource.apply_removal_policy(removal_policy)

        self._arn = self._get_resource_arn_attribute(
            resource.attr_arn,
            service=arns.SERVICE,
            resource=arns.SCHEDULING_POLICY,
            resource_name=self._physical_name,
        )
        self._name = self._get_resource_name_attribute(arns.name_in(self, resource.attr_arn))

    @classmethod
    def from_scheduling_policy_arn(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        scheduling_policy_arn: str,
    ) -> QuotaSchedulingPolicyBase:
        """Refer to a quota-share policy that exists already, by its ARN."""
        arns.require_arn(scope, "scheduling_policy_arn", scheduling_policy_arn, arns.SCHEDULING_POLICY)
        return _Imported(scope, id, scheduling_policy_arn)

    @classmethod
    def from_scheduling_policy_name(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        scheduling_policy_name: str,
    ) -> QuotaSchedulingPolicyBase:
        """Refer to a quota-share policy that exists already in the account and Region of the stack, by its name."""
        require_name(scope, "scheduling_policy_name", scheduling_policy_name)
        return _Imported(scope, id, arns.arn_of(scope, arns.SCHEDULING_POLICY, scheduling_policy_name))


class _Imported(QuotaSchedulingPolicyBase):
    def __init__(self, scope: Construct, id: str, arn: str) -> None:  # noqa: A002 - jsii passes it by this name
        super().__init__(scope, id, environment_from_arn=arn)
        self._arn = arn
        self._name = arns.name_in(self, arn)
