"""A base and a head of it for each kind of change, and their review."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from msgspec import structs

from quota_constructs.evaluator.review.review import Review
from quota_constructs.evaluator.reviewing import review_systems
from quota_constructs.evaluator.shared_load import Load
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.agreement import Agreement, Exemption
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objective, Objectives
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, UNIT, share, source, system
from tests.templates import write_trace

HOUR = 3600
AFTERNOON = (
    *({"id": f"sweep-{number}", "share": "research", "submit": 0, "duration": 4 * HOUR} for number in range(1, 5)),
    {"id": "tune", "share": "product", "submit": 0, "duration": 2 * HOUR, "instance_count": 4},
    {"id": "nightly", "share": "product", "submit": HOUR, "duration": 2 * HOUR},
    {"id": "big", "share": "research", "submit": 5 * HOUR, "duration": HOUR, "instance_count": 6},
)

CONTRACT = InterruptionContract(can_resume=False, recovery_owner="ops")
RESEARCH = share(
    "research",
    4,
    LEND_AND_BORROW,
    borrow_limit=100,
    agreement=Agreement(owner="ann", review_by=date(2030, 6, 30)),
    interruption=CONTRACT,
    objectives=Objectives(completion_p95_seconds=Objective(bound=5 * HOUR)),
)
PRODUCT = share("product", 4, LEND, agreement=Agreement(owner="bob"))


def arrangement(*shares: QuotaShare, capacity: int = 8) -> System:
    """Build a queue in which nothing but what a test is about is found."""
    return system(*shares, capacity=capacity, time_limits=dict.fromkeys(BlockedReason, HOUR))


def agreed(share: QuotaShare, **parts: object) -> QuotaShare:
    """Return *share* with other *parts* of what was agreed on."""
    return replace(share, policy=structs.replace(share.policy, **parts))


BASE = arrangement(RESEARCH, PRODUCT)
EXCEPTION = Exemption(reason="a paper", granted_by="cto", since=date(2030, 1, 1), until=date(2030, 2, 1))
RESUMES = InterruptionContract(can_resume=True, checkpoint_interval_seconds=900, recovery_owner="ops")

HEADS = {
    "nothing at all": BASE,
    "one instance to another team": arrangement(
        replace(RESEARCH, limits={UNIT: 3}), replace(PRODUCT, limits={UNIT: 5})
    ),
    "strategy": arrangement(replace(RESEARCH, strategy=LEND), PRODUCT),
    "other strategy": arrangement(RESEARCH, replace(PRODUCT, strategy=RESERVE)),
    "borrow limit": arrangement(replace(RESEARCH, borrow_limit_percent=25), PRODUCT),
    "in-share preemption": arrangement(replace(RESEARCH, in_share_preemption=True), PRODUCT),
    "state": arrangement(RESEARCH, replace(PRODUCT, enabled=False)),
    "time limits": replace(BASE, time_limits=BASE.time_limits[:1]),
    "share added": arrangement(RESEARCH, PRODUCT, share("guests", 2, LEND_AND_BORROW), capacity=10),
    "share removed": arrangement(RESEARCH),
    "share renamed": arrangement(replace(RESEARCH, name="science"), PRODUCT),
    "share renamed as the CDK does": arrangement(replace(RESEARCH, name="science", source=source("Science")), PRODUCT),
    "queue replaced": replace(BASE, name="training-2"),
    "another logical id": arrangement(RESEARCH, replace(PRODUCT, source=source("Other"))),
    "environment shrunk": arrangement(RESEARCH, PRODUCT, capacity=6),
    "agreement only": arrangement(
        agreed(RESEARCH, agreement=Agreement(owner="ann", review_by=date(2031, 6, 30), exceptions=(EXCEPTION,))),
        PRODUCT,
    ),
    "contract": arrangement(agreed(RESEARCH, interruption=RESUMES), PRODUCT),
    "promise": arrangement(
        agreed(RESEARCH, objectives=Objectives(completion_p95_seconds=Objective(bound=HOUR))), PRODUCT
    ),
}
"""What a pull request makes of the base, by the kind of change."""


def review(*heads: System) -> Review:
    """Review *heads* against the base on the jobs of an afternoon, whose trace goes into the current folder."""
    load = Load(traces=[write_trace(Path("afternoon.jsonl"), *AFTERNOON)])
    return review_systems([BASE], heads, names=("base.yaml", "head.yaml"), load=load)
