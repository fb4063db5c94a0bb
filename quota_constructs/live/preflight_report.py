"""A preflight as tables for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.evaluator.report.screen import Screen, draw, new_table, safe
from quota_constructs.live.preflight import Preflight, ShareHit
from quota_constructs.printable import plural, shortened

MOST_IDS = 5
"""Jobs that a table names; JSON names them all."""


def preflight_text(found: Preflight, screen: Screen) -> str:
    """Return what was *found*, laid out for *screen*."""
    return draw(_blocks(found), screen)


def encode_preflight(found: Preflight) -> bytes:
    """Return what was *found* in JSON, on one line."""
    return (
        dump(
            {
                "queue": found.queue,
                "deployed": found.is_deployed,
                "shares": [
                    {
                        "share": share.share,
                        "team": share.team,
                        "deleted": share.deleted,
                        "dispatched": share.dispatched,
                        "waiting": share.waiting,
                        "eligible": list(share.eligible),
                        "unsized": share.unsized,
                    }
                    for share in found.shares
                ],
                "replacements": [
                    {"resource": each.resource, "before": each.before, "after": each.after}
                    for each in found.replacements
                ],
                "quotas": [
                    {
                        "instance_type": quota.unit,
                        "capacity": quota.capacity,
                        "quota": quota.quota,
                        "too_small": quota.is_too_small,
                    }
                    for quota in found.quotas
                ],
            }
        ).encode()
        + b"\n"
    )


def _blocks(found: Preflight) -> Iterator[RenderableType]:
    name = shortened(found.queue)
    if not found.is_deployed:
        yield safe(
            f"Queue {name} is not deployed by this name, so that no job of it can be hit; "
            "if another queue is to become it, name that one with --deployed.",
            style="bold",
        )
    else:
        verdict = "hits what is there" if found.has_hits else "hits nothing that is there"
        yield safe(f"Deploying to queue {name} {verdict}.", style="bold")
        table = new_table("Jobs by share", "share", "team", "dispatched", "what happens", words=2)
        table.columns[3].justify = "left"
        for share in found.shares:
            table.add_row(safe(share.share), safe(share.team or "-"), f"{share.dispatched:,}", safe(_fate(share)))
        yield table
    if found.replacements:
        table = new_table("Resources", "resource", "before", "after", words=3)
        for each in found.replacements:
            table.add_row(safe(each.resource), safe(each.before or "-"), safe(each.after or "deleted"))
        yield table
    table = new_table("SageMaker's quota for training jobs", "instance type", "capacity", "quota", "", words=1)
    table.columns[3].justify = "left"
    for quota in found.quotas:
        table.add_row(
            safe(quota.unit),
            f"{quota.capacity:,}",
            "unknown" if quota.quota is None else f"{quota.quota:,.0f}",
            "jobs beyond it fail in SageMaker" if quota.is_too_small else "",
        )
    yield table


def _fate(share: ShareHit) -> str:
    if share.deleted:
        return f"deleted: {plural(share.dispatched, 'dispatched job')} and {share.waiting:,} waiting are terminated"
    words: list[str] = []
    if share.eligible:
        named = ", ".join(shortened(job) for job in share.eligible[:MOST_IDS])
        rest = len(share.eligible) - MOST_IDS
        words.append(
            f"{plural(len(share.eligible), 'job')} may be stopped: {named}"
            + (f" and {rest:,} more" if rest > 0 else "")
        )
    if share.unsized:
        words.append(f"{plural(share.unsized, 'job')} not judged, as the service does not say what they hold")
    return "; ".join(words) or "nothing"
