"""`quota-constructs live`: what is deployed and what runs, asked of the service, which is only read."""

from __future__ import annotations

import argparse
import re

from quota_constructs.cli import options, output
from quota_constructs.cli.exits import FOUND_ERRORS, GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from quota_constructs.evaluator.system import System
    from quota_constructs.evaluator.template.settings import QueueSettings
    from quota_constructs.live.client import Client
    from quota_constructs.live.operations import Command
    from quota_constructs.live.record import Recording

NAME = "live"
ENDING = ".jsonl"
FACTS = ".facts.jsonl"
READ_ONLY = "Read-only: nothing is changed in the account."
HELP = f"Ask AWS Batch what is deployed and what runs. {READ_ONLY}"
SNAPSHOT_HELP = f"Show who holds what of a queue: allocated, used, borrowed, lent and idle. {READ_ONLY}"
DRIFT_HELP = f"Compare what is deployed with what is declared, property by property. {READ_ONLY}"
PREFLIGHT_HELP = f"Say what a deployment would do to the jobs that are there now. {READ_ONLY}"

RECORD_HELP = f"Record the jobs of a queue as a trace; interrupted and begun again, it goes on. {READ_ONLY}"
_UNITS_MS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000}


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

    record = add("record", RECORD_HELP)
    _add_queue(record)
    record.add_argument(
        "--since",
        metavar="TIME",
        type=_moment,
        action=options.Once,
        required=True,
        help="the earliest submission: days, hours or minutes back, such as 14d, 36h or 90m, or a moment in UTC, such "
        "as 2026-11-01 or 2026-11-01T08:30:00Z; Batch itself forgets jobs that are over",
    )
    record.add_argument(
        "--until",
        metavar="TIME",
        type=_moment,
        action=options.Once,
        help="the end of the submissions, said in the same way (default: now)",
    )
    record.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=options.Once,
        required=True,
        help=f"the trace to write, which must end in {ENDING}; what is on record of each job besides goes beside it, "
        f"with {FACTS} in the place of {ENDING}, and while it is not finished a journal",
    )
    record.set_defaults(run=run_record)
    snapshot = add("snapshot", SNAPSHOT_HELP)
    _add_queue(snapshot)
    options.add_format(snapshot)
    snapshot.set_defaults(run=take_snapshot)
    drift = add("drift", DRIFT_HELP)
    options.add_arrangement(drift)
    _add_deployed(drift)
    options.add_format(drift)
    drift.set_defaults(run=find_drift)
    preflight = add("preflight", PREFLIGHT_HELP)
    options.add_arrangement(preflight)
    _add_deployed(preflight)
    options.add_format(preflight)
    preflight.set_defaults(run=run_preflight)
    for each in commands.choices.values():
        _add_access(each)
        each.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=options.DEBUG_HELP)


def run_record(args: argparse.Namespace) -> int:
    """Record, and write the trace and the facts that it was made from: both or neither."""
    import time
    from pathlib import Path

    import msgspec

    from quota_constructs.cli.progress import Bar
    from quota_constructs.errors import LiveError, UsageError
    from quota_constructs.evaluator.traces import encode_trace
    from quota_constructs.live.journal import journal_of
    from quota_constructs.live.operations import Command
    from quota_constructs.live.record import Asked, record

    path = Path(args.output)
    if path.suffix != ENDING or path.name == ENDING:
        raise UsageError(f"-o must name a file that ends in {ENDING}, as a trace in JSON Lines does, got '{path}'")
    facts_path = path.with_name(path.name.removesuffix(ENDING) + FACTS)
    for each in (path, facts_path):
        if each.is_dir():  # found out now, not when all is recorded
            raise UsageError(f"{each}: cannot be written: is a directory")
    now_ms = time.time_ns() // 1_000_000
    asked = Asked(
        since=args.since,
        until=args.until or "now",
        since_ms=_at(args.since, now_ms),
        until_ms=now_ms if args.until is None else min(now_ms, _at(args.until, now_ms)),
    )
    if asked.since_ms >= asked.until_ms:
        raise UsageError(f"--since {asked.since} is not before the end, --until {asked.until}")
    client = _client(args, Command.RECORD)
    try:
        with Bar() as bar:
            recording, journal = record(client, args.live_queue, asked, output=path, progress=bar.show)
    except (KeyboardInterrupt, LiveError):
        if journal_of(path).exists():
            output.note(f"what was learnt is kept in {journal_of(path)}; the same command goes on from there")
        raise
    output.save_all(
        [
            (path, encode_trace(recording.trace, folder=path.parent)),
            (facts_path, (msgspec.json.encode(facts) + b"\n" for facts in recording.facts)),
        ]
    )
    journal.remove()
    _tell(recording)
    return GOOD


