"""One result in several formats at once: one of them for standard output, any number of files."""

from __future__ import annotations

import argparse

from quota_constructs.cli import options, output

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from quota_constructs.evaluator.report.screen import Screen

FORMATS = ("text", "json", "markdown", "sarif", "junit")


def add_formats(parser: argparse.ArgumentParser) -> None:
    """Add in which formats the result is written, and where to."""
    writing = parser.add_argument_group("what is written")
    writing.add_argument(
        "--format",
        choices=FORMATS,
        action=options.Once,
        help="how the result goes to standard output (default: text)",
    )
    writing.add_argument(
        "-o",
        "--output",
        metavar="FORMAT=FILE",
        dest="outputs",
        type=_output,
        action="append",
        default=[],
        help="a file to write besides; FORMAT is one of those of --format; may be repeated",
    )


def wants(args: argparse.Namespace, form: str) -> bool:
    """Whether the result is to be written in the format *form*."""
    return form in (args.format, *(each for each, _ in args.outputs))


def publish(args: argparse.Namespace, render: Callable[[str, Screen], str | bytes]) -> None:
    """
    Write what *render* makes of the result in each format that is asked for: all files or none, then standard output.

    What is text may hold any character; bytes are written as they are.
    """
    from quota_constructs.evaluator.report.screen import Screen

    paper = Screen(width=output.PIPED_WIDTH)
    files = [(path, [_encoded(render(form, paper))]) for form, path in _files(args.outputs)]
    shown = render(args.format or FORMATS[0], output.screen())
    output.save_all(files)
    if isinstance(shown, str):
        output.write_text(shown)
    else:
        output.write([shown])


def _files(outputs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, Path]]:
    import os
    from pathlib import Path

    from quota_constructs.errors import UsageError

    files = [(form, Path(name)) for form, name in outputs]
    for number, (_, path) in enumerate(files):
        if any(os.path.realpath(path) == os.path.realpath(other) for _, other in files[:number]):
            raise UsageError(f"--output names the file {path} twice; give each format a file of its own")
    return files


def _encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content


def _output(text: str) -> tuple[str, str]:
    form, equals, name = text.partition("=")
    if not equals or not name or form not in FORMATS:
        raise argparse.ArgumentTypeError(f"must be FORMAT=FILE with one of {', '.join(FORMATS)}, got {text!r}")
    return form, name
