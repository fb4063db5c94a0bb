"""
An account as AWS would describe it, in memory: queues, shares, environments, jobs, training jobs and quotas.

Records are kept in the services' own words, so that a test can change any member of any of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
"""A structure of a service, member by member."""

REGION = "eu-west-1"
ACCOUNT_ID = "123456789012"
QUEUE = "training"
UNIT = "ml.g5.xlarge"
SECRET = "hunter2-must-never-be-written"  # noqa: S105 - what the tests look for in whatever a command writes
START_MS = 1_767_225_600_000
"""2026-01-01 00:00 UTC, when the first job of an account is submitted unless a test says otherwise."""

DISPATCHED = ("SCHEDULED", "STARTING", "RUNNING")


def batch_arn(resource: str) -> str:
    """Return the ARN of a resource of Batch, such as `job-queue/training`."""
    return f"arn:aws:batch:{REGION}:{ACCOUNT_ID}:{resource}"


def limits_of(limits: Mapping[str, int] | int) -> list[Record]:
    """Return capacity limits; a bare number is of the usual instance type."""
    by_unit = {UNIT: limits} if isinstance(limits, int) else limits
    return [{"maxCapacity": most, "capacityUnit": unit} for unit, most in by_unit.items()]


@dataclass(kw_only=True, slots=True)
class Account:
    """What the services know, by name or ARN, and the methods that fill it."""

    queues: dict[str, Record] = field(default_factory=dict[str, Record])
    environments: dict[str, Record] = field(default_factory=dict[str, Record])
    policies: dict[str, Record] = field(default_factory=dict[str, Record])
    shares: dict[str, Record] = field(default_factory=dict[str, Record])
    jobs: dict[str, Record] = field(default_factory=dict[str, Record])
    training_jobs: dict[str, Record] = field(default_factory=dict[str, Record])
    applied_quotas: dict[str, Record] = field(default_factory=dict[str, Record])
    default_quotas: dict[str, Record] = field(default_factory=dict[str, Record])

    def add_queue(
        self, name: str = QUEUE, capacity: Mapping[str, int] | int = 4, *, scheduling: str | None = "quotaSharePolicy"
    ) -> Record:
        """Add a queue with an environment and, unless it is first in, first out, a policy, all of the same name."""
        environment = batch_arn(f"service-environment/{name}")
        self.environments[name] = {
            "serviceEnvironmentName": name,
            "serviceEnvironmentArn": environment,
            "serviceEnvironmentType": "SAGEMAKER_TRAINING",
            "state": "ENABLED",
            "status": "VALID",
            "capacityLimits": limits_of(capacity),
        }
        queue = {
            "jobQueueName": name,
            "jobQueueArn": batch_arn(f"job-queue/{name}"),
            "jobQueueType": "SAGEMAKER_TRAINING",
            "state": "ENABLED",
            "status": "VALID",
            "statusReason": "JobQueue Healthy",
            "priority": 1,
            "computeEnvironmentOrder": [],
            "serviceEnvironmentOrder": [{"order": 1, "serviceEnvironment": environment}],
            "jobStateTimeLimitActions": [],
        }
        if scheduling is not None:
            policy = batch_arn(f"scheduling-policy/{name}")
            rules: Record = {"idleResourceAssignmentStrategy": "FIFO"} if scheduling == "quotaSharePolicy" else {}
            self.policies[policy] = {"name": name, "arn": policy, scheduling: rules}
            queue["schedulingPolicyArn"] = policy
        self.queues[name] = queue
        return queue

    def add_share(
        self,
        name: str,
        limits: Mapping[str, int] | int = 1,
        strategy: str = "RESERVE",
        *,
        queue: str = QUEUE,
        borrow_limit: int | None = None,
        in_share_preemption: bool = False,
    ) -> Record:
        """Add a quota share to a queue."""
        arn = batch_arn(f"job-queue/{queue}/quota-share/{name}")
        sharing: Record = {"strategy": strategy}
        if strategy == "LEND_AND_BORROW":
            sharing["borrowLimit"] = -1 if borrow_limit is None else borrow_limit
        self.shares[arn] = {
            "quotaShareName": name,
            "quotaShareArn": arn,
            "jobQueueArn": batch_arn(f"job-queue/{queue}"),
            "capacityLimits": limits_of(limits),
            "resourceSharingConfiguration": sharing,
            "preemptionConfiguration": {"inSharePreemption": "ENABLED" if in_share_preemption else "DISABLED"},
            "state": "ENABLED",
            "status": "VALID",
        }
        return self.shares[arn]

    def add_job(
        self,
        share: str | None,
        status: str = "SUCCEEDED",
        *,
        instances: Mapping[str, int] | int = 1,
        created_ms: int | None = None,
        ran_ms: Sequence[tuple[int, int | None]] | None = None,
        preempted_ms: Sequence[tuple[int, int]] = (),
        queue: str = QUEUE,
        name: str | None = None,
        priority: int | None = 0,
        checkpoints: bool = False,
    ) -> Record:
        """
        Add a service job, with a training job for each time that it ran.

        *ran_ms* are the attempts that ended by themselves or still run, *preempted_ms* those that were stopped for
        another job. Without *ran_ms*, a job that is over ran from one to two minutes after it was submitted, one
        that runs has done so from a minute after, and one that waits never ran.
        """
        number = len(self.jobs) + 1
        job_id = f"{number:08x}-0000-4000-8000-{number:012x}"
        name = name or f"job-{number}"
        created_ms = START_MS + number * 60_000 if created_ms is None else created_ms
        if ran_ms is None:
            ended = {"SUCCEEDED": created_ms + 120_000, "FAILED": created_ms + 120_000}.get(status)
            ran_ms = [(created_ms + 60_000, ended)] if ended is not None or status == "RUNNING" else []
        units = [
            {"capacityUnit": limit["capacityUnit"], "quantity": float(limit["maxCapacity"])}
            for limit in limits_of(instances)
        ]
        preempted, attempts = (
            [
                self._add_training_job(name, number, first + index, start_ms, end_ms, stopped=stopped, units=units)
                for index, (start_ms, end_ms) in enumerate(times)
            ]
            for times, first, stopped in ((preempted_ms, 0, True), (ran_ms, len(preempted_ms), False))
        )
        job: Record = {
            "jobId": job_id,
            "jobArn": batch_arn(f"service-job/{job_id}"),
            "jobName": name,
            "jobQueue": batch_arn(f"job-queue/{queue}"),
            "serviceJobType": "SAGEMAKER_TRAINING",
            "status": status,
            "createdAt": created_ms,
            "startedAt": ran_ms[-1][0] if ran_ms else 0,  # the model requires it even of a job that has not started
            "isTerminated": False,
            "capacityUsage": units,
            "retryStrategy": {"attempts": 1},
            "timeoutConfig": {"attemptDurationSeconds": 86_400},
            "serviceRequestPayload": _payload(name, units, checkpoints=checkpoints),
            "attempts": attempts,
        }
        if share is not None:
            job["quotaShareName"] = share
        if priority is not None:
            job["schedulingPriority"] = priority
        if preempted:
            job["preemptionSummary"] = {
                "preemptedAttemptCount": len(preempted),
                "recentPreemptedAttempts": preempted[::-1][:10],
            }
        if status in DISPATCHED or attempts:
            job["scheduledAt"] = attempts[-1]["startedAt"] - 30_000 if attempts else created_ms + 30_000
        if attempts or preempted:
            job["latestAttempt"] = {"serviceResourceId": (attempts or preempted)[-1]["serviceResourceId"]}
        if ran_ms and ran_ms[-1][1] is not None:
            job["stoppedAt"] = ran_ms[-1][1]
        self.jobs[job_id] = job
        return job

    def _add_training_job(
        self,
        name: str,
        number: int,
        attempt: int,
        start_ms: int,
        end_ms: int | None,
        *,
        stopped: bool,
        units: Sequence[Record],
    ) -> Record:
        """Add the training job behind an attempt, and return the attempt."""
        training_job = f"AWSBatch{name}{number:016x}{attempt:016x}"
        arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT_ID}:training-job/{training_job}"
        over = "Stopped" if stopped else "Completed"
        record: Record = {
            "TrainingJobName": training_job,
            "TrainingJobArn": arn,
            "ModelArtifacts": {"S3ModelArtifacts": "s3://bucket/model.tar.gz"},
            "TrainingJobStatus": "InProgress" if end_ms is None else over,
            "SecondaryStatus": "Training" if end_ms is None else over,
            "StoppingCondition": {"MaxRuntimeInSeconds": 86_400},
            "ResourceConfig": {
                "InstanceType": units[0]["capacityUnit"],
                "InstanceCount": int(units[0]["quantity"]),
                "VolumeSizeInGB": 30,
            },
            "CreationTime": start_ms / 1000 - 30,
            "TrainingStartTime": start_ms / 1000,
            "HyperParameters": {"password": SECRET},
            "Environment": {"TOKEN": SECRET},
        }
        details: Record = {
            "serviceResourceId": {"name": "TrainingJobArn", "value": arn},
            "startedAt": start_ms,
        }
        if end_ms is not None:
            record |= {"TrainingEndTime": end_ms / 1000, "TrainingTimeInSeconds": max(1, (end_ms - start_ms) // 1000)}
            details["stoppedAt"] = end_ms
        if stopped:
            details["statusReason"] = "Cross-share preemption triggered to reclaim borrowed capacity"
        self.training_jobs[training_job] = record
        return details

    def add_training_quota(self, unit: str, value: float, *, applied: bool = True) -> Record:
        """Set how many instances of a type SageMaker lets the account train on, as changed or as by default."""
        name = f"{unit} for training job usage"
        code = f"L-{sum(name.encode()) * 7919 % 0xFFFFFFFF:08X}"
        quota: Record = {
            "ServiceCode": "sagemaker",
            "ServiceName": "Amazon SageMaker",
            "QuotaArn": f"arn:aws:servicequotas:{REGION}:{ACCOUNT_ID}:sagemaker/{code}",
            "QuotaCode": code,
            "QuotaName": name,
            "Value": float(value),
            "Unit": "None",
            "Adjustable": True,
            "GlobalQuota": False,
        }
        (self.applied_quotas if applied else self.default_quotas)[code] = quota
        return quota


def _payload(name: str, units: Sequence[Record], *, checkpoints: bool) -> str:
    """Return what a job was submitted with, a secret in it, as text."""
    payload: Record = {
        "TrainingJobName": name,
        "RoleArn": f"arn:aws:iam::{ACCOUNT_ID}:role/training",
        "Environment": {"TOKEN": SECRET},
        "HyperParameters": {"password": SECRET},
        "ResourceConfig": {
            "InstanceType": units[0]["capacityUnit"],
            "InstanceCount": int(units[0]["quantity"]),
            "VolumeSizeInGB": 30,
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": 86_400},
    }
    if checkpoints:
        payload["CheckpointConfig"] = {"S3Uri": f"s3://bucket/{SECRET}/checkpoints"}
    return json.dumps(payload)
