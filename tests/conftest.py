"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a long comparison of the engine with the literal model be asked for."""
    parser.addoption(
        "--cases", type=int, default=300, help="random cases to compare the engine with the literal model on"
    )
