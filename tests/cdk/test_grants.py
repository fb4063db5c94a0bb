import json
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_iam as iam
from aws_cdk.assertions import Template

from quota_constructs import QuotaManagedJobQueue, QuotaShare
from quota_constructs.errors import ConfigurationError

QUEUE_ARN = "arn:aws:batch:eu-west-1:111122223333:job-queue/training"
SHARE_ARN = f"{QUEUE_ARN}/quota-share/research"
ALL_JOBS = "arn:aws:batch:eu-west-1:111122223333:service-job/*"
JOBS_AS_JOINED = {"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, ":batch:eu-west-1:111122223333:service-job/*"]]}


@pytest.fixture
def stack() -> cdk.Stack:
    environment = cdk.Environment(account="111122223333", region="eu-west-1")
    return cdk.Stack(cdk.App(), "Stack", env=environment)


@pytest.fixture
def user(stack: cdk.Stack) -> iam.User:
    return iam.User(stack, "User")


def statements(stack: cdk.Stack) -> list[dict[str, Any]]:
    """Return the statements of the one policy, with the ARN of all jobs written out."""
    resources = Template.from_stack(stack).to_json()["Resources"]
    (policy,) = (body for body in resources.values() if body["Type"] == "AWS::IAM::Policy")
    written = json.dumps(policy["Properties"]["PolicyDocument"]["Statement"]).replace(
        json.dumps(JOBS_AS_JOINED), f'"{ALL_JOBS}"'
    )
    found: list[dict[str, Any]] = json.loads(written)
    return found


def test_who_may_submit_may_do_so_to_one_share_only(stack: cdk.Stack, user: iam.User) -> None:
    share = QuotaShare.from_quota_share_arn(stack, "Share", SHARE_ARN)

    share.grants.submit(user)

    assert statements(stack) == [
        {"Effect": "Allow", "Action": "batch:SubmitServiceJob", "Resource": [QUEUE_ARN, SHARE_ARN, ALL_JOBS]}
    ]


def test_the_jobs_are_those_beside_the_share_wherever_the_stack_is() -> None:
    elsewhere = cdk.Stack(cdk.App(), "Stack", env=cdk.Environment(account="444455556666", region="us-east-1"))
    user = iam.User(elsewhere, "User")
    share = QuotaShare.from_quota_share_arn(elsewhere, "Share", SHARE_ARN)
    queue = QuotaManagedJobQueue.from_job_queue_arn(elsewhere, "Queue", QUEUE_ARN)

    share.grants.submit(user)
    queue.grants.manage_jobs(user)

    submit, *manage = statements(elsewhere)
    assert submit["Resource"] == [QUEUE_ARN, SHARE_ARN, ALL_JOBS]
    assert [statement["Resource"] for statement in manage] == [ALL_JOBS, ALL_JOBS]


def test_the_priority_of_what_is_submitted_can_be_bounded(stack: cdk.Stack, user: iam.User) -> None:
    share = QuotaShare.from_quota_share_arn(stack, "Share", SHARE_ARN)

    share.grants.submit(user, max_priority=0)

    (statement,) = statements(stack)
    assert statement["Condition"] == {"NumericLessThanEqualsIfExists": {"batch:SchedulingPriority": 0}}


@pytest.mark.parametrize("priority", [-1, 10_000])
def test_fails_for_a_priority_that_no_job_can_have(stack: cdk.Stack, user: iam.User, priority: int) -> None:
    share = QuotaShare.from_quota_share_arn(stack, "Share", SHARE_ARN)

    with pytest.raises(ConfigurationError, match="'max_priority' must be a whole number between 0 and 9999, got"):
        share.grants.submit(user, max_priority=priority)


def test_the_bound_may_be_known_only_at_deployment(stack: cdk.Stack, user: iam.User) -> None:
    share = QuotaShare.from_quota_share_arn(stack, "Share", SHARE_ARN)
    number = cdk.CfnParameter(stack, "Number", type="Number")

    share.grants.submit(user, max_priority=number.value_as_number)

    (statement,) = statements(stack)
    assert statement["Condition"] == {"NumericLessThanEqualsIfExists": {"batch:SchedulingPriority": {"Ref": "Number"}}}


def test_reading_and_changing_reach_the_share_alone(stack: cdk.Stack, user: iam.User) -> None:
    share = QuotaShare.from_quota_share_arn(stack, "Share", SHARE_ARN)

    share.grants.read(user)
    share.grants.update(user)

    assert statements(stack) == [
        {"Effect": "Allow", "Action": "batch:DescribeQuotaShare", "Resource": SHARE_ARN},
        {"Effect": "Allow", "Action": "batch:UpdateQuotaShare", "Resource": SHARE_ARN},
    ]


def test_a_declared_share_grants_what_an_imported_one_does(
    stack: cdk.Stack, user: iam.User, queue: QuotaManagedJobQueue
) -> None:
    share = queue.add_quota_share("research", capacity={"ml.g5.xlarge": 1})

    grant = share.grants.submit(user)

    assert grant.success
    (statement,) = statements(stack)
    assert statement["Resource"] == [
        stack.resolve(queue.job_queue_arn),
        stack.resolve(share.quota_share_arn),
        ALL_JOBS,
    ]


def test_who_reads_a_queue_sees_its_shares_and_all_jobs(stack: cdk.Stack, user: iam.User) -> None:
    queue = QuotaManagedJobQueue.from_job_queue_arn(stack, "Queue", QUEUE_ARN)

    queue.grants.read(user)

    assert statements(stack) == [
        {"Effect": "Allow", "Action": ["batch:GetJobQueueSnapshot", "batch:ListQuotaShares"], "Resource": QUEUE_ARN},
        {
            "Effect": "Allow",
            "Action": ["batch:DescribeJobQueues", "batch:DescribeServiceJob", "batch:ListServiceJobs"],
            "Resource": "*",
        },
    ]


def test_who_manages_jobs_may_end_them_and_raise_them_to_a_bound(stack: cdk.Stack, user: iam.User) -> None:
    queue = QuotaManagedJobQueue.from_job_queue_arn(stack, "Queue", QUEUE_ARN)

    queue.grants.manage_jobs(user, max_priority=100)

    assert statements(stack) == [
        {"Effect": "Allow", "Action": "batch:TerminateServiceJob", "Resource": ALL_JOBS},
        {
            "Effect": "Allow",
            "Action": "batch:UpdateServiceJob",
            "Resource": ALL_JOBS,
            "Condition": {"NumericLessThanEqualsIfExists": {"batch:SchedulingPriority": 100}},
        },
    ]
