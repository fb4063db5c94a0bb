"""A review as a comment on a pull request: verdict, changes, who loses and what is new first, all else folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.numbers import as_clock, as_hours
from quota_constructs.evaluator.report.findings_markdown import (
    MOST_ROWS,
    all_findings,
    counted,
    folded_charts,
    worst_findings,
)
from quota_constructs.evaluator.report.markdown import Part, code, fit, folded, marker, prose, table
from quota_constructs.evaluator.report.mermaid import contested_charts
from quota_constructs.evaluator.report.review_words import (
    LONGEST_NAME,
    MOST_DETAILED,
    change_cells,
    figure_cells,
    finish_text,
    team_name,
)
from quota_constructs.evaluator.review.changes import Change
from quota_constructs.evaluator.review.people import Direction, Team
from quota_constructs.evaluator.review.review import OnTrace, Review
from quota_constructs.evaluator.review.running import Deployment
from quota_constructs.evaluator.review.verdict import hit, loss, rests_on, verdict
from quota_constructs.printable import plural

_MOST_OF_THE_REST = 3
"""Of the ten rows that are not folded, how many may be teams that lose, and how many new findings."""

_MANY = 50
"""Rows of a folded table where there is no room for all."""

_MOST_JOBS_NAMED = 5
_LONGEST_VERDICT = 1_500


def review_markdown(review: Review, *, fail_on: Severity | None = Severity.ERROR) -> str:
    """Return *review* as a comment; *fail_on* is the gravity that fails it."""
    bottom_line = f"{marker('review')}\n**Quota review.** {prose(verdict(review, fail_on), length=_LONGEST_VERDICT)}"
    if review.changes_nothing:
        return fit([Part(versions=(bottom_line,))])
    found = review.findings
    losers = list(review.losers())
    room = MOST_ROWS - min(len(losers), _MOST_OF_THE_REST) - min(len(found.new), _MOST_OF_THE_REST)
    top = [bottom_line, _changes(review.changes, room), _losers(losers), _new(found.new)]
    charts = contested_charts(each.contested for each in review.on_traces if each.contested is not None)
    return fit(
        [
            Part(versions=("\n\n".join(block for block in top if block),)),
            *_all_changes(review.changes or (), room),
            *_all_losers(losers),
            all_findings(found.new, title="New findings"),
            *_effects(review.on_traces),
            all_findings(found.fixed, title="Fixed findings"),
            all_findings(found.unchanged, title="Unchanged findings"),
            folded_charts(charts),
            Part(versions=(prose(rests_on(review), length=_LONGEST_VERDICT),)),
        ]
    )


def _changes(changes: Sequence[Change] | None, room: int) -> str:
    if changes is None:
        return "What changes in the policy is not known: the results that were given do not say."
    return _change_table(changes[:room]) + _more(changes, room) if changes else ""


def _all_changes(changes: Sequence[Change], room: int) -> list[Part]:
    if len(changes) <= room:
        return []
    return [folded(f"All changes ({len(changes):,})", _change_table(changes), _change_table(changes[:_MANY]))]


def _more(rows: Sequence[object], shown: int) -> str:
    return f"\n\nand {len(rows) - shown:,} more below." if len(rows) > shown else ""


def _change_table(changes: Sequence[Change]) -> str:
    rows: list[list[str]] = []
    for change in changes:
        where, what, before, after = change_cells(change)
        rows.append([code(where, length=2 * LONGEST_NAME + 3), prose(what), prose(before), prose(after)])
    return table(["queue / share", "what", "before", "after"], rows)


def _losers(losers: Sequence[tuple[OnTrace, Team]]) -> str:
    if not losers:
        return ""
    return _loser_table(losers[:_MOST_OF_THE_REST]) + _more(losers, _MOST_OF_THE_REST)


def _all_losers(losers: Sequence[tuple[OnTrace, Team]]) -> list[Part]:
    if len(losers) <= _MOST_OF_THE_REST:
        return []
    return [folded(f"Who loses ({len(losers):,})", _loser_table(losers), _loser_table(losers[:_MANY]))]


def _loser_table(losers: Sequence[tuple[OnTrace, Team]]) -> str:
    return table(
        ["share that loses", "on", "what it loses"],
        ([code(team_name(team)), code(each.trace, length=LONGEST_NAME), prose(loss(team))] for each, team in losers),
    )


def _new(findings: Sequence[Finding]) -> str:
    shown = worst_findings(findings, most=_MOST_OF_THE_REST)
    return f"New findings: {counted(findings)}\n\n{shown}".rstrip() if findings else ""


def _effects(on_traces: Sequence[OnTrace]) -> Iterator[Part]:
    for number, each in enumerate(on_traces[:MOST_DETAILED], 1):
        title = f"Teams and running jobs, {number} of {len(on_traces)}"
        losing = [team for team in each.people.teams if team.loses]
        yield folded(title, _effect(each, each.people.teams), _effect(each, losing), _effect(each, ()))
    if len(on_traces) > MOST_DETAILED:
        left_out = plural(len(on_traces) - MOST_DETAILED, "more run")
        yield Part(versions=(f"The figures of {left_out} are in any other format, such as `--output json=FILE`.",))


def _effect(on_trace: OnTrace, teams: Sequence[Team]) -> str:
    about = (
        f"Queue {code(on_trace.queue)} on trace {code(on_trace.trace)}, {plural(on_trace.jobs, 'job')}; who loses "
        "comes first."
    )
    blocks = [about, _figures([*teams, on_trace.people.total]), _running(on_trace)]
    same = [code(team_name(team)) for team in teams if not team.changes]
    if same:
        blocks.insert(2, f"Nothing is different for {', '.join(same)}.")
    return "\n\n".join(block for block in blocks if block)


def _figures(teams: Sequence[Team]) -> str:
    rows: list[list[str]] = []
    *_, total = teams
    for team in teams:
        name = "all jobs" if team is total else code(team_name(team))
        for figure in team.figures:
            if figure.direction is Direction.SAME:
                continue
            before, after, change, direction = figure_cells(figure)
            judged = direction if direction in (Direction.WORSE, Direction.BETTER) else ""
            rows.append([name, figure.name, before, after, change, judged])
        if team.balance.differs:
            rows.append([name, "of its jobs", "", "", finish_text(team.balance), ""])
    return table(["share", "", "before", "after", "change", ""], rows) if rows else ""


def _running(on_trace: OnTrace) -> str:
    running = on_trace.running
    if running.not_tried is not None:
        return f"What it does to running jobs was not tried: {prose(running.not_tried)}."
    worst = running.worst
    if worst is None:
        return ""
    said = (
        f"Deployed in the middle of it, tried at {plural(len(running.deployments), 'moment')}; at the worst, at "
        f"{as_clock(worst.moment.at_ms)} ({prose(worst.moment.why)}), it {hit(worst)}."
    )
    return f"{said}\n\n{_hits(worst)}" if any(worst.gravity) else said


def _hits(deployment: Deployment) -> str:
    return table(
        ["share", "running", "may be stopped", "stopped", "terminated", "lost work"],
        (
            [
                code(share.share),
                f"{share.running:,}",
                _jobs(share.eligible),
                _jobs(share.stopped),
                _jobs(share.terminated),
                f"{as_hours(share.lost_instance_ms)} h",
            ]
            for share in deployment.shares
        ),
    )


def _jobs(jobs: Sequence[str]) -> str:
    if not jobs:
        return "0"
    named = ", ".join(code(job, length=LONGEST_NAME) for job in jobs[:_MOST_JOBS_NAMED])
    more = f" and {len(jobs) - _MOST_JOBS_NAMED:,} more" if len(jobs) > _MOST_JOBS_NAMED else ""
    return f"{len(jobs):,}: {named}{more}"
