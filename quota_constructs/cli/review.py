"""`quota-constructs review`: what the head of a pull request changes of its base, for whom, and whether it passes."""

from __future__ import annotations

from quota_constructs.cli import formats, options, output
from quota_constructs.cli.exits import FOUND_ERRORS, GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from quota_constructs.evaluator.findings.finding import Severity
    from quota_constructs.evaluator.report.screen import Screen
    from quota_constructs.evaluator.review.review import Review

NAME = "review"
HELP = "Say what a change of policy changes: what is declared, what running jobs lose, who waits longer, what is found."
FAIL_ON = ("error", "warning", "note", "never")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    sides = parser.add_argument_group("what is compared")
    sides.add_argument(
        "--base",
        metavar="PATH",
        action=options.Once,
        help="what is there now: a CloudFormation template, a cloud assembly (cdk.out), or what 'check --format json' "
        "wrote; beside --base-ref, where it is in that commit (default: as --head)",
    )
    sides.add_argument(
        "--base-ref",
        metavar="REF",
        action=options.Once,
        help="the commit, branch or tag in which git has the base; an app has to be synthesized instead",
    )
    sides.add_argument(
        "--base-name",
        metavar="NAME",
        action=options.Once,
        help="what the base is called in all that is written (default: its path, as it is given)",
    )
    sides.add_argument("--head", metavar="PATH", required=True, action=options.Once, help="what is to be, likewise")
    options.add_shared_options(parser, any_number_of_traces=True, scenarios=True, template=False)
    options.add_judging(parser)
    formats.add_formats(parser)
    parser.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default=FAIL_ON[0],
        help="how grave a new finding that nobody accepted must be to end with 1 (default: %(default)s)",
    )
    parser.set_defaults(run=run, sensitivity=False)


def run(args: argparse.Namespace) -> int:
    """Review, and write what came of it."""
    from pathlib import Path

    from quota_constructs.errors import UsageError
    from quota_constructs.evaluator.findings.finding import Severity

    head = Path(args.head)
    if args.base_ref is not None:
        from quota_constructs.cli.git_base import checked_out

        path = head if args.base is None else Path(args.base)
        with checked_out(args.base_ref, path) as base:
            review = _review(args, base, head, called=args.base_name or f"{path} at {args.base_ref}")
    elif args.base is not None:
        review = _review(args, Path(args.base), head, called=args.base_name)
    else:
        raise UsageError("nothing to compare with: give --base PATH, or --base-ref REF for what git has")
    fail_on = None if args.fail_on == "never" else Severity(args.fail_on)
    formats.publish(args, lambda form, screen: _render(form, screen, review, fail_on))
    return FOUND_ERRORS if review.failing(fail_on) else GOOD


def _review(args: argparse.Namespace, base: Path, head: Path, *, called: str | None) -> Review:
    from pathlib import Path

    from quota_constructs.errors import UsageError
    from quota_constructs.evaluator.recorded import is_recorded
    from quota_constructs.evaluator.reviewing import Judging, Reading, review_paths, review_recorded
    from quota_constructs.evaluator.shared_load import Load
    from quota_constructs.evaluator.traces import UnknownShares

    judging = Judging(
        suppressions=None if args.suppressions is None else Path(args.suppressions),
        today=args.today,
        sensitivity=args.sensitivity,
    )
    recorded = [path for path in (base, head) if is_recorded(path)]
    if len(recorded) == 1:
        raise UsageError(f"{recorded[0]}: is the result of a check; give two of them, or two templates")
    if recorded:
        for option, value in (
            ("--trace", args.traces),
            ("--scenario", args.scenarios),
            ("--queue", args.queue),
            ("--base-name", args.base_name),
        ):
            if value:
                raise UsageError(f"{option} has no use beside two results of checks: nothing is read or run again")
        return review_recorded(base, head, judging)
    return review_paths(
        base,
        head,
        base_called=called,
        reading=Reading(
            parameters=options.parameters(args.parameters), queue=args.queue, objectives=options.objectives(args)
        ),
        load=Load(
            traces=[Path(trace) for trace in args.traces],
            scenarios=args.scenarios,
            assumptions=options.assumptions(args),
            unknown_shares=UnknownShares(args.unknown_shares),
        ),
        judging=judging,
        tell=output.note,
    )


def _render(form: str, screen: Screen, review: Review, fail_on: Severity | None) -> str | bytes:
    from pathlib import Path

    if form == "json":
        from quota_constructs.evaluator.report.review_json import encode_review

        return encode_review(review, fail_on=fail_on)
    if form == "markdown":
        from quota_constructs.evaluator.report.review_markdown import review_markdown

        return review_markdown(review, fail_on=fail_on)
    if form == "sarif":
        from quota_constructs.evaluator.report.review_sarif import encode_review_sarif

        return encode_review_sarif(review, root=Path.cwd())
    if form == "junit":
        from quota_constructs.evaluator.report.review_junit import encode_review_junit

        return encode_review_junit(review, fail_on=fail_on)
    from quota_constructs.evaluator.report.review_text import review_text

    return review_text(review, screen, fail_on=fail_on)
