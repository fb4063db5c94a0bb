"""`quota-constructs agreement`: what was agreed on every share, as a page to keep."""

from __future__ import annotations

import argparse

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import GOOD

NAME = "agreement"
HELP = "Write what was agreed on every share as a Markdown page, with the promises as they were last measured."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    options.add_arrangement(parser)
    options.add_objectives(parser)
    parser.add_argument(
        "--trace",
        metavar="TRACE",
        dest="traces",
        action="append",
        default=[],
        help=f"{options.TRACE_HELP}, to measure the promises on; may be repeated (default: nothing is measured)",
    )
    options.add_output(parser)
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=options.DEBUG_HELP)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, measure, and write the page."""
    from pathlib import Path

    from quota_constructs.evaluator.evaluation import evaluate
    from quota_constructs.evaluator.inputs import load_traces, read_queue, read_queues
    from quota_constructs.evaluator.report.agreement_page import agreement_page

    template, objectives = Path(args.template), options.objectives(args)
    parameters = options.parameters(args.parameters)
    if args.queue is None and not args.traces:
        systems = read_queues(template, parameters=parameters, objectives=objectives, tell=output.note)
    else:
        systems = (
            read_queue(template, parameters=parameters, queue=args.queue, objectives=objectives, tell=output.note),
        )
    traces = load_traces(map(Path, args.traces), (), systems[0], parameters=parameters)
    page = agreement_page(systems, (evaluate(systems[0], trace) for trace in traces)).encode()
    output.deliver([page], args.output)
    return GOOD
