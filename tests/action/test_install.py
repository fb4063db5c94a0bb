"""The evaluator of the action's own checkout, in an environment of its own; what a registry would send is made up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from quota_constructs import __version__
from tests.action.repositories import GIT
from tests.pages import ROOT

PYTHON = f"""\
#!/bin/sh
# Make the environment without pip, and put one there that only says what it was asked for.
[ "$1" = -m ] || exec '{sys.executable}' "$@"
'{sys.executable}' -m venv --without-pip "$3" || exit
for packages in "$3"/lib/python3.*/site-packages; do
    mkdir "$packages/pip"
    echo 'import sys; print(*sys.argv[1:])' > "$packages/pip/__main__.py"
done
"""


def install(tmp_path: Path, python: str) -> subprocess.CompletedProcess[str]:
    """Run the step where `python3` is the script *python*."""
    file = tmp_path / "bin" / "python3"
    file.parent.mkdir()
    file.write_text(python, encoding="utf-8")
    file.chmod(0o755)
    return subprocess.run(
        ["bash", ROOT / "action" / "install.sh"],  # noqa: S607 - whichever bash there is
        cwd=tmp_path,
        env={
            **GIT,
            "ACTION_PATH": str(ROOT),
            "PATH": f"{file.parent}:{GIT['PATH']}",
            "RUNNER_TEMP": str(tmp_path / "temporary"),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_installed_is_pinned_and_the_rest_is_this_very_checkout(tmp_path: Path) -> None:
    run = install(tmp_path, PYTHON)

    assert run.returncode == 0, run.stderr
    asked, version = run.stdout.splitlines()
    assert asked.startswith("install ")
    assert asked.endswith(f"--only-binary :all: --require-hashes --requirement {ROOT}/requirements/runtime.txt")
    assert version == f"quota-constructs {__version__}"


def test_fails_for_a_python_that_is_too_old(tmp_path: Path) -> None:
    run = install(tmp_path, "#!/bin/sh\nexit 1\n")

    assert (run.returncode, run.stdout) == (2, "")
    assert "python3 must be 3.11 or newer; put actions/setup-python before this action" in run.stderr
