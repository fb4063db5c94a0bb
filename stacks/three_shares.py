"""AWS's own example of quota management: three teams, three instances, three ways to treat idle capacity."""

from __future__ import annotations

from pathlib import Path

import aws_cdk as cdk
from constructs import Construct

from quota_constructs import (
    BlockedReason,
    JobStateTimeLimitAction,
    QuotaManagedJobQueue,
    ResourceSharing,
    ServiceEnvironment,
)

OWNER_RETURNS = Path(__file__).parent / "traces" / "owner-returns.jsonl"
"""Jobs of an afternoon in which a lender wants its instance back, and a waiting job becomes urgent."""

ONE_INSTANCE = {"ml.g5.xlarge": 1}


class ThreeShares(cdk.Stack):
    """
    Background work that takes what is idle, medium work that lends, protected work that keeps its own.

    Source: the quota-management notebook under `v3-examples/` of https://github.com/aws/sagemaker-python-sdk
    """

    def __init__(self, scope: Construct, id: str) -> None:  # noqa: A002 - jsii passes it by this name
        """Define the environment, its queue and the three shares."""
        super().__init__(scope, id)

        environment = ServiceEnvironment(self, "Environment", capacity={"ml.g5.xlarge": 3})
        queue = QuotaManagedJobQueue(
            self,
            "Queue",
            service_environment=environment,
            job_state_time_limit_actions=[
                JobStateTimeLimitAction(BlockedReason.ENVIRONMENT_EXCEEDED, 3_600),
                JobStateTimeLimitAction(BlockedReason.QUOTA_EXCEEDED, 3_600),
            ],
        )
        queue.add_quota_share(
            "background",
            capacity=ONE_INSTANCE,
            sharing=ResourceSharing.lend_and_borrow(borrow_limit_percent=200),
            in_share_preemption=True,
        )
        queue.add_quota_share("medium", capacity=ONE_INSTANCE, sharing=ResourceSharing.lend())
        queue.add_quota_share("protected", capacity=ONE_INSTANCE, sharing=ResourceSharing.reserve())
