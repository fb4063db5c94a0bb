"""Arrangements side by side as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from quota_constructs.evaluator.balance import Balance, Contrast
from quota_constructs.evaluator.comparison import Comparison, Outcome, ShareOutcome, UnitOutcome
from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.report.result_json import Value, assumptions_value, job_figures, unit_figures
from quota_constructs.evaluator.report.verdict import verdict
from quota_constructs.evaluator.simulation.model import MODEL

VERSION = 1
"""Of the object's form; a reader of one version can read all that is added to it later."""


def encode_comparisons(comparisons: Iterable[Comparison]) -> Iterator[bytes]:
    """Yield *comparisons* as one object, a trace a line: the same bytes for the same input, all of them ASCII."""
    yield f'{{"compare":{VERSION},"model":{dump(MODEL)},"comparisons":['.encode()
    for number, comparison in enumerate(comparisons):
        yield f"{',' if number else ''}\n{dump(_comparison(comparison))}".encode()
    yield b"\n]}\n"


def _comparison(comparison: Comparison) -> Value:
    return {
        "queue": comparison.queue,
        "trace": comparison.trace,
        "assumptions": assumptions_value(comparison.assumptions),
        "contract_defaults": {share: asdict(use) for share, use in comparison.contract_use.items()},
        "arrangements": [_outcome(outcome) for outcome in comparison.outcomes],
        "contrasts": [_contrast(contrast) for contrast in comparison.contrasts],
    }


def _outcome(outcome: Outcome) -> Value:
    return {
        "arrangement": outcome.name,
        "template": outcome.template,
        "horizon_ms": outcome.horizon_ms,
        "shares": [_share(share) for share in outcome.shares],
        "totals": {**job_figures(outcome.jobs), "units": [_unit(unit) for unit in outcome.units]},
    }


def _share(share: ShareOutcome) -> Value:
    return {
        "share": share.share,
        "declared": share.declared,
        **job_figures(share.jobs),
        "units": [_unit(unit) for unit in share.units],
    }


def _unit(unit: UnitOutcome) -> Value:
    return {
        **unit_figures(unit.use),
        "allocated_instance_ms": unit.allocated,
        "used_own_instance_ms": unit.used_own,
        "borrowed_instance_ms": unit.borrowed,
        "lost_instance_ms": unit.lost,
        "overhead_instance_ms": unit.overhead,
    }


def _contrast(contrast: Contrast) -> Value:
    pays, forgoes = contrast.pays_most, contrast.forgoes_most
    return {
        "against": contrast.against,
        "shares": [{"share": balance.share, **_balance(balance)} for balance in contrast.shares],
        "total": _balance(contrast.total),
        "verdict": {
            "differs": contrast.total.differs,
            "change_ms": contrast.total.change_ms,
            "pays_most": None if pays is None else {"share": pays.share, **_balance(pays)},
            "forgoes_most": None if forgoes is None else {"share": forgoes.share, **_balance(forgoes)},
            "sentence": verdict(contrast),
        },
    }


def _balance(balance: Balance) -> Value:
    return {
        "same": balance.same,
        "sooner": balance.sooner,
        "sooner_ms": balance.sooner_ms,
        "later": balance.later,
        "later_ms": balance.later_ms,
        "change_ms": balance.change_ms,
        "succeed_only_here": balance.gained,
        "succeed_only_there": balance.forgone,
    }
