"""What happened to one job, in a clause: what it waited behind, what stopped it, how it ended."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.numbers import as_seconds
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.printable import plural, shortened


def story(evaluation: Evaluation, each: JobHistory) -> str:
    """Say what happened to a job, as far as the history of the run shows."""
    *chapters, end = *_chapters(evaluation, each), _end(each)
    return f"'{shortened(each.job.id)}' " + ", and ".join([", ".join(chapters), end] if chapters else [end])


def preemptions(each: JobHistory) -> int:
    """Return how often a job was stopped, for whomever."""
    return each.cross_share_preemptions + each.in_share_preemptions


def _chapters(evaluation: Evaluation, each: JobHistory) -> Iterator[str]:
    waited = each.queued_ms if each.wait_ms is None else each.wait_ms
    if waited:
        never = " and never started" if each.wait_ms is None else ""
        yield f"waited {as_seconds(waited)}{never} {_held_up(evaluation, each, each.job.submit_ms + waited)}"
    if count := preemptions(each):
        lost = f" with {as_seconds(each.lost_ms)} of work lost" if each.lost_ms else ""
        yield f"was stopped {plural(count, 'time')}{_first_stopped_for(evaluation, each)}{lost}"


def _held_up(evaluation: Evaluation, each: JobHistory, until: int) -> str:
    """Name who gave back what *each* started with, or else who held the most of what it needs while it waited."""
    if each.attempts:
        ended = evaluation.history.ended_at(until)
        givers = [(held, other) for other in ended if other is not each and (held := _rivalry(each, other))]
        if givers:
            held, giver = max(givers, key=lambda given: given[0])
            return f"until '{shortened(giver.job.id)}' of {_whose(each, giver)} gave back {plural(held, 'instance')}"
    began = each.job.submit_ms
    longest, holder, held = 0, each, 0
    for other in evaluation.history.jobs:
        overlap = sum(max(0, min(ended, until) - max(start, began)) for start, ended in other.attempts)
        if overlap and other is not each and overlap * (instances := _rivalry(each, other)) > longest * held:
            longest, holder, held = overlap, other, instances
    if holder is each:
        return "while no other job held what it needs"
    return (
        f"while '{shortened(holder.job.id)}' of {_whose(each, holder)} held {plural(held, 'instance')} for "
        f"{as_seconds(longest)} of that"
    )


def _first_stopped_for(evaluation: Evaluation, each: JobHistory) -> str:
    """Name who was started when *each* first gave its instances back; empty where that is unclear."""
    released = each.attempts[0][1]
    started = [
        other for other in evaluation.history.dispatched_at(released) if other is not each and _rivalry(each, other)
    ]
    own, others = each.in_share_preemptions > 0, each.cross_share_preemptions > 0
    started = [other for other in started if (own if other.job.share == each.job.share else others)]
    if len(started) != 1:
        return ""
    first = ", first" if preemptions(each) > 1 else ""
    return f"{first} for '{shortened(started[0].job.id)}' of {_whose(each, started[0])}"


def _rivalry(each: JobHistory, other: JobHistory) -> int:
    """Return how many instances of what *each* needs *other* holds when it runs."""
    return sum(count for unit, count in other.job.instances if any(unit == needed for needed, _ in each.job.instances))


def _whose(each: JobHistory, other: JobHistory) -> str:
    return "its own share" if other.job.share == each.job.share else f"share '{shortened(other.job.share)}'"


def _end(each: JobHistory) -> str:
    if each.finish_ms is None:
        return f"is still waiting at the end, {as_seconds(each.queued_ms)} in all"
    after = as_seconds(each.finish_ms - each.job.submit_ms)
    deadline = each.job.deadline_ms
    late = ""
    if deadline is not None and each.finish_ms > deadline:
        late = f", {as_seconds(each.finish_ms - deadline)} after its deadline"
    if each.state is State.SUCCEEDED:
        return f"finished {after} after its submission{late}"
    return f"ended {each.state} ({each.reason}) {after} after its submission{late}"
