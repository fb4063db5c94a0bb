"""Which resource a name or an ARN means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from quota_constructs.evaluator.template.stack import Place, Stack
from quota_constructs.evaluator.template.values import Text, join, split

JOB_QUEUE = "AWS::Batch::JobQueue"
QUOTA_SHARE = "AWS::Batch::QuotaShare"
SCHEDULING_POLICY = "AWS::Batch::SchedulingPolicy"
SERVICE_ENVIRONMENT = "AWS::Batch::ServiceEnvironment"

NAME_PROPERTIES = {
    JOB_QUEUE: "JobQueueName",
    SCHEDULING_POLICY: "Name",
    SERVICE_ENVIRONMENT: "ServiceEnvironmentName",
}
ARN_ATTRIBUTES = {
    JOB_QUEUE: "JobQueueArn",
    SCHEDULING_POLICY: "Arn",
    SERVICE_ENVIRONMENT: "ServiceEnvironmentArn",
}
_ARN_KINDS = {
    JOB_QUEUE: "job-queue",
    SCHEDULING_POLICY: "scheduling-policy",
    SERVICE_ENVIRONMENT: "service-environment",
}
_ARN_FIELDS = 6

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Identity:
    """A resource's name and where it is, as far as a reference says; None is anywhere."""

    name: str | Text
    account: str | None = None
    region: str | None = None

    def may_be_in(self, place: Place) -> bool:
        """Whether the resource can be in *place*."""
        return place.may_be(Place(account=self.account, region=self.region))


def arn(kind: str, name: str | Text, partition: str | Text, region: str | Text, account: str | Text) -> str | Text:
    """Return the ARN of a Batch resource of *kind*, which is also what Ref gives for it."""
    return join(("arn:", partition, ":batch:", region, ":", account, f":{_ARN_KINDS[kind]}/", name))


def identify(reference: str | Text, kind: str) -> Identity:
    """Return what *reference*, a name or an ARN of a resource of *kind*, says."""
    fields = split(reference, ":")
    if len(fields) != _ARN_FIELDS or fields[0] != "arn":
        return Identity(reference)
    path = split(fields[5], "/")
    if len(path) != 2 or path[0] != _ARN_KINDS[kind]:  # noqa: PLR2004 - kind and name
        return Identity(reference)
    return Identity(path[1], account=_known(fields[4]), region=_known(fields[3]))


def nearest(candidates: Iterable[tuple[Stack, T]], stack: Stack) -> list[tuple[Stack, T]]:
    """
    Return those *candidates*, each with its stack, that are nearest to *stack*; more than one is ambiguous.

    1. in the same stack
    2. in the same stage, account and Region
    3. where account and Region may be the same
    """
    possible = [(at, what) for at, what in candidates if at.place.may_be(stack.place)]
    nearer: tuple[Callable[[Stack], bool], ...] = (lambda at: at is stack, lambda at: at.place == stack.place)
    for is_near in nearer:
        if near := [(at, what) for at, what in possible if is_near(at)]:
            return near
    return possible


def _known(field: str | Text) -> str | None:
    return field if isinstance(field, str) and field else None
