"""The commands and what they share."""

from __future__ import annotations

import argparse
import os

from quota_constructs import __version__
from quota_constructs.cli import agreement, check, compare, explain, live, options, review, simulate, trace
from quota_constructs.cli.exits import HELP
from quota_constructs.cli.output import PIPED_WIDTH, write_text
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from typing import NoReturn

DESCRIPTION = "Say what an AWS Batch quota-share arrangement will do before it is deployed, offline."


class _Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, and leaves exiting to its caller."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: object = None) -> None:
        """Write help or version as any other result: argparse itself would not notice that it cannot be written."""
        del file
        write_text(message)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Lays help out as argparse does, without its detour by `shutil`, which loads three compression libraries."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width() - 2)


def _width() -> int:
    try:
        return os.get_terminal_size().columns or PIPED_WIDTH
    except OSError:
        return PIPED_WIDTH


def new_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; each command sets `run`, which takes the parsed arguments."""
    parser = _Parser(
        prog="quota-constructs",
        description=DESCRIPTION,
        epilog=HELP,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"quota-constructs {__version__}")
    parser.add_argument("--debug", action="store_true", help=options.DEBUG_HELP)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (simulate, check, compare, review, agreement, trace, live, explain):
        command.add_options(
            commands.add_parser(
                command.NAME,
                help=command.HELP,
                description=command.HELP,
                epilog=HELP,
                formatter_class=_Formatter,
                allow_abbrev=False,
            )
        )
    return parser
