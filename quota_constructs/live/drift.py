"""What is deployed against what is declared: one entry for each property that is not the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.template.settings import QueueSettings
from quota_constructs.live.client import Client
from quota_constructs.live.deployed import DeployedQueue, read_queue
from quota_constructs.policies.sharing import UNLIMITED

ABSENT = "absent"
PRESENT = "present"

FIFO = "FIFO"
"""The only way to hand out idle capacity that the service has, and so what every quota-managed queue declares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One property that was changed, or was never deployed."""

    resource: str
    """`AWS::Batch::QuotaShare research`."""

    property: str
    """As CloudFormation calls it, with the capacity unit or reason that tells it from others; empty for all of it."""

    declared: str
    deployed: str


def find_drift(client: Client, declared: System, settings: QueueSettings, queue: str) -> tuple[Drift, ...]:
    """Return in what the deployed *queue*, a name or an ARN, is not as *declared*."""
    deployed = read_queue(client, queue, describe_shares=True)
    return tuple(differences(declared, settings, deployed))


def differences(declared: System, settings: QueueSettings, deployed: DeployedQueue) -> Iterator[Drift]:
    """Yield in what *deployed* is not as *declared*: queue, policy, environment, then shares by name."""
    yield from _of_properties(
        f"AWS::Batch::JobQueue {deployed.name}",
        {
            "JobQueueName": settings.name or deployed.name,
            "State": settings.state or deployed.state,
            "Priority": str(deployed.priority if settings.priority is None else settings.priority),
            **{
                f"JobStateTimeLimitActions/{limit.reason}": f"TERMINATE after {limit.max_time_ms // 1000} s"
                for limit in declared.time_limits
            },
        },
        {
            "JobQueueName": deployed.name,
            "State": deployed.state,
            "Priority": str(deployed.priority),
            **{f"JobStateTimeLimitActions/{reason}": what for reason, what in deployed.time_limits.items()},
        },
    )
    yield from _of_properties(
        f"AWS::Batch::SchedulingPolicy of {deployed.name}",
        {"QuotaSharePolicy/IdleResourceAssignmentStrategy": FIFO},
        {"QuotaSharePolicy/IdleResourceAssignmentStrategy": deployed.idle_assignment},
    )
    yield from _of_properties(
        f"AWS::Batch::ServiceEnvironment {deployed.environment}",
        {
            "ServiceEnvironmentName": settings.environment or deployed.environment,
            "State": settings.environment_state or deployed.environment_state,
            **_capacity(declared.environment.capacity),
        },
        {
            "ServiceEnvironmentName": deployed.environment,
            "State": deployed.environment_state,
            **_capacity(deployed.capacity),
        },
    )
    for name in sorted({share.name for share in (*declared.shares, *deployed.shares)}):
        yield from _of_share(name, declared.share(name), deployed.share(name))


def _of_share(name: str, declared: QuotaShare | None, deployed: QuotaShare | None) -> Iterator[Drift]:
    resource = f"AWS::Batch::QuotaShare {name}"
    if declared is None or deployed is None:
        yield Drift(
            resource=resource,
            property="",
            declared=ABSENT if declared is None else PRESENT,
            deployed=ABSENT if deployed is None else PRESENT,
        )
        return
    yield from _of_properties(resource, _share_properties(declared), _share_properties(deployed))


def _share_properties(share: QuotaShare) -> dict[str, str]:
    properties = {
        **_capacity(share.limits),
        "ResourceSharingConfiguration/Strategy": share.strategy.value,
        "PreemptionConfiguration/InSharePreemption": "ENABLED" if share.in_share_preemption else "DISABLED",
        "State": "ENABLED" if share.enabled else "DISABLED",
    }
    if share.strategy.borrows:  # to any other it means nothing, and the service may fill it in
        percent = share.borrow_limit_percent
        properties["ResourceSharingConfiguration/BorrowLimit"] = (
            f"{percent} (unlimited)" if percent == UNLIMITED else str(percent)
        )
    return properties


def _capacity(limits: Mapping[str, int]) -> dict[str, str]:
    return {f"CapacityLimits/{unit}": str(limit) for unit, limit in limits.items()}


def _of_properties(resource: str, declared: Mapping[str, str], deployed: Mapping[str, str]) -> Iterator[Drift]:
    for name in _in_order((declared, deployed)):
        here, there = declared.get(name, ABSENT), deployed.get(name, ABSENT)
        if here != there:
            yield Drift(resource=resource, property=name, declared=here, deployed=there)


def _in_order(sides: Iterable[Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for side in sides for name in side))
