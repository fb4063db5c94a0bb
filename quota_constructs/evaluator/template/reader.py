"""From the resources of templates to systems: each quota-managed queue with its environment and shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template.assembly import read_stacks
from quota_constructs.evaluator.template.evaluator import Evaluator
from quota_constructs.evaluator.template.fields import Field
from quota_constructs.evaluator.template.identity import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
)
from quota_constructs.evaluator.template.inventory import Inventory
from quota_constructs.evaluator.template.parameters import check_parameters
from quota_constructs.evaluator.template.resources import (
    SAGEMAKER_TRAINING,
    read_environment,
    read_share,
    read_time_limits,
    simple_name,
)
from quota_constructs.evaluator.template.stack import Resource
from quota_constructs.evaluator.template.values import Unknown
from quota_constructs.printable import shortened

_NO_PARAMETERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a path holds that quota management can be simulated for."""

    systems: tuple[System, ...]
    """In order of template, then name."""

    notes: tuple[str, ...]
    """What was passed over, and what the service would treat differently from the simulation; one line each."""


def read_systems(
    path: Path, *, parameters: Mapping[str, str] = _NO_PARAMETERS, allow_undeclared: bool = False
) -> Reading:
    """
    Read the quota-managed systems of a template or cloud assembly.

    *path* is a template file (.json, .yaml, .yml, .template) or the output directory of `cdk synth`, whose nested
    stages and nested stacks are read too. *parameters* are values for template parameters, and for pseudo
    parameters such as `AWS::Region` where the stack does not fix them; without one, a parameter's default counts.
    A name that no template declares is refused, unless *allow_undeclared*: for the second of two templates that are
    read with the same parameters. Raises `TemplateError` for what is needed and cannot be read or resolved; what is
    not needed is ignored.
    """
    stacks, notes = read_stacks(path, parameters=parameters)
    check_parameters(stacks, parameters, allow_undeclared=allow_undeclared)
    reader = _SystemReader(Inventory(stacks, Evaluator(stacks)), notes)
    return reader.read()


