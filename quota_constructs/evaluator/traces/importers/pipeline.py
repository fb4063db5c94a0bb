"""From the files of a log to the lines of a trace: read once, kept on disk, written in order."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET

from quota_constructs.errors import TraceError, UsageError
from quota_constructs.evaluator.traces.importers.decisions import FILE, REPEATED, Decisions, checked_name
from quota_constructs.evaluator.traces.importers.importer import Importer, RepeatedIds
from quota_constructs.evaluator.traces.importers.options import Options
from quota_constructs.evaluator.traces.importers.plausible import refuse_mistaken_units
from quota_constructs.evaluator.traces.importers.report import Report, count
from quota_constructs.evaluator.traces.importers.row import Dropped, Row
from quota_constructs.evaluator.traces.importers.source import SourceFile
from quota_constructs.evaluator.traces.importers.spool import Spool, Spooled
from quota_constructs.evaluator.traces.refusal import MAX_LISTED, Refused, shown
from quota_constructs.evaluator.traces.schema import MAX_SECONDS, VERSION, Header, JobLine
from quota_constructs.printable import plural, printable

HOUR_MS: Final = 3_600_000
SECOND_MS: Final = 1000
END_OF_TIME_MS: Final = (1 << 63) - 1


def import_trace(
    name: str,
    importer: Importer,
    paths: Sequence[Path],
    options: Options,
    report: Report,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[bytes]:
    """
    Yield the lines of the trace that the files at *paths* become, and fill *report*.

    *name* is the format's. The header comes first and tells what the report says, so the first line comes when
    everything is read. *progress* is told of bytes as they are read.
    """
    try:
        with Spool() as spool:
            files = [SourceFile(path, progress=progress) for path in paths]
            _read(importer, files, options, report, spool)
            start_ms = _shape(importer, options, report, spool)
            yield _line(_header(name, paths, report))
            for job in spool.in_order():
                yield _line(_job_line(job, start_ms, options))
    except sqlite3.Error as error:
        raise TraceError(f"jobs cannot be kept in a temporary file: {error}; make room for it") from None


def _read(importer: Importer, files: Sequence[SourceFile], options: Options, report: Report, spool: Spool) -> None:
    """Put what *files* hold into *spool*."""
    intake = _Intake(importer, options, report, spool)
    for file in files:
        path = printable(str(file.path))
        try:
            for row in importer.rows(file, options.choices):
                intake.take(row, file)
        except Refused as refused:
            raise TraceError(f"{path}{file.place}: {refused}") from None
        except OSError as error:
            raise TraceError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
        report.notes += [f"{printable(file.path.name)}: {note}" for note in file.notes]
        if options.strict and file.notes:
            raise TraceError(f"{path}: {file.notes[0]}; --strict takes nothing that is in doubt")
    intake.decisions.refuse_unused()
    report.notes += importer.remarks


class _Intake:
    """Where rows become jobs, or do not, and every departure is counted."""

    def __init__(self, importer: Importer, options: Options, report: Report, spool: Spool) -> None:
        self.decisions = Decisions(importer, options)
        self._merges = importer.repeated_ids is RepeatedIds.ATTEMPTS
        self._strict = options.strict
        self._report = report
        self._spool = spool

    def take(self, row: Row | Dropped, file: SourceFile) -> None:
        """Take in one row of *file*."""
        self._report.rows += 1
        reason = row.reason if isinstance(row, Dropped) else self.decisions.drop(row)
        if reason is not None:
            self._depart(reason)
            count(self._report.dropped, reason)
        elif isinstance(row, Row):
            self._take_job(msgspec.structs.replace(row, labels={FILE: file.name, **row.labels}))

    def _take_job(self, row: Row) -> None:
        altered: list[str] = []
        job = self.decisions.job(row, self._report.rows, altered)
        if not self.decisions.is_sampled(job):
            count(self._report.asked, "not in the sample")
            return
        while not self._spool.add(job):
            if self._merges and row.id:
                self._spool.add_attempt(job)
                altered.append("is another attempt of a job: added to it")
                break
            if REPEATED not in altered:
                altered.append(REPEATED)
            job = msgspec.structs.replace(job, id=f"{job.id}#{job.seq}")
        for reason in altered:
            self._depart(reason)
            count(self._report.altered, reason)
        for remark in row.remarks:
            count(self._report.remarks, remark)

    def _depart(self, reason: str) -> None:
        if self._strict:
            raise Refused(f"{reason}; --strict takes no row otherwise than it is")


def _shape(importer: Importer, options: Options, report: Report, spool: Spool) -> int:
    """Apply to all jobs together what the options ask, and return the time that becomes the trace's zero."""
    if spool.count()[0] == 0:
        reasons = [line for line in list(report.lines())[1:] if line not in report.notes]
        raise TraceError(f"no row became a job: {'; '.join(reasons) or 'there is none'}")
    if not options.long_jobs:
        refuse_mistaken_units(spool)
    first_ms, _ = spool.span()
    start_ms = first_ms
    if options.from_ms is not None or options.to_ms is not None:
        begin_ms = max(0, (options.from_ms or 0) - options.warm_up_ms)
        start_ms = first_ms + begin_ms
        end_ms = END_OF_TIME_MS if options.to_ms is None else first_ms + options.to_ms
        if outside := spool.remove_outside(start_ms, end_ms):
            report.asked["submitted outside the window"] += outside
        if warm_up_ms := (options.from_ms or 0) - begin_ms:
            warm_up_s = _scaled(warm_up_ms, options.submit_scale) // SECOND_MS
            report.notes.append(f"the first {warm_up_s:,} s are warm-up, to be left out of what is concluded")
    _put_teams_together(options, report, spool)
    report.kept, report.shares = spool.count()
    if not report.kept:
        raise TraceError("no job is submitted in the window; widen it with --from and --to")
    zero_ms = start_ms if options.rebase else 0
    for edge_ms in spool.span():
        _submit(edge_ms, zero_ms, options)
    _account(importer, options, report, spool)
    return zero_ms


