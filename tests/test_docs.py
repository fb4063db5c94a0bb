"""
Whatever the documentation shows is true: programs run, commands print what is printed there, links lead somewhere.

The blocks of a page are one story, told in one folder that begins with the synthesized example and its traces:

- `python` is run, all of a page in one namespace; what it prints is the `text` block that follows.
- `console` is run by a shell and must show the same; a line `...` stands for any lines. On some pages the commands
  must only exist (see NOT_RUN).
- `sh` is what a test cannot do (install, deploy, test); each command must exist.
- data can be read as what they are.

A block that names a file behind its language becomes that file, for a later block to use.
"""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from quota_constructs.cli.parser import new_parser
from tests.builders import share, system
from tests.pages import PAGES, ROOT, Block, anchors_of, blocks_of, links_of

BIN = Path(sys.executable).parent

# jsii looks for Node when `aws_cdk` is first imported; the development requirements bring a supported one along.
if node := shutil.which("node", path=str(BIN)):
    os.environ.setdefault("JSII_NODE", node)

HELD_ELSEWHERE = {
    ("docs/trace-format.md", "jsonl"): "tests/evaluator/traces/test_documented.py",
    ("docs/trace-format.md", "csv"): "tests/evaluator/traces/test_documented.py",
    ("docs/trace-format.md", "text"): "tests/evaluator/traces/test_documented.py",
    ("docs/command-line.md", ""): "tests/cli/test_documentation.py",
    ("docs/ci.md", "yaml"): "tests/action/test_documented.py",
    ("docs/live.md", "console"): "tests/live/test_documented.py",
    ("docs/live.md", "json"): "tests/live/test_documented.py",
    ("docs/command-line.md", "toml"): "tests/evaluator/test_suppressions_file.py",
}
"""Blocks that take more than to be run, by page and language, and the tests that hold them to their word."""

NOT_RUN = {"docs/benchmarks.md", "docs/real-traces.md"}
"""Pages whose commands print other figures each time, or need data that are not part of the project."""

GIVEN = {
    "docs/trace-format.md": {
        "system": system(
            share("research", 1), share("medium", 1), share("protected", {"ml.g5.xlarge": 1, "ml.m5.large": 2})
        )
    }
}
"""What the text around the programs of a page supposes to be there."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what `cdk synth` makes of the example, and what it made it from."""
    import aws_cdk as cdk  # noqa: PLC0415 - only when Node is named

    from stacks.three_shares import ThreeShares  # noqa: PLC0415 - imports the CDK

    folder = tmp_path_factory.mktemp("example")
    shutil.copytree(ROOT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "cdk.json", folder)
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    app = cdk.App(outdir=str(folder / "cdk.out"), context=context)
    ThreeShares(app, "ThreeShares")
    app.synth()
    return folder


