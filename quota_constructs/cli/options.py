"""The options that commands share, and how they are understood."""

from __future__ import annotations

import argparse
import re

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

    from quota_constructs.evaluator.simulation.model import Assumptions

# The same words as the enumerations of the evaluator, which `--help` must not wait for; a test compares them.
VICTIM_ORDERS = ("borrowing-first", "newest", "oldest", "most-borrowed", "least-lost-work")
QUEUEINGS = ("strict", "backfill")
UNKNOWN_SHARES = ("fail", "reject")
SCENARIOS = (
    "owner-returns",
    "everyone-at-once",
    "deadline-crunch",
    "priority-inflation",
    "long-jobs-borrow",
    "big-gang",
    "retry-exhaustion",
    "steady-week",
    "limits-lowered",
)
DEFAULT_SCENARIOS = ("owner-returns", "everyone-at-once", "big-gang", "steady-week")
DEFAULT_SEED = 1
DEFAULT_STOP = 20
TRACE_HELP = "a trace to run: .jsonl or .csv, or either with .gz"
SCENARIO_HELP = (
    f"contention made of the arrangement itself, one of {', '.join(SCENARIOS)}; 'trace scenarios' describes them"
)
DEBUG_HELP = "show a traceback for a fault of quota-constructs itself"


class Once(argparse.Action):
    """Stores what is read, and refuses a second: argparse would take the last and say nothing of the others."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Store the value."""
        del parser, option_string
        first = getattr(namespace, self.dest)
        if first is not None:
            raise argparse.ArgumentError(self, f"is given twice, as {first!r} and as {values!r}; give it once")
        setattr(namespace, self.dest, values)


def add_shared_options(
    parser: argparse.ArgumentParser, *, any_number_of_traces: bool, scenarios: bool = False, template: bool = True
) -> None:
    """
    Add what every command that evaluates takes: *any_number_of_traces*, or exactly one, or *scenarios* instead.

    Without *template*, the command has its own way to say which templates it reads.
    """
    add_arrangement(parser, template=template)
    add_objectives(parser)
    played = parser.add_argument_group("what happens to it")
    if any_number_of_traces:
        played.add_argument(
            "--trace",
            metavar="TRACE",
            dest="traces",
            action="append",
            default=[],
            help=f"{TRACE_HELP}; may be repeated",
        )
        if scenarios:
            either = played.add_mutually_exclusive_group()
            either.add_argument(
                "--scenario",
                metavar="NAME",
                dest="scenarios",
                choices=SCENARIOS,
                action="append",
                help=f"{SCENARIO_HELP}; may be repeated (default: none beside a --trace, otherwise "
                f"{', '.join(DEFAULT_SCENARIOS)})",
            )
            either.add_argument(
                "--no-scenarios",
                dest="scenarios",
                action="store_const",
                const=[],
                help="run none of them",
            )
    elif scenarios:
        either = played.add_mutually_exclusive_group(required=True)
        either.add_argument("--trace", metavar="TRACE", action=Once, help=TRACE_HELP)
        either.add_argument("--scenario", metavar="NAME", choices=SCENARIOS, action=Once, help=SCENARIO_HELP)
    else:
        played.add_argument("--trace", metavar="TRACE", action=Once, required=True, help=TRACE_HELP)
    played.add_argument(
        "--unknown-shares",
        choices=UNKNOWN_SHARES,
        default="fail",
        help="what to do with jobs of a share that is not declared: refuse the trace, or reject the jobs as the "
        "service would (default: %(default)s)",
    )
    assumed = parser.add_argument_group("what is assumed, because AWS does not publish it")
    assumed.add_argument(
        "--stop",
        metavar="SECONDS",
        dest="stop_ms",
        type=_milliseconds,
        default=DEFAULT_STOP * 1000,
        help=f"from the decision to stop a job to the release of its instances (default: {DEFAULT_STOP})",
    )
    assumed.add_argument(
        "--victim-order",
        choices=VICTIM_ORDERS,
        default=VICTIM_ORDERS[0],
        help="in which order running jobs are considered for being stopped (default: %(default)s)",
    )
    assumed.add_argument(
        "--queueing",
        choices=QUEUEINGS,
        default=QUEUEINGS[0],
        help="whether a job that cannot start holds up those behind it in its share (default: %(default)s)",
    )
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=DEBUG_HELP)


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add in which of two formats the result goes to standard output."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: %(default)s")


