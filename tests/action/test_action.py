"""The whole action, step by step, on repositories that are made here; only its installation is left out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.action.forge import COMMENTS, listening
from tests.action.repositories import MOVED, SHARES, SYNTH, Repository
from tests.action.runner import BIN, Job, run_action
from tests.pages import ROOT
from tests.templates import write_trace

FINE, FAILS, REFUSED = 0, 1, 2
NOTHING_RUN = {"options": "--no-scenarios"}
NOTHING: Mapping[str, str] = {}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def review(
    repository: Repository, base: str, inputs: Mapping[str, str] = NOTHING, *, environment: Mapping[str, str] = NOTHING
) -> Job:
    """Run the action on a pull request that is checked out in *repository* and is to be merged into *base*."""
    return run_action(
        repository.folder,
        repository.folder.with_name("temporary"),
        {"synth": SYNTH, "install": "false", **inputs},
        event={"pull_request": {"base": {"sha": base}, "number": 7}},
        environment=environment,
    )


def test_a_change_is_printed_and_written_in_every_form(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    job = review(repository, base, NOTHING_RUN)

    assert (job.code, job.outputs["exit-code"], job.outputs["changed"]) == (FINE, "0", "true"), job.log
    assert job.outputs["verdict"].startswith("Passes: ")
    assert job.outputs["verdict"] in " ".join(job.log.split())
    comment = Path(job.outputs["comment"]).read_text(encoding="utf-8")
    assert comment.startswith("<!-- quota-constructs:review -->\n")
    assert "research" in comment
    assert job.summary == comment
    assert str(repository.folder.parent) not in Path(job.outputs["json"]).read_text(encoding="utf-8")
    assert json.loads(Path(job.outputs["sarif"]).read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (
        json.loads(Path(job.outputs["json"]).read_text(encoding="utf-8"))["verdict"]["line"] == job.outputs["verdict"]
    )


def test_no_change_is_one_line(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.commit("change something else")

    job = review(repository, base)

    assert (job.code, job.outputs["changed"], job.outputs["verdict"]) == (FINE, "false", "No policy change."), job.log


def test_a_failed_review_fails_the_last_step_after_everything_was_written(repository: Repository) -> None:
    base = repository.declare(SHARES)
    write_trace(
        repository.folder / "pair.jsonl",
        {"id": "pair", "share": "research", "submit": 0, "duration": 60, "instance_count": 2},
    )
    repository.declare(MOVED)

    job = review(repository, base, {"traces": "pair.jsonl\n"})

    assert (job.code, job.outputs["exit-code"]) == (FAILS, "1"), job.log
    assert job.outputs["verdict"].startswith("Fails: ")
    assert job.summary
    assert Path(job.outputs["sarif"]).exists()


def test_what_fails_it_can_be_chosen(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare({"research": (1, "LEND"), "product": (3, "RESERVE")})  # nobody can borrow what it lends

    codes = [review(repository, base, {**NOTHING_RUN, "fail-on": gate}).code for gate in ("error", "warning", "never")]

    assert codes == [FINE, FAILS, FINE]


def test_every_line_of_the_options_is_one_argument(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    job = review(repository, base, {"options": "--no-scenarios\n\n--queue=the $(touch x) other\n"})

    assert job.code == REFUSED
    assert "no queue 'the $(touch x) other'" in job.log
    assert not (repository.folder / "x").exists()


def test_input_that_cannot_be_used_fails_at_once(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    job = review(repository, base, {"traces": "nowhere.jsonl"})

    assert (job.code, job.summary, job.outputs["exit-code"]) == (REFUSED, "", "")
    assert "nowhere.jsonl" in job.log


def test_no_name_of_a_trace_can_command_the_runner(repository: Repository) -> None:
    base = repository.declare(SHARES)
    name = "::add-mask::research\n::set-output name=verdict::Passes"
    write_trace(
        repository.folder / "hostile.jsonl",
        {"id": name, "share": "research", "submit": 0, "duration": 60, "instance_count": 2},
    )
    repository.declare(MOVED)

    job = review(repository, base, {"traces": "hostile.jsonl"})

    obeyed, stopped, rest = job.log.partition("::stop-commands::")
    token, _, printed = rest.partition("\n")
    assert stopped
    assert "::" not in obeyed
    assert len(token) == 32
    assert printed.count(f"\n::{token}::\n") == 1
    assert printed.rpartition(f"::{token}::\n")[2].count("::") == 0
    assert set(job.steps["review"]) == {"comment", "sarif", "json", "verdict", "changed", "exit-code"}


def test_no_name_of_a_branch_or_title_reaches_a_script(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.git("switch", "--quiet", "--create", "$(touch${IFS}x);`touch${IFS}x`")
    repository.declare(MOVED)

    job = review(repository, base, NOTHING_RUN)

    assert job.code == FINE, job.log
    assert not (repository.folder / "x").exists()


@pytest.mark.parametrize("refuses", [None, HTTPStatus.FORBIDDEN], ids=["from a branch", "from a fork"])
def test_the_comment_is_written_where_that_is_allowed(repository: Repository, refuses: HTTPStatus | None) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    with listening() as forge:
        forge.refuses = refuses
        address = {"GITHUB_API_URL": f"http://127.0.0.1:{forge.server_port}", "GITHUB_REPOSITORY": "team/platform"}
        job = review(repository, base, {**NOTHING_RUN, "comment": "true"}, environment=address)

    assert job.code == FINE, job.log
    assert forge.changes == [("POST", COMMENTS, {"body": job.summary}, "Bearer secret")]


def test_only_the_step_that_comments_has_the_token(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    job = review(repository, base, {**NOTHING_RUN, "synth": f"env && {SYNTH}"})

    assert job.code == FINE, job.log
    assert "SYNTH=" in job.log
    assert "secret" not in job.log


def test_a_real_app_is_synthesized_on_both_sides_and_shown_by_its_lines(repository: Repository) -> None:
    shutil.copytree(ROOT / "stacks", repository.folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", repository.folder)
    base = repository.commit("declare three shares")
    stack = repository.folder / "stacks" / "three_shares.py"
    declared = stack.read_text(encoding="utf-8")
    stack.write_text(declared.replace('capacity={"ml.g5.xlarge": 3}', 'capacity={"ml.g5.xlarge": 2}'), encoding="utf-8")
    repository.commit("take an instance away")

    job = review(
        repository,
        base,
        {"synth": "CDK_OUTDIR=cdk.out python app.py", "traces": "stacks/traces/owner-returns.jsonl"},
        environment={"JSII_NODE": shutil.which("node", path=str(BIN)) or "node"},
    )

    assert (job.code, job.outputs["exit-code"]) == (FAILS, "1"), job.log
    assert "| environment's capacity of ml.g5.xlarge | 3 | 2 |" in job.summary
    assert '"uri":"stacks/three_shares.py"' in Path(job.outputs["sarif"]).read_text(encoding="utf-8")
