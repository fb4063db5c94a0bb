"""`quota-constructs trace import`: logs of real jobs, made into traces."""

from __future__ import annotations

import argparse
import contextlib
import sys

from quota_constructs.cli import options, output, quantities
from quota_constructs.cli.exits import GOOD
from quota_constructs.cli.import_choices import understood
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

NAME = "import"
HELP = "Make a trace of a log of real jobs, and say what became of each row."

# The same words as the registry of importers, which `--help` must not wait for; a test compares them.
FORMATS = (
    "swf",
    "slurm",
    "csv",
    "philly",
    "philly-4vc",
    "helios",
    "itp",
    "alibaba-pai-2020",
    "alibaba-spot-2026",
    "openb",
    "acme",
)
ENDING = ".jsonl"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("format", metavar="FORMAT", choices=FORMATS, help=f"one of {', '.join(FORMATS)}")
    parser.add_argument("files", metavar="FILE", nargs="+", help="the log, plain or with .gz; several become one trace")
    options.add_output(parser, form=f", which must end in {ENDING}")
    parser.add_argument("--strict", action="store_true", help="fail on the first row that would be dropped or altered")
    _add_reading(parser)
    _add_teams(parser)
    _add_choice(parser)
    parser.set_defaults(run=run)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how the log is read")
    _add_pairs(
        group.add_argument, "--map", "FIELD=COLUMN", dest="columns", text="for csv: which column holds which field"
    )
    group.add_argument(
        "--time-unit",
        choices=tuple(quantities.UNITS_MS),
        action=options.Once,
        help="for csv: the unit of numbers (default: s)",
    )
    group.add_argument("--zone", metavar="NAME", action=options.Once, help="of times that state none (default: UTC)")
    group.add_argument(
        "--duration",
        metavar="WAY",
        action=options.Once,
        help="how to tell for how long a job worked, if there are ways",
    )
    group.add_argument(
        "--long-jobs",
        action="store_true",
        help="take times that look like milliseconds read as seconds for what they are",
    )


def _add_teams(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("whose the jobs are, and what they hold")
    group.add_argument("--team", metavar="LABEL", action=options.Once, help="what is the team (default: by the format)")
    add = group.add_argument
    _add_pairs(add, "--share", "TEAM=SHARE", dest="shares", text="the share of a team that is called otherwise")
    group.add_argument(
        "--top", metavar="N", type=quantities.count, action=options.Once, help="keep the N teams with most work"
    )
    group.add_argument(
        "--others", metavar="SHARE", action=options.Once, help="with --top, what all others are (default: others)"
    )
    group.add_argument(
        "--gpus-per-instance",
        metavar="N",
        type=quantities.count,
        action=options.Once,
        help="round up to instances (default: 1)",
    )
    group.add_argument(
        "--instance-type",
        metavar="[KIND=]TYPE",
        dest="instance_types",
        type=quantities.instance_type,
        action="append",
        default=[],
        help="the instance type of all jobs, or of one kind of machine (* for all others); may be repeated "
        "(default: none, which takes the share's only type)",
    )
    group.add_argument(
        "--priority", metavar="LABEL", action=options.Once, help="what is the priority (default: 0 for all)"
    )
    _add_pairs(add, "--priority-of", "TEXT=NUMBER", dest="priorities", text="the priority that a text stands for")


def _add_choice(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which jobs are taken, and when they come")
    span = "in seconds, or as 90m, 12h, 14d"
    group.add_argument(
        "--from",
        metavar="TIME",
        dest="from_ms",
        type=quantities.span,
        action=options.Once,
        help=f"after the first job, {span}",
    )
    group.add_argument(
        "--to",
        metavar="TIME",
        dest="to_ms",
        type=quantities.span,
        action=options.Once,
        help="the end of the window, likewise",
    )
    group.add_argument(
        "--warm-up",
        metavar="TIME",
        dest="warm_up_ms",
        type=quantities.span,
        action=options.Once,
        help="how much earlier than --from to begin, as a window begins with nothing running",
    )
    group.add_argument(
        "--sample",
        metavar="SHARE",
        type=quantities.factor,
        action=options.Once,
        help="the part of the jobs to take, such as 0.1",
    )
    group.add_argument(
        "--seed", metavar="NUMBER", type=quantities.whole, default=options.DEFAULT_SEED, help="of the sample"
    )
    group.add_argument(
        "--scale-submit",
        metavar="FACTOR",
        type=quantities.factor,
        action=options.Once,
        help="0.5 has jobs come twice as fast",
    )
    group.add_argument(
        "--scale-duration",
        metavar="FACTOR",
        type=quantities.factor,
        action=options.Once,
        help="0.5 has jobs take half as long",
    )
    group.add_argument(
        "--no-rebase",
        dest="rebase",
        action="store_false",
        help="keep the log's own zero, not the first job's submission",
    )


def _add_pairs(add: Callable[..., object], option: str, metavar: str, *, dest: str, text: str) -> None:
    add(
        option,
        metavar=metavar,
        dest=dest,
        type=quantities.pair,
        action="append",
        default=[],
        help=f"{text}; may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    """Import the files into the one that was named, or to standard output, and report."""
    from pathlib import Path

    from quota_constructs.evaluator.traces.importers import IMPORTERS, Report, import_trace

    importer, paths, report = IMPORTERS[args.format], [Path(file) for file in args.files], Report()
    _refuse_output(args.output, paths)
    chosen = understood(args, importer)
    with _progress(paths) as progress:
        output.deliver(import_trace(args.format, importer, paths, chosen, report, progress=progress), args.output)
    for line in report.lines():
        output.complain(line)
    return GOOD


def _refuse_output(to: str | None, paths: Sequence[Path]) -> None:
    from pathlib import Path

    if to is None:
        return
    if not to.endswith(ENDING) or Path(to).name == ENDING:
        raise UsageError(f"-o must name a file that ends in {ENDING}, as a trace in JSON Lines does, got '{to}'")
    if any(path.exists() and Path(to).exists() and path.samefile(to) for path in paths):
        raise UsageError(f"-o must not be one of the files that are read, got '{to}'")


@contextlib.contextmanager
def _progress(paths: Sequence[Path]) -> Generator[Callable[[int], None]]:
    """Show on a terminal how far the reading is; elsewhere, nothing."""
    if not sys.stderr or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    whole = all(path.is_file() and path.suffix.lower() != ".gz" for path in paths)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=sum(path.stat().st_size for path in paths) if whole else None)
        yield lambda count: bar.advance(task, count)
