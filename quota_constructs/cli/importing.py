"""`quota-constructs trace import`: logs of real jobs, made into traces."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import GOOD
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from datetime import tzinfo
    from fractions import Fraction
    from pathlib import Path

    from quota_constructs.evaluator.traces.importers import Choices, Importer, Options

NAME = "import"
HELP = "Make a trace of a log of real jobs, and say what became of each row."

# The same words as the registry of importers, which `--help` must not wait for; a test compares them.
FORMATS = ("swf",)
UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
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
        "--time-unit", choices=tuple(UNITS_MS), action=options.Once, help="for csv: the unit of numbers (default: s)"
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
    group.add_argument("--top", metavar="N", type=_count, action=options.Once, help="keep the N teams with most work")
    group.add_argument(
        "--others", metavar="SHARE", action=options.Once, help="with --top, what all others are (default: others)"
    )
    group.add_argument(
        "--gpus-per-instance", metavar="N", type=_count, action=options.Once, help="round up to instances (default: 1)"
    )
    group.add_argument(
        "--instance-type",
        metavar="[KIND=]TYPE",
        dest="instance_types",
        type=_instance_type,
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
        "--from", metavar="TIME", dest="from_ms", type=_span, action=options.Once, help=f"after the first job, {span}"
    )
    group.add_argument(
        "--to", metavar="TIME", dest="to_ms", type=_span, action=options.Once, help="the end of the window, likewise"
    )
    group.add_argument(
        "--warm-up",
        metavar="TIME",
        dest="warm_up_ms",
        type=_span,
        action=options.Once,
        help="how much earlier than --from to begin, as a window begins with nothing running",
    )
    group.add_argument(
        "--sample", metavar="SHARE", type=_factor, action=options.Once, help="the part of the jobs to take, such as 0.1"
    )
    group.add_argument("--seed", metavar="NUMBER", type=_whole, default=options.DEFAULT_SEED, help="of the sample")
    group.add_argument(
        "--scale-submit", metavar="FACTOR", type=_factor, action=options.Once, help="0.5 has jobs come twice as fast"
    )
    group.add_argument(
        "--scale-duration", metavar="FACTOR", type=_factor, action=options.Once, help="0.5 has jobs take half as long"
    )
    group.add_argument(
        "--no-rebase",
        dest="rebase",
        action="store_false",
        help="keep the log's own zero, not the first job's submission",
    )


def _add_pairs(add: Callable[..., object], option: str, metavar: str, *, dest: str, text: str) -> None:
    add(option, metavar=metavar, dest=dest, type=_pair, action="append", default=[], help=f"{text}; may be repeated")


def run(args: argparse.Namespace) -> int:
    """Import the files into the one that was named, or to standard output, and report."""
    from pathlib import Path

    from quota_constructs.evaluator.traces.importers import IMPORTERS, Report, import_trace

    importer, paths, report = IMPORTERS[args.format], [Path(file) for file in args.files], Report()
    _refuse_output(args.output, paths)
    chosen = _options(args, importer)
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


def _options(args: argparse.Namespace, importer: Importer) -> Options:
    from fractions import Fraction

    from quota_constructs.evaluator.traces.importers import Options

    if args.others is not None and args.top is None:
        raise UsageError("--others says what is beyond --top N; add it")
    if args.warm_up_ms and not args.from_ms:
        raise UsageError("--warm-up comes before --from TIME; add it")
    if args.to_ms is not None and args.to_ms <= (args.from_ms or 0):
        raise UsageError("--to must be later than --from")
    sample: Fraction = Fraction(1) if args.sample is None else args.sample
    if sample > 1:
        raise UsageError(f"--sample must be above 0 and at most 1, got {float(sample)}")
    return Options(
        choices=_choices(args, importer),
        team=args.team,
        shares=_mapping("--share", args.shares),
        top=args.top,
        others=args.others or "others",
        units_per_instance=args.gpus_per_instance or 1,
        instance_types=_mapping("--instance-type", args.instance_types),
        priority=args.priority,
        priorities={
            text: _priority(text, number) for text, number in _mapping("--priority-of", args.priorities).items()
        },
        from_ms=args.from_ms,
        to_ms=args.to_ms,
        warm_up_ms=args.warm_up_ms or 0,
        sample=sample,
        seed=args.seed,
        submit_scale=args.scale_submit or Fraction(1),
        duration_scale=args.scale_duration or Fraction(1),
        rebase=args.rebase,
        long_jobs=args.long_jobs,
        strict=args.strict,
    )


def _choices(args: argparse.Namespace, importer: Importer) -> Choices:
    """Return what the reader of the format is told; an option that means nothing to it is refused."""
    from datetime import UTC

    from quota_constructs.evaluator.traces.importers import Choices

    for option, given, taken in (
        ("--map", bool(args.columns), importer.takes_columns),
        ("--time-unit", args.time_unit is not None, importer.takes_columns),
        ("--zone", args.zone is not None, importer.takes_zone),
        ("--duration", args.duration is not None, bool(importer.durations)),
    ):
        if given and not taken:
            raise UsageError(f"{option} means nothing to the format {args.format}; leave it out")
    if args.duration is not None and args.duration not in importer.durations:
        raise UsageError(f"--duration must be one of {', '.join(importer.durations)}, got {args.duration!r}")
    return Choices(
        duration=args.duration,
        zone=UTC if args.zone is None else _zone(args.zone),
        columns=_mapping("--map", args.columns),
        number_ms=UNITS_MS[args.time_unit or "s"],
    )


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


def _mapping(option: str, pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    given: dict[str, str] = {}
    for name, value in pairs:
        if given.setdefault(name, value) != value:
            raise UsageError(f"{option} {name} is given twice, as '{given[name]}' and as '{value}'; give it once")
    return given


def _priority(text: str, number: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", number):
        raise UsageError(f"--priority-of {text} must be a whole number from 0 to 9999, got {number!r}")
    return int(number)


def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise UsageError(f"--zone must be a zone such as America/Los_Angeles, got {name!r}") from None


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, got {text!r}")
    return name, value


def _instance_type(text: str) -> tuple[str, str]:
    return _pair(text) if "=" in text else _pair(f"*={text}")


def _count(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {10**9 - 1}, got {text!r}")
    return int(text)


def _whole(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to {10**18 - 1}, got {text!r}")
    return int(text)


def _factor(text: str) -> Fraction:
    from fractions import Fraction

    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or Fraction(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a number above 0, got {text!r}")
    return Fraction(text)


def _span(text: str) -> int:
    parts = re.fullmatch(r"([0-9]{1,12})(ms|s|m|min|h|d)?", text)
    if parts is None:
        raise argparse.ArgumentTypeError(f"must be seconds, or a span such as 90m, 12h or 14d, got {text!r}")
    return int(parts[1]) * (60_000 if parts[2] == "m" else UNITS_MS[parts[2] or "s"])
