"""`quota-constructs trace anonymize`: a trace to hand on, without the names in it."""

from __future__ import annotations

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import GOOD
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse

NAME = "anonymize"
HELP = "Replace the ids and shares of a trace, count its times from the first, and change nothing else."
ENDING = ".jsonl"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("trace", metavar="TRACE", help="the trace: .jsonl or .csv, or either with .gz")
    options.add_output(parser, form=f", which must end in {ENDING}")
    parser.add_argument(
        "--names",
        metavar="FILE",
        action=options.Once,
        help="also write, as JSON, which name stands in the place of which; not to be handed on",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the trace without names."""
    import json
    from pathlib import Path

    from quota_constructs.evaluator.traces.anonymous import Anonymous

    if args.output is not None and not args.output.endswith(ENDING):
        raise UsageError(f"-o must name a file that ends in {ENDING}, got '{args.output}'")
    anonymous = Anonymous(Path(args.trace))
    output.deliver(anonymous.encode(), args.output)
    if args.names is not None:
        names = {"shares": anonymous.shares, "jobs": anonymous.jobs}
        output.save(Path(args.names), [json.dumps(names, indent=1).encode(), b"\n"])
    header = anonymous.header
    if header is not None and (header.description or header.source):
        output.note("the header's description and source are as they were; see that they name nobody")
    return GOOD