def take_snapshot(args: argparse.Namespace) -> int:
    """Show who holds what."""
    from quota_constructs.live.operations import Command
    from quota_constructs.live.snapshot import take_snapshot
    from quota_constructs.live.snapshot_report import encode_snapshot, snapshot_text

    snapshot = take_snapshot(_client(args, Command.SNAPSHOT), args.live_queue)
    if args.format == "json":
        output.write([encode_snapshot(snapshot)])
    else:
        output.write_text(snapshot_text(snapshot, output.screen()))
    return GOOD


def find_drift(args: argparse.Namespace) -> int:
    """Compare, and write what is not the same."""
    from quota_constructs.live.drift import find_drift
    from quota_constructs.live.drift_report import drift_text, encode_drift
    from quota_constructs.live.operations import Command

    system, settings = _declared(args)
    queue = _deployed_name(args, settings)
    drifts = find_drift(_client(args, Command.DRIFT), system, settings, queue)
    if args.format == "json":
        output.write([encode_drift(queue, drifts)])
    else:
        output.write_text(drift_text(queue, drifts, output.screen()))
    return FOUND_ERRORS if drifts else GOOD


def run_preflight(args: argparse.Namespace) -> int:
    """Say what a deployment would do."""
    from quota_constructs.live.operations import Command
    from quota_constructs.live.preflight import preflight
    from quota_constructs.live.preflight_report import encode_preflight, preflight_text

    system, settings = _declared(args)
    _deployed_name(args, settings)
    found = preflight(_client(args, Command.PREFLIGHT), system, settings, args.deployed)
    if args.format == "json":
        output.write([encode_preflight(found)])
    else:
        output.write_text(preflight_text(found, output.screen()))
    return FOUND_ERRORS if found.has_hits else GOOD


def _tell(recording: Recording) -> None:
    """Say what became of the jobs."""
    from quota_constructs.printable import plural

    output.note(f"{plural(len(recording.trace.jobs), 'job')} recorded")
    for what, reasons in (("dropped", recording.dropped), ("altered", recording.altered)):
        for reason, count in reasons.items():
            output.note(f"{what} {plural(count, 'job')}: {reason}")


def _add_queue(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("live_queue", metavar="QUEUE", help="the name or ARN of a quota-managed job queue")


def _add_deployed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--deployed",
        metavar="QUEUE",
        action=options.Once,
        help="the name or ARN of the deployed queue, where the template leaves it to CloudFormation or changes it",
    )


def _add_access(parser: argparse.ArgumentParser) -> None:
    access = parser.add_argument_group("which account is asked, as boto3 finds it unless it is said here")
    access.add_argument("--region", metavar="REGION", action=options.Once, help="the AWS Region")
    access.add_argument("--profile", metavar="NAME", action=options.Once, help="the profile of the AWS configuration")
    access.add_argument(
        "--endpoint-url",
        metavar="URL",
        action=options.Once,
        type=_url,
        help="where the service answers, for a private endpoint or a test",
    )


def _client(args: argparse.Namespace, command: Command) -> Client:
    from quota_constructs.live.client import Access, Client

    return Client(command, Access(region=args.region, profile=args.profile, endpoint_url=args.endpoint_url))


def _declared(args: argparse.Namespace) -> tuple[System, QueueSettings]:
    from pathlib import Path

    from quota_constructs.evaluator.inputs import read_queue
    from quota_constructs.evaluator.template.settings import read_settings

    path, parameters = Path(args.template), options.parameters(args.parameters)
    system = read_queue(path, parameters=parameters, queue=args.queue, tell=output.note)
    return system, read_settings(system, path, parameters=parameters)


def _deployed_name(args: argparse.Namespace, settings: QueueSettings) -> str:
    """Return what the deployed queue is called, or refuse to guess it."""
    from quota_constructs.errors import UsageError

    name: str | None = args.deployed or settings.name
    if name is None:
        raise UsageError(
            "the template leaves the queue's name to CloudFormation; say with --deployed what the queue is called"
        )
    return name


def _moment(text: str) -> str:
    """Return *text* if it says a moment."""
    try:
        _at(text, 0)
    except ValueError:
        raise argparse.ArgumentTypeError(
            "must be days, hours or minutes, such as 14d, 36h or 90m, or a moment in UTC, such as 2026-11-01, "
            f"got {text!r}"
        ) from None
    return text


def _at(text: str, now_ms: int) -> int:
    """Return the moment that *text* says, in milliseconds since 1970; raise `ValueError` if it says none."""
    from datetime import UTC, datetime

    if re.fullmatch("[1-9][0-9]{0,4}[dhm]", text):
        return now_ms - int(text[:-1]) * _UNITS_MS[text[-1]]
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?", text):
        raise ValueError(text)
    return int(datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=UTC).timestamp()) * 1000


def _url(text: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9.\[\]:_-]+(?:/[!-~]*)?", text):
        raise argparse.ArgumentTypeError(f"must be a URL such as https://batch.eu-west-1.amazonaws.com, got {text!r}")
    return text
