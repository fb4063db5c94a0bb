"""Drift as a table for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.console import RenderableType

from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.report.screen import Screen, draw, new_table, safe
from quota_constructs.live.drift import Drift
from quota_constructs.printable import plural, shortened


def drift_text(queue: str, drifts: Sequence[Drift], screen: Screen) -> str:
    """Return *drifts* of *queue* laid out for *screen*."""
    return draw(_blocks(queue, drifts), screen)


def encode_drift(queue: str, drifts: Sequence[Drift]) -> bytes:
    """Return *drifts* of *queue* in JSON, on one line."""
    return dump({"queue": queue, "drift": [asdict(drift) for drift in drifts]}).encode() + b"\n"


def _blocks(queue: str, drifts: Sequence[Drift]) -> Iterator[RenderableType]:
    if not drifts:
        yield safe(f"Queue {shortened(queue)} is deployed as it is declared.", style="bold")
        return
    yield safe(f"Queue {shortened(queue)}: {plural(len(drifts), 'difference')}", style="bold")
    table = new_table("Drift", "resource", "property", "declared", "deployed", words=4)
    for drift in drifts:
        table.add_row(safe(drift.resource), safe(drift.property), safe(drift.declared), safe(drift.deployed))
    yield table
