"""The published schema of a share's metadata is that of the values it is made from."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

from quota_constructs.policies import share_policy
from quota_constructs.policies.share_policy import SharePolicy, published_schema
from tests.policies.policies import share_policies

PUBLISHED = Path(share_policy.__file__).with_name("share-policy.schema.json")


def test_the_package_carries_the_schema_of_its_values() -> None:
    assert PUBLISHED.read_bytes() == published_schema(), "write published_schema() to the file anew"


@given(policy=share_policies)
def test_it_accepts_whatever_can_be_declared(policy: SharePolicy) -> None:
    jsonschema.validate(policy.as_metadata(), json.loads(PUBLISHED.read_bytes()))


@pytest.mark.parametrize(
    "plain",
    [
        {"version": 2},
        {"agreement": {"owner": ""}},
        {"interruption": {}},
        {"objectives": {"wait_p95": {"bound": 1}}},
        {"objectives": {"wait_p95_seconds": {"bound": -1}}},
    ],
)
def test_it_refuses_what_the_evaluator_refuses(plain: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, json.loads(PUBLISHED.read_bytes()))
