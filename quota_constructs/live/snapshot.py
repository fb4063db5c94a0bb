"""Who holds what of a queue right now: from what the service says is used, what it does not say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from quota_constructs.evaluator.system import QuotaShare
from quota_constructs.live import shapes
from quota_constructs.live.client import Client
from quota_constructs.live.deployed import DeployedQueue, read_queue
from quota_constructs.live.operations import GET_JOB_QUEUE_SNAPSHOT

Usage = Mapping[tuple[str, str], float]
"""Instances that dispatched jobs hold, by share and instance type."""


@dataclass(frozen=True, slots=True)
class Range:
    """At least, and at most."""

    least: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """One share and one instance type."""

    share: str
    unit: str
    allocated: int
    used: float
    """Its own and borrowed."""

    borrowed: float
    lent: Range
    """Of its own, what other shares hold; a range, as the service does not say whose it is that they borrow."""

    idle: Range
    """Of its own, what nobody holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """All shares together, for one instance type."""

    unit: str
    capacity: int
    """Of the environment."""

    allocated: int
    used: float
    borrowed: float
    idle: float
    """Of the capacity, what nobody holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A queue at one moment."""

    queue: str
    environment: str
    updated_at_ms: int | None
    """When the service last counted, in milliseconds since 1970; None if it does not say."""

    holdings: tuple[Holding, ...]
    """In order of share, then instance type."""

    totals: tuple[Total, ...]
    unattributed: Mapping[str, float]
    """Instances in use that the service counts for no share, by type; none usually."""


def take_snapshot(client: Client, queue: str) -> Snapshot:
    """Return who holds what of *queue*, a name or an ARN."""
    deployed = read_queue(client, queue)
    answer = client.call(GET_JOB_QUEUE_SNAPSHOT, shapes.JobQueueSnapshot, jobQueue=deployed.arn)
    return snapshot_of(deployed, answer.queue_utilization)


def snapshot_of(queue: DeployedQueue, utilization: shapes.QueueUtilization) -> Snapshot:
    """Return who holds what of *queue*, of which *utilization* says what is used."""
    usage: dict[tuple[str, str], float] = {}
    for share in utilization.quota_share_utilization.top_capacity_utilization:
        for held in share.capacity_usage:
            usage[share.quota_share_name, held.capacity_unit] = held.quantity
    used: dict[str, float] = {}
    for (_, unit), quantity in usage.items():
        used[unit] = used.get(unit, 0) + quantity
    counted = {held.capacity_unit: held.quantity for held in utilization.total_capacity_usage}
    units = sorted({*queue.capacity, *counted, *used, *(unit for share in queue.shares for unit in share.limits)})
    holdings = tuple(
        sorted(
            (holding for unit in units for holding in _holdings(queue.shares, unit, usage)),
            key=lambda holding: (holding.share, holding.unit),
        )
    )
    totals = tuple(
        _total(unit, queue.capacity.get(unit, 0), holdings, max(used.get(unit, 0), counted.get(unit, 0)))
        for unit in units
    )
    return Snapshot(
        queue=queue.name,
        environment=queue.environment,
        updated_at_ms=utilization.last_updated_at,
        holdings=holdings,
        totals=totals,
        unattributed={
            unit: counted[unit] - used.get(unit, 0) for unit in units if counted.get(unit, 0) > used.get(unit, 0)
        },
    )


def _holdings(shares: tuple[QuotaShare, ...], unit: str, usage: Usage) -> Iterator[Holding]:
    """
    Yield what each share holds of *unit*, if it has a limit for it or holds any.

    What is borrowed stands on what lenders leave idle, whoever of them. Of a lender's idle instances, those are lent
    for sure that the other lenders do not have enough of.
    """
    limits = {share.name: share.limits.get(unit, 0) for share in shares}
    held = {name: usage.get((name, unit), 0.0) for name in limits} | {
        name: quantity for (name, of), quantity in usage.items() if of == unit
    }
    free = {
        share.name: max(0.0, limits[share.name] - held[share.name]) if share.strategy.lends else 0.0 for share in shares
    }
    borrowed = sum(max(0.0, held[name] - limits.get(name, 0)) for name in held)
    lendable = sum(free.values())
    for name in sorted(held):
        limit = limits.get(name, 0)
        if not limit and not held[name]:
            continue
        own = free.get(name, 0.0)
        lent = Range(max(0.0, min(borrowed - (lendable - own), own)), min(own, borrowed))
        unused = max(0.0, limit - held[name])
        yield Holding(
            share=name,
            unit=unit,
            allocated=limit,
            used=held[name],
            borrowed=max(0.0, held[name] - limit),
            lent=lent,
            idle=Range(unused - lent.most, unused - lent.least),
        )


def _total(unit: str, capacity: int, holdings: tuple[Holding, ...], used: float) -> Total:
    of_unit = [holding for holding in holdings if holding.unit == unit]
    return Total(
        unit=unit,
        capacity=capacity,
        allocated=sum(holding.allocated for holding in of_unit),
        used=used,
        borrowed=sum(holding.borrowed for holding in of_unit),
        idle=max(0.0, capacity - used),
    )
