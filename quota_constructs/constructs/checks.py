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
from aws_cdk.interfaces import IEnvironmentAware
from constructs import IConstruct

from quota_constructs.errors import ConfigurationError

MAX_UNITS = 5
"""Capacity limits of one share, and of one quota-managed environment; the service's own bound."""

MAX_INTEGER = 2_147_483_647
"""The service's integers have 32 bits."""

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


def require_type(construct: IConstruct, prop: str, value: object, wanted: type, described: str) -> None:
    """Raise if *value* is something else than what is wanted, which Python alone would find late or never."""
    if not isinstance(value, wanted):
        raise refuse(construct, f"'{prop}' must be {described}, got {value!r}")


def require_flag(construct: IConstruct, prop: str, value: object) -> None:
    """Raise if *value* is neither true nor false: 'DISABLED', the service's own word, would count as true."""
    require_type(construct, prop, value, bool, "True or False")


def require_between(
    construct: IConstruct, prop: str, value: object, low: int, high: int = MAX_INTEGER, *, way_out: str = ""
) -> None:
    """Raise if *value* is known now and is no whole number within the bounds."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        # A number token reads as about -1.9e289, so an unguarded comparison lies.
        if not is_known(value):
            return
        if low <= value <= high and value % 1 == 0:
            return
    raise refuse(
        construct,
        f"{prop} must be a whole number between {low} and {high}, got {value!r}{way_out and f'; {way_out}'}",
    )


def require_name(construct: IConstruct, prop: str, value: str) -> None:
    """Raise if *value* is known now and the service would refuse it as a name."""
    if is_known(value) and not _NAME.fullmatch(value):
        raise refuse(construct, f"'{prop}' must be 1 to 128 letters, digits, '-' or '_', got {value!r}")


def require_neighbour(construct: cdk.Resource, prop: str, other: IEnvironmentAware) -> None:
    """Raise if *other*, which *construct* is to be joined to, is known to be in another account or Region."""
    if isinstance(other, str):
        raise refuse(construct, f"'{prop}' must be a construct, got {other!r}; import what exists with 'from_...()'")
    ours, theirs = construct.env, other.env
    for what, here, there in (("account", ours.account, theirs.account), ("Region", ours.region, theirs.region)):
        if is_known(here) and is_known(there) and here != there:
            raise refuse(
                construct,
                f"'{prop}' must be in the same account and Region, got the {what} {there}, and this is in {here}; "
                "define both in stacks of one environment",
            )


def require_capacity(construct: IConstruct, capacity: Mapping[str, float]) -> None:
    """Raise if *capacity* cannot be the capacity limits of a share or of a quota-managed environment."""
    require_type(construct, "capacity", capacity, Mapping, "a number of instances by instance type")
    if not 1 <= len(capacity) <= MAX_UNITS:
        raise refuse(construct, f"'capacity' must name 1 to {MAX_UNITS} instance types, got {len(capacity)}")
    for unit, limit in capacity.items():
        _require_instance_type(construct, unit)
        require_between(
            construct, f"'capacity' of {unit!r}", limit, 1, way_out="leave the instance type out to give none of it"
        )


def _require_instance_type(construct: IConstruct, unit: str) -> None:
    require_type(construct, "capacity", unit, str, "by instance type")
    if unit == "NUM_INSTANCES":
        raise refuse(
            construct,
            "'capacity' counts instances by type under quota management, got 'NUM_INSTANCES'; "
            "name a SageMaker instance type, such as 'ml.g5.xlarge'",
        )
    if is_known(unit) and not _INSTANCE_TYPE.fullmatch(unit):
        raise refuse(construct, f"'capacity' must name SageMaker instance types as 'ml.<family>.<size>', got {unit!r}")
