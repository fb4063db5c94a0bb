"""AWS's own example of quota management: three teams, three instances, three ways to treat idle capacity."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import aws_cdk as cdk
from constructs import Construct

from quota_constructs import (
    Agreement,
    BlockedReason,
    InterruptionContract,
    JobStateTimeLimitAction,
    Objective,
    Objectives,
    QuotaManagedJobQueue,
    ResourceSharing,
    ResumeEvidence,
    ServiceEnvironment,
    WhenRetriesRunOut,
)

OWNER_RETURNS = Path(__file__).parent / "traces" / "owner-returns.jsonl"
"""Jobs of an afternoon in which a lender wants its instance back, and a waiting job becomes urgent."""

ONE_INSTANCE = {"ml.g5.xlarge": 1}
REVIEW = date(2027, 6, 30)


class ThreeShares(cdk.Stack):
    """
    Background work that takes what is idle, medium work that lends, protected work that keeps its own.

    Source: the quota-management notebook under `v3-examples/` of https://github.com/aws/sagemaker-python-sdk
    """

    def __init__(self, scope: Construct, id: str) -> None:  # noqa: A002 - jsii passes it by this name
        """Define the environment, its queue and the three shares, each with what was agreed on it."""
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
        background = queue.add_quota_share(
            "background",
            capacity=ONE_INSTANCE,
            sharing=ResourceSharing.lend_and_borrow(borrow_limit_percent=200),
            in_share_preemption=True,
            agreement=Agreement(
                owner="Research",
                contact="research@example.com",
                purpose="Experiments that may take their time",
                rationale="Borrows what is idle, as its jobs save their work and can be stopped at any time",
                priorities_raised_by="the lead of Research",
                review_by=REVIEW,
            ),
            interruption_contract=InterruptionContract(
                can_resume=True,
                checkpoint_interval_seconds=900,
                checkpoint_cost_seconds=15,
                restore_seconds=60,
                evidence=ResumeEvidence(tried_on=date(2026, 10, 5), link="https://example.com/runbooks/resume"),
                recovery_owner="Research on call",
                preemption_retries=10,
                when_retries_run_out=WhenRetriesRunOut.RECLASSIFY,
                escalate_to="capacity@example.com",
            ),
            objectives=Objectives(
                wait_max_seconds=Objective(bound=7_200, traces=(OWNER_RETURNS.name,)),
                lost_work_percent=Objective(bound=10),
            ),
        )
        cdk.Validations.of(background).acknowledge(
            cdk.Acknowledgment(id="quota-constructs::QC109", reason="the borrow limit leaves room for lenders to come")
        )
        queue.add_quota_share(
            "medium",
            capacity=ONE_INSTANCE,
            sharing=ResourceSharing.lend(),
            agreement=Agreement(
                owner="Product",
                contact="product@example.com",
                purpose="Training for the next release",
                rationale="Lends what it leaves idle, as it has it back within minutes",
                review_by=REVIEW,
            ),
            objectives=Objectives(entitled_wait_seconds=Objective(bound=180)),
        )
        queue.add_quota_share(
            "protected",
            capacity=ONE_INSTANCE,
            sharing=ResourceSharing.reserve(),
            agreement=Agreement(
                owner="Operations",
                contact="operations@example.com",
                purpose="Retraining that cannot wait for anybody",
                rationale="Reserves, as even the time that stopping a borrower takes would be too long",
                review_by=REVIEW,
            ),
            objectives=Objectives(entitled_wait_seconds=Objective(bound=0)),
        )
