"""A snapshot as a table for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from rich.console import RenderableType

from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.report.screen import Screen, draw, new_table, safe
from quota_constructs.live.snapshot import Range, Snapshot
from quota_constructs.printable import shortened


def snapshot_text(snapshot: Snapshot, screen: Screen) -> str:
    """Return *snapshot* laid out for *screen*."""
    return draw(_blocks(snapshot), screen)


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """Return *snapshot* in JSON, on one line."""
    return (
        dump(
            {
                "queue": snapshot.queue,
                "environment": snapshot.environment,
                "updated_at_ms": snapshot.updated_at_ms,
                "shares": [
                    {
                        "share": holding.share,
                        "instance_type": holding.unit,
                        "allocated": holding.allocated,
                        "used": _number(holding.used),
                        "borrowed": _number(holding.borrowed),
                        "lent": _range(holding.lent),
                        "idle": _range(holding.idle),
                    }
                    for holding in snapshot.holdings
                ],
                "totals": [
                    {
                        "instance_type": total.unit,
                        "capacity": total.capacity,
                        "allocated": total.allocated,
                        "used": _number(total.used),
                        "borrowed": _number(total.borrowed),
                        "idle": _number(total.idle),
                    }
                    for total in snapshot.totals
                ],
                "unattributed": {unit: _number(quantity) for unit, quantity in snapshot.unattributed.items()},
            }
        ).encode()
        + b"\n"
    )


def _blocks(snapshot: Snapshot) -> Iterator[RenderableType]:
    yield safe(
        f"Queue {shortened(snapshot.queue)} on environment {shortened(snapshot.environment)}, "
        f"{_counted(snapshot.updated_at_ms)}",
        style="bold",
    )
    shares = new_table(
        "Instances by share", "share", "instance type", "allocated", "used", "borrowed", "lent", "idle", words=2
    )
    for holding in snapshot.holdings:
        shares.add_row(
            safe(holding.share),
            safe(holding.unit),
            f"{holding.allocated:,}",
            _shown(holding.used),
            _shown(holding.borrowed),
            _shown_range(holding.lent),
            _shown_range(holding.idle),
        )
    yield shares
    totals = new_table(
        "Instances of the environment", "instance type", "capacity", "allocated", "used", "borrowed", "idle", words=1
    )
    for total in snapshot.totals:
        totals.add_row(
            safe(total.unit),
            f"{total.capacity:,}",
            f"{total.allocated:,}",
            _shown(total.used),
            _shown(total.borrowed),
            _shown(total.idle),
        )
    yield totals
    if any(holding.lent.least != holding.lent.most for holding in snapshot.holdings):
        yield safe("A range: the service does not say which lender a borrowed instance is from.")
    for unit, quantity in snapshot.unattributed.items():
        yield safe(f"{_shown(quantity)} of {shortened(unit)} in use are counted for no share by the service.")


def _counted(at_ms: int | None) -> str:
    if at_ms is None:
        return "counted by the service at a time it does not say"
    return f"as the service counted at {datetime.fromtimestamp(at_ms // 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _number(quantity: float) -> float:
    """Return *quantity*, whole where it is: the service counts instances in decimals."""
    return int(quantity) if float(quantity).is_integer() else quantity


def _shown(quantity: float) -> str:
    return f"{_number(quantity):,}"


def _range(quantities: Range) -> dict[str, float]:
    return {"least": _number(quantities.least), "most": _number(quantities.most)}


def _shown_range(quantities: Range) -> str:
    if quantities.least == quantities.most:
        return _shown(quantities.least)
    return f"{_shown(quantities.least)} to {_shown(quantities.most)}"
