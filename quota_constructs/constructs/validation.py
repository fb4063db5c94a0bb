"""The CDK policy-validation plugin: what the evaluator finds, in the CDK's own report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import aws_cdk as cdk
import jsii

from quota_constructs import __version__
from quota_constructs.errors import ConfigurationError, QuotaConstructsError
from quota_constructs.evaluator.evaluation import check_path
from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.traces.scenarios import SCENARIOS
from quota_constructs.printable import printable

DEFAULT_ASSUMPTIONS = Assumptions()

_CDK_SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "info"}


@jsii.implements(cdk.IPolicyValidationPlugin)
class QuotaPolicyValidation:
    """
    Evaluates the quota shares of an app whenever it is synthesized; errors fail the synthesis, warnings do not.

    Register it once, on the app or on one stage: `cdk.Validations.of(app).add_plugins(QuotaPolicyValidation())`.
    The CDK command reports on the stacks that it selects, and those of a stage are not selected by themselves: where
    an app has stages, run `cdk synth '**'`.
    A finding that is accepted is acknowledged on the construct that it names, or above it:
    `cdk.Validations.of(share).acknowledge(cdk.Acknowledgment(id="quota-constructs::QC105", reason="..."))`.
    """

    def __init__(
        self,
        *,
        traces: Sequence[Path | str] = (),
        scenarios: Sequence[str] | None = None,
        parameters: Mapping[str, str] | None = None,
        assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
        queue: str | None = None,
        suppressions: Path | str | None = None,
        today: date | None = None,
        sensitivity: bool = False,
    ) -> None:
        """
        Define what to evaluate.

        Args:
            traces: Paths of the contention traces to run against the queue; relative ones start in the directory
                that the app runs in, which is that of its `cdk.json`. Defaults to none.
            scenarios: Names of the scenarios to run against each queue. Defaults to a usual few where there are no
                traces, and to none where there are; `()` looks at what the templates show by themselves.
            parameters: Values of CloudFormation parameters by name. Defaults to those that the templates give.
            assumptions: What to assume where the service's behaviour is not published. Defaults to those of the
                scheduling model.
            queue: The name or logical id of the queue to evaluate, where there are traces and several queues.
                Defaults to all of them.
            suppressions: Path of a TOML file of findings that are accepted, beside those that are acknowledged on
                constructs. Defaults to none.
            today: The day to judge review dates, exceptions and suppressions by, as `datetime.date.today()`. Defaults
                to none: they are not judged, and the same app makes the same report every day.
            sensitivity: Whether to try each finding on a trace under what else could be assumed, and to say on which
                of it the finding depends; what shows only there is added as a note. Takes up to thirty runs of each
                trace. Defaults to False.

        """
        if isinstance(traces, str | os.PathLike):  # a text is a sequence of texts, so no type checker objects
            raise ConfigurationError(f"'traces' must be a list of paths, got the path {str(traces)!r} itself")
        if isinstance(scenarios, str):
            raise ConfigurationError(f"'scenarios' must be a list of names, got the name {scenarios!r} itself")
        unknown = [name for name in scenarios or () if name not in SCENARIOS]
        if unknown:
            raise ConfigurationError(f"'scenarios' must be of {', '.join(SCENARIOS)}, got {unknown[0]!r}")
        self._traces = tuple(map(Path, traces))
        self._scenarios = None if scenarios is None else tuple(scenarios)
        self._parameters = dict(parameters or {})
        self._assumptions = assumptions
        self._queue = queue
        self._suppressions = None if suppressions is None else Path(suppressions)
        self._today = today
        self._sensitivity = sensitivity

    @property
    def name(self) -> str:
        """The first half of the id by which a finding is acknowledged."""
        return "quota-constructs"

    @property
    def version(self) -> str | None:
        """The version of this package."""
        return __version__

    @property
    def rule_ids(self) -> list[str] | None:
        """Every rule that is looked at."""
        return list(RULES)

    def validate(self, context: cdk.IPolicyValidationContext) -> cdk.PolicyValidationPluginReport:
        """Return what is wrong with the templates just written, or why that cannot be said."""
        try:
            notes: list[str] = []
            assembly = Path(os.path.commonpath([Path(path).parent for path in context.template_paths]))
            findings = self._check(assembly, notes.append)
        except (QuotaConstructsError, OSError) as error:
            return _failure(context, "input-error", str(error))
        except Exception as error:  # noqa: BLE001 - the CDK command passes over what a plugin raises, and succeeds
            return _failure(
                context,
                "internal-error",
                f"{type(error).__name__}: {error}; this is a fault of quota-constructs: please report it",
            )
        return cdk.PolicyValidationPluginReport(
            success=not any(finding.fails for finding in findings),
            violations=[_violation(finding) for finding in findings],
            metadata={f"note {number}": printable(note) for number, note in enumerate(notes, 1)} or None,
        )

    def _check(self, assembly: Path, tell: Callable[[str], object]) -> tuple[Finding, ...]:
        return check_path(
            assembly,
            allow_none=True,  # an app may add shares to a queue that lives elsewhere
            traces=self._traces,
            scenarios=self._scenarios,
            assumptions=self._assumptions,
            parameters=self._parameters,
            queue=self._queue,
            suppressions=self._suppressions,
            today=self._today,
            sensitivity=self._sensitivity,
            tell=tell,
        )


def _violation(finding: Finding) -> cdk.PolicyViolation:
    accepted = finding.suppressed_because
    message = finding.message if finding.robustness is None else f"{finding.message} ({finding.robustness.text})"
    return cdk.PolicyViolation(
        rule_name=finding.rule_id,
        description=message if accepted is None else f"suppressed ({printable(accepted)}): {message}",
        fix=finding.fix if accepted is None else None,
        severity=_CDK_SEVERITIES[finding.severity if accepted is None else Severity.NOTE],
        rule_metadata=_metadata(finding),
        violating_resources=[
            cdk.PolicyViolatingResource(
                resource_logical_id=finding.source.logical_id,
                template_path=finding.source.template,
                locations=[finding.property_path.replace("/", ".")],
            )
        ],
    )


def _failure(context: cdk.IPolicyValidationContext, rule: str, message: str) -> cdk.PolicyValidationPluginReport:
    """Return the report of a plugin that could not do its work, which nobody can acknowledge."""
    # The CDK command shows a violation only at a place; releases before 2.255 also ask for a logical id.
    somewhere = cdk.PolicyViolatingResource(
        resource_logical_id="", template_path=context.template_paths[0], locations=[]
    )
    return cdk.PolicyValidationPluginReport(
        success=False,
        violations=[
            cdk.PolicyViolation(
                rule_name=rule,
                description=printable(message),
                severity="fatal",
                violating_resources=[somewhere],
            )
        ],
    )


def _metadata(finding: Finding) -> dict[str, str]:
    """Return what a machine that reads the CDK's report may want besides the message."""
    where = {"queue": finding.queue, "share": finding.share, "trace": finding.trace}
    known = {
        "documentation": RULES[finding.rule_id].documentation,
        **finding.figures,
        **{name: value for name, value in where.items() if value is not None},
    }
    return {name: printable(str(value)) for name, value in known.items()}
