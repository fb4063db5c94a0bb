"""CloudFormation templates for tests, written as files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.builders import UNIT

Resource = dict[str, object]

NOTHING: Mapping[str, object] = {}


def queue(
    name: str, shares: Mapping[str, tuple[int, str]], *, capacity: object, in_share_preemption: str = "DISABLED"
) -> dict[str, Resource]:
    """Return the resources of one quota-managed queue; shares are (limit, strategy) by name."""
    resources = {
        f"{name}Environment": _resource(
            "ServiceEnvironment",
            ServiceEnvironmentName=f"{name}-environment",
            ServiceEnvironmentType="SAGEMAKER_TRAINING",
            CapacityLimits=[{"CapacityUnit": UNIT, "MaxCapacity": capacity}],
        ),
        f"{name}Policy": _resource(
            "SchedulingPolicy",
            Name=f"{name}-policy",
            QuotaSharePolicy={"IdleResourceAssignmentStrategy": "FIFO"},
        ),
        name: _resource(
            "JobQueue",
            JobQueueName=name,
            JobQueueType="SAGEMAKER_TRAINING",
            Priority=1,
            SchedulingPolicyArn={"Ref": f"{name}Policy"},
            ServiceEnvironmentOrder=[{"Order": 1, "ServiceEnvironment": {"Ref": f"{name}Environment"}}],
        ),
    }
    for share, (limit, strategy) in shares.items():
        resources[f"{name}{share}"] = _resource(
            "QuotaShare",
            QuotaShareName=share,
            JobQueue={"Ref": name},
            CapacityLimits=[{"CapacityUnit": UNIT, "MaxCapacity": limit}],
            ResourceSharingConfiguration={"Strategy": strategy},
            PreemptionConfiguration={"InSharePreemption": in_share_preemption},
            State="ENABLED",
        )
    return resources


def write_template(path: Path, *queues: Mapping[str, Resource], parameters: Mapping[str, object] = NOTHING) -> Path:
    """Write the resources of *queues* as a template at *path*, and return the path."""
    resources = {name: resource for each in queues for name, resource in each.items()}
    path.write_text(json.dumps({"Parameters": dict(parameters), "Resources": resources}), encoding="utf-8")
    return path


def write_trace(path: Path, *lines: Mapping[str, object]) -> Path:
    """Write *lines* as a trace at *path*, and return the path."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def _resource(kind: str, **properties: object) -> Resource:
    return {"Type": f"AWS::Batch::{kind}", "Properties": properties}
