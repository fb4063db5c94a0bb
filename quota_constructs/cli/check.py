"""`quota-constructs check`: what is wrong with an arrangement, by itself and on traces."""

from __future__ import annotations

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import FOUND_ERRORS, GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse

NAME = "check"
HELP = "Find what is wrong with the queues of a template or cloud assembly, by themselves and under contention."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    options.add_shared_options(parser, any_number_of_traces=True, scenarios=True)
    options.add_judging(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check, and write the findings."""
    from pathlib import Path

    from quota_constructs.evaluator.evaluation import check_systems, queues_to_check
    from quota_constructs.evaluator.traces import UnknownShares

    traces, parameters = [Path(trace) for trace in args.traces], options.parameters(args.parameters)
    systems = queues_to_check(
        Path(args.template),
        traces=traces,
        parameters=parameters,
        queue=args.queue,
        objectives=options.objectives(args),
        tell=output.note,
    )
    findings = check_systems(
        systems,
        traces=traces,
        scenarios=args.scenarios,
        assumptions=options.assumptions(args),
        parameters=parameters,
        queue=args.queue,
        unknown_shares=UnknownShares(args.unknown_shares),
        suppressions=None if args.suppressions is None else Path(args.suppressions),
        today=args.today,
        sensitivity=args.sensitivity,
        tell=output.note,
    )
    if args.format == "json":
        from quota_constructs.evaluator.report.findings_json import encode_findings

        output.write([encode_findings(findings, systems)])
    else:
        from quota_constructs.evaluator.report.findings_text import findings_text

        output.write_text(findings_text(findings, output.screen()))
    return FOUND_ERRORS if any(finding.fails for finding in findings) else GOOD
