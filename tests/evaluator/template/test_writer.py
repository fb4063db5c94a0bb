"""A system that is written and read again is the same system, but for where it stands."""

from __future__ import annotations

import dataclasses
from datetime import date
from pathlib import Path

import pytest

from quota_constructs.evaluator.system import Source, System
from quota_constructs.evaluator.template import encode_template, read_systems
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract, ResumeEvidence
from quota_constructs.policies.objectives import Objective, Objectives
from quota_constructs.policies.share_policy import SharePolicy
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, share, system

POLICY = SharePolicy(
    agreement=Agreement(owner="research", review_by=date(2027, 1, 1)),
    interruption=InterruptionContract(
        can_resume=True, checkpoint_interval_seconds=900, evidence=ResumeEvidence(tried_on=date(2026, 1, 1))
    ),
    objectives=Objectives(wait_max_seconds=Objective(bound=60, traces=("steady-week",))),
)

SYSTEMS = {
    "the simplest": system(share("a", 1)),
    "every strategy": system(
        share("a", 1),
        share("b", 2, LEND),
        share("c", 3, LEND_AND_BORROW, borrow_limit=50),
        share("d", 1, LEND_AND_BORROW),
    ),
    "several units": system(share("a", {UNIT: 1, OTHER_UNIT: 2}), capacity={UNIT: 5, OTHER_UNIT: 0}),
    "switches": system(share("a", 1, in_share_preemption=True), share("b", 1, enabled=False)),
    "time limits": system(
        share("a", 1), time_limits={BlockedReason.QUOTA_EXCEEDED: 600, BlockedReason.ENVIRONMENT_EXCEEDED: 86_400}
    ),
    "what was agreed": system(dataclasses.replace(share("a", 1), policy=POLICY)),
}


def anywhere(system: System) -> System:
    nowhere = Source(template="", logical_id="")
    return dataclasses.replace(
        system,
        source=nowhere,
        environment=dataclasses.replace(system.environment, source=nowhere),
        shares=tuple(dataclasses.replace(share, source=nowhere) for share in system.shares),
    )


@pytest.mark.parametrize("written", SYSTEMS.values(), ids=SYSTEMS)
def test_a_system_reads_back_as_it_was_written(written: System, tmp_path: Path) -> None:
    template = tmp_path / "t.template.json"

    template.write_bytes(encode_template(written))

    reading = read_systems(template)
    assert [anywhere(system) for system in reading.systems] == [anywhere(written)]
    assert reading.notes == ()


def test_a_logical_id_is_not_made_a_name(tmp_path: Path) -> None:
    unnamed = dataclasses.replace(system(share("a", 1)), name="Q1", source=Source(template="t", logical_id="Q1"))
    template = tmp_path / "t.template.json"

    template.write_bytes(encode_template(unnamed))

    assert b"JobQueueName" not in template.read_bytes()
    assert [each.name for each in read_systems(template).systems] == ["Queue"]
