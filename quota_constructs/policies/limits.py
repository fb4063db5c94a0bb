"""Bounds of what an agreement may hold, so that a template from anywhere stays small and readable."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Amount = Annotated[float, Meta(ge=0, le=1e12)]
"""A number that is not negative."""

PositiveAmount = Annotated[float, Meta(gt=0, le=1e12)]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=256)]
Names = Annotated[tuple[Name, ...], Meta(max_length=100)]
Text = Annotated[str, Meta(max_length=4_000)]
