"""
Make contention traces of logs of real jobs: `python -m benchmarks.real_traces philly|itp SOURCE TRACE`.

The logs are not part of the project; docs/real-traces.md says where they come from and what is assumed.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from quota_constructs.errors import InputError, TraceError
from quota_constructs.evaluator.trace import Job, Trace
from quota_constructs.evaluator.traces import write_trace
from quota_constructs.printable import printable

GPU = "ml.g5.xlarge"
"""The unit of both traces: an instance with one GPU, as the logs count GPUs and name no instance types."""

TEMPLATES = Path(__file__).parent / "templates"

Row = Mapping[str, str]


def philly(source: Path) -> Trace:
    """Return the jobs of one CSV file in which each row names its team (`vc`)."""
    return Trace(
        name=str(source),
        jobs=tuple(_jobs(source, lambda row: _job(row, share=row["vc"], submit="submit_s", duration="duration_s"))),
        description="jobs of four teams of Microsoft's Philly cluster over two weeks; derived",
        source="msr-fiddle/philly-traces (CC BY 4.0) by way of Muri's selection (Apache-2.0)",
    )


def itp(source: Path) -> Trace:
    """Return the jobs of a folder with one CSV file for each team, by time of submission."""
    files = sorted(source.glob("cluster*.csv"))
    if not files:
        raise TraceError(f"{printable(str(source))}: no file cluster*.csv; give the folder that holds one a team")
    jobs = [job for file in files for job in _jobs(file, _of_team(file.stem))]
    return Trace(
        name=str(source),
        jobs=tuple(sorted(jobs, key=lambda job: job.submit_ms)),
        description="jobs of ten of Microsoft's ITP clusters over two months, each cluster taken as a team",
        source="microsoft/elasticflow-traces (MIT)",
    )


READERS: Mapping[str, Callable[[Path], Trace]] = {"philly": philly, "itp": itp}


def _of_team(share: str) -> Callable[[Row], Job]:
    return lambda row: _job(row, share=share, submit="submission_time", duration="duration")


def _job(row: Row, *, share: str, submit: str, duration: str) -> Job:
    """Return one row as a job that keeps no checkpoints, because no log says whether it does."""
    return Job(
        id=row["job_id"],
        share=share,
        submit_ms=int(row[submit]) * 1000,
        duration_ms=int(row[duration]) * 1000,
        instances=((GPU, int(row["num_gpu"])),),
    )


def _jobs(source: Path, read: Callable[[Row], Job]) -> Iterator[Job]:
    with source.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        for row in rows:
            try:
                yield read(row)
            except (KeyError, TypeError, ValueError) as error:
                place = f"{printable(str(source))}:{rows.line_num}"
                raise TraceError(f"{place}: no such column or no whole number: {printable(str(error))}") from None


def main(arguments: list[str] | None = None) -> int:
    """Read a log and write the trace."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_traces", description="make a trace of a log")
    parser.add_argument("log", choices=READERS, help="which log it is")
    parser.add_argument("source", metavar="SOURCE", type=Path, help="philly: a CSV file; itp: the folder of CSV files")
    parser.add_argument("trace", metavar="TRACE", type=Path, help="the .jsonl file to write")
    args = parser.parse_args(arguments)
    try:
        trace = READERS[args.log](args.source)
        write_trace(trace, args.trace)
    except (InputError, OSError, UnicodeDecodeError) as error:
        print(f"error: {printable(str(error))}", file=sys.stderr)
        return 2
    print(f"{args.trace}: {len(trace.jobs):,} jobs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
