"""`quota-constructs trace describe`: what a trace asks for, and whether it can test an arrangement at all."""

from __future__ import annotations

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse

NAME = "describe"
HELP = "Show what a trace asks of the queue of a template over time, and how much of it can be borrowed at all."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    options.add_arrangement(parser)
    parser.add_argument("--trace", metavar="TRACE", action=options.Once, required=True, help=options.TRACE_HELP)
    parser.add_argument(
        "--unknown-shares",
        choices=options.UNKNOWN_SHARES,
        default="fail",
        help="what to do with jobs of a share that is not declared: refuse the trace, or leave them out "
        "(default: %(default)s)",
    )
    options.add_format(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure, and write what was found."""
    from pathlib import Path

    from quota_constructs.evaluator.demand import measure_demand
    from quota_constructs.evaluator.inputs import load_trace, read_queue
    from quota_constructs.evaluator.traces import UnknownShares

    parameters = options.parameters(args.parameters)
    system = read_queue(Path(args.template), parameters=parameters, queue=args.queue, tell=output.note)
    trace = load_trace(
        Path(args.trace), system, parameters=parameters, unknown_shares=UnknownShares(args.unknown_shares)
    )
    demand = measure_demand(system, trace)
    if args.format == "json":
        from quota_constructs.evaluator.report.demand_json import encode_demand

        output.write(encode_demand(demand))
    else:
        from quota_constructs.evaluator.report.demand_text import demand_text

        output.write_text(demand_text(demand, output.screen()))
    return GOOD
