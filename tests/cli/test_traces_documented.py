"""docs/traces-at-hand.md names every option that the commands on it have of their own."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quota_constructs.cli import anonymizing, describing, fitting

DOCS = Path(__file__).parents[2] / "docs"
PAGES = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("traces-at-hand.md", "command-line.md"))


@pytest.mark.parametrize(
    "add_options",
    [describing.add_options, fitting.add_options, anonymizing.add_options],
    ids=["describe", "fit-quotas", "anonymize"],
)
def test_every_option_is_explained(add_options: Callable[[argparse.ArgumentParser], None]) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)

    options = re.findall(r"--[a-z-]+", parser.format_usage())

    assert options
    assert [option for option in options if f"`{option}" not in PAGES] == []
