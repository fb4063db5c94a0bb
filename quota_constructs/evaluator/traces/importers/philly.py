"""`cluster_job_log` of Microsoft's Philly cluster, 2017 (https://github.com/msr-fiddle/philly-traces)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import Final

import msgspec
from msgspec import DecodeError, Struct

from quota_constructs.evaluator.traces.importers.cells import is_nothing, moment
from quota_constructs.evaluator.traces.importers.endings import (
    ENDS_BEFORE_IT_STARTS,
    NEVER_RAN,
    STILL_RUNNING,
    ending_remarks,
)
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.json_array import json_objects
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.refusal import Refused

SUM_OF_ATTEMPTS: Final = "attempts"
FIRST_TO_LAST: Final = "first-to-last"
NO_SUBMISSION: Final = "has no time of submission"
INCOMPLETE_ATTEMPT: Final = "an attempt without a start or an end counts for nothing"
OTHER_SIZE: Final = "its attempts held different numbers of GPUs, and it holds those of the last one throughout"


class _Machine(Struct, gc=False):
    gpus: list[str]


class _Attempt(Struct, gc=False):
    start_time: str | None = None
    end_time: str | None = None
    detail: list[_Machine] = []

    @property
    def gpus(self) -> int:
        return sum(len(machine.gpus) for machine in self.detail)


class _Job(Struct, gc=False):
    jobid: str
    vc: str
    status: str
    submitted_time: str | None
    attempts: list[_Attempt]
    user: str | None = None


_decode = msgspec.json.Decoder(_Job).decode


def philly_rows(file: SourceFile, choices: Choices) -> Iterator[Row | Dropped]:
    """Yield the jobs of *file*, a JSON array."""
    for number, text in enumerate(json_objects(file.lines()), start=1):
        file.row = number
        try:
            job = _decode(text)
        except DecodeError as error:
            raise Refused(f"no job of this log: {_lowered(str(error))}") from None
        except RecursionError:
            raise Refused("nested too deeply, which no job of this log is; remove it") from None
        yield _row(job, choices)


def _row(job: _Job, choices: Choices) -> Row | Dropped:
    """Return *job*, which worked in one or several attempts."""
    if job.submitted_time is None or is_nothing(job.submitted_time):
        return Dropped(NO_SUBMISSION)
    if not job.attempts:
        return Dropped(NEVER_RAN)
    last = job.attempts[-1]
    if _known(last.start_time) and not _known(last.end_time):
        return Dropped(STILL_RUNNING)
    complete = [each for each in job.attempts if _known(each.start_time) and _known(each.end_time)]
    if not complete:
        return Dropped(NEVER_RAN)
    spans = [_span(each, choices.zone) for each in complete]
    if any(end_ms < start_ms for start_ms, end_ms in spans):
        return Dropped(ENDS_BEFORE_IT_STARTS)
    sizes = [each.gpus for each in complete]
    return Row(
        id=job.jobid,
        submit_ms=moment(job.submitted_time, "submitted_time", choices.zone),
        duration_ms=_duration_ms(spans, choices.duration),
        milli_units=sizes[-1] * 1000,
        labels={"vc": job.vc, "status": job.status} | ({"user": job.user} if job.user else {}),
        altered=tuple(
            reason
            for reason, holds in (
                (INCOMPLETE_ATTEMPT, len(complete) < len(job.attempts)),
                (OTHER_SIZE, len(set(sizes)) > 1),
            )
            if holds
        ),
        remarks=ending_remarks(job.status, {"PASS"}),
    )


def _duration_ms(spans: list[tuple[int, int]], way: str | None) -> int:
    """Return how long the attempts worked together, or from the first one's start to the last one's end."""
    if way == FIRST_TO_LAST:
        return max(end_ms for _, end_ms in spans) - min(start_ms for start_ms, _ in spans)
    return sum(end_ms - start_ms for start_ms, end_ms in spans)


def _known(time: str | None) -> bool:
    return time is not None and not is_nothing(time)


def _span(attempt: _Attempt, zone: tzinfo) -> tuple[int, int]:
    return (
        moment(attempt.start_time or "", "start_time", zone),
        moment(attempt.end_time or "", "end_time", zone),
    )


def _lowered(text: str) -> str:
    return text if text.startswith("JSON") else text[:1].lower() + text[1:]


PHILLY: Final = Importer(
    description="cluster_job_log of Microsoft's Philly cluster (2017), JSON",
    rows=philly_rows,
    teams=("vc",),
    labels=("vc", "user", "status"),
    durations=(SUM_OF_ATTEMPTS, FIRST_TO_LAST),
    takes_zone=True,
    remarks=("the log states no time zone, and a change of clocks on 2017-11-05 falls into it; see --zone",),
)
