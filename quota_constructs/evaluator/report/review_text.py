"""A review for a terminal: the bottom line first, then what changes, for whom, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.numbers import as_clock, as_hours
from quota_constructs.evaluator.report.findings_text import findings_blocks
from quota_constructs.evaluator.report.review_words import (
    MOST_DETAILED,
    change_cells,
    figure_cells,
    finish_text,
    team_name,
)
from quota_constructs.evaluator.report.screen import Screen, draw, new_table, safe
from quota_constructs.evaluator.review.changes import Change
from quota_constructs.evaluator.review.people import Direction, Team
from quota_constructs.evaluator.review.review import OnTrace, Review
from quota_constructs.evaluator.review.running import Deployment
from quota_constructs.evaluator.review.verdict import hit, loss, rests_on, verdict
from quota_constructs.printable import plural, printable, shortened

MOST_JOBS_NAMED = 5


def review_text(review: Review, screen: Screen, *, fail_on: Severity | None = Severity.ERROR) -> str:
    """Return *review*, laid out for *screen*; *fail_on* is the gravity that fails it."""
    return draw(_blocks(review, fail_on), screen)


def _blocks(review: Review, fail_on: Severity | None) -> Iterator[RenderableType]:
    yield safe(verdict(review, fail_on), style="bold")
    if review.changes_nothing:
        yield from _findings(review)
        return
    if review.changes is None:
        yield safe("What changes in the policy is not known: the results that were given do not say.")
    elif review.changes:
        yield _changes(review.changes)
    yield from _findings(review)
    for on_trace in review.on_traces[:MOST_DETAILED]:
        yield from _people(on_trace)
        yield from _running(on_trace)
    if more := review.on_traces[MOST_DETAILED:]:
        yield _in_short(more)
    yield safe(rests_on(review))


def _changes(changes: Iterable[Change]) -> Table:
    table = new_table("What changes", "queue / share", "what", "before", "after", words=4)
    for change in changes:
        table.add_row(*map(safe, change_cells(change)))
    return table


def _findings(review: Review) -> Iterator[RenderableType]:
    found = review.findings
    if found.new:
        yield safe(f"New findings ({len(found.new):,})", style="bold")
        yield from findings_blocks(found.new)
    for title, findings in (("Fixed", found.fixed), ("Unchanged", found.unchanged)):
        if findings:
            yield _listed(f"{title} findings ({len(findings):,})", findings)


def _listed(title: str, findings: Iterable[Finding]) -> RenderableType:
    lines = [safe(title, style="bold")]
    for finding in findings:
        on = "" if finding.trace is None else f", on {shortened(finding.trace)}"
        accepted = "" if finding.suppressed_because is None else f" (accepted: {printable(finding.suppressed_because)})"
        of = f"queue '{shortened(finding.queue)}'" if finding.share is None else f"share '{shortened(finding.share)}'"
        title = RULES[finding.rule_id].title
        lines.append(safe(f"    {finding.severity} {finding.rule_id} {title}: {of}{on}{accepted}"))
    return Group(*lines)


def _people(on_trace: OnTrace) -> Iterator[RenderableType]:
    people = on_trace.people
    place = f"queue {shortened(on_trace.queue)} on {shortened(on_trace.trace)}, {plural(on_trace.jobs, 'job')}"
    different = [team for team in people.teams if team.changes]
    if not different and not people.total.changes:
        yield safe(f"Nothing is different for anybody in {place}.")
        return
    yield safe(f"Who gets what of {place}; who loses comes first", style="bold")
    for team in different:
        yield _team(f"Share {team_name(team)} {_VERBS[team.direction]}", team)
    yield _team("All of the queue", people.total)
    if same := [team_name(team) for team in people.teams if not team.changes]:
        yield safe(f"Nothing is different for {', '.join(same)}.")


_VERBS = {Direction.WORSE: "loses", Direction.BETTER: "gains", Direction.DIFFERENT: "neither loses nor gains"}


def _team(title: str, team: Team) -> RenderableType:
    table = new_table(printable(title), "", "before", "after", "change", "", words=1)
    for figure in team.figures:
        if figure.direction is not Direction.SAME:
            before, after, change, direction = figure_cells(figure)
            judged = direction if direction in (Direction.WORSE, Direction.BETTER) else ""
            table.add_row(safe(figure.name), safe(before), safe(after), safe(change), safe(judged))
    return Group(table, safe(f"Of its jobs {finish_text(team.balance)}")) if team.balance.differs else table


def _in_short(on_traces: Sequence[OnTrace]) -> RenderableType:
    """Return who loses on each of *on_traces*, and what it does to running jobs, without the figures."""
    figures = f"figures of {plural(len(on_traces), 'more run')} are in JSON: --output json=FILE"
    lines = [safe(f"Who else loses, and what else it does to running jobs; the {figures}", style="bold")]
    for on_trace in on_traces:
        said = [f"share {team_name(team)}: {loss(team)}" for team in on_trace.people.teams if team.loses]
        worst = on_trace.running.worst
        if worst is not None and any(worst.gravity):
            said.append(f"deployed at {as_clock(worst.moment.at_ms)} ({worst.moment.why}), it {hit(worst)}")
        if said:
            lines.append(safe(f"queue {shortened(on_trace.queue)} on {shortened(on_trace.trace)}"))
            lines += [safe(f"    {line}") for line in said]
    return Group(*lines)


def _running(on_trace: OnTrace) -> Iterator[RenderableType]:
    running = on_trace.running
    if running.not_tried is not None:
        yield safe(f"What it does to running jobs on {shortened(on_trace.trace)} was not tried: {running.not_tried}.")
        return
    worst = running.worst
    if worst is None:
        return
    tried = f"Deployed at {plural(len(running.deployments), 'moment')} of {shortened(on_trace.trace)}"
    if not any(worst.gravity):
        yield safe(f"{tried}, it stops no job and makes none eligible to be stopped.")
        return
    yield safe(f"{tried}, it does most harm at {as_clock(worst.moment.at_ms)} ({worst.moment.why})", style="bold")
    yield safe(f"There it {hit(worst)}.")
    yield _hits(worst)


def _hits(deployment: Deployment) -> RenderableType:
    table = new_table(
        "Jobs at that moment", "share", "running", "may be stopped", "stopped", "terminated", "lost work", words=1
    )
    lines: list[RenderableType] = []
    for share in deployment.shares:
        table.add_row(
            safe(shortened(share.share)),
            f"{share.running:,}",
            f"{len(share.eligible):,}",
            f"{len(share.stopped):,}",
            f"{len(share.terminated):,}",
            f"{as_hours(share.lost_instance_ms)} h",
        )
        for what, jobs in (
            ("may be stopped", share.eligible),
            ("stopped", share.stopped),
            ("terminated", share.terminated),
        ):
            if jobs:
                named = ", ".join(shortened(job) for job in jobs[:MOST_JOBS_NAMED])
                more = f" and {len(jobs) - MOST_JOBS_NAMED:,} more" if len(jobs) > MOST_JOBS_NAMED else ""
                lines.append(safe(f"{what}, of {shortened(share.share)}: {named}{more}"))
    return Group(table, *lines)
