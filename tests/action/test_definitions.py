"""What a forge reads: valid, pinned, and without anything from outside in a script."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import yaml

from tests.action.runner import ACTION, BIN
from tests.pages import ROOT, blocks_of

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCRIPTS = sorted([*(ROOT / "action").glob("*.sh"), ROOT / ".ci" / "run"])
CI_PAGE = ROOT / "docs" / "ci.md"

EXAMPLES = [block.text for block in blocks_of(CI_PAGE) if block.language == "yaml"]
WORKFLOW_EXAMPLE, SARIF_EXAMPLE, GITLAB_EXAMPLE, HOOK_EXAMPLE, LOCAL_HOOK_EXAMPLE = EXAMPLES


def validate(schema: str, file: Path) -> None:
    run = subprocess.run(
        [BIN / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


def values_of(node: object, key: str) -> Iterator[str]:
    """Yield every text that *node* has under *key*, at any depth."""
    if isinstance(node, list):
        for each in cast("list[object]", node):
            yield from values_of(each, key)
    elif isinstance(node, dict):
        for name, value in cast("dict[object, object]", node).items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from values_of(value, key)


def test_the_action_is_one() -> None:
    validate("github-actions", ROOT / "action.yml")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_a_workflow_is_one(workflow: Path) -> None:
    validate("github-workflows", workflow)


def test_the_workflow_of_the_page_is_one_with_and_without_code_scanning(tmp_path: Path) -> None:
    workflow = tmp_path / "quota-shares.yml"
    for more in ("", SARIF_EXAMPLE):
        indented = "".join(f"      {line}\n" for line in more.splitlines())
        workflow.write_text(f"{WORKFLOW_EXAMPLE}{indented}", encoding="utf-8")

        validate("github-workflows", workflow)


def test_the_pipeline_of_the_page_is_one(tmp_path: Path) -> None:
    pipeline = tmp_path / ".gitlab-ci.yml"
    pipeline.write_text(GITLAB_EXAMPLE, encoding="utf-8")

    validate("gitlab-ci", pipeline)


@pytest.mark.parametrize(
    "definition",
    [
        pytest.param(ACTION, id="action.yml"),
        *(pytest.param(yaml.safe_load(each.read_text(encoding="utf-8")), id=each.name) for each in WORKFLOWS),
        *(pytest.param(yaml.safe_load(each), id=f"example {number}") for number, each in enumerate(EXAMPLES)),
    ],
)
def test_no_script_has_an_expression_in_it_and_every_action_is_pinned(definition: object) -> None:
    assert [script for script in values_of(definition, "run") if "${{" in script] == []
    for used in values_of(definition, "uses"):
        assert re.search(r"@([0-9a-f]{40}|COMMIT)$", used), used


def test_every_step_of_the_action_runs_a_script_that_is_there() -> None:
    for script in values_of(ACTION["runs"], "run"):
        named = re.fullmatch(r'(?:bash|python3 -I) "\$ACTION_PATH/(action/[a-z]+\.(?:sh|py))"', script)
        assert script == 'exit "$EXIT_CODE"' or (named and (ROOT / named[1]).is_file()), script


def test_the_page_names_every_input_and_output_and_no_other() -> None:
    rows = [line.split("|") for line in CI_PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`([a-z-]+)`", row[1])]

    assert sorted(named) == sorted([*ACTION["inputs"], *ACTION["outputs"]])


def test_the_example_gives_the_action_only_what_it_takes() -> None:
    steps = yaml.safe_load(WORKFLOW_EXAMPLE)["jobs"]["review"]["steps"]
    (given,) = (step["with"] for step in steps if step.get("id") == "review")

    assert set(given) <= set(ACTION["inputs"])
    assert {name for name, each in ACTION["inputs"].items() if each.get("required")} <= set(given)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_shellcheck_finds_nothing(script: Path) -> None:
    run = subprocess.run([BIN / "shellcheck", script], capture_output=True, text=True, check=False)

    assert (run.returncode, run.stdout) == (0, "")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_every_script_stops_at_what_fails(script: Path) -> None:
    assert "\nset -euo pipefail\n" in script.read_text(encoding="utf-8")
