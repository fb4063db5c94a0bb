"""Which lines of Python declare resources, as the cloud assembly notes it and the evaluator reads it."""

import json
import subprocess
import sys
from pathlib import Path

import aws_cdk as cdk
import pytest

from quota_constructs import QuotaManagedJobQueue, ServiceEnvironment
from quota_constructs.evaluator.evaluation import check_path
from quota_constructs.evaluator.inputs import read_queue
from quota_constructs.evaluator.report.findings_sarif import encode_sarif
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template.declarations import declarations_in
from quota_constructs.evaluator.template.values import Node
from quota_constructs.policies.declaration import DECLARATION_KEY, Declaration

HERE = "tests/cdk/test_declared.py"
ROOT = Path(__file__).parents[2]
PROGRAM = """\
import aws_cdk as cdk
from quota_constructs import QuotaManagedJobQueue, ServiceEnvironment

app = cdk.App(outdir="out")
stack = cdk.Stack(app, "Stack")
environment = ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 1})
queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
queue.add_quota_share("a", capacity={"ml.g5.xlarge": 1})
app.synth()
"""


def declare(scope: cdk.Stack) -> None:
    environment = ServiceEnvironment(scope, "Environment", capacity={"ml.g5.xlarge": 1})
    queue = QuotaManagedJobQueue(scope, "Queue", service_environment=environment)
    queue.add_quota_share("a", capacity={"ml.g5.xlarge": 1})


