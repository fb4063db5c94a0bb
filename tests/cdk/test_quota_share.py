from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from aws_cdk.assertions import Match, Template

from quota_constructs import QuotaManagedJobQueue, QuotaShare, ResourceSharing, ServiceEnvironment
from quota_constructs.errors import ConfigurationError

KIND = "AWS::Batch::QuotaShare"
QUEUE_ARN = "arn:aws:batch:eu-west-1:111122223333:job-queue/training"
ARN = f"{QUEUE_ARN}/quota-share/research"
ONE = {"ml.g5.xlarge": 1}


def test_by_default_it_is_called_like_its_id_and_keeps_to_itself(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    queue.add_quota_share("research", capacity={"ml.g5.xlarge": 2})

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "QuotaShareName": "research",
            "JobQueue": stack.resolve(queue.job_queue_arn),
            "CapacityLimits": [{"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 2}],
            "ResourceSharingConfiguration": {"Strategy": "RESERVE", "BorrowLimit": Match.absent()},
            "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
            "State": "ENABLED",
        },
    )


@pytest.mark.parametrize(
    ("sharing", "written"),
    [
        pytest.param(ResourceSharing.reserve(), {"Strategy": "RESERVE"}, id="reserve"),
        pytest.param(ResourceSharing.lend(), {"Strategy": "LEND"}, id="lend"),
        pytest.param(
            ResourceSharing.lend_and_borrow(), {"Strategy": "LEND_AND_BORROW", "BorrowLimit": -1}, id="borrow unlimited"
        ),
        pytest.param(
            ResourceSharing.lend_and_borrow(borrow_limit_percent=0),
            {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 0},
            id="borrow nothing",
        ),
        pytest.param(
            ResourceSharing.lend_and_borrow(borrow_limit_percent=200),
            {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 200},
            id="borrow up to a limit",
        ),
    ],
)
def test_only_a_borrower_has_a_borrow_limit(
    stack: cdk.Stack, queue: QuotaManagedJobQueue, sharing: ResourceSharing, written: dict[str, object]
) -> None:
    queue.add_quota_share("research", capacity=ONE, sharing=sharing)

    (share,) = Template.from_stack(stack).find_resources(KIND).values()
    assert share["Properties"]["ResourceSharingConfiguration"] == written


def test_it_takes_a_name_preemption_a_state_tags_and_a_removal_policy(
    stack: cdk.Stack, queue: QuotaManagedJobQueue
) -> None:
    queue.add_quota_share(
        "research",
        capacity=ONE,
        in_share_preemption=True,
        quota_share_name="team-research",
        enabled=False,
        tags={"team": "research"},
        removal_policy=cdk.RemovalPolicy.RETAIN,
    )

    Template.from_stack(stack).has_resource(
        KIND,
        {
            "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "Retain",
            "Properties": {
                "QuotaShareName": "team-research",
                "PreemptionConfiguration": {"InSharePreemption": "ENABLED"},
                "State": "DISABLED",
                "Tags": {"team": "research"},
            },
        },
    )


def test_capacity_is_written_in_order_of_instance_type(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    queue.add_quota_share("research", capacity={"ml.p5.48xlarge": 1, "ml.g5.xlarge": 3})

    Template.from_stack(stack).has_resource_properties(
        KIND, {"CapacityLimits": [{"CapacityUnit": "ml.g5.xlarge"}, {"CapacityUnit": "ml.p5.48xlarge"}]}
    )


def test_twenty_shares_fit_a_queue_and_no_more(queue: QuotaManagedJobQueue) -> None:
    for number in range(20):
        queue.add_quota_share(f"team-{number}", capacity=ONE)

    with pytest.raises(ConfigurationError, match="Stack/Queue/team-20: a queue has at most 20 quota shares"):
        queue.add_quota_share("team-20", capacity=ONE)


def test_fails_for_two_shares_of_one_name(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    queue.add_quota_share("research", capacity=ONE)

    with pytest.raises(
        ConfigurationError, match="must be unique in its queue, got 'research', which 'Stack/Queue/rese"
    ):
        QuotaShare(stack, "Other", job_queue=queue, quota_share_name="research", capacity=ONE)


def test_two_queues_may_have_shares_of_one_name(stack: cdk.Stack) -> None:
    for name in ("Day", "Night"):
        environment = ServiceEnvironment(stack, f"{name}Environment", capacity=ONE)
        queue = QuotaManagedJobQueue(stack, name, service_environment=environment)
        queue.add_quota_share("research", capacity=ONE)

    Template.from_stack(stack).resource_count_is(KIND, 2)


def test_fails_for_an_instance_type_that_the_environment_lacks(queue: QuotaManagedJobQueue) -> None:
    with pytest.raises(ConfigurationError) as refused:
        queue.add_quota_share("research", capacity={"ml.g5.xlarge": 1, "ml.g6.xlarge": 1})

    assert str(refused.value) == (
        "Stack/Queue/research: 'capacity' must be of what the queue's service environment has (ml.g5.xlarge, "
        "ml.p5.48xlarge), got ml.g6.xlarge; add it to the environment, or leave it out here"
    )


def test_a_type_is_let_through_where_the_environment_is_known_only_at_deployment(stack: cdk.Stack) -> None:
    text = cdk.CfnParameter(stack, "Text")
    some, imported = (
        ServiceEnvironment(stack, "Environment", capacity={text.value_as_string: 1}),
        ServiceEnvironment.from_service_environment_name(stack, "Imported", "gpus"),
    )

    for environment in (some, imported):
        queue = QuotaManagedJobQueue(stack, f"{environment.node.id}Queue", service_environment=environment)
        queue.add_quota_share("research", capacity={"ml.g6.xlarge": 1})

    Template.from_stack(stack).resource_count_is(KIND, 2)


@pytest.mark.parametrize("limit", [-2, 0.5, 2**31])
def test_fails_for_a_borrow_limit_that_the_service_refuses(queue: QuotaManagedJobQueue, limit: float) -> None:
    sharing = ResourceSharing.lend_and_borrow(borrow_limit_percent=limit)

    with pytest.raises(
        ConfigurationError,
        match=f"'borrow_limit_percent' must be a whole number between -1 and 2147483647, got {limit}; -1 is unlimited",
    ):
        queue.add_quota_share("research", capacity=ONE, sharing=sharing)


@pytest.mark.parametrize(
    "capacity",
    [{}, {"ml.g5.xlarge": 0}, {"ml.g5.xlarge": "2"}, {"NUM_INSTANCES": 1}, {1: 1}, ["ml.g5.xlarge"], None],
)
def test_fails_for_capacity_that_the_service_refuses(
    queue: QuotaManagedJobQueue,
    capacity: Any,  # noqa: ANN401 - what a program without a type checker may give
) -> None:
    with pytest.raises(ConfigurationError, match=r"^Stack/Queue/research: 'capacity' "):
        queue.add_quota_share("research", capacity=capacity)


def test_fails_for_a_strategy_in_the_service_s_words(queue: QuotaManagedJobQueue) -> None:
    strategy: Any = "LEND"

    with pytest.raises(ConfigurationError, match=r"'sharing' must be ResourceSharing.reserve\(\), .* got 'LEND'"):
        queue.add_quota_share("research", capacity=ONE, sharing=strategy)


@pytest.mark.parametrize("prop", ["enabled", "in_share_preemption"])
def test_fails_for_a_switch_in_the_service_s_words(queue: QuotaManagedJobQueue, prop: str) -> None:
    props: dict[str, Any] = {prop: "DISABLED"}

    with pytest.raises(ConfigurationError, match=f"'{prop}' must be True or False, got 'DISABLED'"):
        queue.add_quota_share("research", capacity=ONE, **props)


def test_fails_for_a_queue_that_can_have_no_shares(stack: cdk.Stack) -> None:
    with pytest.raises(ConfigurationError, match="'job_queue' must be quota-managed, got a queue on compute envir"):
        QuotaShare(stack, "research", job_queue=batch.JobQueue(stack, "Queue"), capacity=ONE)


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        (cdk.Environment(account="444455556666", region="eu-west-1"), "account 111122223333, and this is in 444455556"),
        (cdk.Environment(account="111122223333", region="us-east-1"), "Region eu-west-1, and this is in us-east-1"),
    ],
)
def test_fails_for_a_queue_of_another_account_or_region(environment: cdk.Environment, told: str) -> None:
    stack = cdk.Stack(cdk.App(), "Stack", env=environment)
    queue = QuotaManagedJobQueue.from_job_queue_arn(stack, "Queue", QUEUE_ARN)

    with pytest.raises(ConfigurationError, match=f"^Stack/research: 'job_queue' must be .*, got the {told}"):
        QuotaShare(stack, "research", job_queue=queue, capacity=ONE)


def test_fails_for_an_id_that_cannot_be_the_name(queue: QuotaManagedJobQueue) -> None:
    with pytest.raises(ConfigurationError, match=r"'quota_share_name' must be 1 to 128 letters.*, got 'my team'"):
        queue.add_quota_share("my team", capacity=ONE)


def test_numbers_and_names_may_be_known_only_at_deployment(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    number = cdk.CfnParameter(stack, "Number", type="Number")
    text = cdk.CfnParameter(stack, "Text")

    queue.add_quota_share(
        "research",
        capacity={text.value_as_string: number.value_as_number},
        sharing=ResourceSharing.lend_and_borrow(borrow_limit_percent=number.value_as_number),
        quota_share_name=text.value_as_string,
    )

    Template.from_stack(stack).has_resource_properties(
        KIND,
        {
            "QuotaShareName": {"Ref": "Text"},
            "CapacityLimits": [{"CapacityUnit": {"Ref": "Text"}, "MaxCapacity": {"Ref": "Number"}}],
            "ResourceSharingConfiguration": {"BorrowLimit": {"Ref": "Number"}},
        },
    )


def test_it_joins_a_queue_of_the_cdk_s_own_or_an_imported_one(stack: cdk.Stack) -> None:
    own = batch.CfnJobQueue(stack, "Own", priority=1)
    imported = QuotaManagedJobQueue.from_job_queue_arn(stack, "Imported", QUEUE_ARN)

    QuotaShare(stack, "one", job_queue=own, capacity=ONE)
    QuotaShare(stack, "two", job_queue=imported, capacity=ONE)

    template = Template.from_stack(stack)
    template.has_resource_properties(KIND, {"QuotaShareName": "one", "JobQueue": {"Ref": "Own"}})
    template.has_resource_properties(KIND, {"QuotaShareName": "two", "JobQueue": QUEUE_ARN})


def test_its_name_is_read_from_its_arn_so_that_who_uses_it_waits_for_it(
    stack: cdk.Stack, queue: QuotaManagedJobQueue
) -> None:
    share = queue.add_quota_share("research", capacity=ONE)

    (logical_id,) = Template.from_stack(stack).find_resources(KIND)
    assert stack.resolve(share.quota_share_name) == {
        "Fn::Select": [3, {"Fn::Split": ["/", {"Fn::GetAtt": [logical_id, "QuotaShareArn"]}]}]
    }


def test_an_imported_one_has_the_arn_and_the_name_it_was_imported_with(stack: cdk.Stack) -> None:
    queue = QuotaManagedJobQueue.from_job_queue_arn(stack, "Queue", QUEUE_ARN)

    by_arn = QuotaShare.from_quota_share_arn(stack, "ByArn", ARN)
    by_name = QuotaShare.from_quota_share_name(stack, "ByName", "research", job_queue=queue)

    for share in (by_arn, by_name):
        assert (share.quota_share_arn, share.quota_share_name) == (ARN, "research")


def test_an_arn_known_only_at_deployment_can_be_imported(stack: cdk.Stack) -> None:
    text = cdk.CfnParameter(stack, "Text")

    share = QuotaShare.from_quota_share_arn(stack, "Imported", text.value_as_string)

    assert stack.resolve(share.quota_share_name) == {"Fn::Select": [3, {"Fn::Split": ["/", {"Ref": "Text"}]}]}


@pytest.mark.parametrize(
    "arn", [QUEUE_ARN, f"{QUEUE_ARN}/quota-share/", f"{ARN}/more", ARN.replace("batch", "sqs"), "research"]
)
def test_fails_to_import_the_arn_of_something_else(stack: cdk.Stack, arn: str) -> None:
    with pytest.raises(ConfigurationError, match="job-queue/<name>/quota-share/<name>', got"):
        QuotaShare.from_quota_share_arn(stack, "Imported", arn)


def test_the_cdk_s_own_constructs_accept_it(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    share = queue.add_quota_share("research", capacity=ONE)

    arn = batch.CfnQuotaShare.arn_for_quota_share(share)

    assert stack.resolve(arn) == stack.resolve(share.quota_share_arn)


def test_tags_of_the_cdk_reach_it(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    share = queue.add_quota_share("research", capacity=ONE)

    cdk.Tags.of(share).add("cost-centre", "42")

    Template.from_stack(stack).has_resource_properties(KIND, {"Tags": {"cost-centre": "42"}})
