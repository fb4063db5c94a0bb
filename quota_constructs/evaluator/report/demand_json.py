"""What a trace asks for, as JSON."""

from __future__ import annotations

from dataclasses import asdict

from quota_constructs.evaluator.demand import Demand
from quota_constructs.evaluator.report.ascii_json import dump, to_ascii


def encode_demand(demand: Demand) -> list[bytes]:
    """Return *demand* as one JSON object on a line; fields that end in `_ms` count (instance-)milliseconds."""
    record = {"contends": demand.contends, "lets_borrow": demand.lets_borrow, **asdict(demand)}
    return [to_ascii(dump(record).encode()), b"\n"]
