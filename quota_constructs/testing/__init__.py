"""
For the tests of those who declare quota shares: assert what is wrong with them, in one line.

The pytest plugin that comes with the package adds fixtures to these: `quota_constructs.pytest_plugin`.
"""

from quota_constructs.testing.findings import assert_no_findings, findings_of
from quota_constructs.testing.traces import (
    HandmadeTrace,
    a_cancellation,
    a_checkpoint,
    a_job,
    a_priority_update,
    a_trace,
)

__all__ = [
    "HandmadeTrace",
    "a_cancellation",
    "a_checkpoint",
    "a_job",
    "a_priority_update",
    "a_trace",
    "assert_no_findings",
    "findings_of",
]
