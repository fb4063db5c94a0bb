"""All that is agreed on one share, and how it travels in a template."""

from __future__ import annotations

import json
from typing import Literal

import msgspec
from msgspec import Struct, ValidationError, convert, to_builtins

from quota_constructs.errors import ConfigurationError
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objectives
from quota_constructs.policies.refusal import refusal

METADATA_KEY = "quota-constructs:share-policy"
"""Where a share's policy stands in the `Metadata` of its resource."""


class SharePolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is agreed on one share; all of it may be left open, as in a template that says nothing."""

    version: Literal[1] = 1
    agreement: Agreement | None = None
    interruption: InterruptionContract | None = None
    objectives: Objectives | None = None

    def as_metadata(self) -> dict[str, object]:
        """
        Return the policy as plain JSON values, for the `Metadata` of the share under `METADATA_KEY`.

        Raises `ConfigurationError` for values out of bounds, which Python itself would let pass.
        """
        try:
            plain: dict[str, object] = json.loads(json.dumps(to_builtins(self)))
            policy_from_metadata(plain)
        except (TypeError, ValueError) as error:
            raise ConfigurationError(str(error)) from None
        return {name: value for name, value in plain.items() if value is not None}


NOTHING_AGREED = SharePolicy()


def policy_from_metadata(plain: object) -> SharePolicy:
    """Return the policy that *plain* JSON values describe; `ValueError` says what is wrong and where."""
    try:
        return convert(plain, SharePolicy)
    except ValidationError as error:
        raise ValueError(refusal(error, plain, SharePolicy)) from None


def published_schema() -> bytes:
    """Return the text of `share-policy.schema.json`, the JSON Schema of the metadata that the package carries."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(SharePolicy)}
    return msgspec.json.format(msgspec.json.encode(schema, order="deterministic"), indent=2) + b"\n"
