"""Which commit a pull request is compared with, and what of a synthesis is taken."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.action.repositories import GIT, MOVED, SHARES, SYNTH, Repository
from tests.pages import ROOT

REFUSED = 2


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def synthesize(repository: Repository, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the step in *repository*; its temporary folder lies beside."""
    temporary = repository.folder.with_name("temporary")
    temporary.mkdir(exist_ok=True)
    usual = {
        "SYNTH": SYNTH,
        "CDK_OUT": "cdk.out",
        "WORKING_DIRECTORY": ".",
        "BASE_REF": "",
        "EVENT_BASE": "",
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_SHA": "",
        "GITHUB_OUTPUT": str(temporary / "output"),
        "RUNNER_TEMP": str(temporary),
    }
    return subprocess.run(
        ["bash", str(ROOT / "action" / "synthesize.sh")],  # noqa: S607 - whichever bash there is
        cwd=repository.folder,
        env={**GIT, **usual, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def sides(repository: Repository, **environment: str) -> dict[str, int]:
    """Return how many instances `research` has on either side."""
    run = synthesize(repository, **environment)
    assert run.returncode == 0, run.stderr
    output = repository.folder.with_name("temporary") / "output"
    written = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
    return {side: research_in(repository.folder / written[side]) for side in ("base", "head")}


def research_in(assembly: Path) -> int:
    template = json.loads((assembly / "Platform.template.json").read_text(encoding="utf-8"))
    limit: int = template["Resources"]["mainresearch"]["Properties"]["CapacityLimits"][0]["MaxCapacity"]
    return limit


def test_both_sides_are_synthesized_each_from_its_own_commit(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    assert sides(repository, BASE_REF=base) == {"base": 2, "head": 1}


def test_the_checkout_is_left_as_it_was_but_for_the_synthesis(repository: Repository) -> None:
    base = repository.declare(SHARES)
    head = repository.declare(MOVED)

    sides(repository, BASE_REF=base)

    assert repository.git("rev-parse", "HEAD") == head
    assert repository.git("status", "--short") == "?? cdk.out/"


def test_a_second_run_begins_anew(repository: Repository) -> None:
    first = repository.declare(SHARES)
    second = repository.declare({"research": (3, "RESERVE")})
    repository.declare(MOVED)

    assert sides(repository, BASE_REF=first)["base"] == 2
    assert sides(repository, BASE_REF=second)["base"] == 3


def test_a_merged_pull_request_is_compared_with_what_it_is_merged_into_now(repository: Repository) -> None:
    stale = repository.declare({"research": (3, "RESERVE")})
    repository.git("switch", "--quiet", "--create", "change")
    (repository.folder / "README").write_text("changed", encoding="utf-8")
    repository.commit("change something else")
    repository.git("switch", "--quiet", "main")
    repository.declare(SHARES)
    repository.git("merge", "--quiet", "--no-edit", "change")
    merge = repository.git("rev-parse", "HEAD")

    found = sides(repository, EVENT_BASE=stale, GITHUB_REF="refs/pull/7/merge", GITHUB_SHA=merge)

    assert found == {"base": 2, "head": 2}


def test_a_branch_is_compared_with_where_it_left_its_target(repository: Repository) -> None:
    repository.declare(SHARES)
    repository.git("switch", "--quiet", "--create", "change")
    repository.declare(MOVED)
    repository.git("switch", "--quiet", "main")
    moved_on = repository.declare({"research": (4, "RESERVE")})
    repository.git("switch", "--quiet", "change")

    assert sides(repository, EVENT_BASE=moved_on) == {"base": 2, "head": 1}


def test_a_commit_that_the_checkout_lacks_is_fetched(repository: Repository, tmp_path: Path) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)
    shallow = repository.shallow_copy(tmp_path / "shallow" / "repository")

    assert sides(shallow, EVENT_BASE=base) == {"base": 2, "head": 1}


def test_an_app_may_lie_in_a_folder_and_write_elsewhere(repository: Repository) -> None:
    base = repository.declare(SHARES, app="platform/app")
    repository.declare(MOVED, app="platform/app")

    found = sides(
        repository,
        BASE_REF=base,
        WORKING_DIRECTORY="platform/app",
        CDK_OUT="build/out",
        SYNTH="mkdir -p build/out && cp assembly/* build/out/",
    )

    assert found == {"base": 2, "head": 1}


def test_a_synthesis_that_its_policy_validation_fails_is_reviewed_all_the_same(repository: Repository) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    found = sides(
        repository, BASE_REF=base, SYNTH=f"{SYNTH} && sleep 0.1 && touch cdk.out/validation-report.json && exit 1"
    )

    assert found == {"base": 2, "head": 1}


def test_what_is_no_app_yet_in_the_base_is_all_new(repository: Repository) -> None:
    (repository.folder / "README").write_text("soon", encoding="utf-8")
    base = repository.commit("begin")
    (repository.folder / "cdk.json").write_text("{}", encoding="utf-8")
    repository.declare(SHARES)

    run = synthesize(repository, BASE_REF=base)

    assert run.returncode == 0, run.stderr
    assert "the base has no cdk.json in '.', so all that the head declares is reviewed as new" in run.stdout
    manifest = repository.folder.with_name("temporary") / "quota-constructs" / "base" / "cdk.out" / "manifest.json"
    assert json.loads(manifest.read_text(encoding="utf-8"))["artifacts"] == {}


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        pytest.param({"SYNTH": "exit 7"}, "the 'synth' command ended with 7 in the base", id="the command fails"),
        pytest.param({"SYNTH": "unset > /dev/null; $nothing"}, "ended with 1 in the base", id="an unset variable"),
        pytest.param({"SYNTH": "false | true"}, "ended with 1 in the base", id="a failure within a pipe"),
        pytest.param({"SYNTH": "true"}, "wrote no 'cdk.out' in the base; name it in 'cdk-out'", id="nothing written"),
        pytest.param({"WORKING_DIRECTORY": "app"}, "the base has no folder 'app'", id="no such folder"),
        pytest.param({"BASE_REF": ""}, "nothing says what to compare with", id="no base"),
        pytest.param({"BASE_REF": "--upload-pack=x"}, "must not begin with a hyphen", id="an option for a base"),
        pytest.param({"BASE_REF": "main:refs/heads/x"}, "or have a colon", id="a refspec for a base"),
        pytest.param({"BASE_REF": "x\n::error::y"}, "got 'x ::error::y'", id="a command for a base"),
        pytest.param({"BASE_REF": "", "EVENT_BASE": "0" * 40}, "nothing says what to compare with", id="first push"),
        pytest.param({"BASE_REF": "v9"}, "the commit 'v9' is not in the checkout and cannot be fetched", id="lost"),
        *(
            pytest.param({name: path}, "a folder must be a path within the repository", id=f"{name} {path}")
            for name in ("WORKING_DIRECTORY", "CDK_OUT")
            for path in ("/etc", "..", "a/../..", "-rf", "a b", "$(touch x)", "")
        ),
    ],
)
def test_fails_and_says_why(repository: Repository, environment: dict[str, str], message: str) -> None:
    base = repository.declare(SHARES)
    repository.declare(MOVED)

    run = synthesize(repository, **{"BASE_REF": base, **environment})

    assert (run.returncode, message in run.stderr) == (REFUSED, True), run.stderr
    assert not (repository.folder / "x").exists()
