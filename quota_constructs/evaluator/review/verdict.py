"""The bottom line of a review, and the line that says what it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.numbers import as_clock, as_hours, as_seconds
from quota_constructs.evaluator.review.people import Team
from quota_constructs.evaluator.review.review import SEVERITIES, OnTrace, Review
from quota_constructs.evaluator.review.running import Deployment
from quota_constructs.printable import plural, shortened

NO_CHANGE = "No policy change."
MOST_NAMED = 3


def verdict(review: Review, fail_on: Severity | None) -> str:
    """Return in one line whether the change passes, who loses most by it, and what it does to running jobs at worst."""
    if review.changes_nothing:
        return NO_CHANGE
    return " ".join(f"{sentence}." for sentence in _sentences(review, fail_on))


def _sentences(review: Review, fail_on: Severity | None) -> Iterator[str]:
    failing = review.failing(fail_on)
    if failing:
        rules = ", ".join(sorted({finding.rule_id for finding in failing}))
        counts = ", ".join(
            plural(count, f"new {severity}")
            for severity in SEVERITIES
            if (count := sum(finding.severity is severity for finding in failing))
        )
        yield f"Fails: {counts} ({rules})"
    else:
        new = len(review.findings.new)
        others = f", {plural(new, 'other new finding')}" if new else ""
        yield f"Passes: no {_bar(fail_on)}{others}"
    if review.changes is not None:
        yield _extent(review)
    losers = list(review.losers())
    if losers:
        on_trace, team = losers[0]
        names = {(each.queue, loser.share) for each, loser in losers}
        others = f"; {plural(len(names) - 1, 'other share')} lose too" if len(names) > 1 else ""
        yield f"Share '{shortened(team.share)}' loses most{_on(review, on_trace)}: {loss(team)}{others}"
    elif review.on_traces:
        yield "No share loses on what was run"
    if (worst := review.worst_deployment) is not None:
        on_trace, deployment = worst
        yield f"Deployed at the worst moment that was tried{_on(review, on_trace)}, it {hit(deployment)}"


def hit(deployment: Deployment) -> str:
    """Return what a deployment does to running jobs, as the end of a sentence."""
    terminated, stopped, eligible = (deployment.count(what) for what in ("terminated", "stopped", "eligible"))
    parts: list[str] = []
    if terminated:
        parts.append(f"terminates {plural(terminated, 'job')}")
    if eligible:
        parts.append(f"lets {plural(eligible, 'more running job')} be stopped")
    if stopped:
        parts.append(f"stops {plural(stopped, 'job')} that would have gone on")
    if deployment.lost_instance_ms:
        parts.append(f"throws away {as_hours(deployment.lost_instance_ms)} instance-hours of work")
    return ", ".join(parts) or "stops no job"


def _bar(fail_on: Severity | None) -> str:
    return "new finding can fail it" if fail_on is None else f"new {fail_on} that nobody accepted"


def _extent(review: Review) -> str:
    changes = review.changes or ()
    if not changes:
        return "The policy itself does not change"
    shares = {(change.queue, change.share) for change in changes if change.share is not None}
    queues = {change.queue for change in changes}
    where = f"{plural(len(shares), 'share')} of " if shares else ""
    return f"{plural(len(changes), 'change')} in {where}{plural(len(queues), 'queue')}"


def _on(review: Review, on_trace: OnTrace) -> str:
    if len(review.on_traces) == 1:
        return ""
    several = len({each.queue for each in review.on_traces}) > 1
    return f" on {shortened(on_trace.trace)}{f' (queue {shortened(on_trace.queue)})' if several else ''}"


def loss(team: Team) -> str:
    """Return what a team loses, in a few words: the gravest first."""
    balance = team.balance
    missed, preempted, lost = (team.figure(name) for name in ("deadlines missed", "preemptions", "lost work"))
    parts: list[str] = []
    if balance.forgone > balance.gained:
        parts.append(f"{plural(balance.forgone, 'job')} no longer succeed{'s' * (balance.forgone == 1)}")
    if (more := (missed.after or 0) - (missed.before or 0)) > 0:
        parts.append(f"{plural(round(more), 'more deadline')} missed")
    if balance.change_ms > 0:
        parts.append(f"jobs finish {as_clock(balance.change_ms)} later in all")
    if (more := (preempted.after or 0) - (preempted.before or 0)) > 0:
        parts.append(plural(round(more), "more preemption"))
    if (more := (lost.after or 0) - (lost.before or 0)) > 0:
        parts.append(f"{as_hours(round(more))} more instance-hours of lost work")
    if not parts:
        worse = [figure.name for figure in team.figures if figure.direction == "worse"]
        parts.append(f"worse {', '.join(worse[:MOST_NAMED])}")
    return ", ".join(parts)


def rests_on(review: Review) -> str:
    """Return in one line the traces and assumptions without which the review says nothing."""
    if review.assumptions is None:
        return "Rests on the results of two checks; nothing was run again, so that only their findings are compared."
    if not review.traces:
        return "Rests on the templates alone: no trace was run, so that nothing is known of jobs and people."
    traces = ", ".join(dict.fromkeys(shortened(trace) for trace in review.traces))
    assumed = review.assumptions
    return (
        f"Rests on {plural(len(set(review.traces)), 'trace')} ({traces}), run as if people submitted the same jobs "
        f"before and after, and on what AWS does not publish: a stop takes {as_seconds(assumed.stop_ms)}, victims are "
        f"chosen {assumed.victim_order}, queueing is {assumed.queueing}."
    )
