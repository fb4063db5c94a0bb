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

NAME = "live"
READ_ONLY = "Read-only: nothing is changed in the account."
HELP = f"Ask AWS Batch what is deployed and what runs. {READ_ONLY}"
SNAPSHOT_HELP = f"Show who holds what of a queue: allocated, used, borrowed, lent and idle. {READ_ONLY}"
DRIFT_HELP = f"Compare what is deployed with what is declared, property by property. {READ_ONLY}"
PREFLIGHT_HELP = f"Say what a deployment would do to the jobs that are there now. {READ_ONLY}"


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

    from quota_constructs.evaluator.evaluation import read_queue
    from quota_constructs.evaluator.template.settings import read_settings

    path, parameters = Path(args.template), options.parameters(args.parameters)
    system = read_queue(path, parameters=parameters, queue=args.queue, tell=output.note)
    return system, read_settings(system.source, path, parameters=parameters)


def _deployed_name(args: argparse.Namespace, settings: QueueSettings) -> str:
    """Return what the deployed queue is called, or refuse to guess it."""
    from quota_constructs.errors import UsageError

    name: str | None = args.deployed or settings.name
    if name is None:
        raise UsageError(
            "the template leaves the queue's name to CloudFormation; say with --deployed what the queue is called"
        )
    return name


def _url(text: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9.\[\]:_-]+(?:/[!-~]*)?", text):
        raise argparse.ArgumentTypeError(f"must be a URL such as https://batch.eu-west-1.amazonaws.com, got {text!r}")
    return text
