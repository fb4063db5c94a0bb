"""The ARNs of AWS Batch's quota management: taken apart by the CDK, because any of them may be a token."""

from __future__ import annotations

import re

import aws_cdk as cdk
from constructs import Construct

from quota_constructs.constructs.checks import NAME_PATTERN, is_known, refuse

SERVICE = "batch"
JOB_QUEUE = "job-queue"
SCHEDULING_POLICY = "scheduling-policy"
SERVICE_ENVIRONMENT = "service-environment"
SERVICE_JOB = "service-job"
QUOTA_SHARE = "quota-share"
"""A share's ARN continues that of its queue: `…:job-queue/<queue>/quota-share/<share>`."""


def arn_of(scope: Construct, resource: str, name: str) -> str:
    """Return the ARN of a resource called *name* in the account and Region of *scope*'s stack."""
    return cdk.Stack.of(scope).format_arn(service=SERVICE, resource=resource, resource_name=name)


def all_service_jobs_beside(resource: cdk.Resource) -> str:
    """Return what stands for the ARNs of all service jobs in *resource*'s own account and Region."""
    return cdk.Stack.of(resource).format_arn(
        service=SERVICE,
        resource=SERVICE_JOB,
        resource_name="*",
        account=resource.env.account,
        region=resource.env.region,
    )


def name_in(scope: Construct, arn: str) -> str:
    """Return the name that an environment's, a policy's or a queue's *arn* ends in."""
    return _after_type(scope, arn) or ""


def share_name_in(scope: Construct, arn: str) -> str:
    """Return the name of the share that *arn* belongs to."""
    path = _after_type(scope, arn)
    if path and is_known(path) and "/" in path:
        return path.rsplit("/", 1)[1]
    return cdk.Fn.select(3, cdk.Fn.split("/", arn))


def queue_arn_in(scope: Construct, share_arn: str) -> str:
    """Return the ARN of the queue that the share with *share_arn* is part of."""
    parts = cdk.Stack.of(scope).split_arn(share_arn, cdk.ArnFormat.SLASH_RESOURCE_NAME)
    queue = cdk.Fn.select(1, cdk.Fn.split("/", share_arn))
    return cdk.Stack.of(scope).format_arn(
        service=SERVICE,
        resource=JOB_QUEUE,
        resource_name=queue,
        partition=parts.partition,
        region=parts.region,
        account=parts.account,
    )


def require_arn(scope: Construct, prop: str, arn: str, *resource_types: str) -> None:
    """Raise if *arn* is known now and belongs to something else than *resource_types*, each with a name behind it."""
    shape = "/".join(f"{resource}/{NAME_PATTERN}" for resource in resource_types)
    if is_known(arn) and not re.fullmatch(rf"arn:aws[a-z-]*:batch:[a-z0-9-]+:\d{{12}}:{shape}", arn):
        wanted = "/".join(f"{resource}/<name>" for resource in resource_types)
        raise refuse(scope, f"'{prop}' must be 'arn:<partition>:batch:<region>:<account>:{wanted}', got {arn!r}")


def _after_type(scope: Construct, arn: str) -> str | None:
    return cdk.Stack.of(scope).split_arn(arn, cdk.ArnFormat.SLASH_RESOURCE_NAME).resource_name
