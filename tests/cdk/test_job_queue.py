from typing import Any

import aws_cdk as cdk
import jsii
import pytest
from aws_cdk import aws_batch as batch
from aws_cdk.assertions import Annotations, Match, Template
from constructs import IConstruct

from quota_constructs import (
    BlockedReason,
    JobStateTimeLimitAction,
    QuotaManagedJobQueue,
    QuotaSchedulingPolicy,
    QuotaShare,
    ServiceEnvironment,
)
from quota_constructs.errors import ConfigurationError

KIND = "AWS::Batch::JobQueue"
ARN = "arn:aws:batch:eu-west-1:111122223333:job-queue/training"
ONE = {"ml.g5.xlarge": 1}


def test_it_schedules_on_one_environment_by_a_policy_of_its_own(
    stack: cdk.Stack, environment: ServiceEnvironment
) -> None:
    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
    queue.add_quota_share("research", capacity=ONE)

    template = Template.from_stack(stack)
    (policy,) = template.find_resources("AWS::Batch::SchedulingPolicy")
    template.has_resource_properties(
        KIND,
        {
            "JobQueueType": "SAGEMAKER_TRAINING",
            "Priority": 1,
            "State": "ENABLED",
            "SchedulingPolicyArn": {"Fn::GetAtt": [policy, "Arn"]},
            "ServiceEnvironmentOrder": [
                {"Order": 1, "ServiceEnvironment": stack.resolve(environment.service_environment_arn)}
            ],
            "JobStateTimeLimitActions": Match.absent(),
            "ComputeEnvironmentOrder": Match.absent(),
        },
    )


def test_it_takes_a_policy_that_exists(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    policy = QuotaSchedulingPolicy(stack, "Policy")

    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment, scheduling_policy=policy)
    queue.add_quota_share("research", capacity=ONE)

    template = Template.from_stack(stack)
    template.resource_count_is("AWS::Batch::SchedulingPolicy", 1)
    template.has_resource_properties(KIND, {"SchedulingPolicyArn": stack.resolve(policy.scheduling_policy_arn)})


def test_it_takes_the_cdk_s_own_environment_and_policy(stack: cdk.Stack) -> None:
    environment = batch.CfnServiceEnvironment(
        stack, "Environment", service_environment_type="SAGEMAKER_TRAINING", capacity_limits=[]
    )
    policy = batch.CfnSchedulingPolicy(stack, "Policy")

    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment, scheduling_policy=policy)
    queue.add_quota_share("research", capacity=ONE)

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "SchedulingPolicyArn": {"Ref": "Policy"},
            "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}],
        },
    )


def test_fails_for_a_fair_share_policy(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    policy = batch.FairshareSchedulingPolicy(stack, "Policy")

    with pytest.raises(ConfigurationError, match="'scheduling_policy' must be a quota-share policy, got a fair-share"):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, scheduling_policy=policy)


def test_it_takes_a_name_a_priority_a_state_and_tags(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    queue = QuotaManagedJobQueue(
        stack,
        "Queue",
        service_environment=environment,
        job_queue_name="training",
        priority=1_000,
        enabled=False,
        tags={"team": "platform"},
    )
    queue.add_quota_share("research", capacity=ONE)

    Template.from_stack(stack).has_resource_properties(
        KIND, {"JobQueueName": "training", "Priority": 1_000, "State": "DISABLED", "Tags": {"team": "platform"}}
    )


def test_jobs_that_block_a_share_can_be_terminated_after_a_time(
    stack: cdk.Stack, environment: ServiceEnvironment
) -> None:
    queue = QuotaManagedJobQueue(
        stack,
        "Queue",
        service_environment=environment,
        job_state_time_limit_actions=[
            JobStateTimeLimitAction(BlockedReason.QUOTA_EXCEEDED, 600),
            JobStateTimeLimitAction(BlockedReason.INSUFFICIENT_CAPACITY, 86_400),
        ],
    )
    queue.add_quota_share("research", capacity=ONE)

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "JobStateTimeLimitActions": [
                {
                    "Action": "TERMINATE",
                    "State": "RUNNABLE",
                    "Reason": "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
                    "MaxTimeSeconds": 600,
                },
                {
                    "Action": "TERMINATE",
                    "State": "RUNNABLE",
                    "Reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
                    "MaxTimeSeconds": 86_400,
                },
            ]
        },
    )


@pytest.mark.parametrize("seconds", [599, 86_401, 600.5])
def test_fails_for_a_time_limit_that_the_service_refuses(
    stack: cdk.Stack, environment: ServiceEnvironment, seconds: float
) -> None:
    limit = JobStateTimeLimitAction(BlockedReason.QUOTA_EXCEEDED, seconds)

    with pytest.raises(
        ConfigurationError,
        match=f"'max_time_seconds' of MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED must be a whole number "
        f"between 600 and 86400, got {seconds}",
    ):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, job_state_time_limit_actions=[limit])


