"""The service environment: the instances that a quota-managed queue may use at once."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk.interfaces.aws_batch import IServiceEnvironmentRef, ServiceEnvironmentReference
from constructs import Construct

from quota_constructs.constructs import arns
from quota_constructs.constructs.checks import require_capacity, require_flag, require_name
from quota_constructs.constructs.declared import note_declaration
from quota_constructs.constructs.ledger import Ledger
from quota_constructs.constructs.rendering import in_order, state


@jsii.implements(IServiceEnvironmentRef)
class ServiceEnvironmentBase(cdk.Resource):
    """A service environment, defined in this app or elsewhere."""

    _arn: str
    _name: str

    @property
    def service_environment_arn(self) -> str:
        """The ARN of the environment."""
        return self._arn

    @property
    def service_environment_name(self) -> str:
        """The name of the environment."""
        return self._name

    @property
    def service_environment_ref(self) -> ServiceEnvironmentReference:
        """What the CDK's own constructs need to refer to the environment."""
        return ServiceEnvironmentReference(service_environment_arn=self._arn)


class ServiceEnvironment(ServiceEnvironmentBase):
    """
    A SageMaker Training service environment for one quota-managed queue.

    It bounds what all shares of the queue use together. SageMaker's own training quotas of the account apply besides.
    Source: https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        *,
        capacity: Mapping[str, float],
        service_environment_name: str | None = None,
        enabled: bool = True,
        tags: Mapping[str, str] | None = None,
        removal_policy: cdk.RemovalPolicy | None = None,
    ) -> None:
        """
        Define a service environment.

        Args:
            scope: The construct to define it in.
            id: Its id there.
            capacity: The most instances that run at once, by SageMaker training instance type; 1 to 5 types, each
                with at least 1. Lowering it stops no running job.
            service_environment_name: The name. Changing it replaces the environment, and fails while a queue uses it.
                Defaults to a name that CloudFormation generates.
            enabled: Whether the queue's jobs are scheduled; jobs wait while it is false. Defaults to true.
            tags: Tags of the environment, besides those of `Tags.of(...)`. Defaults to none.
            removal_policy: What becomes of it when it leaves the stack. Defaults to deletion, which the service
                refuses while a queue still uses it: give a retained queue a retained environment.

        """
        super().__init__(scope, id, physical_name=service_environment_name)
        require_capacity(self, capacity)
        require_flag(self, "enabled", enabled)
        if service_environment_name is not None:
            require_name(self, "service_environment_name", service_environment_name)

        resource = batch.CfnServiceEnvironment(
            self,
            "Resource",
            service_environment_name=self._physical_name,
            service_environment_type="SAGEMAKER_TRAINING",
            capacity_limits=[
                batch.CfnServiceEnvironment.CapacityLimitProperty(capacity_unit=unit, max_capacity=limit)
                for unit, limit in in_order(capacity)
            ],
            state=state(enabled=enabled),
            tags=tags,
        )
        note_declaration(resource)
        if removal_policy is not None:
            resource.apply_removal_policy(removal_policy)

        self._arn = self._get_resource_arn_attribute(
            resource.attr_service_environment_arn,
            service=arns.SERVICE,
            resource=arns.SERVICE_ENVIRONMENT,
            resource_name=self._physical_name,
        )
        self._name = self._get_resource_name_attribute(arns.name_in(self, resource.attr_service_environment_arn))
        Ledger.of(self).add_environment(self._arn, dict(capacity))

    @classmethod
    def from_service_environment_arn(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        service_environment_arn: str,
    ) -> ServiceEnvironmentBase:
        """Refer to an environment that exists already, by its ARN."""
        arns.require_arn(scope, "service_environment_arn", service_environment_arn, arns.SERVICE_ENVIRONMENT)
        return _Imported(scope, id, service_environment_arn)

    @classmethod
    def from_service_environment_name(
        cls,
        scope: Construct,
        id: str,  # noqa: A002 - jsii passes it by this name
        service_environment_name: str,
    ) -> ServiceEnvironmentBase:
        """Refer to an environment that exists already in the account and Region of the stack, by its name."""
        require_name(scope, "service_environment_name", service_environment_name)
        return _Imported(scope, id, arns.arn_of(scope, arns.SERVICE_ENVIRONMENT, service_environment_name))


class _Imported(ServiceEnvironmentBase):
    def __init__(self, scope: Construct, id: str, arn: str) -> None:  # noqa: A002 - jsii passes it by this name
        super().__init__(scope, id, environment_from_arn=arn)
        self._arn = arn
        self._name = arns.name_in(self, arn)