def _put_teams_together(options: Options, report: Report, spool: Spool) -> None:
    if options.top is None:
        return
    try:
        checked_name("--others", options.others)
    except Refused as refused:
        raise UsageError(str(refused)) from None
    if spool.has_team(options.others):
        raise UsageError(f"there is a team called {shown(options.others)}; call the others otherwise with --others")
    teams, jobs = spool.rename_teams_beyond(options.top, options.others)
    if jobs:
        report.asked[f"of {plural(teams, 'smaller team')}, put together as '{options.others}'"] += jobs


def _account(importer: Importer, options: Options, report: Report, spool: Spool) -> None:
    asked, held = spool.work(options.units_per_instance * 1000)
    hours = f"{asked / 1000 / HOUR_MS:,.0f} {importer.unit}-hours"
    if held == asked:
        report.notes.append(f"{hours} of work")
    else:
        size = options.units_per_instance
        whole = f"{held / 1000 / HOUR_MS:,.0f} in whole instances of {size}: {held / asked:.2f} times as many"
        report.notes.append(f"{hours} of work become {whole}")


def _header(name: str, paths: Sequence[Path], report: Report) -> Header:
    names = [printable(path.name) for path in paths[:MAX_LISTED]]
    more = len(paths) - len(names)
    source = f"{name}: {', '.join(names)}" + (f" and {more} more" if more else "")
    return Header(trace=VERSION, description=f"imported: {'; '.join(report.lines())}", source=source)


def _job_line(job: Spooled, zero_ms: int, options: Options) -> JobLine:
    size = options.units_per_instance * 1000
    return JobLine(
        id=job.id,
        share=job.team,
        submit=_seconds(_submit(job.submit_ms, zero_ms, options)),
        duration=_seconds(job.duration_ms),
        instance_type=job.instance_type or UNSET,
        instance_count=-(-job.milli_units // size),
        priority=job.priority or UNSET,
    )


def _submit(submit_ms: int, zero_ms: int, options: Options) -> int:
    """Return when a job is submitted in the trace, which has no time before its zero and none without end."""
    moved = _scaled(submit_ms - zero_ms, options.submit_scale)
    if not 0 <= moved <= MAX_SECONDS * SECOND_MS:
        raise TraceError(
            f"a job would be submitted at {moved // SECOND_MS:,} s, and a trace goes from 0 to {MAX_SECONDS:,} s; "
            "let times count from the first job (without --no-rebase), or take a window with --from and --to"
        )
    return moved


def _scaled(time_ms: int, scale: Fraction) -> int:
    return time_ms if scale == 1 else round(time_ms * scale)


def _seconds(ms: int) -> float:
    """Return *ms* in seconds, whole ones without a decimal point."""
    return ms / SECOND_MS if ms % SECOND_MS else ms // SECOND_MS


_encode = msgspec.json.Encoder().encode


def _line(line: Header | JobLine) -> bytes:
    return _encode(line) + b"\n"
