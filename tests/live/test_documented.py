"""What docs/live.md shows is what the commands do: with a queue like the one that it tells of, and no more allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_constructs.live.operations import OPERATIONS, Command, iam_policy
from tests.live.account import START_MS, UNIT
from tests.live.endpoint import Endpoint
from tests.live.protocol import operations_of
from tests.pages import ROOT, blocks_of
from tests.test_docs import commands_in, transcript_of

BLOCKS = list(blocks_of(ROOT / "docs" / "live.md"))


@pytest.fixture
def deployed(endpoint: Endpoint, aws: None) -> Endpoint:
    """Deploy the queue of the page, but for what was changed by hand, with some jobs on the first day of 2026."""
    del aws
    account = endpoint.account
    account.add_queue(capacity=4)
    account.add_share("research", 2, "LEND_AND_BORROW")
    account.add_share("product", 2, "LEND")
    for number in range(3):
        account.add_job("research", "RUNNING", created_ms=START_MS + number * 600_000)
    account.add_job("research", "RUNNABLE", created_ms=START_MS + 3_600_000)
    account.add_job(
        "product",
        created_ms=START_MS + 7_200_000,
        preempted_ms=[(START_MS + 7_260_000, START_MS + 9_060_000)],
        ran_ms=[(START_MS + 9_600_000, START_MS + 11_400_000)],
        checkpoints=True,
        priority=5,
    )
    account.add_training_quota(UNIT, 2)
    return endpoint


def test_the_page_shows_what_the_commands_print(deployed: Endpoint, tmp_path: Path) -> None:
    for block in BLOCKS:
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    shown = [block for block in BLOCKS if block.language == "console"]

    printed = [transcript_of(commands_in(block), tmp_path) for block in shown]

    assert printed == [block.text for block in shown]
    assert deployed.violations == []


def test_the_page_allows_each_command_what_its_calls_need_and_no_more() -> None:
    policies = [json.loads(block.text) for block in BLOCKS if block.language == "json"]

    assert policies == [iam_policy(command) for command in Command]


@pytest.mark.parametrize("command", Command)
def test_every_call_that_a_command_may_make_is_one_of_the_service_that_only_reads(command: Command) -> None:
    operations = OPERATIONS[command]

    assert [each for each in operations if each.name not in operations_of(each.service).values()] == []
    assert [each for each in operations if not each.name.startswith(("Describe", "Get", "List"))] == []
