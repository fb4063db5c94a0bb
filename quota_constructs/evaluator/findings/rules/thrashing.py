"""Jobs that interruptions keep from getting on, and how often they had better save their work."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, sqrt

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.findings.rules.jobs_of import by_share
from quota_constructs.evaluator.findings.rules.preemption import IN_SHARE
from quota_constructs.evaluator.findings.rules.sharing import STRATEGY
from quota_constructs.evaluator.findings.rules.story import preemptions, story
from quota_constructs.evaluator.metrics import undisturbed_ms
from quota_constructs.evaluator.numbers import as_clock, as_hours
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import PREEMPTION_RETRIES_EXHAUSTED, State
from quota_constructs.evaluator.trace import Checkpoint
from quota_constructs.policies.share_policy import METADATA_KEY
from quota_constructs.printable import plural, shortened

AGAIN_AND_AGAIN = 3
"""From how many preemptions on a job is said to thrash."""

A_HABIT = 2
"""From how many interruptions of one job on their mean distance is taken for usual."""

ENOUGH_TO_JUDGE = 5
"""From how many interruptions of like jobs on their mean distance is taken for advice."""

CONTRACT = f"Metadata/{METADATA_KEY}/interruption"

THRASHING = Rule(
    id="QC307",
    title="Jobs are stopped again and again and lose more than they do",
    severity=Severity.WARNING,
    what=f"A job was preempted {AGAIN_AND_AGAIN} times or more, and lost more work than all it has to do. "
    "Jobs that QC302 or QC313 name are left to these.",
    why="The share's instances are busy and little comes of it; those for whom the job is stopped wait each time until "
    "it has gone. Nothing in the service spares a job that was just stopped.",
    fix="Let the share own what such jobs need, have them save their work more often or when they are told to stop, or "
    "run them when lenders are quiet.",
    example="A job of two hours is stopped five times, each time half an hour after its last checkpoint: 2.5 hours are "
    "done twice.",
)

MAY_NEVER_FINISH = Rule(
    id="QC313",
    title="Jobs that save nothing are longer than the time between their interruptions",
    severity=Severity.WARNING,
    what=f"A job without checkpoints was interrupted {A_HABIT} times or more, and needs longer than the mean time "
    "between its interruptions: all the time it ran, divided by how often it was stopped.",
    why="Each interruption throws it back to the start. If they come by chance with mean distance M, a job of length T "
    "takes M(exp(T/M) - 1) of running time: six times T where T is three times M, 150 times where it is seven.",
    fix="Checkpoint the job (see QC314 for how often), cut it into shorter ones, or run it on capacity that its share "
    "owns.",
    example="A job of 6 hours on borrowed capacity is stopped every 2 hours: at that rate it runs for 38 hours.",
)

INTERVAL = Rule(
    id="QC314",
    title="Checkpoints are much rarer or more frequent than interruptions suggest",
    severity=Severity.NOTE,
    what="The checkpoint interval of a share's jobs is less than half or more than twice sqrt(2 x C x M), with C what "
    "one checkpoint costs and M the mean time between interruptions: all the time that jobs of this kind ran, divided "
    f"by how often they were stopped, at least {ENOUGH_TO_JUDGE} times. Not judged: jobs whose checkpoints cost "
    "nothing, or as much as half of M and more, and those that save all when they are told to stop.",
    why="Checkpoints that are too frequent cost more than they save, and rare ones leave more to repeat. The interval "
    "is the first-order optimum of J. W. Young (1974, "
    "[doi:10.1145/361147.361115](https://doi.org/10.1145/361147.361115)) and J. T. Daly (2006, "
    "[doi:10.1016/j.future.2004.11.016](https://doi.org/10.1016/j.future.2004.11.016)). It is advice: failures of "
    "the machines themselves are not in a trace.",
    fix="Move the interval towards the suggested one, or have the jobs save their work when they are told to stop.",
    example="Checkpoints cost 60 s and interruptions come every 2 hours: about every 15 minutes is best, not every 2 "
    "hours.",
)


def check_thrashing(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share with jobs that lose more than they do."""
    for name, jobs in by_share(evaluation, _thrashes).items():
        worst = max(jobs, key=_lost_instance_ms)
        cross_share = sum(each.cross_share_preemptions for each in jobs)
        in_share = sum(each.in_share_preemptions for each in jobs)
        lost = sum(_lost_instance_ms(each) for each in jobs)
        yield THRASHING.on_trace(
            evaluation,
            name,
            IN_SHARE if in_share > cross_share else STRATEGY,
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' lost more work than they have to do, "
            f"{as_hours(lost)} instance-hours in {plural(cross_share + in_share, 'preemption')}; "
            f"worst: {story(evaluation, worst)}",
            fix="lower the priority gap within the share, or checkpoint its jobs more often or when they are stopped"
            if in_share > cross_share
            else "allocate the share what these jobs need, or checkpoint them more often or when they are stopped",
            figures={
                "jobs": len(jobs),
                "preemptions": cross_share + in_share,
                "lost_instance_ms": lost,
                "job": worst.job.id,
            },
        )


