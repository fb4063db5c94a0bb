"""
Checks of what a construct was given, as early as Python can make them.

Every value may be a CDK token, which is known only to CloudFormation: a check passes over what it cannot know.
Every message begins with the path of the construct.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import aws_cdk as cdk
from constructs import IConstruct

from quota_constructs.errors import ConfigurationError

MAX_UNITS = 5
"""Capacity limits of one share, and of one quota-managed environment; the service's own bound."""

NAME_PATTERN = "[A-Za-z0-9_-]{1,128}"
_NAME = re.compile(NAME_PATTERN)
_INSTANCE_TYPE = re.compile(r"ml\.[a-z0-9-]+\.[a-z0-9-]+")


def is_known(value: str | float) -> bool:
    """Return whether *value* is a plain value and no token."""
    if isinstance(value, float) and not math.isfinite(value):
        return True  # asking the CDK about it would end its Node process, which speaks JSON
    return not cdk.Token.is_unresolved(value)


def refuse(construct: IConstruct, problem: str) -> ConfigurationError:
    """Return the error that says what *construct* was given wrong."""
    return ConfigurationError(f"{construct.node.path}: {problem}")


def require_between(
    construct: IConstruct, prop: str, value: float, low: int, high: int | None = None, *, way_out: str = ""
) -> None:
    """Raise if *value* is known now and is no whole number within the bounds; *high* defaults to no bound."""
    # A number token reads as about -1.9e289, so an unguarded comparison lies.
    if not is_known(value):
        return
    if float(value).is_integer() and low <= value and (high is None or value <= high):
        return
    bounds = f"of at least {low}" if high is None else f"between {low} and {high}"
    raise refuse(construct, f"{prop} must be a whole number {bounds}, got {value}{way_out and f'; {way_out}'}")


def require_name(construct: IConstruct, prop: str, value: str) -> None:
    """Raise if *value* is known now and the service would refuse it as a name."""
    if is_known(value) and not _NAME.fullmatch(value):
        raise refuse(construct, f"'{prop}' must be 1 to 128 letters, digits, '-' or '_', got {value!r}")


def require_capacity(construct: IConstruct, capacity: Mapping[str, float]) -> None:
    """Raise if *capacity* cannot be the capacity limits of a share or of a quota-managed environment."""
    if not 1 <= len(capacity) <= MAX_UNITS:
        raise refuse(construct, f"'capacity' must name 1 to {MAX_UNITS} instance types, got {len(capacity)}")
    for unit, limit in capacity.items():
        _require_instance_type(construct, unit)
        require_between(
            construct, f"'capacity' of {unit!r}", limit, 1, way_out="leave the instance type out to give none of it"
        )


def _require_instance_type(construct: IConstruct, unit: str) -> None:
    if unit == "NUM_INSTANCES":
        raise refuse(
            construct,
            "'capacity' counts instances by type under quota management, got 'NUM_INSTANCES'; "
            "name a SageMaker instance type, such as 'ml.g5.xlarge'",
        )
    if is_known(unit) and not _INSTANCE_TYPE.fullmatch(unit):
        raise refuse(construct, f"'capacity' must name SageMaker instance types as 'ml.<family>.<size>', got {unit!r}")
