"""What a queue declares besides who may run on it: settings that no simulation asks for, but a deployment has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template.assembly import read_stacks
from quota_constructs.evaluator.template.evaluator import Evaluator
from quota_constructs.evaluator.template.fields import Field
from quota_constructs.evaluator.template.identity import JOB_QUEUE, SERVICE_ENVIRONMENT
from quota_constructs.evaluator.template.inventory import Inventory
from quota_constructs.evaluator.template.resources import simple_name

_SWITCH = ("ENABLED", "DISABLED")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSettings:
    """Of one queue; what only the deployment knows is None."""

    name: str | None
    """None where it is left to CloudFormation."""

    state: str | None
    priority: int | None
    environment: str | None
    """The name of its service environment; None where it is left to CloudFormation."""

    environment_state: str | None


def read_settings(queue: System, path: Path, *, parameters: Mapping[str, str]) -> QueueSettings:
    """Return what *queue*, which was read from *path* with *parameters*, declares besides."""
    stacks, _ = read_stacks(path, parameters=parameters)
    inventory = Inventory(stacks, Evaluator(stacks))
    fields = next(
        fields
        for resource in inventory.existing(JOB_QUEUE)
        if resource.source == queue.source  # one template may be several nested stacks
        and simple_name((fields := inventory.fields(resource))["JobQueueName"]) == queue.name
    )
    environment = next(
        inventory.fields(found)
        for entry in fields["ServiceEnvironmentOrder"].items()
        if (found := inventory.find(entry["ServiceEnvironment"], SERVICE_ENVIRONMENT)) is not None
    )
    return QueueSettings(
        name=_text(fields["JobQueueName"]),
        state=_state(fields["State"]),
        priority=_whole(fields["Priority"]),
        environment=_text(environment["ServiceEnvironmentName"]),
        environment_state=_state(environment["State"]),
    )


def _text(field: Field) -> str | None:
    return field.value if isinstance(field.value, str) else None


def _whole(field: Field) -> int | None:
    return None if _is_unknown(field) else field.integer(0)


def _state(field: Field) -> str | None:
    if field.is_absent:
        return "ENABLED"
    return None if _is_unknown(field) else field.choice(_SWITCH)


def _is_unknown(field: Field) -> bool:
    return field.is_absent or not isinstance(field.value, str | int | float)
