"""Whatever is agreed comes back as it was: from metadata, and from the template that carries it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given

from quota_constructs.evaluator.inputs import read_queue
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.objectives import Objective, Objectives
from quota_constructs.policies.share_policy import METADATA_KEY, SharePolicy, policy_from_metadata
from tests.policies.policies import share_policies
from tests.templates import queue, write_template


@given(policy=share_policies)
def test_a_policy_comes_back_from_its_metadata(policy: SharePolicy) -> None:
    assert policy_from_metadata(json.loads(json.dumps(policy.as_metadata()))) == policy


@given(policy=share_policies)
def test_a_policy_comes_back_from_its_template(tmp_path_factory: pytest.TempPathFactory, policy: SharePolicy) -> None:
    template = tmp_path_factory.mktemp("policy") / "template.json"

    write_template(template, agreed(policy.as_metadata()))

    assert read_queue(template).shares[0].policy == policy


def test_a_policy_may_be_written_by_hand_in_yaml(tmp_path: Path) -> None:
    template = write_template(tmp_path / "template.json", agreed({"version": 1}))
    by_hand = template.read_text(encoding="utf-8").replace(
        '{"version": 1}',
        "{version: 1, agreement: {owner: Research, review_by: 2031-05-01}, objectives: {slowdown_p95: {bound: 1.5}}}",
    )
    (tmp_path / "template.yaml").write_text(by_hand, encoding="utf-8")

    assert read_queue(tmp_path / "template.yaml").shares[0].policy == SharePolicy(
        agreement=Agreement(owner="Research", review_by=date(2031, 5, 1)),
        objectives=Objectives(slowdown_p95=Objective(bound=1.5)),
    )


def agreed(metadata: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the resources of a queue with one share that carries *metadata*."""
    resources = queue("Queue", {"research": (1, "RESERVE")}, capacity=1)
    resources["Queueresearch"]["Metadata"] = {METADATA_KEY: metadata}
    return resources
