"""A system back into a template, so that an arrangement that was made up can be read, run and kept."""

from __future__ import annotations

import json
from collections.abc import Mapping

from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, System
from quota_constructs.evaluator.template.identity import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
)
from quota_constructs.evaluator.template.resources import SAGEMAKER_TRAINING
from quota_constructs.policies.share_policy import METADATA_KEY, NOTHING_AGREED

_Resource = dict[str, object]


def encode_template(system: System, *, description: str = "") -> bytes:
    """
    Return the CloudFormation template, in JSON, of which *system* would be read again; logical ids are new.

    *description* is for people who find the template. Defaults to none.
    """
    resources = {
        "Policy": _resource(SCHEDULING_POLICY, QuotaSharePolicy={"IdleResourceAssignmentStrategy": "FIFO"}),
        "Environment": _resource(
            SERVICE_ENVIRONMENT,
            **_name("ServiceEnvironmentName", system.environment),
            ServiceEnvironmentType=SAGEMAKER_TRAINING,
            CapacityLimits=_limits(system.environment.capacity),
        ),
        "Queue": _resource(
            JOB_QUEUE,
            **_name("JobQueueName", system),
            JobQueueType=SAGEMAKER_TRAINING,
            Priority=1,
            SchedulingPolicyArn={"Ref": "Policy"},
            ServiceEnvironmentOrder=[{"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}],
            JobStateTimeLimitActions=[
                {
                    "Action": "TERMINATE",
                    "State": "RUNNABLE",
                    "Reason": limit.reason,
                    "MaxTimeSeconds": limit.max_time_ms // 1000,
                }
                for limit in system.time_limits
            ],
        ),
        **{f"Share{number}": _share(share) for number, share in enumerate(system.shares, start=1)},
    }
    described = {"Description": description} if description else {}
    return json.dumps({**described, "Resources": resources}, indent=2).encode() + b"\n"


def _share(share: QuotaShare) -> _Resource:
    sharing: dict[str, object] = {"Strategy": share.strategy}
    if share.strategy.borrows:
        sharing["BorrowLimit"] = share.borrow_limit_percent
    resource = _resource(
        QUOTA_SHARE,
        QuotaShareName=share.name,
        JobQueue={"Ref": "Queue"},
        CapacityLimits=_limits(share.limits),
        ResourceSharingConfiguration=sharing,
        PreemptionConfiguration={"InSharePreemption": _switch(on=share.in_share_preemption)},
        State=_switch(on=share.enabled),
    )
    if share.policy != NOTHING_AGREED:
        resource["Metadata"] = {METADATA_KEY: share.policy.as_metadata()}
    return resource


def _resource(kind: str, **properties: object) -> _Resource:
    return {"Type": kind, "Properties": {name: value for name, value in properties.items() if value != []}}


def _name(prop: str, named: System | ServiceEnvironment) -> dict[str, object]:
    """Return the property *prop*, unless the name is only the logical id in the place of one."""
    return {} if named.name == named.source.logical_id else {prop: named.name}


def _limits(limits: Mapping[str, int]) -> list[dict[str, object]]:
    return [{"CapacityUnit": unit, "MaxCapacity": limit} for unit, limit in sorted(limits.items())]


def _switch(*, on: bool) -> str:
    return "ENABLED" if on else "DISABLED"
