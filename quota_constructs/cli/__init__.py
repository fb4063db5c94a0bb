"""
The command line: parse, call, print, exit.

What a command needs is imported when the command runs, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import os
import sys

from quota_constructs.cli.exits import BAD_INPUT, BROKEN_PIPE, INTERRUPTED, OUR_FAULT
from quota_constructs.cli.output import complain
from quota_constructs.cli.parser import new_parser
from quota_constructs.errors import InputError, QuotaConstructsError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from collections.abc import Sequence

DEBUG = "QUOTA_CONSTRUCTS_DEBUG"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that *argv* states, by default the process's own arguments, and return the exit code."""
    debug = bool(os.environ.get(DEBUG))
    if not sys.stdout:  # closed by the caller
        complain("error: there is no standard output to write to")
        return BAD_INPUT
    try:
        args = new_parser().parse_args(argv)
        debug = debug or args.debug
        code: int = args.run(args)
    except BrokenPipeError:  # whoever reads the output has seen enough
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (InputError, OSError) as error:
        complain(f"error: {error}")
        return BAD_INPUT
    except Exception as error:  # noqa: BLE001 - the last resort: no user should see a traceback
        if debug:
            sys.excepthook(type(error), error, error.__traceback__)
        name = "" if isinstance(error, QuotaConstructsError) else f"{type(error).__name__}: "
        complain(
            f"internal error: {name}{error}; this is a fault of quota-constructs: "
            f"please report it with the command, its input, and what {DEBUG}=1 adds"
        )
        return OUR_FAULT
    return code