@dataclass
class Story:
    """One page, as far as it has been told."""

    folder: Path
    namespace: dict[str, object]
    printed: str | None = field(default=None, init=False)
    """What the last program printed, until it is looked at."""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_the_page_shows_is_true(
    page: Path, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = list(blocks_of(page))
    folder = tmp_path / "project"
    if blocks:
        shutil.copytree(request.getfixturevalue("example"), folder)
        monkeypatch.chdir(folder)
    story = Story(folder=folder, namespace={"__name__": "__main__", **GIVEN.get(name_of(page), {})})

    for number, block in enumerate(blocks):
        if story.printed and block.language != "text":
            pytest.fail(f"{block}: the program before printed {story.printed!r}; show it in a text block")
        tell(block, story, rest=blocks[number + 1 :])

    assert not story.printed, "the last program printed what no text block shows"


def tell(block: Block, story: Story, rest: list[Block]) -> None:
    page = name_of(block.page)
    if (page, block.language) in HELD_ELSEWHERE:
        holder = ROOT / HELD_ELSEWHERE[page, block.language]
        assert block.page.name in holder.read_text(encoding="utf-8"), f"{block}: {holder} does not look at it"
        (story.folder / f"conflict.{block.language}").write_text(block.text, encoding="utf-8")  # as the page calls it
    elif block.file is not None and block.language in READERS:
        assert any(block.file in later.text for later in rest), f"{block}: nothing below uses {block.file}"
        READERS[block.language](block.text)
        (story.folder / block.file).parent.mkdir(parents=True, exist_ok=True)
        (story.folder / block.file).write_text(block.text, encoding="utf-8")
    elif block.file is None and block.language in TELLERS:
        TELLERS[block.language](block, story)
    else:
        pytest.fail(f"{block}: nothing runs a block '{block.language}' {block.file or 'that names no file'}")


READERS: dict[str, Callable[[str], object]] = {
    "python": lambda text: compile(text, "program", "exec"),
    "json": json.loads,
    "jsonl": lambda text: [json.loads(line) for line in text.splitlines()],
    "toml": tomllib.loads,
    "csv": lambda text: list(csv.DictReader(text.splitlines(), strict=True)),
    "text": str,
    "yaml": yaml.compose,  # a template's short functions are tags that only CloudFormation knows
}
"""What can be saved as a file, and what finds out that it is broken."""


def run_program(block: Block, story: Story) -> None:
    # Empty lines before it, so that a traceback tells the line of the page.
    program = compile("\n" * block.line + block.text, str(block.page), "exec")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(program, story.namespace)  # noqa: S102 - our own documentation
    story.printed = printed.getvalue()


def compare_output(block: Block, story: Story) -> None:
    assert story.printed is not None, f"{block}: no program before it printed this"
    assert story.printed == block.text, f"{block}: the program before prints something else"
    story.printed = None


def run_commands(block: Block, story: Story) -> None:
    if name_of(block.page) in NOT_RUN:
        for command in commands_in(block):
            require_command(block, command)
        return

    shown = transcript_of(commands_in(block), story.folder)

    parts = re.split(r"^\.\.\.\n", block.text, flags=re.MULTILINE)
    if not re.fullmatch(r"(?:.*\n)*?".join(map(re.escape, parts)), shown):
        assert shown == block.text, f"{block}: the commands print something else"


def transcript_of(commands: list[str], folder: Path) -> str:
    """Return a shell's transcript of *commands*, each after the status of the one before, run in *folder*."""
    path = os.pathsep.join([str(BIN), str(ROOT / "node_modules" / ".bin"), os.environ["PATH"]])
    quiet = {"CDK_DISABLE_CLI_TELEMETRY": "1", "CDK_DISABLE_VERSION_CHECK": "1", "AWS_EC2_METADATA_DISABLED": "true"}
    each_as_typed = [
        f"printf '%s\\n' {shlex.quote(f'$ {command}')}\n(exit $status)\n{command}\nstatus=$?" for command in commands
    ]

    run = subprocess.run(
        ["bash", "-c", "\n".join(["status=0", *each_as_typed])],  # noqa: S607 - whichever bash there is
        cwd=folder,
        env=os.environ | quiet | {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return run.stdout


def commands_in(block: Block) -> list[str]:
    """Return what follows a `$`, with the lines that a backslash at the end adds to it."""
    return re.findall(r"^\$ ((?:.*\\\n)*.*)$", block.text, flags=re.MULTILINE)


def check_commands(block: Block, story: Story) -> None:  # noqa: ARG001 - as the other tellers
    for command in block.text.splitlines():
        require_command(block, command)


def require_command(block: Block, command: str) -> None:
    match shlex.split(command, comments=True):
        case []:
            exists = True
        case ["make", *targets]:
            exists = set(targets) <= make_targets()
        case ["quota-constructs", *arguments]:
            exists = bool(new_parser().parse_args(arguments))
        case ["pip", "install", name]:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            extras = [f"[{extra}]" for extra in project["optional-dependencies"]]
            exists = name in [project["name"] + extra for extra in ("", *extras)]
        case ["python", "-m", module, *_]:
            exists = importlib.util.find_spec(module) is not None
        case ["python" | "bash", file, *_]:
            exists = (ROOT / file).is_file()
        case ["cdk", command, *_]:
            exists = command in ("synth", "diff", "deploy")
        case _:
            exists = False
    assert exists, f"{block}: no test knows the command '{command}'"


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))


TELLERS: dict[str, Callable[[Block, Story], None]] = {
    "python": run_program,
    "text": compare_output,
    "console": run_commands,
    "sh": check_commands,
}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    here = [link for link in links_of(page) if not link.startswith("https://")]

    for link in here:
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name}: {link} does not exist"
        assert not anchor or anchor in anchors_of(target), f"{page.name}: {link} has no such heading"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_make_command_of_the_text_exists(page: Path) -> None:
    named = set(re.findall(r"`make (?:\w+=\S+ )?([a-z]+)", page.read_text(encoding="utf-8")))

    assert named <= make_targets()


def test_every_page_can_be_reached_from_the_first() -> None:
    linked = {(page.parent / link.partition("#")[0]).resolve() for page in PAGES for link in links_of(page)}

    assert [name_of(page) for page in PAGES if page not in linked and page.name != "README.md"] == []


def test_every_section_of_the_model_that_the_code_cites_exists() -> None:
    cited = {
        number
        for folder in ("quota_constructs", "tests")
        for source in (ROOT / folder).rglob("*.py")
        for numbers in re.findall(r"model, ((?:\d+(?:, | and )?)+)", source.read_text(encoding="utf-8"))
        for number in re.findall(r"\d+", numbers)
    }

    sections = {anchor.partition("-")[0] for anchor in anchors_of(ROOT / "docs" / "scheduling-model.md")}

    assert cited
    assert cited <= sections & {str(number) for number in range(1, 11)}
