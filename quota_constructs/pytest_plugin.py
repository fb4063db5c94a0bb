"""
Fixtures for the tests of those who declare quota shares.

pytest loads this in every run where the package is installed, so nothing is imported before a test asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from quota_constructs.testing import HandmadeTrace


@pytest.fixture
def quota_template_snapshot(request: pytest.FixtureRequest) -> SnapshotAssertion:
    """Return the snapshot to compare a stack or a template with: `assert stack == quota_template_snapshot`."""
    if not request.config.pluginmanager.hasplugin("syrupy"):
        pytest.fail("'quota_template_snapshot' needs syrupy; pip install 'quota-constructs[testing]'", pytrace=False)

    from quota_constructs.testing.snapshots import QuotaTemplateExtension  # noqa: PLC0415 - see above

    snapshot: SnapshotAssertion = request.getfixturevalue("snapshot")
    return snapshot.use_extension(QuotaTemplateExtension)


@pytest.fixture
def quota_trace_file(tmp_path: Path) -> Callable[[HandmadeTrace], Path]:
    """Return a function that writes a trace into the test's own folder, for what takes a file, and names that file."""
    return lambda trace: trace.write(tmp_path)
