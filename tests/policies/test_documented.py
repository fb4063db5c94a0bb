from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct, structs

from quota_constructs.policies.agreement import Agreement, Exemption
from quota_constructs.policies.interruption import InterruptionContract, ResumeEvidence, WhenRetriesRunOut
from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity

PAGE = (Path(__file__).parents[2] / "docs" / "agreements.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "values",
    [Agreement, Exemption, InterruptionContract, ResumeEvidence, Objectives, Objective],
    ids=lambda it: it.__name__,
)
def test_every_field_is_explained(values: type[Struct]) -> None:
    assert [field.name for field in structs.fields(values) if f"`{field.name}`" not in PAGE] == []


def test_every_choice_is_explained() -> None:
    assert [choice for choice in (*WhenRetriesRunOut, *PromiseSeverity) if f"`{choice}`" not in PAGE] == []