def line_of(text: str) -> int:
    """Return the number of the first line here, or in the program, that begins a statement with *text*."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(f"    {text}"))


@pytest.fixture(params=["stack", "nested stack", "stage", "stack with paths", "nested stack with paths"])
def assembly(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    paths = {"aws:cdk:enable-path-metadata": "with paths" in request.param}  # as the CDK's command asks for
    app = cdk.App(outdir=str(tmp_path / "out"), analytics_reporting=False, context=paths)
    scope = cdk.Stage(app, "Stage") if request.param == "stage" else app
    stack = cdk.Stack(scope, "Stack")
    declare(cdk.NestedStack(stack, "Nested") if "nested" in request.param else stack)
    app.synth()
    return tmp_path / "out"


def places(system: System) -> list[tuple[str | None, int | None]]:
    sources = [system.environment.source, system.source, system.shares[0].source]
    return [(source.declared_at, source.declared_line) for source in sources]


def test_every_resource_has_the_line_that_the_user_wrote(assembly: Path) -> None:
    system = read_queue(assembly)

    assert places(system) == [
        (HERE, line_of("environment = ")),
        (HERE, line_of("queue = ")),
        (HERE, line_of("queue.add_quota_share(")),
    ]


@pytest.mark.parametrize("assembly", ["nested stack"], indirect=True)
def test_code_scanning_is_led_to_the_line(assembly: Path) -> None:
    findings = check_path(assembly, scenarios=())

    results = json.loads(encode_sarif(findings, run="check", root=assembly.parent))["runs"][0]["results"]

    places = [result["locations"][0]["physicalLocation"] for result in results]
    assert {place["artifactLocation"]["uri"] for place in places} == {HERE}
    assert line_of("queue = ") in [place["region"]["startLine"] for place in places]


def test_no_template_holds_a_line_number_or_a_file_s_name(assembly: Path) -> None:
    templates = list(assembly.rglob("*.template.json"))

    assert templates
    assert [path for path in templates if "declared" in path.read_text(encoding="utf-8")] == []


def test_nothing_in_the_assembly_names_a_directory_of_this_machine(assembly: Path) -> None:
    notes = [path.read_text(encoding="utf-8") for path in assembly.rglob("*.metadata.json")]

    assert any(DECLARATION_KEY in text for text in notes)
    assert [text for text in notes if str(ROOT) in text] == []


@pytest.mark.parametrize(
    ("repository", "file"), [pytest.param("project", "infra/app.py", id="git"), pytest.param(None, "app.py", id="none")]
)
def test_places_count_from_the_repository_or_else_from_where_the_app_runs(
    repository: str | None, file: str, tmp_path: Path
) -> None:
    infra = tmp_path / "project" / "infra"
    infra.mkdir(parents=True)
    if repository:
        (tmp_path / repository / ".git").mkdir()
    (infra / "app.py").write_text(PROGRAM, encoding="utf-8")

    subprocess.run([sys.executable, "app.py"], cwd=infra, check=True)

    assert places(read_queue(infra / "out")) == [(file, 6), (file, 7), (file, 8)]


def test_code_outside_the_repository_is_not_named(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "infra").mkdir()
    elsewhere.mkdir()
    (elsewhere / "app.py").write_text(PROGRAM, encoding="utf-8")

    subprocess.run([sys.executable, elsewhere / "app.py"], cwd=tmp_path / "infra", check=True)

    assert places(read_queue(tmp_path / "infra" / "out")) == [(None, None)] * 3


def test_an_id_that_two_resources_share_is_nobody_s() -> None:
    places: tuple[Node, Node] = ({"file": "a.py", "line": 1}, {"file": "a.py", "line": 2})
    metadata: Node = {
        f"/Stack/{number}/Queue": [
            {"type": "aws:cdk:logicalId", "data": "Queue"},
            {"type": DECLARATION_KEY, "data": place},
        ]
        for number, place in enumerate(places)
    }

    declarations = declarations_in(metadata)

    assert declarations.of(None, "Queue") is None
    assert declarations.of("Stack/1/Queue", "Queue") == Declaration(file="a.py", line=2)


def notes_of(assembly: Path) -> Path:
    return next(path for path in assembly.rglob("*.metadata.json") if DECLARATION_KEY in path.read_text("utf-8"))


def noting(assembly: Path, data: object) -> System:
    """Return the queue after every declaration was replaced by *data*."""
    path = notes_of(assembly)
    metadata = json.loads(path.read_text(encoding="utf-8"))
    for entries in metadata.values():
        for entry in entries:
            if entry["type"] == DECLARATION_KEY:
                entry["data"] = data
    path.write_text(json.dumps(metadata), encoding="utf-8")
    return read_queue(assembly)


@pytest.mark.parametrize("assembly", ["stack"], indirect=True)
@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"file": "/etc/passwd", "line": 1}, id="absolute"),
        pytest.param({"file": "../../up.py", "line": 1}, id="up"),
        pytest.param({"file": "a/../../up.py", "line": 1}, id="up in the middle"),
        pytest.param({"file": "", "line": 1}, id="no name"),
        pytest.param({"file": "a\x1b.py", "line": 1}, id="a control character"),
        pytest.param({"file": "a" * 2_000, "line": 1}, id="too long"),
        pytest.param({"file": "a.py", "line": 0}, id="line 0"),
        pytest.param({"file": "a.py", "line": True}, id="no number"),
        pytest.param({"file": "a.py", "line": 10**12}, id="too large a number"),
        pytest.param({"file": ["a.py"], "line": 1}, id="no text"),
        pytest.param("a.py:1", id="no object"),
        pytest.param(None, id="nothing"),
    ],
)
def test_a_note_that_is_no_place_in_a_repository_is_passed_over(assembly: Path, data: object) -> None:
    assert places(noting(assembly, data)) == [(None, None)] * 3


@pytest.mark.parametrize("assembly", ["stack"], indirect=True)
def test_that_the_notes_cannot_be_read_is_told_and_stops_nothing(assembly: Path) -> None:
    notes_of(assembly).write_text("[", encoding="utf-8")
    told: list[str] = []

    system = read_queue(assembly, tell=told.append)

    assert places(system) == [(None, None)] * 3
    assert [line.endswith("which lines of Python declare its resources is not known") for line in told] == [True]
