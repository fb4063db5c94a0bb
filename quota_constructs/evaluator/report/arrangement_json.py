"""An arrangement as JSON: all that a run or a check depends on, so that two results can be compared by it."""

from __future__ import annotations

from collections.abc import Mapping

from quota_constructs.evaluator.system import QuotaShare, System

Value = dict[str, object]


def arrangement_value(system: System) -> Value:
    """Return *system* as plain values."""
    return {
        "queue": system.name,
        "template": system.source.template,
        "logical_id": system.source.logical_id,
        "construct_path": system.source.construct_path,
        "environment": {
            "name": system.environment.name,
            "capacity": _by_unit(system.environment.capacity),
            "logical_id": system.environment.source.logical_id,
        },
        "shares": [_share(share) for share in system.shares],
        "time_limits": [{"reason": limit.reason, "max_time_ms": limit.max_time_ms} for limit in system.time_limits],
    }


def _share(share: QuotaShare) -> Value:
    return {
        "share": share.name,
        "limits": _by_unit(share.limits),
        "strategy": share.strategy,
        "borrow_limit_percent": share.borrow_limit_percent if share.strategy.borrows else None,
        "in_share_preemption": share.in_share_preemption,
        "enabled": share.enabled,
        "policy": share.policy.as_metadata(),
        "logical_id": share.source.logical_id,
        "construct_path": share.source.construct_path,
    }


def _by_unit(numbers: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(numbers.items()))
