"""The two implementations of the scheduling model, both held to the same answers."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.engine import simulate
from tests.reference.literal import literal_simulate
from tests.runs import Runner


@pytest.fixture(params=[simulate, literal_simulate], ids=["engine", "literal"])
def run(request: pytest.FixtureRequest) -> Runner:
    """Run jobs and events on a system, once with each implementation."""
    return Runner(request.param)
