"""What was agreed on a share, as it goes into the template: metadata for the evaluator, tags for everybody else."""

from __future__ import annotations

import json
import unicodedata

from constructs import IConstruct

from quota_constructs.constructs.checks import is_known, refuse, require_type
from quota_constructs.errors import ConfigurationError
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objectives
from quota_constructs.policies.share_policy import NOTHING_AGREED, SharePolicy, policy_from_metadata

OWNER_TAG = "quota-share:owner"
REVIEW_TAG = "quota-share:review-by"

_TAG_MARKS = frozenset("+-=._:/@ ")
"""
What a tag value may hold besides letters and digits.

Source: https://docs.aws.amazon.com/batch/latest/userguide/using-tags.html
"""


def policy_of(
    construct: IConstruct,
    agreement: Agreement | None,
    interruption_contract: InterruptionContract | None,
    objectives: Objectives | None,
) -> SharePolicy:
    """Return what a share was given as one policy; raise if a value is of another type or out of bounds."""
    for prop, value, wanted in (
        ("agreement", agreement, Agreement),
        ("interruption_contract", interruption_contract, InterruptionContract),
        ("objectives", objectives, Objectives),
    ):
        if value is not None:
            require_type(construct, prop, value, wanted, f"{wanted.__name__}(...)")
    given = SharePolicy(agreement=agreement, interruption=interruption_contract, objectives=objectives)
    try:
        plain = given.as_metadata()
    except ConfigurationError as error:
        raise refuse(construct, str(error)) from None
    text = json.dumps(plain, ensure_ascii=False)
    if not is_known(text):
        raise refuse(
            construct,
            "what is agreed must be known when the app is synthesized, got a token in it; give the text itself",
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise refuse(
            construct,
            f"what is agreed must be text that can be written in UTF-8, got half a character, {text[error.start]!r}; "
            "leave it out",
        ) from None
    return policy_from_metadata(plain)


def metadata_of(policy: SharePolicy) -> dict[str, object] | None:
    """Return *policy* as template metadata, None if it says nothing."""
    return None if policy == NOTHING_AGREED else policy.as_metadata()


def tags_of(policy: SharePolicy) -> dict[str, str]:
    """Return the owner and the day of the review as tags; a character that no tag may hold becomes `_`."""
    agreement = policy.agreement
    if agreement is None:
        return {}
    tags = {OWNER_TAG: "".join(each if _fits_a_tag(each) else "_" for each in agreement.owner)}
    if agreement.review_by is not None:
        tags[REVIEW_TAG] = agreement.review_by.isoformat()
    return tags


def _fits_a_tag(character: str) -> bool:
    return character in _TAG_MARKS or unicodedata.category(character)[0] in "LN"
