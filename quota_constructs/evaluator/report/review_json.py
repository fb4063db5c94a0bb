"""A review as JSON: one object, all of it ASCII."""

from __future__ import annotations

from dataclasses import asdict

from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.report.findings_json import finding_value
from quota_constructs.evaluator.report.result_json import Value, assumptions_value
from quota_constructs.evaluator.review.people import Team
from quota_constructs.evaluator.review.review import OnTrace, Review
from quota_constructs.evaluator.review.running import Deployment
from quota_constructs.evaluator.review.verdict import rests_on, verdict
from quota_constructs.evaluator.simulation.model import MODEL

VERSION = 1
"""Of the object's form; a reader of one version can read all that is added to it later."""


def encode_review(review: Review, *, fail_on: Severity | None = Severity.ERROR) -> bytes:
    """Return *review* as one object; *fail_on* is the gravity that fails it."""
    value = {
        "review": VERSION,
        "model": MODEL,
        "base": review.base,
        "head": review.head,
        "verdict": {
            "line": verdict(review, fail_on),
            "fail_on": "never" if fail_on is None else fail_on,
            "fails": bool(review.failing(fail_on)),
        },
        "changes": None if review.changes is None else [asdict(change) for change in review.changes],
        "findings": {
            "new": [finding_value(each) for each in review.findings.new],
            "fixed": [finding_value(each) for each in review.findings.fixed],
            "unchanged": [finding_value(each) for each in review.findings.unchanged],
        },
        "on_traces": [_on_trace(each) for each in review.on_traces],
        "traces": list(review.traces),
        "assumptions": None if review.assumptions is None else assumptions_value(review.assumptions),
        "rests_on": rests_on(review),
    }
    return f"{dump(value)}\n".encode()


def _on_trace(on_trace: OnTrace) -> Value:
    people, running = on_trace.people, on_trace.running
    worst = running.worst
    return {
        "queue": on_trace.queue,
        "trace": on_trace.trace,
        "jobs": on_trace.jobs,
        "people": {"shares": [_team(team) for team in people.teams], "total": _team(people.total)},
        "running": {
            "not_tried": running.not_tried,
            "worst_at_ms": None if worst is None else worst.moment.at_ms,
            "deployments": [_deployment(each) for each in running.deployments],
        },
    }


def _team(team: Team) -> Value:
    return {
        "share": team.share,
        "new_name": team.new_name,
        "direction": team.direction,
        "figures": [
            {
                "name": figure.name,
                "unit": figure.unit,
                "before": figure.before,
                "after": figure.after,
                "direction": figure.direction,
            }
            for figure in team.figures
        ],
        "jobs_finish": {
            "same": team.balance.same,
            "sooner": team.balance.sooner,
            "sooner_ms": team.balance.sooner_ms,
            "later": team.balance.later,
            "later_ms": team.balance.later_ms,
            "only_by_head": team.balance.gained,
            "only_by_base": team.balance.forgone,
        },
    }


def _deployment(deployment: Deployment) -> Value:
    return {
        "at_ms": deployment.moment.at_ms,
        "why": deployment.moment.why,
        "shares": [asdict(share) for share in deployment.shares],
    }
