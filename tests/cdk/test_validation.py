import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest

from quota_constructs import (
    QuotaManagedJobQueue,
    QuotaPolicyValidation,
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
)
from quota_constructs.constructs import validation
from quota_constructs.errors import ConfigurationError
from quota_constructs.evaluator import evaluation as evaluator
from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing
from quota_constructs.evaluator.system import Source

SHARE_ABOVE_ENVIRONMENT = "QC103"
LENDS_TO_NOBODY = "QC105"
NEVER_STARTS = "QC301"


@pytest.fixture
def app(tmp_path: Path) -> cdk.App:
    return cdk.App(outdir=str(tmp_path / "cdk.out"))


def declare(scope: cdk.App | cdk.Stage, *, capacity: float = 1, sharing: ResourceSharing | None = None) -> QuotaShare:
    """Declare the share `research`, on an environment of two instances."""
    stack = cdk.Stack(scope, "Stack")
    environment = ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 2})
    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
    queue.add_quota_share("other", capacity={"ml.g5.xlarge": 1})
    return queue.add_quota_share("research", capacity={"ml.g5.xlarge": capacity}, sharing=sharing)


def register(scope: cdk.App | cdk.Stage, *, traces: Sequence[Path | str] = ()) -> None:
    cdk.Validations.of(scope).add_plugins(QuotaPolicyValidation(traces=traces))


def write_trace(folder: Path, *jobs: Mapping[str, object]) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("".join(f"{json.dumps(job)}\n" for job in jobs), encoding="utf-8")
    return path


def reports_of(app: cdk.App) -> list[dict[str, Any]]:
    """Return what plugins had to say, from the CDK's own report."""
    reports: list[dict[str, Any]] = json.loads(
        (Path(app.outdir) / "validation-report.json").read_text(encoding="utf-8")
    )["pluginReports"]
    return reports


def report_of(app: cdk.App) -> dict[str, Any]:
    (ours,) = reports_of(app)
    assert ours["pluginName"] == "quota-constructs"
    return ours


