"""What is agreed on shares, from a TOML file beside the template: for templates that say nothing, or something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.toml_file import read_toml
from quota_constructs.policies.share_policy import SharePolicy, policy_from_metadata
from quota_constructs.printable import printable, shortened

PARTS = ("agreement", "interruption", "objectives")

Table = dict[str, Any]


def agreed_in(path: Path, systems: Sequence[System]) -> tuple[System, ...]:
    """
    Return *systems* with what the file at *path* says of their shares.

    The file holds a table for each share, such as `[shares.research.objectives.wait_p95_seconds]`. Each field of
    `agreement` and of `interruption`, and each promise of `objectives`, takes the place of the template's own; what
    the file leaves out stays as it is. A share that no queue has, or an unknown field, is a `UsageError`.
    """
    said = _read(path)
    names = sorted({share.name for system in systems for share in system.shares})
    for name in said:
        if name not in names:
            near = get_close_matches(name[:128], names, n=1)
            way_out = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(map(shortened, names))}"
            raise UsageError(f"{path}: 'shares.{shortened(name)}' is no share of the template; {way_out}")
    return tuple(
        replace(system, shares=tuple(_with(path, share, said.get(share.name)) for share in system.shares))
        for system in systems
    )


def _with(path: Path, share: QuotaShare, said: object) -> QuotaShare:
    if said is None:
        return share
    place = f"'shares.{shortened(share.name)}'"
    if not isinstance(said, dict):
        raise UsageError(f"{path}: {place} must be a table, got {printable(repr(said))}")
    merged: Table = share.policy.as_metadata()
    for part, fields in cast("Table", said).items():
        if part not in PARTS:
            raise UsageError(f"{path}: '{shortened(part)}' is no part of {place}; there are {', '.join(PARTS)}")
        merged[part] = {**merged.get(part, {}), **fields} if isinstance(fields, dict) else fields
    return replace(share, policy=_policy(path, place, merged))


def _policy(path: Path, place: str, merged: Table) -> SharePolicy:
    try:
        return policy_from_metadata(merged)
    except ValueError as error:
        raise UsageError(f"{path}: {place}: {error}") from None


def _read(path: Path) -> Mapping[str, object]:
    document = read_toml(path)
    for key in document:
        if key != "shares":
            raise UsageError(f"{path}: '{shortened(key)}' is not known; write tables such as [shares.NAME.objectives]")
    shares = document.get("shares", {})
    if not isinstance(shares, dict):
        raise UsageError(f"{path}: 'shares' must be a table of shares, such as [shares.NAME.objectives]")
    return cast("Table", shares)
