"""The properties of one Batch resource as one of our values."""

from __future__ import annotations

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, TimeLimit
from quota_constructs.evaluator.template.fields import Field
from quota_constructs.evaluator.template.stack import Resource
from quota_constructs.evaluator.template.values import Text
from quota_constructs.policies.share_policy import METADATA_KEY, NOTHING_AGREED, SharePolicy, policy_from_metadata
from quota_constructs.policies.sharing import UNLIMITED, Strategy
from quota_constructs.policies.time_limits import MAX_TIME_LIMIT_SECONDS, MIN_TIME_LIMIT_SECONDS, BlockedReason
from quota_constructs.printable import printable

SAGEMAKER_TRAINING = "SAGEMAKER_TRAINING"

_SWITCH = ("ENABLED", "DISABLED")


def read_environment(properties: Field) -> ServiceEnvironment:
    """Read an AWS::Batch::ServiceEnvironment."""
    properties["ServiceEnvironmentType"].choice([SAGEMAKER_TRAINING])
    return ServiceEnvironment(
        name=simple_name(properties["ServiceEnvironmentName"]),
        capacity=_read_limits(properties["CapacityLimits"], minimum=0),
        source=properties.resource.source,
    )


def read_share(properties: Field) -> QuotaShare:
    """Read an AWS::Batch::QuotaShare."""
    sharing = properties["ResourceSharingConfiguration"]
    borrow_limit = sharing["BorrowLimit"]
    preemption = properties["PreemptionConfiguration"]
    state = properties["State"]
    return QuotaShare(
        name=properties["QuotaShareName"].name(),
        limits=_read_limits(properties["CapacityLimits"], minimum=1),
        strategy=Strategy(sharing["Strategy"].choice(Strategy)),
        borrow_limit_percent=UNLIMITED if borrow_limit.is_absent else borrow_limit.integer(UNLIMITED),
        in_share_preemption=not preemption.is_absent and preemption["InSharePreemption"].choice(_SWITCH) == "ENABLED",
        enabled=state.is_absent or state.choice(_SWITCH) == "ENABLED",
        policy=_read_policy(properties.resource),
        source=properties.resource.source,
    )


def read_time_limits(actions: Field) -> tuple[TimeLimit, ...]:
    """Read a queue's JobStateTimeLimitActions, in the order in which they are written."""
    limits: list[TimeLimit] = []
    for action in actions.items():
        reason = BlockedReason(action["Reason"].choice(BlockedReason))
        seconds = action["MaxTimeSeconds"].integer(MIN_TIME_LIMIT_SECONDS, MAX_TIME_LIMIT_SECONDS)
        action["Action"].choice(["TERMINATE"])
        action["State"].choice(["RUNNABLE"])
        limits.append(TimeLimit(reason=reason, max_time_ms=1000 * seconds))
    return tuple(limits)


def simple_name(name: Field) -> str:
    """Return the name here, or the logical id where only the deployment knows it."""
    if name.is_absent or isinstance(name.value, Text):
        return name.resource.source.logical_id
    return name.name()


def _read_policy(share: Resource) -> SharePolicy:
    if share.policy is None:
        return NOTHING_AGREED
    try:
        return policy_from_metadata(share.policy)
    except ValueError as error:
        raise TemplateError(
            f"{share.shown}: 'Metadata/{METADATA_KEY}' is not as agreed: {printable(str(error))}"
        ) from None


def _read_limits(entries: Field, *, minimum: int) -> dict[str, int]:
    limits: dict[str, int] = {}
    for entry in entries.items():
        unit = entry["CapacityUnit"].unit()
        if unit in limits:
            raise entry["CapacityUnit"].error(f"{unit!r} has a limit already; one limit a unit")
        limits[unit] = entry["MaxCapacity"].integer(minimum)
    if not limits:
        raise entries.error("must have at least one limit")
    return dict(sorted(limits.items()))
