"""
Every call that a command may make, and the permission each needs: the one table that the client keeps to.

Actions and resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsbatch.html and the
pages beside it on SageMaker and Service Quotas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Command(StrEnum):
    """A command that asks the service something."""

    SNAPSHOT = "snapshot"
    DRIFT = "drift"
    PREFLIGHT = "preflight"
    RECORD = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One call of the service's API; all of them only read."""

    service: str
    """As boto3 calls it."""

    name: str
    action: str
    """The IAM action that allows it."""

    resource: str = "*"
    """What the action can be restricted to; `*` where it knows no resource."""

    token: str = "nextToken"  # noqa: S105 - the name of a parameter
    """The parameter that asks for the next page, where there are pages."""


_QUEUE = "arn:aws:batch:*:*:job-queue/*"
_SHARE = "arn:aws:batch:*:*:job-queue/*/quota-share/*"


def _batch(name: str, resource: str = "*") -> Operation:
    return Operation(service="batch", name=name, action=f"batch:{name}", resource=resource)


DESCRIBE_JOB_QUEUES = _batch("DescribeJobQueues")
DESCRIBE_SCHEDULING_POLICIES = _batch("DescribeSchedulingPolicies")
DESCRIBE_SERVICE_ENVIRONMENTS = _batch("DescribeServiceEnvironments")
LIST_QUOTA_SHARES = _batch("ListQuotaShares", _QUEUE)
DESCRIBE_QUOTA_SHARE = _batch("DescribeQuotaShare", _SHARE)
GET_JOB_QUEUE_SNAPSHOT = _batch("GetJobQueueSnapshot", _QUEUE)
LIST_SERVICE_JOBS = _batch("ListServiceJobs")
DESCRIBE_SERVICE_JOB = _batch("DescribeServiceJob")
DESCRIBE_TRAINING_JOB = Operation(
    service="sagemaker",
    name="DescribeTrainingJob",
    action="sagemaker:DescribeTrainingJob",
    resource="arn:aws:sagemaker:*:*:training-job/AWSBatch*",
)
"""Batch begins the name of every training job that it makes with `AWSBatch`."""

LIST_SERVICE_QUOTAS = Operation(
    service="service-quotas",
    name="ListServiceQuotas",
    action="servicequotas:ListServiceQuotas",
    token="NextToken",  # noqa: S106 - the name of a parameter
)
LIST_AWS_DEFAULT_SERVICE_QUOTAS = Operation(
    service="service-quotas",
    name="ListAWSDefaultServiceQuotas",
    action="servicequotas:ListAWSDefaultServiceQuotas",
    token="NextToken",  # noqa: S106 - the name of a parameter
)

_READ_QUEUE = (
    DESCRIBE_JOB_QUEUES,
    DESCRIBE_SCHEDULING_POLICIES,
    DESCRIBE_SERVICE_ENVIRONMENTS,
    LIST_QUOTA_SHARES,
)
OPERATIONS: Mapping[Command, tuple[Operation, ...]] = MappingProxyType(
    {
        Command.SNAPSHOT: (*_READ_QUEUE, GET_JOB_QUEUE_SNAPSHOT),
        Command.DRIFT: (*_READ_QUEUE, DESCRIBE_QUOTA_SHARE),
        Command.PREFLIGHT: (*_READ_QUEUE, LIST_SERVICE_JOBS, LIST_SERVICE_QUOTAS, LIST_AWS_DEFAULT_SERVICE_QUOTAS),
        Command.RECORD: (*_READ_QUEUE, LIST_SERVICE_JOBS, DESCRIBE_SERVICE_JOB, DESCRIBE_TRAINING_JOB),
    }
)


def iam_policy(command: Command) -> dict[str, object]:
    """Return the least that *command* must be allowed, as an IAM policy: one statement for each kind of resource."""
    by_resource: dict[str, list[str]] = {}
    for operation in OPERATIONS[command]:
        by_resource.setdefault(operation.resource, []).append(operation.action)
    return {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": sorted(actions), "Resource": resource}
            for resource, actions in sorted(by_resource.items())
        ],
    }
