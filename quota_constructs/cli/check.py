"""`quota-constructs check`: what is wrong with an arrangement, by itself and on traces."""

from __future__ import annotations

from quota_constructs.cli import formats, options, output
from quota_constructs.cli.exits import FOUND_ERRORS, GOOD

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from quota_constructs.evaluator.contested_hours import ContestedHours
    from quota_constructs.evaluator.findings.finding import Finding
    from quota_constructs.evaluator.outcome import Evaluation
    from quota_constructs.evaluator.report.screen import Screen
    from quota_constructs.evaluator.system import System

    _Run = tuple[str, ContestedHours | None]

NAME = "check"
HELP = "Find what is wrong with the queues of a template or cloud assembly, by themselves and under contention."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    options.add_shared_options(parser, any_number_of_traces=True, scenarios=True)
    options.add_judging(parser)
    formats.add_formats(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check, and write the findings."""
    from pathlib import Path

    from quota_constructs.evaluator.contested_hours import contested_hours
    from quota_constructs.evaluator.evaluation import check_systems
    from quota_constructs.evaluator.inputs import queues_to_check
    from quota_constructs.evaluator.traces import UnknownShares

    traces, parameters = [Path(trace) for trace in args.traces], options.parameters(args.parameters)
    systems = queues_to_check(
        Path(args.template),
        traces=traces,
        parameters=parameters,
        queue=args.queue,
        objectives=options.objectives(args),
        tell=output.note,
    )
    drawn = formats.wants(args, "markdown")
    runs: list[_Run] = []

    def watch(run: Evaluation) -> None:
        runs.append((run.trace.name, contested_hours(run) if drawn else None))

    findings = check_systems(
        systems,
        traces=traces,
        scenarios=args.scenarios,
        assumptions=options.assumptions(args),
        parameters=parameters,
        queue=args.queue,
        unknown_shares=UnknownShares(args.unknown_shares),
        suppressions=None if args.suppressions is None else Path(args.suppressions),
        today=args.today,
        sensitivity=args.sensitivity,
        tell=output.note,
        watch=watch,
    )
    formats.publish(args, lambda form, screen: _render(form, screen, findings, systems, runs))
    return FOUND_ERRORS if any(finding.fails for finding in findings) else GOOD


def _render(
    form: str, screen: Screen, findings: Sequence[Finding], systems: Sequence[System], runs: Sequence[_Run]
) -> str | bytes:
    from pathlib import Path

    if form == "json":
        from quota_constructs.evaluator.report.findings_json import encode_findings

        return encode_findings(findings, systems)
    if form == "markdown":
        from quota_constructs.evaluator.report.findings_markdown import Basis, findings_markdown
        from quota_constructs.evaluator.report.mermaid import contested_charts

        basis = Basis(
            queues=[system.name for system in systems], traces=list(dict.fromkeys(trace for trace, _ in runs))
        )
        charts = contested_charts(contested for _, contested in runs if contested is not None)
        return findings_markdown(findings, basis, charts=charts)
    if form == "sarif":
        from quota_constructs.evaluator.report.findings_sarif import encode_sarif

        return encode_sarif(findings, run=NAME, root=Path.cwd())
    if form == "junit":
        from quota_constructs.evaluator.report.findings_junit import encode_junit

        return encode_junit(findings, run=NAME)
    from quota_constructs.evaluator.report.findings_text import findings_text

    return findings_text(findings, screen)
