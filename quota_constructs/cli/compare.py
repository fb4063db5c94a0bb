"""`quota-constructs compare`: the declared arrangement beside others on the same traces; who gains and who pays."""

from __future__ import annotations

from quota_constructs.cli import formats, options, output
from quota_constructs.cli.exits import GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from quota_constructs.evaluator.comparison import Comparison
    from quota_constructs.evaluator.report.screen import Screen

NAME = "compare"
HELP = "Run traces or scenarios under the declared arrangement and under others, and show who gains and who pays."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    options.add_shared_options(parser, any_number_of_traces=True, scenarios=True)
    parser.add_argument(
        "--with",
        metavar="TEMPLATE",
        dest="bases",
        action="append",
        default=[],
        help="another template or cloud assembly to compare with, besides a partition and a pool of the same shares, "
        "such as what is deployed; may be repeated",
    )
    formats.add_formats(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare, and write what came of it."""
    from pathlib import Path

    from quota_constructs.evaluator.side_by_side import compare_path
    from quota_constructs.evaluator.traces import UnknownShares

    comparisons = list(  # all of them before the first word is written: a later trace may be unusable
        compare_path(
            Path(args.template),
            traces=[Path(trace) for trace in args.traces],
            scenarios=args.scenarios,
            bases=[Path(base) for base in args.bases],
            assumptions=options.assumptions(args),
            parameters=options.parameters(args.parameters),
            queue=args.queue,
            objectives=options.objectives(args),
            unknown_shares=UnknownShares(args.unknown_shares),
            tell=output.note,
        )
    )
    formats.publish(args, lambda form, screen: _render(form, screen, comparisons))
    return GOOD


def _render(form: str, screen: Screen, comparisons: Sequence[Comparison]) -> str | bytes:
    from pathlib import Path

    if form == "json":
        from quota_constructs.evaluator.report.comparison_json import encode_comparisons

        return b"".join(encode_comparisons(comparisons))
    if form == "markdown":
        from quota_constructs.evaluator.report.comparison_markdown import comparison_markdown

        return comparison_markdown(comparisons)
    if form == "sarif":
        from quota_constructs.evaluator.report.comparison_sarif import encode_comparison_sarif

        return encode_comparison_sarif(comparisons, root=Path.cwd())
    if form == "junit":
        from quota_constructs.evaluator.report.comparison_junit import encode_comparison_junit

        return encode_comparison_junit(comparisons)
    from quota_constructs.evaluator.report.comparison_text import comparison_text

    return comparison_text(comparisons, screen)
