"""The arrows of the architecture: who may import whom, and what must never be loaded."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import quota_constructs

PACKAGE = Path(quota_constructs.__file__).parent

# From left to right, as data flows; a name stands for a module or for a folder. A room may use what is left of it.
VALUES = ("errors", "printable", "policies", "evaluator.numbers", "evaluator.system", "evaluator.trace")
PIPELINE = (
    *VALUES,
    "evaluator.template",
    "evaluator.toml_file",
    "evaluator.objectives_file",
    "evaluator.traces",
    "evaluator.demand",
    "evaluator.fitting",
    "evaluator.inputs",
    "evaluator.simulation",
    "evaluator.arrangements",
    "evaluator.contracts",
    "evaluator.metrics",
    "evaluator.outcome",
    "evaluator.contested_hours",
    "evaluator.balance",
    "evaluator.comparison",
    "evaluator.promises",
    "evaluator.findings",
    "evaluator.suppressions_file",
    "evaluator.sensitivity",
    "evaluator.review",
    "evaluator.report",
    "evaluator.evaluation",
    "evaluator.side_by_side",
    "evaluator.recorded",
    "evaluator.shared_load",
    "evaluator.reviewing",
    "cli",
)
APART = {
    "evaluator.traces": ["evaluator.template"],
    "evaluator.simulation": ["evaluator.template", "evaluator.traces"],
}
"""Neighbours that share nothing but the values left of both."""


ALLOWED = {
    room: [name for name in PIPELINE[:place] if name not in APART.get(room, [])] for place, room in enumerate(PIPELINE)
} | {
    "constructs": list(PIPELINE[:-1]),
    "live": list(PIPELINE[:-1]),
    "cli": [*PIPELINE[:-1], "live"],
    "testing": list(PIPELINE[:-1]),
    "pytest_plugin": ["testing"],
}


def sources_of(room: str) -> list[Path]:
    home = PACKAGE.joinpath(*room.split("."))
    return sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]


def imports_of(source: Path) -> Iterator[str]:
    """Yield every module that *source* imports, at the top or inside a function, and each name it takes from one."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom(level=level) if level > 0:
                pytest.fail(f"{source}: imports by whole names only, so that the arrows can be read")
            case _:
                pass


def within(name: str, room: str) -> bool:
    return f"{name}.".startswith(f"{room}.")


def test_every_file_belongs_to_a_room_of_the_drawing() -> None:
    roots = {PACKAGE / "__init__.py", PACKAGE / "__main__.py", PACKAGE / "evaluator" / "__init__.py"}

    drawn = roots.union(*(sources_of(room) for room in ALLOWED))

    assert sorted(set(PACKAGE.rglob("*.py")) - drawn) == []


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_what_is_left_of_it(room: str) -> None:
    sources = sources_of(room)

    own = [
        (source.relative_to(PACKAGE).as_posix(), name.removeprefix("quota_constructs."))
        for source in sources
        for name in imports_of(source)
        if within(name, "quota_constructs") and name != "quota_constructs.__version__"
    ]

    assert sources, f"nothing is left of '{room}'"
    assert [
        (source, name) for source, name in own if not any(within(name, left) for left in [room, *ALLOWED[room]])
    ] == []


@pytest.mark.parametrize("room", PIPELINE)
@pytest.mark.parametrize("foreign", ["aws_cdk", "constructs", "jsii", "boto3", "botocore"])
def test_the_offline_half_names_neither_the_cdk_nor_the_service(room: str, foreign: str) -> None:
    found = [(source, name) for source in sources_of(room) for name in imports_of(source) if within(name, foreign)]

    assert found == []


def test_only_the_command_line_prints_or_exits() -> None:
    calls = [
        f"{source.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        for source in PACKAGE.rglob("*.py")
        if source.relative_to(PACKAGE).parts[0] not in {"cli", "cli.py", "__main__.py"}
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"print", "exit", "quit", "sys.exit"}
    ]

    assert calls == []


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import quota_constructs", id="the package"),
        pytest.param("import quota_constructs.evaluator.evaluation", id="the evaluator"),
        pytest.param("import quota_constructs.cli", id="the command line"),
        pytest.param("from quota_constructs import ResourceSharing, BlockedReason", id="the policies"),
        pytest.param("import quota_constructs.testing", id="the helpers of tests"),
    ],
)
def test_no_node_and_no_network_library_is_loaded_by(code: str) -> None:
    assert modules_loaded_by(code).isdisjoint({"jsii", "aws_cdk", "constructs", "boto3", "botocore"})


def test_asking_the_command_line_for_help_loads_only_the_standard_library() -> None:
    loaded = modules_loaded_by(
        "import contextlib, quota_constructs.cli\n"
        "with contextlib.suppress(SystemExit):\n"
        "    quota_constructs.cli.main(['--help'])"
    )

    assert loaded.isdisjoint({"jsii", "aws_cdk", "constructs", "boto3", "msgspec", "rich", "yaml", "dataclasses"})


def modules_loaded_by(code: str) -> set[str]:
    report = f"{code}\nimport sys\nprint(*sys.modules, sep=' ', file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(run.stderr.split())