def check_without_checkpoints(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share with jobs that save nothing and are interrupted sooner than they end."""
    for name, jobs in by_share(evaluation, _may_never_finish).items():
        worst = max(jobs, key=lambda each: undisturbed_ms(each.job) / _between_interruptions_ms([each]))
        needs, between = undisturbed_ms(worst.job), _between_interruptions_ms([worst])
        finished = sum(each.state is State.SUCCEEDED for each in jobs)
        yield MAY_NEVER_FINISH.on_trace(
            evaluation,
            name,
            CONTRACT,
            message=f"{plural(len(jobs), 'job')} of share '{shortened(name)}' without checkpoints may never finish, "
            f"whatever is spent (on this trace {finished:,} did): '{shortened(worst.job.id)}' needs {as_clock(needs)} "
            f"and was stopped {plural(preemptions(worst), 'time')}, every {as_clock(between)} of running; "
            + _expectation(needs, between),
            fix=f"checkpoint these jobs well within {as_clock(between)}, cut them into shorter ones, or allocate the "
            "share what they need",
            figures={
                "jobs": len(jobs),
                "finished": finished,
                "job": worst.job.id,
                "needs_ms": needs,
                "between_interruptions_ms": round(between),
            },
        )


def check_intervals(evaluation: Evaluation) -> Iterator[Finding]:
    """Yield a finding for each share whose jobs checkpoint far from what their interruptions suggest."""
    for name, jobs in by_share(evaluation, lambda each: _interval_and_cost(each.job.checkpoint) is not None).items():
        kinds: dict[Checkpoint | None, list[JobHistory]] = {}
        for each in jobs:
            kinds.setdefault(each.job.checkpoint, []).append(each)
        for checkpoint, alike in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
            terms = _interval_and_cost(checkpoint)
            interruptions = sum(preemptions(each) for each in alike)
            if terms is None or interruptions < ENOUGH_TO_JUDGE:
                continue
            interval, cost = terms
            between = _between_interruptions_ms(alike)
            best = sqrt(2 * cost * between)
            if 2 * cost >= between or best / 2 <= interval <= best * 2:
                continue
            yield INTERVAL.on_trace(
                evaluation,
                name,
                f"{CONTRACT}/checkpoint_interval_seconds",
                message=f"{plural(len(alike), 'job')} of share '{shortened(name)}' checkpoint every "
                f"{as_clock(interval)}, at {as_clock(cost)} each, and were stopped every {as_clock(between)} of "
                f"running ({plural(interruptions, 'time')}): sqrt(2 x cost x that) suggests {as_clock(best)}",
                fix=f"checkpoint {'more often' if best < interval else 'less often'}, about every {as_clock(best)} "
                "(Young 1974, Daly 2006)",
                figures={
                    "jobs": len(alike),
                    "interruptions": interruptions,
                    "interval_ms": interval,
                    "cost_ms": cost,
                    "between_interruptions_ms": round(between),
                    "suggested_interval_ms": round(best),
                },
            )
            break  # one piece of advice a share: the kind with the most jobs


def _lost_instance_ms(each: JobHistory) -> int:
    return each.lost_ms * sum(count for _, count in each.job.instances)


def _thrashes(each: JobHistory) -> bool:
    return (
        each.lost_ms > each.job.duration_ms
        and preemptions(each) >= AGAIN_AND_AGAIN
        and each.reason != PREEMPTION_RETRIES_EXHAUSTED
        and not _may_never_finish(each)
    )


def _may_never_finish(each: JobHistory) -> bool:
    checkpoint = each.job.checkpoint
    return (
        preemptions(each) >= A_HABIT
        and (checkpoint is None or (checkpoint.interval_ms is None and not checkpoint.on_stop))
        and undisturbed_ms(each.job) > _between_interruptions_ms([each])
    )


def _between_interruptions_ms(jobs: list[JobHistory]) -> float:
    """Return how long *jobs*, which were interrupted, ran for each interruption."""
    ran = sum(ended - began for each in jobs for began, ended in each.attempts)
    return max(ran, 1) / sum(preemptions(each) for each in jobs)


def _interval_and_cost(checkpoint: Checkpoint | None) -> tuple[int, int] | None:
    if checkpoint is None or checkpoint.interval_ms is None or checkpoint.on_stop or not checkpoint.cost_ms:
        return None
    return checkpoint.interval_ms, checkpoint.cost_ms


BEYOND_TELLING = 10
"""Past exp(10), some 20,000 times, a number tells nobody more than words do."""


def _expectation(needs_ms: float, between_ms: float) -> str:
    ratio = needs_ms / between_ms
    if ratio > BEYOND_TELLING:
        return "at that rate chance alone would let it finish"
    return f"at that rate it takes {as_clock(between_ms * (exp(ratio) - 1))} of running on average"