def test_fails_for_a_time_limit_on_a_reason_that_the_service_does_not_know(
    stack: cdk.Stack, environment: ServiceEnvironment
) -> None:
    misspelt: Any = "CAPACITY:INSUFFICIENT_CAPACITY"
    limit = JobStateTimeLimitAction(misspelt, 600)

    with pytest.raises(ConfigurationError, match=rf"must be for one of MISCONFIG.*, got '{misspelt}'$"):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, job_state_time_limit_actions=[limit])


@pytest.mark.parametrize("priority", [-1, 1_001, 0.5, 10**400, "1", True, None])
def test_fails_for_a_priority_that_the_service_refuses(
    stack: cdk.Stack,
    environment: ServiceEnvironment,
    priority: Any,  # noqa: ANN401 - what a program without a type checker may give
) -> None:
    with pytest.raises(
        ConfigurationError, match=f"'priority' must be a whole number between 0 and 1000, got {priority!r}"
    ):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, priority=priority)


def test_fails_for_a_state_in_the_service_s_words(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    state: Any = "DISABLED"

    with pytest.raises(ConfigurationError, match="'enabled' must be True or False, got 'DISABLED'"):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, enabled=state)


@pytest.mark.parametrize("prop", ["service_environment", "scheduling_policy"])
def test_fails_for_an_arn_in_place_of_a_construct(stack: cdk.Stack, environment: ServiceEnvironment, prop: str) -> None:
    props: dict[str, Any] = {"service_environment": environment, prop: ARN}

    with pytest.raises(ConfigurationError, match=f"'{prop}' must be a construct, got '{ARN}'; import what exists"):
        QuotaManagedJobQueue(stack, "Queue", **props)


def test_fails_for_an_environment_of_another_region() -> None:
    stack = cdk.Stack(cdk.App(), "Stack", env=cdk.Environment(account="111122223333", region="us-east-1"))
    environment = ServiceEnvironment.from_service_environment_arn(
        stack, "Environment", "arn:aws:batch:eu-west-1:111122223333:service-environment/gpus"
    )

    with pytest.raises(
        ConfigurationError,
        match="'service_environment' must be in the same account and Region, got the Region eu-west-1, "
        "and this is in us-east-1",
    ):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment)


def test_fails_for_a_policy_of_another_account(stack: cdk.Stack) -> None:
    stack = cdk.Stack(cdk.App(), "Stack", env=cdk.Environment(account="111122223333", region="eu-west-1"))
    environment = ServiceEnvironment(stack, "Environment", capacity=ONE)
    policy = QuotaSchedulingPolicy.from_scheduling_policy_arn(
        stack, "Policy", "arn:aws:batch:eu-west-1:444455556666:scheduling-policy/quota"
    )

    with pytest.raises(ConfigurationError, match=r"'scheduling_policy' must be .* got the account 444455556666"):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, scheduling_policy=policy)


def test_fails_for_a_name_that_the_service_refuses(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    with pytest.raises(ConfigurationError, match=r"'job_queue_name' must be 1 to 128 letters.*, got 'a/b'"):
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment, job_queue_name="a/b")


def test_numbers_and_names_may_be_known_only_at_deployment(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    number = cdk.CfnParameter(stack, "Number", type="Number")
    text = cdk.CfnParameter(stack, "Text")

    queue = QuotaManagedJobQueue(
        stack,
        "Queue",
        service_environment=environment,
        job_queue_name=text.value_as_string,
        priority=number.value_as_number,
        job_state_time_limit_actions=[
            JobStateTimeLimitAction(BlockedReason.QUOTA_EXCEEDED, cdk.Token.as_number(number.value))
        ],
    )
    queue.add_quota_share("research", capacity=ONE)

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "JobQueueName": {"Ref": "Text"},
            "Priority": {"Ref": "Number"},
            "JobStateTimeLimitActions": [{"MaxTimeSeconds": {"Ref": "Number"}}],
        },
    )


def test_fails_where_two_queues_are_on_one_environment(stack: cdk.Stack, environment: ServiceEnvironment) -> None:
    QuotaManagedJobQueue(stack, "Queue", service_environment=environment)

    with pytest.raises(
        ConfigurationError, match="Stack/Second: 'service_environment' already serves the queue 'Stack/Queue'"
    ):
        QuotaManagedJobQueue(stack, "Second", service_environment=environment)


def test_fails_where_two_queues_are_on_one_imported_environment(stack: cdk.Stack) -> None:
    first, second = (
        ServiceEnvironment.from_service_environment_name(stack, id_, "gpus") for id_ in ("Imported", "Again")
    )
    QuotaManagedJobQueue(stack, "Queue", service_environment=first)

    with pytest.raises(ConfigurationError, match="already serves the queue 'Stack/Queue'"):
        QuotaManagedJobQueue(stack, "Second", service_environment=second)


def test_two_stages_may_use_environments_of_one_name() -> None:
    app = cdk.App()

    for name in ("Development", "Production"):
        stack = cdk.Stack(cdk.Stage(app, name), "Stack")
        environment = ServiceEnvironment.from_service_environment_name(stack, "Environment", "gpus")
        QuotaManagedJobQueue(stack, "Queue", service_environment=environment).add_quota_share("research", capacity=ONE)

    assert app.synth().get_nested_assembly("assembly-Production").stacks