class _SystemReader:
    """Puts systems together from an inventory, and notes what it leaves out."""

    def __init__(self, inventory: Inventory, notes: list[str]) -> None:
        self._inventory = inventory
        self._notes = notes

    def read(self) -> Reading:
        """Return the systems and notes."""
        shares = self._shares_by_queue()
        managed: list[tuple[Field, Field | None, Resource]] = []
        for queue in self._inventory.existing(JOB_QUEUE):
            fields = self._inventory.fields(queue)
            of_queue = shares.get(queue, [])
            why = _why_unmanaged_type(fields)
            policy = self._policy_of(fields) if why is None else None
            why = why or _why_unmanaged_policy(policy, has_shares=bool(of_queue))
            if why is not None:
                self._notes.append(f"{queue.shown}: queue passed over: {why}")
                self._notes.extend(f"{share.resource.shown}: passed over with its queue" for share in of_queue)
                continue
            managed.append((fields, policy, self._environment_of(fields)))
        names_on: dict[Resource, list[str]] = {}
        for fields, _, environment in managed:
            names_on.setdefault(environment, []).append(simple_name(fields["JobQueueName"]))
        systems = [
            self._system(fields, policy, environment, shares.get(fields.resource, []), names_on[environment])
            for fields, policy, environment in managed
        ]
        systems.sort(key=lambda system: (system.source.template, system.name))
        return Reading(tuple(systems), tuple(self._notes))

    def _shares_by_queue(self) -> dict[Resource, list[Field]]:
        shares: dict[Resource, list[Field]] = {}
        for resource in self._inventory.existing(QUOTA_SHARE):
            fields = self._inventory.fields(resource)
            reference = fields["JobQueue"]
            queue = self._inventory.find(reference, JOB_QUEUE)
            if queue is not None:
                shares.setdefault(queue, []).append(fields)
                continue
            why = self._inventory.why_not_found(reference, JOB_QUEUE)
            if isinstance(why, Unknown):
                if not why.is_outside:
                    raise reference.unresolved(why)
                why = why.why
            self._notes.append(f"{resource.shown}: quota share passed over, as its queue was not read: {why}")
        return shares

    def _policy_of(self, queue: Field) -> Field | None:
        reference = queue["SchedulingPolicyArn"]
        policy = None if reference.is_absent else self._inventory.find(reference, SCHEDULING_POLICY)
        return None if policy is None else self._inventory.fields(policy)

    def _environment_of(self, queue: Field) -> Resource:
        order = queue["ServiceEnvironmentOrder"]
        entries = order.items()
        if len(entries) != 1:
            raise order.error(
                f"must name exactly one service environment for a quota-managed queue, got {len(entries)}"
            )
        reference = entries[0]["ServiceEnvironment"]
        environment = self._inventory.find(reference, SERVICE_ENVIRONMENT)
        if environment is not None:
            return environment
        why = self._inventory.why_not_found(reference, SERVICE_ENVIRONMENT)
        if isinstance(why, Unknown):
            raise reference.unresolved(why)
        raise reference.error(
            f"is needed, but {why}; give the cloud assembly that has the service environment, "
            "or declare it in the template"
        )

    def _system(
        self, queue: Field, policy: Field | None, environment: Resource, shares: list[Field], queues: list[str]
    ) -> System:
        """Put one system together; *queues* are the names of all that use its environment, its own included."""
        for resource in (queue.resource, environment, *(share.resource for share in shares)):
            self._inventory.require_existence(resource)
        self._note_differences(queue, policy, self._inventory.fields(environment), has_shares=bool(shares))
        by_name: dict[str, Field] = {}
        for share in shares:
            first = by_name.setdefault(share["QuotaShareName"].name(), share)
            if first is not share:
                raise share["QuotaShareName"].error(
                    f"{share['QuotaShareName'].name()!r} is the name of {first.resource.shown} too; "
                    "a queue's shares must have different names"
                )
        name = simple_name(queue["JobQueueName"])
        others = list(queues)
        others.remove(name)
        return System(
            name=name,
            source=queue.resource.source,
            environment=replace(read_environment(self._inventory.fields(environment)), other_queues=tuple(others)),
            shares=tuple(read_share(by_name[name]) for name in sorted(by_name)),
            time_limits=read_time_limits(queue["JobStateTimeLimitActions"]),
        )

    def _note_differences(self, queue: Field, policy: Field | None, environment: Field, *, has_shares: bool) -> None:
        """Note what keeps the service from doing what the simulation does."""
        for owner, what in ((queue, "queue"), (environment, "service environment")):
            if owner["State"].says("DISABLED"):
                self._notes.append(f"{owner.resource.shown}: the {what} is DISABLED; simulated as if it were ENABLED")
        if not has_shares:
            self._notes.append(f"{queue.resource.shown}: no quota share of this queue is in what was read")
        if queue["SchedulingPolicyArn"].is_absent:
            self._notes.append(
                f"{queue.resource.shown}: has no scheduling policy; the service requires one with a QuotaSharePolicy"
            )
        elif policy is not None and policy["QuotaSharePolicy"]["IdleResourceAssignmentStrategy"].is_absent:
            self._notes.append(
                f"{policy.resource.shown}: has no IdleResourceAssignmentStrategy; the service requires FIFO"
            )


def _why_unmanaged_type(queue: Field) -> str | None:
    """Return why a queue of its type cannot be quota-managed, None if it can."""
    kind = queue["JobQueueType"]
    if isinstance(kind.value, str) and not kind.says(SAGEMAKER_TRAINING):
        return f"its type is '{shortened(kind.value)}', not {SAGEMAKER_TRAINING}"
    if isinstance(queue["ComputeEnvironmentOrder"].value, list):
        return "it runs on compute environments"
    if not kind.is_absent:
        kind.choice([SAGEMAKER_TRAINING])
    return None


def _why_unmanaged_policy(policy: Field | None, *, has_shares: bool) -> str | None:
    """Return why a queue with this policy is not quota-managed, None if it is."""
    if policy is not None and not policy["FairsharePolicy"].is_absent:
        return f"it has a fair-share policy, '{policy.resource.source.logical_id}'"
    if not has_shares and (policy is None or policy["QuotaSharePolicy"].is_absent):
        return "it has no quota shares, and no QuotaSharePolicy in what was read"
    return None
