"""What docs/ci.md tells to copy runs: GitLab's script line by line, and what pre-commit would start."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.action.repositories import GIT, MOVED, SHARES, SYNTH, Repository
from tests.action.runner import BIN
from tests.action.test_definitions import GITLAB_EXAMPLE, HOOK_EXAMPLE, LOCAL_HOOK_EXAMPLE
from tests.pages import ROOT
from tests.templates import queue, write_template, write_trace

ONE_JOB = {"id": "one", "share": "research", "submit": 0, "duration": 60}
PAIR = ONE_JOB | {"instance_count": 2}
(PUBLISHED_HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, str]:
    """Return an environment with stand-ins for what would be installed, and for the CDK."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, script in {"pip": "true", "npx": SYNTH, "cdk": SYNTH}.items():
        (folder / name).write_text(f"#!/bin/sh\nset -e\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return {**GIT, "PATH": os.pathsep.join([str(folder), str(BIN), GIT["PATH"]])}


def run(command: list[str], repository: Repository, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=repository.folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("job", "code"), [(ONE_JOB, 0), (PAIR, 1)], ids=["passes", "fails"])
def test_the_pipeline_reviews_a_merge_request(
    repository: Repository, tools: dict[str, str], job: dict[str, object], code: int
) -> None:
    (repository.folder / "traces").mkdir()
    write_trace(repository.folder / "traces" / "week.jsonl", job)
    base = repository.declare(SHARES)
    repository.declare(MOVED)
    pipeline = yaml.safe_load(GITLAB_EXAMPLE)["quota-shares"]
    script = "set -eo pipefail\n" + "\n".join(pipeline["script"])

    ended = run(["bash", "-c", script], repository, {**tools, "CI_MERGE_REQUEST_DIFF_BASE_SHA": base})

    assert ended.returncode == code, ended.stdout + ended.stderr
    for written in (*pipeline["artifacts"]["paths"], pipeline["artifacts"]["reports"]["junit"]):
        assert (repository.folder / written).stat().st_size


@pytest.mark.parametrize(("job", "code"), [(ONE_JOB, 0), (PAIR, 1)], ids=["passes", "fails"])
def test_the_hook_checks_a_template_that_is_kept(
    repository: Repository, tools: dict[str, str], job: dict[str, object], code: int
) -> None:
    ((configured,),) = (each["hooks"] for each in yaml.safe_load(HOOK_EXAMPLE)["repos"])
    template, *options = configured["args"]
    (repository.folder / "traces").mkdir()
    write_trace(repository.folder / "traces" / "week.jsonl", job)
    limits = queue("main", {"research": (1, "RESERVE"), "product": (1, "RESERVE")}, capacity=2)
    write_template(repository.folder / template, limits)  # YAML, as all JSON is

    ended = run([*shlex.split(PUBLISHED_HOOK["entry"]), template, *options], repository, tools)

    assert configured["id"] == PUBLISHED_HOOK["id"]
    assert PUBLISHED_HOOK["pass_filenames"] is False
    assert ended.returncode == code, ended.stdout + ended.stderr


def test_the_local_hook_checks_an_app(repository: Repository, tools: dict[str, str]) -> None:
    ((configured,),) = (each["hooks"] for each in yaml.safe_load(LOCAL_HOOK_EXAMPLE)["repos"])
    repository.declare(SHARES)

    ended = run(shlex.split(configured["entry"]), repository, tools)

    assert configured["pass_filenames"] is False
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (repository.folder / "cdk.out" / "manifest.json").exists()
