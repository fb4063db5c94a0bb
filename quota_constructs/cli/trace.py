"""`quota-constructs trace`: contention traces made here, of scenarios or of logs, to read, change and keep."""

from __future__ import annotations

import argparse

from quota_constructs.cli import anonymizing, describing, fitting, importing, options, output, quantities
from quota_constructs.cli.exits import GOOD
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from pathlib import Path

    from quota_constructs.evaluator.trace import Trace

NAME = "trace"
HELP = "Make contention traces, of scenarios and of logs of real jobs, and look at what they ask for."
LIST_HELP = "List the scenarios, each with what happens in it."
WRITE_HELP = "Write the trace of a scenario for one arrangement, as JSON Lines."

ENDING = ".jsonl"
LOWERED = ".lowered.template.json"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=text,
            description=text,
            epilog=parser.epilog,
            formatter_class=parser.formatter_class,
            allow_abbrev=False,
        )

    add("scenarios", LIST_HELP).set_defaults(run=list_scenarios)
    scenario = add("scenario", WRITE_HELP)
    scenario.add_argument("name", metavar="NAME", choices=options.SCENARIOS, help=options.SCENARIO_HELP)
    options.add_arrangement(scenario)
    options.add_output(
        scenario,
        form=f", which must end in {ENDING}; limits-lowered also writes the arrangement that takes over, beside it and "
        f"with {LOWERED} in the place of {ENDING}",
    )
    scenario.add_argument(
        "--seed",
        metavar="NUMBER",
        type=quantities.whole,
        default=options.DEFAULT_SEED,
        help="another seed draws other times, sizes and roles (default: %(default)s)",
    )
    scenario.set_defaults(run=write_scenario)
    importing.add_options(add(importing.NAME, importing.HELP))
    describing.add_options(add(describing.NAME, describing.HELP))
    fitting.add_options(add(fitting.NAME, fitting.HELP))
    anonymizing.add_options(add(anonymizing.NAME, anonymizing.HELP))
    for each in commands.choices.values():
        each.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=options.DEBUG_HELP)


def list_scenarios(_: argparse.Namespace) -> int:
    """List every scenario."""
    from quota_constructs.evaluator.traces.scenarios import SCENARIOS

    width = max(map(len, SCENARIOS))
    output.write_text("".join(f"{name:{width}}  {each.description}\n" for name, each in SCENARIOS.items()))
    return GOOD


def write_scenario(args: argparse.Namespace) -> int:
    """Write a scenario to the file that was named, or to standard output."""
    from pathlib import Path

    from quota_constructs.evaluator.inputs import read_queue
    from quota_constructs.evaluator.traces import encode_trace
    from quota_constructs.evaluator.traces.scenarios import SCENARIOS

    to = None if args.output is None else Path(args.output)
    if to is not None and (to.suffix != ENDING or to.name == ENDING):
        raise UsageError(f"-o must name a file that ends in {ENDING}, as a trace in JSON Lines does, got '{to}'")
    system = read_queue(
        Path(args.template), parameters=options.parameters(args.parameters), queue=args.queue, tell=output.note
    )
    trace = SCENARIOS[args.name].build(system, args.seed)
    if to is None:
        _refuse_arrangements(trace)
        output.write(encode_trace(trace, folder=Path()))
    else:
        output.save(to, encode_trace(_with_template(trace, to), folder=to.parent))
    return GOOD


def _refuse_arrangements(trace: Trace) -> None:
    from quota_constructs.evaluator.trace import ArrangementChange

    if any(isinstance(event, ArrangementChange) for event in trace.events):
        raise UsageError(
            f"{trace.name} cannot go to standard output, as the template of another arrangement must lie beside it; "
            "say where with -o FILE"
        )


def _with_template(trace: Trace, to: Path) -> Trace:
    """Return *trace* with the arrangement that takes over in it, if any does, read from a template beside *to*."""
    import dataclasses

    from msgspec.structs import replace

    from quota_constructs.evaluator.template import encode_template
    from quota_constructs.evaluator.trace import ArrangementChange

    template = to.with_name(to.name.removesuffix(ENDING) + LOWERED)
    events = list(trace.events)
    for place, event in enumerate(events):
        if isinstance(event, ArrangementChange):
            output.save(template, [encode_template(event.system)])
            source = dataclasses.replace(event.system.source, template=str(template))
            events[place] = replace(event, system=dataclasses.replace(event.system, source=source))
    return replace(trace, events=tuple(events))
