import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Template
from aws_cdk.aws_batch import CfnSchedulingPolicy

from quota_constructs import QuotaSchedulingPolicy
from quota_constructs.errors import ConfigurationError

KIND = "AWS::Batch::SchedulingPolicy"
ARN = "arn:aws:batch:eu-west-1:111122223333:scheduling-policy/fifo"


def test_the_strategy_that_the_service_requires_is_always_written(stack: cdk.Stack) -> None:
    QuotaSchedulingPolicy(stack, "Policy")

    Template.from_stack(stack).has_resource_properties(
        KIND, {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}
    )


def test_it_takes_a_name_tags_and_a_removal_policy(stack: cdk.Stack) -> None:
    QuotaSchedulingPolicy(
        stack,
        "Policy",
        scheduling_policy_name="fifo",
        tags={"team": "platform"},
        removal_policy=cdk.RemovalPolicy.RETAIN,
    )

    Template.from_stack(stack).has_resource(
        KIND, {"DeletionPolicy": "Retain", "Properties": {"Name": "fifo", "Tags": {"team": "platform"}}}
    )


def test_fails_for_a_name_that_the_service_refuses(stack: cdk.Stack) -> None:
    with pytest.raises(ConfigurationError, match=r"'scheduling_policy_name' must be 1 to 128 letters.*, got 'a b'"):
        QuotaSchedulingPolicy(stack, "Policy", scheduling_policy_name="a b")


def test_the_name_may_be_known_only_at_deployment(stack: cdk.Stack) -> None:
    text = cdk.CfnParameter(stack, "Text")

    QuotaSchedulingPolicy(stack, "Policy", scheduling_policy_name=text.value_as_string)

    Template.from_stack(stack).has_resource_properties(KIND, {"Name": {"Ref": "Text"}})


def test_an_imported_one_has_the_arn_and_the_name_it_was_imported_with(stack: cdk.Stack) -> None:
    by_arn = QuotaSchedulingPolicy.from_scheduling_policy_arn(stack, "ByArn", ARN)
    by_name = QuotaSchedulingPolicy.from_scheduling_policy_name(stack, "ByName", "fifo")

    assert (by_arn.scheduling_policy_arn, by_arn.scheduling_policy_name) == (ARN, "fifo")
    assert by_name.scheduling_policy_name == "fifo"


def test_fails_to_import_the_arn_of_something_else(stack: cdk.Stack) -> None:
    with pytest.raises(ConfigurationError, match="scheduling-policy/<name>', got 'fifo'"):
        QuotaSchedulingPolicy.from_scheduling_policy_arn(stack, "Imported", "fifo")


def test_the_cdk_s_own_constructs_accept_it(stack: cdk.Stack) -> None:
    policy = QuotaSchedulingPolicy(stack, "Policy")

    arn = CfnSchedulingPolicy.arn_for_scheduling_policy(policy)

    assert stack.resolve(arn) == stack.resolve(policy.scheduling_policy_arn)
