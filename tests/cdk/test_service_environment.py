from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Template
from aws_cdk.aws_batch import CfnServiceEnvironment

from quota_constructs import ServiceEnvironment
from quota_constructs.errors import ConfigurationError

KIND = "AWS::Batch::ServiceEnvironment"
ARN = "arn:aws:batch:eu-west-1:111122223333:service-environment/gpus"


def test_it_is_for_sagemaker_training_and_enabled(stack: cdk.Stack) -> None:
    ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 3})

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
            "State": "ENABLED",
            "CapacityLimits": [{"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 3}],
        },
    )


def test_capacity_is_written_in_order_of_instance_type(stack: cdk.Stack) -> None:
    ServiceEnvironment(stack, "Environment", capacity={"ml.p5.48xlarge": 1, "ml.g5.xlarge": 3})

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "CapacityLimits": [
                {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 3},
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 1},
            ]
        },
    )


def test_it_takes_a_name_a_state_tags_and_a_removal_policy(stack: cdk.Stack) -> None:
    ServiceEnvironment(
        stack,
        "Environment",
        capacity={"ml.g5.xlarge": 3},
        service_environment_name="gpus",
        enabled=False,
        tags={"team": "platform"},
        removal_policy=cdk.RemovalPolicy.RETAIN,
    )

    Template.from_stack(stack).has_resource(
        KIND,
        {
            "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "Retain",
            "Properties": {
                "ServiceEnvironmentName": "gpus",
                "State": "DISABLED",
                "Tags": {"team": "platform"},
            },
        },
    )


@pytest.mark.parametrize(
    ("capacity", "message"),
    [
        pytest.param({}, "'capacity' must name 1 to 5 instance types, got 0", id="no limit"),
        pytest.param(
            {f"ml.g5.{size}xlarge": 1 for size in (2, 4, 8, 12, 16, 24)},
            "'capacity' must name 1 to 5 instance types, got 6",
            id="six limits",
        ),
        pytest.param(
            {"ml.g5.xlarge": 0},
            "'capacity' of 'ml.g5.xlarge' must be a whole number between 1 and 2147483647, got 0; "
            "leave the instance type out to give none of it",
            id="none of a type",
        ),
        pytest.param({"ml.g5.xlarge": 1.5}, "must be a whole number between 1 and", id="half an instance"),
        pytest.param({"ml.g5.xlarge": 2**31}, "got 2147483648;", id="more than the service can count"),
        pytest.param({"ml.g5.xlarge": float("nan")}, "got nan;", id="not a number"),
        pytest.param({"ml.g5.xlarge": float("inf")}, "got inf;", id="infinity"),
        pytest.param({"g5.xlarge": 1}, "as 'ml.<family>.<size>', got 'g5.xlarge'", id="an EC2 type"),
        pytest.param({"ml.g5": 1}, "as 'ml.<family>.<size>', got 'ml.g5'", id="no size"),
        pytest.param({"ml.g5.xlarge\n": 1}, r"got 'ml.g5.xlarge\n'", id="a line break"),
        pytest.param({"NUM_INSTANCES": 1}, "got 'NUM_INSTANCES'; name a SageMaker instance type", id="any instance"),
    ],
)
def test_fails_for_capacity_that_the_service_refuses(
    stack: cdk.Stack, capacity: dict[str, float], message: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        ServiceEnvironment(stack, "Environment", capacity=capacity)

    assert str(refused.value).startswith("Stack/Environment: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "unit", ["ml.trn1n.32xlarge", "ml.p6-b200.48xlarge", "ml.u-6tb1.56xlarge", "ml.g7e.metal-48xl"]
)
def test_every_form_of_instance_type_is_taken(stack: cdk.Stack, unit: str) -> None:
    ServiceEnvironment(stack, "Environment", capacity={unit: 1})

    Template.from_stack(stack).has_resource_properties(KIND, {"CapacityLimits": [{"CapacityUnit": unit}]})


def test_fails_for_a_state_in_the_service_s_words(stack: cdk.Stack) -> None:
    state: Any = "DISABLED"

    with pytest.raises(ConfigurationError, match="'enabled' must be True or False, got 'DISABLED'"):
        ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 1}, enabled=state)


@pytest.mark.parametrize("name", ["", "two words", "a" * 129, "ümlaut"])
def test_fails_for_a_name_that_the_service_refuses(stack: cdk.Stack, name: str) -> None:
    with pytest.raises(ConfigurationError, match="'service_environment_name' must be 1 to 128 letters, digits"):
        ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 1}, service_environment_name=name)


def test_numbers_and_names_may_be_known_only_at_deployment(stack: cdk.Stack) -> None:
    number = cdk.CfnParameter(stack, "Number", type="Number")
    text = cdk.CfnParameter(stack, "Text")

    ServiceEnvironment(
        stack,
        "Environment",
        capacity={text.value_as_string: number.value_as_number, "ml.g5.xlarge": 1},
        service_environment_name=text.value_as_string,
    )

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "ServiceEnvironmentName": {"Ref": "Text"},
            "CapacityLimits": [
                {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 1},
                {"CapacityUnit": {"Ref": "Text"}, "MaxCapacity": {"Ref": "Number"}},
            ],
        },
    )


def test_an_imported_one_has_the_arn_and_the_name_it_was_imported_with(stack: cdk.Stack) -> None:
    by_arn = ServiceEnvironment.from_service_environment_arn(stack, "ByArn", ARN)
    by_name = ServiceEnvironment.from_service_environment_name(stack, "ByName", "gpus")

    assert (by_arn.service_environment_arn, by_arn.service_environment_name) == (ARN, "gpus")
    assert by_arn.env.region == "eu-west-1"
    assert by_name.service_environment_name == "gpus"
    assert str(stack.resolve(by_name.service_environment_arn)).count("service-environment/gpus") == 1


def test_fails_to_import_the_arn_of_something_else(stack: cdk.Stack) -> None:
    with pytest.raises(
        ConfigurationError, match=r"must be 'arn:<partition>:batch:<region>:<account>:service-environment/<name>', got"
    ):
        ServiceEnvironment.from_service_environment_arn(
            stack, "Imported", "arn:aws:batch:eu-west-1:111122223333:compute-environment/gpus"
        )


def test_the_cdk_s_own_constructs_accept_it(stack: cdk.Stack) -> None:
    environment = ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 1})

    arn = CfnServiceEnvironment.arn_for_service_environment(environment)

    assert stack.resolve(arn) == stack.resolve(environment.service_environment_arn)


def test_tags_of_the_cdk_reach_it(stack: cdk.Stack) -> None:
    environment = ServiceEnvironment(stack, "Environment", capacity={"ml.g5.xlarge": 1})

    cdk.Tags.of(environment).add("cost-centre", "42")

    Template.from_stack(stack).has_resource_properties(KIND, {"Tags": {"cost-centre": "42"}})
