"""`quota-constructs simulate`: what an arrangement does with a trace, job by job and share by share."""

from __future__ import annotations

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse

NAME = "simulate"
HELP = "Run a contention trace or scenario against the queue of a template, and show what every job and share came to."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    options.add_shared_options(parser, any_number_of_traces=False, scenarios=True)
    options.add_format(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Simulate, and write the result."""
    from pathlib import Path

    from quota_constructs.evaluator.evaluation import simulate_path
    from quota_constructs.evaluator.traces import UnknownShares
    from quota_constructs.evaluator.traces.scenarios import SCENARIOS

    evaluation = simulate_path(
        Path(args.template),
        SCENARIOS[args.scenario] if args.scenario else Path(args.trace),
        assumptions=options.assumptions(args),
        parameters=options.parameters(args.parameters),
        queue=args.queue,
        objectives=options.objectives(args),
        unknown_shares=UnknownShares(args.unknown_shares),
        tell=output.note,
    )
    if args.format == "json":
        from quota_constructs.evaluator.report.result_json import encode_result

        output.write(encode_result(evaluation))
    else:
        from quota_constructs.evaluator.report.text import result_text

        output.write_text(result_text(evaluation, output.screen()))
    return GOOD
