"""A recording of a queue: every job that was submitted to its shares in a window of time, as a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.trace import Job, Trace
from quota_constructs.live import shapes
from quota_constructs.live.client import Client, RefusedError
from quota_constructs.live.deployed import DeployedQueue, read_queue
from quota_constructs.live.facts import JobFacts, facts_of
from quota_constructs.live.journal import Journal, Window
from quota_constructs.live.operations import DESCRIBE_SERVICE_JOB, DESCRIBE_TRAINING_JOB, LIST_SERVICE_JOBS
from quota_constructs.live.recorded_job import recorded_job
from quota_constructs.printable import plural

T = TypeVar("T")

STATES = ("SUBMITTED", "PENDING", "RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "SUCCEEDED", "FAILED")
"""In the order of a job's life: a job that goes on while its queue is listed is met in a later state."""

THREADS = 4
AT_ONCE = 100
"""Jobs that are asked about before what was learnt is written down."""

GONE = "was not there any more when it was asked about"

Progress = Callable[[int, int], object]
"""Called with how many jobs are known, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """When the jobs were submitted that are to be recorded: as it was said, and in milliseconds since 1970."""

    since: str
    until: str
    since_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A trace, what it was made from, and what came of each job."""

    trace: Trace
    facts: tuple[JobFacts, ...]
    """Of the jobs of the trace, in its order."""

    dropped: Mapping[str, int]
    """Jobs that are not in the trace, by reason."""

    altered: Mapping[str, int]
    """Jobs of the trace that a rule changed, by rule."""


def record(client: Client, queue: str, asked: Asked, *, output: Path, progress: Progress) -> tuple[Recording, Journal]:
    """
    Return a recording of *queue*, a name or an ARN, and its journal, to be removed once the recording is kept.

    It holds the jobs submitted when *asked*. If an earlier run for the same was interrupted, its moments hold, and
    only what it did not learn is asked.
    """
    deployed = read_queue(client, queue)
    window = Window(
        queue=deployed.arn, since=asked.since, until=asked.until, since_ms=asked.since_ms, until_ms=asked.until_ms
    )
    try:
        with Journal(output, window) as journal:
            _learn(client, deployed, journal, progress)
    except OSError as error:
        raise UsageError(
            f"{output}: its journal cannot be kept beside it: {(error.strerror or str(error)).lower()}"
        ) from error
    return recording_of(deployed.name, journal.window, journal.jobs), journal


def recording_of(queue: str, window: Window, jobs: Mapping[str, JobFacts | None]) -> Recording:
    """Return the recording of *queue* that *jobs*, by id, make; None is of a job that was gone."""
    dropped: Counter[str] = Counter()
    altered: Counter[str] = Counter()
    kept: list[tuple[Job, JobFacts]] = []
    for facts in jobs.values():
        made = GONE if facts is None else recorded_job(facts, since_ms=window.since_ms, until_ms=window.until_ms)
        if facts is None or isinstance(made, str):
            dropped[str(made)] += 1
        else:
            altered.update(made.altered)
            kept.append((made.job, facts))
    kept.sort(key=lambda pair: (pair[0].submit_ms, pair[0].id))
    return Recording(
        trace=Trace(
            name=queue,
            jobs=tuple(job for job, _ in kept),
            description=_description(window, len(kept), dropped, altered),
            source=window.queue,
        ),
        facts=tuple(facts for _, facts in kept),
        dropped=dict(sorted(dropped.items())),
        altered=dict(sorted(altered.items())),
    )


def _learn(client: Client, queue: DeployedQueue, journal: Journal, progress: Progress) -> None:
    """Ask about every job until a round of listing brings up no other: jobs that are stopped go back in their life."""
    with ThreadPoolExecutor(max_workers=THREADS) as threads:
        while unknown := [job for job in _listed(client, queue, journal.window) if job not in journal.jobs]:
            total = len(journal.jobs) + len(unknown)
            progress(len(journal.jobs), total)
            for start in range(0, len(unknown), AT_ONCE):
                some = unknown[start : start + AT_ONCE]
                journal.add(dict(zip(some, threads.map(partial(_describe, client), some), strict=True)))
                progress(len(journal.jobs), total)


def _listed(client: Client, queue: DeployedQueue, window: Window) -> Iterable[str]:
    """Return the ids of the jobs that were submitted in *window*, each once, also if it is met in several states."""
    return dict.fromkeys(job for share in queue.shares for job in _submitted(client, queue.arn, share.name, window))


def _submitted(client: Client, queue: str, share: str, window: Window) -> Iterator[str]:
    for state in STATES:
        for page in client.pages(
            LIST_SERVICE_JOBS,
            shapes.ServiceJobs,
            jobQueue=queue,
            jobStatus=state,
            filters=[{"name": "QUOTA_SHARE_NAME", "values": [share]}],
        ):
            created = [(job.created_at, job.job_id) for job in page.job_summary_list]
            yield from (job for at, job in created if at is None or window.since_ms <= at < window.until_ms)
            if created and all(at is not None and at < window.since_ms for at, _ in created):
                break  # with this filter, the service lists the latest first


def _describe(client: Client, job: str) -> JobFacts | None:
    """Return what is on record of the *job* with this id, None if it is not there any more."""
    described = _if_there(lambda: client.call(DESCRIBE_SERVICE_JOB, shapes.ServiceJob, jobId=job))

    def ask(arn: str) -> shapes.TrainingJob | None:
        name = arn.rpartition("/")[2]
        return _if_there(lambda: client.call(DESCRIBE_TRAINING_JOB, shapes.TrainingJob, TrainingJobName=name))

    return None if described is None else facts_of(described, ask)


def _if_there(ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except RefusedError as refused:
        if refused.is_for_absence:
            return None
        raise


def _description(window: Window, kept: int, dropped: Mapping[str, int], altered: Mapping[str, int]) -> str:
    return "; ".join(
        [
            f"recorded from {_utc(window.since_ms)} to {_utc(window.until_ms)}, {plural(kept, 'job')}",
            *_counted("dropped", dropped),
            *_counted("altered", altered),
        ]
    )


def _counted(what: str, reasons: Mapping[str, int]) -> Sequence[str]:
    return [f"{what} {plural(count, 'job')}: {reason}" for reason, count in sorted(reasons.items())]


def _utc(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
