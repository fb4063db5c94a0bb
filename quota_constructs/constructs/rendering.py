"""How values are written into a template."""

from __future__ import annotations

from collections.abc import Mapping

from quota_constructs.constructs.checks import is_known


def in_order(capacity: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return *capacity* by instance type, so that its order in the program changes no template; tokens come last."""
    return sorted(capacity.items(), key=lambda item: (0, item[0]) if is_known(item[0]) else (1, ""))


def state(*, enabled: bool) -> str:
    """Return the service's word for on or off."""
    return "ENABLED" if enabled else "DISABLED"