def serious_in(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Leave out what merely informs."""
    return [violation for violation in report["violations"] if violation["severity"] != "info"]


def rules_in(report: dict[str, Any], kind: str = "violations") -> list[str]:
    return [violation["ruleName"] for violation in report[kind]]


def test_a_good_arrangement_passes_with_notes_at_most(app: cdk.App) -> None:
    declare(app)
    register(app)

    app.synth()

    report = report_of(app)
    assert (report["conclusion"], serious_in(report)) == ("success", [])


def test_fails_the_synthesis_for_an_error_and_says_where_and_what_to_do(app: cdk.App, tmp_path: Path) -> None:
    declare(app)
    trace = write_trace(tmp_path, {"id": "big", "share": "research", "submit": 0, "duration": 60, "instance_count": 2})
    register(app, traces=[trace])

    with pytest.raises(RuntimeError, match="ValidationFailed") as failed:
        app.synth()

    (violation,) = [each for each in serious_in(report_of(app)) if each["severity"] == "error"]
    (place,) = violation["violatingConstructs"]
    assert violation["ruleName"] == NEVER_STARTS
    assert violation["severity"] == "error"
    assert violation["ruleMetadata"]["share"] == "research"
    assert place["constructPath"] == "Stack/Queue/research/Resource"
    assert place["cloudFormationResource"]["propertyPaths"] == ["Properties.CapacityLimits"]
    shown = str(failed.value)
    assert violation["description"] in shown
    assert f"Suggested fix: {violation['suggestedFix']}" in shown
    assert f"Acknowledge with 'quota-constructs::{NEVER_STARTS}'" in shown


@pytest.mark.parametrize("sensitivity", [True, False])
def test_a_finding_says_what_it_hangs_on_where_that_is_asked(
    app: cdk.App, tmp_path: Path, *, sensitivity: bool
) -> None:
    declare(app)
    trace = write_trace(tmp_path, {"id": "big", "share": "research", "submit": 0, "duration": 60, "instance_count": 2})
    plugin = QuotaPolicyValidation(traces=[trace], sensitivity=sensitivity)
    cdk.Validations.of(app).add_plugins(plugin)

    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()

    (violation,) = [each for each in serious_in(report_of(app)) if each["severity"] == "error"]
    assert ("(holds under all 30 combinations of assumptions)" in violation["description"]) is sensitivity


def test_a_warning_is_shown_and_passes(app: cdk.App) -> None:
    declare(app, sharing=ResourceSharing.lend())
    register(app)

    app.synth()

    report = report_of(app)
    assert report["conclusion"] == "success"
    assert [(each["ruleName"], each["severity"]) for each in serious_in(report)] == [(LENDS_TO_NOBODY, "warning")]


def test_a_note_is_shown_and_passes(app: cdk.App, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(app)
    register(app)
    note = Finding(
        rule_id=NEVER_STARTS,
        severity=Severity.NOTE,
        source=Source(template="Stack.template.json", logical_id="Elsewhere"),
        property_path="Properties",
        message="a remark",
        fix="none needed",
        queue="queue",
    )

    def find_note(*_: object, **__: object) -> tuple[Finding, ...]:
        return (note,)

    monkeypatch.setattr(validation, "check_path", find_note)

    app.synth()

    report = report_of(app)
    assert (report["conclusion"], report["violations"][0]["severity"]) == ("success", "info")


def test_an_acknowledged_error_passes(app: cdk.App, tmp_path: Path) -> None:
    share = declare(app)
    job = {"id": "big", "share": "research", "submit": 0, "duration": 60, "instance_count": 2}
    register(app, traces=[write_trace(tmp_path, job)])
    cdk.Validations.of(share).acknowledge(
        cdk.Acknowledgment(id=f"quota-constructs::{NEVER_STARTS}", reason="it is split by hand")
    )

    app.synth()

    report = report_of(app)
    assert report["conclusion"] == "success"
    assert rules_in(report, "suppressedViolations") == [NEVER_STARTS]


def test_fails_for_one_error_beside_an_acknowledged_one(app: cdk.App, tmp_path: Path) -> None:
    share = declare(app)
    register(
        app,
        traces=[
            write_trace(
                tmp_path,
                {"id": "big", "share": "research", "submit": 0, "duration": 60, "instance_count": 2},
                {"id": "large", "share": "other", "submit": 0, "duration": 60, "instance_count": 2},
            )
        ],
    )
    cdk.Validations.of(share).acknowledge(
        cdk.Acknowledgment(id=f"quota-constructs::{NEVER_STARTS}", reason="it is split by hand")
    )

    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()

    (left,) = [each for each in serious_in(report_of(app)) if each["severity"] == "error"]
    assert left["ruleMetadata"]["share"] == "other"


@pytest.mark.parametrize("trace", ["week.jsonl", Path("week.jsonl")])
def test_fails_for_one_trace_that_is_not_in_a_list(trace: Any) -> None:  # noqa: ANN401 - a text is a sequence of texts
    with pytest.raises(ConfigurationError, match=r"'traces' must be a list of paths, got the path 'week\.jsonl'"):
        QuotaPolicyValidation(traces=trace)


@pytest.mark.parametrize(
    ("scenarios", "message"),
    [
        pytest.param("big-gang", "'scenarios' must be a list of names, got the name 'big-gang' itself", id="one name"),
        pytest.param(["lunch"], "'scenarios' must be of owner-returns, .*, got 'lunch'", id="an unknown one"),
    ],
)
def test_fails_for_scenarios_that_there_are_not(scenarios: Sequence[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        QuotaPolicyValidation(scenarios=scenarios)


@pytest.mark.parametrize(
    ("scenarios", "shown_on"),
    [
        pytest.param(None, {"owner-returns", "everyone-at-once", "big-gang", "steady-week"}, id="the usual ones"),
        pytest.param((), set[str](), id="none"),
        pytest.param(["limits-lowered"], {"limits-lowered"}, id="those named"),
    ],
)
def test_scenarios_are_run_where_there_is_no_trace(
    app: cdk.App, scenarios: Sequence[str] | None, shown_on: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(app)
    played: set[str] = set()

    def note_the_trace(evaluation: Evaluation) -> tuple[Finding, ...]:
        played.add(evaluation.trace.name)
        return ()

    monkeypatch.setattr(evaluator, "check_outcome", note_the_trace)
    cdk.Validations.of(app).add_plugins(QuotaPolicyValidation(scenarios=scenarios))

    app.synth()

    assert played == shown_on


def test_every_rule_can_be_acknowledged_by_its_id() -> None:
    plugin = QuotaPolicyValidation()

    ids = [plugin.name, *(plugin.rule_ids or [])]

    assert ids == ["quota-constructs", *RULES]
    assert not [each for each in ids if "::" in each]


def test_an_app_whose_queue_lives_elsewhere_passes(app: cdk.App) -> None:
    stack = cdk.Stack(app, "Shares")
    queue = QuotaManagedJobQueue.from_job_queue_name(stack, "Queue", "elsewhere")
    QuotaShare(stack, "research", job_queue=queue, capacity={"ml.g5.xlarge": 1})
    register(app)

    app.synth()

    assert not [violation for report in reports_of(app) for violation in report["violations"]]


def test_queues_of_all_stages_are_looked_at(app: cdk.App) -> None:
    for name in ("Development", "Production"):
        declare(cdk.Stage(app, name), sharing=ResourceSharing.lend())
    register(app)

    app.synth()

    places = [violation["violatingConstructs"][0]["constructPath"] for violation in serious_in(report_of(app))]
    assert places == ["Development/Stack/Queue/research/Resource", "Production/Stack/Queue/research/Resource"]


def test_one_stage_can_be_looked_at_alone(app: cdk.App) -> None:
    stages = [cdk.Stage(app, name) for name in ("Development", "Production")]
    for stage in stages:
        declare(stage, sharing=ResourceSharing.lend())
    register(stages[1])

    app.synth()

    (violation,) = serious_in(report_of(app))
    assert violation["violatingConstructs"][0]["constructPath"] == "Production/Stack/Queue/research/Resource"


def test_a_share_in_another_stack_than_its_queue_is_found(app: cdk.App) -> None:
    platform, teams = cdk.Stack(app, "Platform"), cdk.Stack(app, "Teams")
    environment = ServiceEnvironment(platform, "Environment", capacity={"ml.g5.xlarge": 2})
    queue = QuotaManagedJobQueue(platform, "Queue", service_environment=environment)
    QuotaShare(teams, "research", job_queue=queue, capacity={"ml.g5.xlarge": 2}, sharing=ResourceSharing.lend())
    register(app)

    app.synth()

    (violation,) = serious_in(report_of(app))
    assert violation["violatingConstructs"][0]["constructPath"] == "Teams/research/Resource"


def test_parameters_assumptions_and_the_queue_reach_the_evaluator(
    app: cdk.App, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(app)
    seen: list[dict[str, object]] = []

    def note_what_is_asked(path: Path, **options: object) -> tuple[Finding, ...]:
        seen.append({"path": path, **options})
        seen[-1].pop("tell")
        return ()

    monkeypatch.setattr(validation, "check_path", note_what_is_asked)
    backfill = Assumptions(queueing=Queueing.BACKFILL)
    cdk.Validations.of(app).add_plugins(
        QuotaPolicyValidation(
            traces=["a.jsonl"],
            scenarios=["big-gang"],
            parameters={"Size": "2"},
            assumptions=backfill,
            queue="training",
            suppressions="accepted.toml",
            today=date(2026, 11, 29),
            sensitivity=True,
        )
    )

    app.synth()

    assert seen == [
        {
            "path": Path(app.outdir),
            "allow_none": True,
            "traces": (Path("a.jsonl"),),
            "scenarios": ("big-gang",),
            "parameters": {"Size": "2"},
            "assumptions": backfill,
            "queue": "training",
            "suppressions": Path("accepted.toml"),
            "today": date(2026, 11, 29),
            "sensitivity": True,
        }
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param('{"id": 3', ":1: not JSON", id="no JSON"),
        pytest.param('{"id": "a", "share": "resaerch", "submit": 0, "duration": 1}', "'resaerch'", id="a typo"),
        pytest.param(None, "cannot be read", id="no file"),
    ],
)
def test_fails_for_a_trace_that_cannot_be_used_with_one_line(
    app: cdk.App, tmp_path: Path, lines: str | None, message: str
) -> None:
    declare(app)
    trace = tmp_path / "trace.jsonl"
    if lines is not None:
        trace.write_text(lines, encoding="utf-8")
    register(app, traces=[trace])

    with pytest.raises(RuntimeError, match="ValidationFailed") as failed:
        app.synth()

    (violation,) = report_of(app)["violations"]
    assert violation["ruleName"] == "input-error"
    assert message in violation["description"]
    assert f"FATAL {violation['description']} (quota-constructs)" in str(failed.value).splitlines()[0]
    assert violation["description"].startswith(str(trace))


def test_fails_for_a_fault_of_the_evaluator(app: cdk.App, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise KeyError("lost")

    declare(app)
    register(app)
    monkeypatch.setattr(validation, "check_path", break_down)

    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()

    (violation,) = report_of(app)["violations"]
    assert violation["description"] == "KeyError: 'lost'; this is a fault of quota-constructs: please report it"


def test_what_could_not_be_evaluated_cannot_be_acknowledged(app: cdk.App) -> None:
    declare(app)
    register(app, traces=["nowhere.jsonl"])
    cdk.Validations.of(app).acknowledge(cdk.Acknowledgment(id="quota-constructs::input-error", reason="never mind"))

    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()
