from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from quota_constructs.cli import main
from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from tests.templates import queue, write_template, write_trace

HOUR = 3600
FOUR_AND_FOUR = {"research": (4, "LEND_AND_BORROW"), "product": (4, "LEND")}
THREE_AND_FIVE = {"research": (3, "LEND_AND_BORROW"), "product": (5, "LEND")}

git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)


def write(name: str, shares: Mapping[str, tuple[int, str]], *, capacity: int = 8) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    return str(write_template(Path(name), queue("main", shares, capacity=capacity)))


def review(*arguments: str) -> int:
    return main(["review", "--no-scenarios", *arguments])


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = review(*arguments)

    shown = capsys.readouterr()
    assert (code, shown.out) == (BAD_INPUT, "")
    assert shown.err.count("\n") == 1
    assert shown.err.removesuffix("\n").isprintable()
    return shown.err


def test_nothing_to_review_is_said_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    code = review("--base", write("base.json", FOUR_AND_FOUR), "--head", write("head.json", FOUR_AND_FOUR))

    assert code == GOOD
    assert capsys.readouterr().out.startswith("No policy change.\n")


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", GOOD), ("warning", FOUND_ERRORS), ("note", FOUND_ERRORS), ("never", GOOD)]
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_the_exit_code_is_what_was_asked_for_in_every_format(
    fail_on: str, code: int, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = ["--base", write("base.json", FOUR_AND_FOUR), "--head", write("head.json", FOUR_AND_FOUR, capacity=7)]

    assert review(*sides, "--fail-on", fail_on, "--format", form) == code
    assert "QC102" in capsys.readouterr().out


def test_a_new_error_ends_with_one_and_an_old_one_does_not() -> None:
    good, bad = write("good.json", FOUR_AND_FOUR), write("bad.json", FOUR_AND_FOUR, capacity=3)

    assert review("--base", good, "--head", bad) == FOUND_ERRORS
    assert review("--base", bad, "--head", bad) == GOOD
    assert review("--base", bad, "--head", good) == GOOD


def test_traces_are_run_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    trace = write_trace(Path("t.jsonl"), {"id": "it", "share": "research", "submit": 0, "duration": HOUR})
    sides = ["--base", write("base.json", FOUR_AND_FOUR), "--head", write("head.json", THREE_AND_FIVE)]

    code = review(*sides, "--trace", str(trace), "--stop", "0.5", "--format", "json")

    result = json.loads(capsys.readouterr().out)
    assert code == GOOD
    assert result["traces"] == ["t.jsonl"]
    assert result["assumptions"]["stop_seconds"] == 0.5
    assert [each["trace"] for each in result["on_traces"]] == ["t.jsonl"]


def test_two_results_of_checks_are_reviewed_without_running_anything(capsys: pytest.CaptureFixture[str]) -> None:
    for name, shares in (("base", FOUR_AND_FOUR), ("head", THREE_AND_FIVE)):
        assert main(["check", write(f"{name}.yaml", shares), "--no-scenarios", "--format", "json"]) == GOOD
        Path(f"{name}.json").write_text(capsys.readouterr().out, encoding="utf-8")

    code = main(["review", "--base", "base.json", "--head", "head.json"])

    shown = capsys.readouterr().out
    assert code == GOOD
    assert "2 changes in 2 shares of 1 queue" in shown
    assert "Rests on the results of two checks" in shown


def test_a_result_and_a_template_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    template = write("head.json", FOUR_AND_FOUR)
    Path("base.json").write_text('{"check": 1, "findings": []}', encoding="utf-8")

    assert "base.json: is the result of a check; give two of them, or two templates" in refusal(
        capsys, "--base", "base.json", "--head", template
    )
    assert "--queue has no use beside two results of checks" in refusal(
        capsys, "--base", "base.json", "--head", "base.json", "--queue", "main"
    )


def test_both_sides_must_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    template = write("head.json", FOUR_AND_FOUR)

    assert "--head" in refusal(capsys, "--base", template)
    assert "give --base PATH, or --base-ref REF" in refusal(capsys, "--head", template)
    assert "the base cannot be read: none.json" in refusal(capsys, "--base", "none.json", "--head", template)


def run_git(*arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)  # noqa: S607 - whichever there is


def commit_all() -> None:
    run_git("init", "-q", "-b", "main", ".")
    run_git("add", "-A")
    run_git("commit", "-q", "-m", "first")


@git
def test_the_base_is_what_git_has_at_the_path_of_the_head(capsys: pytest.CaptureFixture[str]) -> None:
    head = write("stacks/t.json", FOUR_AND_FOUR, capacity=7)
    commit_all()
    write("stacks/t.json", FOUR_AND_FOUR)

    code = review("--base-ref", "main", "--head", head, "--format", "json")

    result = json.loads(capsys.readouterr().out)
    assert code == GOOD
    assert (result["base"], result["head"]) == ("stacks/t.json at main", "stacks/t.json")
    assert [each["what"] for each in result["changes"]] == ["environment's capacity of ml.g5.xlarge"]
    assert {each["template"] for each in result["findings"]["fixed"]} == {"stacks/t.json at main"}


def test_the_base_can_be_called_otherwise_than_its_path(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    base = str(tmp_path / write("base.json", FOUR_AND_FOUR, capacity=7))
    head = write("t.json", FOUR_AND_FOUR)

    review("--base", base, "--base-name", "what runs", "--head", head, "--format", "json")

    written = capsys.readouterr().out
    result = json.loads(written)
    assert result["base"] == "what runs"
    assert {each["template"] for each in result["findings"]["fixed"]} == {"what runs"}
    assert str(tmp_path) not in written


@git
def test_a_hook_s_own_repository_does_not_hide_that_of_the_path(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    head = write("stacks/t.json", FOUR_AND_FOUR)
    commit_all()
    monkeypatch.setenv("GIT_DIR", str(Path(".git").absolute()))

    code = review("--base-ref", "main", "--head", head)

    assert code == GOOD
    assert "No policy change." in capsys.readouterr().out


@git
def test_the_root_of_a_repository_can_be_an_assembly(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.json").write_text("{}", encoding="utf-8")
    commit_all()
    write("head.json", FOUR_AND_FOUR)

    assert "in no git repository" not in refusal(capsys, "--base-ref", "main", "--base", ".", "--head", "head.json")


@git
def test_the_base_may_be_at_another_path_and_gone_since(capsys: pytest.CaptureFixture[str]) -> None:
    old = write("old/t.json", FOUR_AND_FOUR)
    commit_all()
    shutil.rmtree("old")

    code = review("--base-ref", "HEAD", "--base", old, "--head", write("new.json", THREE_AND_FIVE))

    assert code == GOOD
    assert "2 changes in 2 shares" in capsys.readouterr().out


@git
def test_an_assembly_that_git_has_is_laid_out_and_read(capsys: pytest.CaptureFixture[str]) -> None:
    write("cdk.out/S.template.json", FOUR_AND_FOUR)
    manifest = {
        "version": "1.0",
        "artifacts": {"S": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "S.template.json"}}},
    }
    Path("cdk.out/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    Path("cdk.out/asset.zip").write_bytes(b"no template")
    commit_all()
    write("cdk.out/S.template.json", THREE_AND_FIVE)

    code = review("--base-ref", "main", "--head", "cdk.out")

    assert code == GOOD
    assert "2 changes in 2 shares" in capsys.readouterr().out


@git
def test_an_app_is_not_synthesized_but_how_to_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cdk.json").write_text("{}", encoding="utf-8")
    Path(".gitignore").write_text("cdk.out\n", encoding="utf-8")
    commit_all()
    write("cdk.out/S.template.json", FOUR_AND_FOUR)

    for head in ("cdk.json", ".", "cdk.out"):
        said = refusal(capsys, "--base-ref", "main", "--head", head)
        assert "synthesize the base: 'git worktree add ../base main', 'cdk synth' in it" in said


@git
@pytest.mark.parametrize(
    "ref", ["nowhere", "-h", "--output=x", "main:t.json", "a..b", "a b", "$(touch x)", "\x1b[2J", "", "x" * 1000]
)
def test_fails_on_a_ref_that_is_none(ref: str, capsys: pytest.CaptureFixture[str]) -> None:
    head = write("t.json", FOUR_AND_FOUR)
    commit_all()

    assert "git knows no commit" in refusal(capsys, f"--base-ref={ref}", "--head", head)
    assert sorted(path.name for path in Path().iterdir()) == [".git", "t.json"]


@git
def test_a_path_is_no_pattern_and_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    write("t.json", FOUR_AND_FOUR)
    commit_all()

    for path in ("*.json", ":(glob)*.json", "./--output=x.json"):
        assert "git has no template at" in refusal(capsys, "--base-ref", "main", "--base", path, "--head", "t.json")


@git
def test_links_that_git_has_are_not_followed(capsys: pytest.CaptureFixture[str]) -> None:
    outside = write("secret.json", FOUR_AND_FOUR)
    Path("link.json").symlink_to(Path(outside).absolute())
    commit_all()

    assert "git has no template at link.json" in refusal(capsys, "--base-ref", "main", "--head", "link.json")


@git
def test_fails_outside_a_repository(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    assert "t.json is in no git repository; give the base with --base" in refusal(
        capsys, "--base-ref", "main", "--head", write("t.json", FOUR_AND_FOUR)
    )


def test_fails_where_there_is_no_git(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert "needs git, which is not installed" in refusal(
        capsys, "--base-ref", "main", "--head", write("t.json", FOUR_AND_FOUR)
    )


@git
def test_a_base_that_is_broken_is_called_as_git_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.json").write_text("{", encoding="utf-8")
    commit_all()
    head = write("t.json", FOUR_AND_FOUR)

    assert "the base cannot be read: t.json at main" in refusal(capsys, "--base-ref", "main", "--head", head)
