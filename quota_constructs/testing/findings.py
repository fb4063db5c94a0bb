"""Assert that nothing is wrong with what was declared."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from quota_constructs.errors import TraceError, UsageError
from quota_constructs.evaluator.evaluation import check_path
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.findings_text import findings_text
from quota_constructs.evaluator.report.screen import Screen
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.testing.synthesized import Synthesized, on_disk
from quota_constructs.testing.traces import HandmadeTrace

AnyTrace = HandmadeTrace | os.PathLike[str] | str
"""A trace built here, or the file of one."""

DEFAULT_ASSUMPTIONS = Assumptions()


def assert_no_findings(
    template: Synthesized,
    *,
    traces: Sequence[AnyTrace] = (),
    scenarios: Sequence[str] | None = None,
    severity: Severity | str = Severity.WARNING,
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    suppressions: Path | None = None,
    today: date | None = None,
) -> None:
    """
    Fail the test unless the queues of *template* are as they should be; the failure says what is wrong and the way out.

    Args:
        template: A stack, an app or stage, a `Template` of `aws_cdk.assertions`, the document of a template, or the
            path of one or of a cloud assembly. Of a stack, what other stacks add to its queue is not seen: give the
            app.
        traces: Traces to run against the queue, built here or in files. Defaults to none.
        scenarios: Names of the scenarios to run. Defaults to a usual few where there are no traces, and to none where
            there are.
        severity: The least that fails the test: "error", "warning" or "note". Defaults to "warning".
        assumptions: What to assume where the service's behaviour is not published.
        parameters: Values of CloudFormation parameters by name. Defaults to those that the templates give.
        queue: The queue to look at, where there are traces and several queues.
        objectives: A file that says more of what was agreed on than the template. Defaults to none.
        suppressions: A file of findings that are accepted, which fail no test. Defaults to none.
        today: The day by which agreements and suppressions may be overdue. Defaults to no judgement of that, so that
            the test's outcome does not depend on when it is run.

    """
    __tracebackhide__ = True  # for pytest: the line to look at is the test's
    failing = list(Severity)[: _position(severity) + 1]
    findings = findings_of(
        template,
        traces=traces,
        scenarios=scenarios,
        assumptions=assumptions,
        parameters=parameters,
        queue=queue,
        objectives=objectives,
        suppressions=suppressions,
        today=today,
    )
    wrong = [finding for finding in findings if finding.severity in failing and finding.suppressed_because is None]
    if wrong:
        raise AssertionError(f"the quota shares are not as they should be\n\n{findings_text(wrong, Screen()).rstrip()}")


def findings_of(
    template: Synthesized,
    *,
    traces: Sequence[AnyTrace] = (),
    scenarios: Sequence[str] | None = None,
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    parameters: Mapping[str, str] | None = None,
    queue: str | None = None,
    objectives: Path | None = None,
    suppressions: Path | None = None,
    today: date | None = None,
) -> tuple[Finding, ...]:
    """
    Return everything found in *template*, to assert more of it; takes what `assert_no_findings` takes.

    Findings name a template that was synthesized here by its file in the cloud assembly, and a trace that was built
    here by its own name, so that the same code finds the same on every machine.
    """
    if isinstance(traces, str | os.PathLike | HandmadeTrace):
        raise UsageError(f"'traces' must be a list of traces, got '{getattr(traces, 'name', traces)}' itself")
    with ExitStack() as files:
        path = files.enter_context(on_disk(template))
        names: dict[str, str] = {}
        paths = [_trace_file(trace, files, names) for trace in traces]
        try:
            findings = check_path(
                path,
                traces=paths,
                scenarios=scenarios,
                assumptions=assumptions,
                parameters=parameters,
                queue=queue,
                objectives=objectives,
                suppressions=suppressions,
                today=today,
            )
        except TraceError as error:
            raise TraceError(_called(str(error), names)) from None
    made_here = not isinstance(template, str | os.PathLike)
    folder = (path if path.is_dir() else path.parent) if made_here else None
    return tuple(_renamed(finding, folder, names) for finding in findings)


def _position(severity: Severity | str) -> int:
    if severity not in list(Severity):
        raise UsageError(f"'severity' must be one of {', '.join(Severity)}, got {severity!r}")
    return list(Severity).index(Severity(severity))


def _trace_file(trace: AnyTrace, files: ExitStack, names: dict[str, str]) -> Path:
    """Return the file of *trace*; for one that is written only now, *names* learns what it is called."""
    if not isinstance(trace, HandmadeTrace):
        return Path(trace)
    folder = files.enter_context(TemporaryDirectory(prefix="quota-constructs-"))
    path = trace.write(Path(folder))
    names[str(path)] = trace.name
    return path


def _called(text: str, names: Mapping[str, str]) -> str:
    """Return *text* with the traces that were built here called by their own names."""
    for path, name in names.items():
        text = text.replace(path, name)
    return text


def _renamed(finding: Finding, folder: Path | None, names: Mapping[str, str]) -> Finding:
    """Return *finding* without the paths of files that were made for the occasion."""
    source = finding.source
    file = Path(source.template)
    if folder is not None and file.is_relative_to(folder):
        source = replace(source, template=file.relative_to(folder).as_posix())
    trace = finding.trace if finding.trace is None else names.get(finding.trace, finding.trace)
    return replace(finding, source=source, trace=trace)
