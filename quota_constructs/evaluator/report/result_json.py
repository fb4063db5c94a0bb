"""The result of a simulation as JSON: one object, its jobs one a line, written piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import msgspec

from quota_constructs.evaluator.contracts import ContractUse
from quota_constructs.evaluator.metrics import JobFigures, ShareFigures, UnitFigures
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.report.arrangement_json import arrangement_value
from quota_constructs.evaluator.report.ascii_json import dump, to_ascii
from quota_constructs.evaluator.simulation.history import Attempt, JobHistory
from quota_constructs.evaluator.simulation.model import MODEL, Assumptions
from quota_constructs.evaluator.system import QuotaShare

_PIECE_BYTES = 1 << 16

Value = dict[str, object]


class _JobLine(msgspec.Struct, frozen=True, gc=False):
    """One job of the result; the order of the fields is the order of the keys."""

    id: str
    share: str
    state: str
    reason: str | None
    first_dispatch_ms: int | None
    finish_ms: int | None
    queued_ms: int
    overhead_ms: int
    lost_ms: int
    cross_share_preemptions: int
    in_share_preemptions: int
    attempts: list[Attempt]
    wait_ms: int | None
    completion_ms: int | None
    entitled_wait_ms: int


def encode_result(evaluation: Evaluation) -> Iterator[bytes]:
    """
    Yield the result of *evaluation* in pieces: the same bytes for the same input, all of them ASCII.

    `shares` and `totals` hold integrals over time in instance-milliseconds, and spreads as nearest-rank percentiles.
    """
    figures = evaluation.figures
    yield (
        f'{{"model":{dump(MODEL)},"assumptions":{dump(assumptions_value(evaluation.assumptions))},'
        f'"arrangement":{dump(arrangement_value(evaluation.system))},"jobs":['
    ).encode()
    yield from _encode_jobs(evaluation)
    shares = [
        _share(share, evaluation.shares.get(share.share), evaluation.contract_use.get(share.share))
        for share in figures.shares
    ]
    totals: Value = {
        "start_ms": figures.start_ms,
        "end_ms": figures.end_ms,
        "horizon_ms": figures.end_ms - figures.start_ms,
        **job_figures(figures.jobs),
        "units": [unit_figures(unit) for unit in figures.units],
    }
    yield f'],"shares":{dump(shares)},"totals":{dump(totals)}}}\n'.encode()


def _encode_jobs(evaluation: Evaluation) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    piece = bytearray()
    for job in evaluation.history.jobs:
        piece += b"\n"
        encoder.encode_into(_job_line(job), piece, -1)
        piece += b","
        if len(piece) >= _PIECE_BYTES:
            yield to_ascii(piece[:-1])
            piece = bytearray(b",")
    yield to_ascii(piece[:-1] + b"\n")


def _job_line(each: JobHistory) -> _JobLine:
    return _JobLine(
        each.job.id,
        each.job.share,
        each.state,
        each.reason,
        each.first_dispatch_ms,
        each.finish_ms,
        each.queued_ms,
        each.overhead_ms,
        each.lost_ms,
        each.cross_share_preemptions,
        each.in_share_preemptions,
        each.attempts,
        each.wait_ms,
        each.completion_ms,
        each.entitled_wait_ms,
    )


def assumptions_value(assumptions: Assumptions) -> Value:
    """Return the knobs as they are set."""
    seconds, rest = divmod(assumptions.stop_ms, 1000)
    return {
        "stop_seconds": assumptions.stop_ms / 1000 if rest else seconds,
        "victim_order": assumptions.victim_order,
        "queueing": assumptions.queueing,
    }


def _share(figures: ShareFigures, declared: QuotaShare | None, contract_use: ContractUse | None) -> Value:
    return {
        "share": figures.share,
        "strategy": None if declared is None else declared.strategy,
        "contract_defaults": contract_use and asdict(contract_use),
        **job_figures(figures.jobs),
        "units": [
            {
                "unit": unit,
                "allocated_instance_ms": usage.allocated,
                "used_instance_ms": usage.used,
                "used_own_instance_ms": usage.used - usage.borrowed,
                "borrowed_instance_ms": usage.borrowed,
                "idle_own_instance_ms": usage.idle_own,
            }
            for unit, usage in sorted(figures.usage.items())
        ],
    }


def job_figures(figures: JobFigures) -> Value:
    """Return what became of a group of jobs."""
    return {
        "submitted": figures.jobs,
        "started": figures.started,
        "outcomes": [
            {"state": state, "reason": reason, "count": count} for (state, reason), count in figures.outcomes.items()
        ],
        "wait_ms": figures.wait_ms and asdict(figures.wait_ms),
        "longest_wait_ms": figures.longest_wait_ms,
        "longest_entitled_wait_ms": figures.longest_entitled_wait_ms,
        "completion_ms": figures.completion_ms and asdict(figures.completion_ms),
        "slowdown": figures.slowdown and asdict(figures.slowdown),
        "cross_share_preemptions": figures.cross_share_preemptions,
        "in_share_preemptions": figures.in_share_preemptions,
        "preempted_jobs": figures.preempted_jobs,
        "most_preemptions": figures.most_preemptions,
        "lost_instance_ms": figures.lost_instance_ms,
        "overhead_instance_ms": figures.overhead_instance_ms,
        "deadlines_hit": figures.deadlines_hit,
        "deadlines_missed": figures.deadlines_missed,
    }


def unit_figures(figures: UnitFigures) -> Value:
    """Return what was held of a unit, and what came of it."""
    return {
        "unit": figures.unit,
        "capacity_instance_ms": figures.capacity,
        "used_instance_ms": figures.used,
        "borrowed_instance_ms": figures.borrowed,
        "succeeded_instance_ms": figures.good,
        "utilization": figures.utilization,
        "goodput": figures.goodput,
    }