@pytest.mark.usefixtures("queue")
def test_a_queue_without_a_share_is_warned_of(stack: cdk.Stack) -> None:
    (warning,) = Annotations.from_stack(stack).find_warning("*", Match.any_value())

    assert warning.id == "/Stack/Queue"
    assert "the queue has no quota share here, and without one it accepts no job" in str(warning.entry.data)


def test_the_warning_of_a_queue_whose_shares_are_elsewhere_can_be_acknowledged(
    stack: cdk.Stack, queue: QuotaManagedJobQueue
) -> None:
    cdk.Annotations.of(queue).acknowledge_warning(
        "quota-constructs:QuotaManagedJobQueue.noShares", "each team declares its own"
    )

    assert Annotations.from_stack(stack).find_warning("*", Match.any_value()) == []


def test_a_share_that_was_refused_does_not_count(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    with pytest.raises(ConfigurationError):
        queue.add_quota_share("research", capacity={"ml.g6.xlarge": 1})

    assert len(Annotations.from_stack(stack).find_warning("*", Match.any_value())) == 1


def test_a_share_that_an_aspect_adds_counts(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    @jsii.implements(cdk.IAspect)
    class AddsAShare:
        def visit(self, node: IConstruct) -> None:
            if node.node.path == "Stack/Queue":
                queue.add_quota_share("research", capacity=ONE)

    cdk.Aspects.of(stack).add(AddsAShare())

    assert Annotations.from_stack(stack).find_warning("*", Match.any_value()) == []


def test_a_share_from_another_stack_counts() -> None:
    app = cdk.App()
    platform, teams = cdk.Stack(app, "Platform"), cdk.Stack(app, "Teams")
    environment = ServiceEnvironment(platform, "Environment", capacity=ONE)
    queue = QuotaManagedJobQueue(platform, "Queue", service_environment=environment)

    QuotaShare(teams, "research", job_queue=queue, capacity=ONE)

    template = app.synth().get_stack_by_name("Teams").template
    assert Annotations.from_stack(platform).find_warning("*", Match.any_value()) == []
    (share,) = template["Resources"].values()
    assert list(share["Properties"]["JobQueue"]) == ["Fn::ImportValue"]


def test_a_removal_policy_holds_for_all_that_belongs_to_the_queue(
    stack: cdk.Stack, environment: ServiceEnvironment
) -> None:
    queue = QuotaManagedJobQueue(
        stack, "Queue", service_environment=environment, removal_policy=cdk.RemovalPolicy.RETAIN
    )
    queue.add_quota_share("research", capacity=ONE)
    queue.add_quota_share("scratch", capacity=ONE, removal_policy=cdk.RemovalPolicy.DESTROY)

    template = Template.from_stack(stack)
    for kind in (KIND, "AWS::Batch::SchedulingPolicy"):
        template.has_resource(kind, {"DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain"})
    for share, policy in (("research", "Retain"), ("scratch", "Delete")):
        template.has_resource(
            "AWS::Batch::QuotaShare", {"DeletionPolicy": policy, "Properties": {"QuotaShareName": share}}
        )


def test_an_imported_one_has_the_arn_and_the_name_it_was_imported_with(stack: cdk.Stack) -> None:
    by_arn = QuotaManagedJobQueue.from_job_queue_arn(stack, "ByArn", ARN)
    by_name = QuotaManagedJobQueue.from_job_queue_name(stack, "ByName", "training")

    assert (by_arn.job_queue_arn, by_arn.job_queue_name) == (ARN, "training")
    assert by_name.job_queue_name == "training"
    assert not hasattr(by_arn, "add_quota_share")


def test_an_arn_known_only_at_deployment_can_be_imported(stack: cdk.Stack) -> None:
    text = cdk.CfnParameter(stack, "Text")

    queue = QuotaManagedJobQueue.from_job_queue_arn(stack, "Imported", text.value_as_string)

    assert stack.resolve(queue.job_queue_name) == {
        "Fn::Select": [1, {"Fn::Split": ["/", {"Fn::Select": [5, {"Fn::Split": [":", {"Ref": "Text"}]}]}]}]
    }


def test_fails_to_import_the_arn_of_one_of_its_shares(stack: cdk.Stack) -> None:
    with pytest.raises(ConfigurationError, match="job-queue/<name>', got"):
        QuotaManagedJobQueue.from_job_queue_arn(stack, "Imported", f"{ARN}/quota-share/research")


def test_the_cdk_s_own_constructs_accept_it(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    arn = batch.CfnJobQueue.arn_for_job_queue(queue)

    assert stack.resolve(arn) == stack.resolve(queue.job_queue_arn)


def test_tags_of_the_cdk_reach_the_queue_and_all_below_it(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    queue.add_quota_share("research", capacity=ONE)

    cdk.Tags.of(queue).add("cost-centre", "42")

    template = Template.from_stack(stack)
    for kind in (KIND, "AWS::Batch::SchedulingPolicy", "AWS::Batch::QuotaShare"):
        template.has_resource_properties(kind, {"Tags": {"cost-centre": "42"}})
