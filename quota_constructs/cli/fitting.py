"""`quota-constructs trace fit-quotas`: a first template for the jobs of a trace."""

from __future__ import annotations

from quota_constructs.cli import options, output, quantities
from quota_constructs.cli.exits import GOOD
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse

    from quota_constructs.evaluator.demand import Demand

NAME = "fit-quotas"
HELP = "Write a template whose limits are what each share's jobs hold on average and some more, to start from."
ENDINGS = (".json", ".template")
DEFAULT_FACTOR = "1.25"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("trace", metavar="TRACE", help="the trace: .jsonl or .csv, or either with .gz")
    parser.add_argument(
        "--factor",
        metavar="NUMBER",
        type=quantities.factor,
        default=DEFAULT_FACTOR,  # argparse reads a default that is text as it reads what is given
        help="how many times its own mean demand each share gets (default: %(default)s)",
    )
    parser.add_argument(
        "--multiple-of",
        metavar="N",
        type=quantities.count,
        default=1,
        help="round limits up to a multiple (default: %(default)s)",
    )
    parser.add_argument(
        "--instance-type",
        metavar="TYPE",
        action=options.Once,
        help="what jobs run on that state no instance type",
    )
    options.add_output(parser, form=f", which must end in {' or '.join(ENDINGS)}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fit limits, write them as a template, and say what they are not."""
    from pathlib import Path

    from quota_constructs.evaluator.demand import measure_demand
    from quota_constructs.evaluator.fitting import fit_limits, read_fitted_trace
    from quota_constructs.evaluator.template import encode_template

    if args.output is not None and not args.output.endswith(ENDINGS):
        raise UsageError(f"-o must name a file that ends in {' or '.join(ENDINGS)}, got '{args.output}'")
    path = Path(args.trace)
    trace = read_fitted_trace(path, instance_type=args.instance_type)
    system = fit_limits(trace, factor=args.factor, multiple_of=args.multiple_of)
    description = (
        f"A starting point, no recommendation: each share's limit is {float(args.factor):g} x the mean demand of its "
        "own jobs in a trace, and all lend and borrow. Decide on limits and sharing, then check them."
    )
    output.deliver([encode_template(system, description=description)], args.output)
    for line in _remarks(measure_demand(system, trace)):
        output.note(line)
    return GOOD


def _remarks(demand: Demand) -> list[str]:
    from quota_constructs.printable import plural

    limits = ", ".join(f"{unit.capacity:,} {unit.unit}" for unit in demand.units)
    larger = sum(each.larger_than_limit for each in demand.shares)
    remarks = [f"limits of {plural(len({each.share for each in demand.shares}), 'share')} come to {limits}"]
    remarks += ["they are a starting point: they follow what was used, not what was agreed on"]
    if larger:
        remarks.append(f"{plural(larger, 'job')} can run by borrowing only: they hold more than their share's limit")
    if demand.never:
        remarks.append(f"{plural(demand.never, 'job')} can never start: they hold more than all limits together")
    if not demand.contends:
        remarks.append("the trace never contends under these limits, so it tests nothing; try a smaller --factor")
    return remarks