def add_output(parser: argparse.ArgumentParser, *, form: str = "") -> None:
    """Add where the result goes; *form* says what is particular about the file."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=Once,
        help=f"the file to write{form} (default: standard output)",
    )


def add_arrangement(parser: argparse.ArgumentParser, *, template: bool = True) -> None:
    """Add what says which arrangement is meant; without *template*, only how it is read."""
    reading = parser.add_argument_group("what is read")
    if template:
        reading.add_argument(
            "template", metavar="TEMPLATE", help="a CloudFormation template, or a cloud assembly (cdk.out)"
        )
    reading.add_argument("--queue", metavar="NAME", action=Once, help="the queue to look at, where there are several")
    reading.add_argument(
        "--parameter",
        metavar="NAME=VALUE",
        dest="parameters",
        type=_parameter,
        action="append",
        default=[],
        help="the value of a template parameter; may be repeated",
    )


def add_objectives(parser: argparse.ArgumentParser) -> None:
    """Add what says more of the shares than their template does."""
    parser.add_argument_group("what was agreed on").add_argument(
        "--objectives",
        metavar="FILE",
        action=Once,
        help="a TOML file of agreements, interruption contracts and objectives by share; each of its fields takes the "
        "place of the template's own",
    )


def objectives(args: argparse.Namespace) -> Path | None:
    """Return the file that says more of what was agreed on, if there is one."""
    from pathlib import Path

    return None if args.objectives is None else Path(args.objectives)


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Add what findings are judged by."""
    judging = parser.add_argument_group("how it is judged")
    judging.add_argument(
        "--suppressions",
        metavar="FILE",
        action=Once,
        help="a TOML file of findings that are accepted, each with a reason; they are listed and do not fail the check",
    )
    judging.add_argument(
        "--today",
        metavar="YYYY-MM-DD",
        action=Once,
        type=_day,
        help="the day to judge review dates, exceptions and suppressions by; without it they are not judged",
    )
    judging.add_argument(
        "--sensitivity",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether each finding on a trace is tried under what else could be assumed, to say on which of it the "
        "finding depends (default: it is)",
    )


def assumptions(args: argparse.Namespace) -> Assumptions:
    """Return the assumptions that the options state."""
    from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder

    return Assumptions(
        stop_ms=args.stop_ms, victim_order=VictimOrder(args.victim_order), queueing=Queueing(args.queueing)
    )


def parameters(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the template parameters that were given; one that is given twice is refused."""
    from quota_constructs.errors import UsageError

    given: dict[str, str] = {}
    for name, value in pairs:
        if given.setdefault(name, value) != value:
            raise UsageError(f"--parameter {name} is given twice, as '{given[name]}' and as '{value}'; give it once")
    return given


def _day(text: str) -> date:
    from datetime import date

    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    except ValueError:  # such as the 31st of a month that has 30 days
        pass
    raise argparse.ArgumentTypeError(f"must be a day, as 2026-11-29, got {text!r}")


def _milliseconds(text: str) -> int:
    seconds = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{1,3}))?", text)
    if seconds is None:
        raise argparse.ArgumentTypeError(f"must be seconds, at most three decimals, 0 or more, got {text!r}")
    whole, decimals = seconds.groups(default="")
    return int(whole) * 1000 + int(decimals.ljust(3, "0"))


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, got {text!r}")
    return name, value
