"""As much of a runner as it takes to run the steps of `action.yml` without one: expressions, environment, outputs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml

from tests.action.repositories import GIT
from tests.pages import ROOT

BIN = Path(sys.executable).parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@dataclass
class Job:
    """One run of the action."""

    code: int = 0
    log: str = ""
    summary: str = ""
    steps: dict[str, dict[str, str]] = field(default_factory=dict[str, "dict[str, str]"])
    outputs: dict[str, str] = field(default_factory=dict[str, str])


def run_action(
    repository: Path,
    temporary: Path,
    inputs: Mapping[str, str],
    *,
    event: Mapping[str, object],
    environment: Mapping[str, str] | None = None,
) -> Job:
    """Run the steps in *repository*, until one fails, with *inputs* and their defaults."""
    temporary.mkdir(exist_ok=True)
    job = Job()
    github = {"action_path": str(ROOT), "event": event, "token": "secret"}
    context: dict[str, Any] = {"github": github, "steps": {}, "inputs": {}}
    defaults = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
    context["inputs"] = {name: _filled(value, context) for name, value in {**defaults, **inputs}.items()}
    summary = temporary / "summary.md"
    for number, step in enumerate(ACTION["runs"]["steps"]):
        if "if" in step and not _value(step["if"], context):
            continue
        output = temporary / f"output-{number}"
        output.touch()
        given = {name: _filled(text, context) for name, text in step.get("env", {}).items()}
        runners = {"RUNNER_TEMP": temporary, "GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": summary}
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # noqa: S607 - as a runner does
            cwd=repository,
            env={
                **GIT,
                "PATH": f"{BIN}:{GIT['PATH']}",
                "GITHUB_REF": "refs/heads/main",
                "GITHUB_SHA": "",
                **(environment or {}),
                **{name: str(path) for name, path in runners.items()},
                **given,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        job.log += run.stdout
        job.code = run.returncode
        if "id" in step:
            outputs = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
            context["steps"][step["id"]] = {"outputs": outputs}
            job.steps[step["id"]] = outputs
        if run.returncode:
            break
    job.outputs = {name: _filled(each["value"], context) for name, each in ACTION["outputs"].items()}
    job.summary = summary.read_text(encoding="utf-8") if summary.exists() else ""
    return job


def _filled(text: str, context: Mapping[str, Any]) -> str:
    """Return *text* with the values of its expressions."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(_value(found[1], context) or ""), str(text))


def _value(expression: str, context: Mapping[str, Any]) -> object:
    """Return the value of `a.b`, `a.b == 'text'`, and of such with `&&` or with `||` between them."""
    if "||" in expression:
        return next((found for each in expression.split("||") if (found := _value(each, context))), "")
    if "&&" in expression:
        return all(_value(each, context) for each in expression.split("&&"))
    name, equals, text = expression.partition("==")
    value: object = context
    for key in name.strip().split("."):
        value = cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
    return value == text.strip().strip("'") if equals else value
