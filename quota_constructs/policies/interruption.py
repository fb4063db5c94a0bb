"""What being stopped costs a share's jobs, and what happens then: the terms on which it may borrow."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from msgspec import Struct

from quota_constructs.policies.limits import Amount, Count, PositiveAmount, Text

SIGTERM_WINDOW_SECONDS = 120
"""
How long SageMaker lets a stopping training job go on after SIGTERM.

Source: https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_StopTrainingJob.html
"""


class WhenRetriesRunOut(StrEnum):
    """What is done with a job that has been preempted once too often."""

    RECLASSIFY = "reclassify"
    """It moves to a share, or a priority, at which it is left alone."""

    RESUBMIT = "resubmit"
    """Somebody submits it again."""

    OTHER_CAPACITY = "other-capacity"
    """It runs elsewhere, for example on capacity that is not shared."""


class ResumeEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Proof that resuming was tried and not only planned."""

    tried_on: date
    link: Text = ""


class InterruptionContract(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    How a share's workload survives being stopped.

    Where a trace says nothing about a job's checkpoints or preemption retries, those of its share's contract
    apply, and the result says that its figures rest on them. Times are in seconds.
    """

    can_resume: bool
    """Whether a stopped job can go on from saved work; without, it starts again from nothing."""

    checkpoint_interval_seconds: PositiveAmount | None = None
    """Productive time between two checkpoints; None if there are none."""

    checkpoint_cost_seconds: Amount = 0
    """How long a checkpoint keeps the job from working."""

    restore_seconds: Amount = 0
    """How long a restarted job takes to load what it saved."""

    saves_on_sigterm: bool = False
    """Whether it saves its work when told to stop."""

    save_on_sigterm_seconds: Amount | None = None
    """How long that takes; more than the service's 120 s is as good as not saving."""

    upload_lag_seconds: Amount = 0
    """How long after a checkpoint its copy is really in S3; what is stopped before that resumes from the one before."""

    evidence: ResumeEvidence | None = None
    recovery_owner: Text = ""
    """Who acts when a job does not resume as it should."""

    assumes_continuous_access: bool = False
    """Whether the completion times that people were given count on never being interrupted."""

    preemption_retries: Count | None = None
    """How often a job may be preempted before it fails; None is without end."""

    when_retries_run_out: WhenRetriesRunOut | None = None
    escalate_to: Text = ""
    """Who is told when a job's retries have run out."""
