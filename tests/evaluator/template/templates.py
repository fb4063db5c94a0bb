"""Hand-written templates in a few words, and the reading of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template import read_systems

Properties = dict[str, object]

UNIT = "ml.g5.xlarge"


def limits(capacity: object, unit: object = UNIT) -> list[Properties]:
    return [{"CapacityUnit": unit, "MaxCapacity": capacity}]


def resource(kind: str, properties: Properties, **rest: object) -> Properties:
    return {"Type": f"AWS::Batch::{kind}", "Properties": properties, **rest}


def environment(capacity: object = 8, **properties: object) -> Properties:
    return resource(
        "ServiceEnvironment",
        {"ServiceEnvironmentType": "SAGEMAKER_TRAINING", "CapacityLimits": limits(capacity), **properties},
    )


def policy(**properties: object) -> Properties:
    return resource("SchedulingPolicy", {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}, **properties})


def queue(environment: object = None, **properties: object) -> Properties:
    order = {"Order": 1, "ServiceEnvironment": environment or {"Ref": "Environment"}}
    common = {"JobQueueType": "SAGEMAKER_TRAINING", "Priority": 1, "SchedulingPolicyArn": {"Ref": "Policy"}}
    return resource("JobQueue", {**common, "ServiceEnvironmentOrder": [order], **properties})


def share(name: object = "research", queue: object = None, capacity: object = 4, **properties: object) -> Properties:
    common = {
        "QuotaShareName": name,
        "JobQueue": queue or {"Ref": "Queue"},
        "CapacityLimits": limits(capacity),
        "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
        "ResourceSharingConfiguration": {"Strategy": "LEND"},
    }
    return resource("QuotaShare", {**common, **properties})


def template(resources: Mapping[str, object] | None = None, **sections: object) -> Properties:
    """Return a template of a queue with one share, in which *resources* take the place of those of the same name."""
    usual = {"Environment": environment(), "Policy": policy(), "Queue": queue(), "Research": share()}
    return {**sections, "Resources": {**usual, **(resources or {})}}


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def write_assembly(directory: Path, stacks: Mapping[str, object], **artifacts: object) -> Path:
    """Write a cloud assembly of *stacks*, by name, and of other *artifacts*."""
    described: dict[str, object] = dict(artifacts)
    for name, body in stacks.items():
        write(directory / f"{name}.template.json", body)
        described[name] = stack_artifact(f"{name}.template.json")
    write(directory / "manifest.json", {"version": "55.0.0", "artifacts": described})
    return directory


def stack_artifact(file: str, environment: str = "aws://unknown-account/unknown-region") -> Properties:
    return {"type": "aws:cloudformation:stack", "environment": environment, "properties": {"templateFile": file}}


def read_one(path: Path, **parameters: str) -> System:
    """Read the only system at *path*."""
    (system,) = read_systems(path, parameters=parameters).systems
    return system


def share_names(system: System) -> list[str]:
    return [share.name for share in system.shares]
