"""The pytest plugin: in a run of its own, in a folder that knows nothing of this project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TEMPLATE = (
    "{'Resources': {'CDKMetadata': {'Type': 'AWS::CDK::Metadata'}}, 'Outputs': {'B': {'Value': 2}, 'A': {'Value': 1}}}"
)

SORTED = """\
{
  "Outputs": {
    "A": {
      "Value": 1
    },
    "B": {
      "Value": 2
    }
  }
}
"""


def run_pytest(folder: Path, program: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(program, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", *options],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_snapshot_is_written_once_and_then_compared_with(tmp_path: Path) -> None:
    program = f"def test_it(quota_template_snapshot):\n    assert {TEMPLATE} == quota_template_snapshot\n"

    first = run_pytest(tmp_path, program, "--snapshot-update")
    same = run_pytest(tmp_path, program)
    other = run_pytest(tmp_path, program.replace("'Value': 2", "'Value': 3"))

    assert (first.returncode, same.returncode, other.returncode) == (0, 0, 1), other.stdout
    written = tmp_path / "__snapshots__" / "test_it" / "test_it.template.json"
    assert written.read_text(encoding="utf-8") == SORTED
    assert '"Value": 3' in other.stdout


def test_a_trace_file_lies_in_the_test_s_own_folder(tmp_path: Path) -> None:
    program = (
        "from quota_constructs.testing import a_job, a_trace\n"
        "def test_it(quota_trace_file, tmp_path):\n"
        "    assert quota_trace_file(a_trace(a_job('one', 'research'))) == tmp_path / 'trace.jsonl'\n"
    )

    run = run_pytest(tmp_path, program)

    assert run.returncode == 0, run.stdout


def test_a_failure_points_at_the_line_of_the_test(tmp_path: Path) -> None:
    program = "from quota_constructs.testing import assert_no_findings\ndef test_it():\n    assert_no_findings({})\n"

    run = run_pytest(tmp_path, program)

    assert run.returncode == 1
    assert "\n>       assert_no_findings({})\n" in run.stdout


def test_without_syrupy_the_fixture_says_what_it_needs(tmp_path: Path) -> None:
    program = "def test_it(quota_template_snapshot):\n    pass\n"

    run = run_pytest(tmp_path, program, "-p", "no:syrupy")

    assert run.returncode == 1
    assert "'quota_template_snapshot' needs syrupy; pip install 'quota-constructs[testing]'" in run.stdout


@pytest.mark.parametrize("heavy", ["msgspec", "aws_cdk", "jsii", "rich", "quota_constructs.testing"])
def test_the_plugin_by_itself_loads_nothing_heavy(tmp_path: Path, heavy: str) -> None:
    program = (
        "import sys\n"
        "def test_it():\n"
        "    assert 'quota_constructs.pytest_plugin' in sys.modules\n"
        f"    assert {heavy!r} not in sys.modules\n"
    )

    run = run_pytest(tmp_path, program, "-p", "no:syrupy", "-p", "no:hypothesispytest")

    assert run.returncode == 0, run.stdout


def test_snapshots_without_syrupy_say_what_to_install() -> None:
    program = "import sys; sys.modules['syrupy'] = None; import quota_constructs.testing.snapshots"

    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert run.returncode != 0
    assert run.stderr.splitlines()[-1] == (
        "ImportError: snapshots need syrupy, which is not installed; pip install 'quota-constructs[testing]'"
    )
