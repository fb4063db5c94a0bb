"""What a template's resources become, and what is refused."""

import re
from pathlib import Path

import pytest

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, Source, System, TimeLimit
from quota_constructs.evaluator.template import read_systems
from quota_constructs.policies.sharing import Strategy
from quota_constructs.policies.time_limits import BlockedReason
from tests.evaluator.template.templates import (
    UNIT,
    Properties,
    environment,
    limits,
    policy,
    queue,
    read_one,
    resource,
    share,
    share_names,
    template,
    write,
)

LEND = {"Strategy": "LEND"}


def time_limit(**changes: object) -> Properties:
    usual = {
        "Action": "TERMINATE",
        "MaxTimeSeconds": 600,
        "Reason": BlockedReason.ENVIRONMENT_EXCEEDED.value,
        "State": "RUNNABLE",
    }
    return {name: value for name, value in {**usual, **changes}.items() if value is not None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "Stack.template.json"


def refusal(path: Path, content: object) -> str:
    write(path, content)
    with pytest.raises(TemplateError) as refused:
        read_systems(path)
    return str(refused.value).removeprefix(f"{path}: ")


def test_reads_a_queue_with_all_that_decides_who_runs_on_it(path: Path) -> None:
    write(
        path,
        template(
            {
                "Environment": environment(6, ServiceEnvironmentName="pool"),
                "Queue": {
                    **queue(JobQueueName="training", JobStateTimeLimitActions=[time_limit(MaxTimeSeconds=900)]),
                    "Metadata": {"aws:cdk:path": "Stack/Queue/Resource"},
                },
                "Research": share(
                    "research",
                    capacity=2,
                    ResourceSharingConfiguration={"Strategy": "LEND_AND_BORROW", "BorrowLimit": 50},
                    PreemptionConfiguration={"InSharePreemption": "ENABLED"},
                    State="DISABLED",
                ),
                "Background": share("background"),
            }
        ),
    )

    reading = read_systems(path)

    def source(logical_id: str) -> Source:
        return Source(template=str(path), logical_id=logical_id)

    assert reading.notes == ()
    assert reading.systems == (
        System(
            name="training",
            source=Source(template=str(path), logical_id="Queue", construct_path="Stack/Queue/Resource"),
            environment=ServiceEnvironment(name="pool", capacity={UNIT: 6}, source=source("Environment")),
            shares=(
                QuotaShare(name="background", limits={UNIT: 4}, strategy=Strategy.LEND, source=source("Background")),
                QuotaShare(
                    name="research",
                    limits={UNIT: 2},
                    strategy=Strategy.LEND_AND_BORROW,
                    borrow_limit_percent=50,
                    in_share_preemption=True,
                    enabled=False,
                    source=source("Research"),
                ),
            ),
            time_limits=(TimeLimit(reason=BlockedReason.ENVIRONMENT_EXCEEDED, max_time_ms=900_000),),
        ),
    )


def test_a_queue_without_a_name_is_called_by_its_logical_id(path: Path) -> None:
    system = read_one(write(path, template()))

    assert (system.name, system.environment.name) == ("Queue", "Environment")


def test_a_borrower_without_a_limit_borrows_without_limit(path: Path) -> None:
    write(path, template({"Research": share(ResourceSharingConfiguration={"Strategy": "LEND_AND_BORROW"})}))

    assert read_one(path).shares[0].borrow_limit_percent == -1


def test_a_share_that_says_nothing_of_preemption_has_none(path: Path) -> None:
    write(path, template({"Research": share(PreemptionConfiguration={"Ref": "AWS::NoValue"})}))

    assert not read_one(path).shares[0].in_share_preemption


@pytest.mark.parametrize("written", [4, "4", 4.0, "+4"], ids=repr)
def test_a_whole_number_may_be_written_in_any_way_cloudformation_takes(path: Path, written: object) -> None:
    write(path, template({"Research": share(capacity=written)}))

    assert read_one(path).shares[0].limits == {UNIT: 4}


def test_enumerated_values_are_read_in_any_letter_case(path: Path) -> None:
    write(
        path,
        template(
            {
                "Queue": queue(
                    JobQueueType="sagemaker_training", JobStateTimeLimitActions=[time_limit(Action="terminate")]
                ),
                "Research": share(
                    ResourceSharingConfiguration={"Strategy": "Lend_And_Borrow"},
                    PreemptionConfiguration={"InSharePreemption": "enabled"},
                    State="disabled",
                ),
            }
        ),
    )

    system = read_one(path)

    (research,) = system.shares
    assert (research.strategy, research.in_share_preemption, research.enabled) == (
        Strategy.LEND_AND_BORROW,
        True,
        False,
    )
    assert system.time_limits[0].max_time_ms == 600_000


def test_systems_come_in_order_of_their_names(path: Path) -> None:
    resources: Properties = {
        "Second": queue({"Ref": "Other"}, JobQueueName="a"),
        "Queue": queue(JobQueueName="b"),
        "Other": environment(),
    }

    systems = read_systems(write(path, template(resources))).systems

    assert [system.name for system in systems] == ["a", "b"]


@pytest.mark.parametrize(
    ("resources", "why"),
    [
        pytest.param(
            {"Queue": queue(JobQueueType="ECS")}, "its type is 'ECS', not SAGEMAKER_TRAINING", id="other type"
        ),
        pytest.param(
            {"Queue": queue(JobQueueType=None, ComputeEnvironmentOrder=[{"Order": 1, "ComputeEnvironment": "x"}])},
            "it runs on compute environments",
            id="compute environments",
        ),
        pytest.param({"Policy": policy(FairsharePolicy={})}, "it has a fair-share policy, 'Policy'", id="fair share"),
    ],
)
def test_passes_over_other_queues_and_their_shares_with_a_note(path: Path, resources: Properties, why: str) -> None:
    reading = read_systems(write(path, template(resources)))

    assert reading.systems == ()
    assert reading.notes == (
        f"{path}: resource 'Queue': queue passed over: {why}",
        f"{path}: resource 'Research': passed over with its queue",
    )


def test_passes_over_a_first_in_first_out_queue_and_never_reads_its_environment(path: Path) -> None:
    body = {
        "Environment": environment(CapacityLimits=limits(4, "NUM_INSTANCES")),
        "Queue": queue(SchedulingPolicyArn=None),
    }

    reading = read_systems(write(path, {"Resources": body}))

    assert reading.systems == ()
    why = "it has no quota shares, and no QuotaSharePolicy in what was read"
    assert reading.notes == (f"{path}: resource 'Queue': queue passed over: {why}",)


def test_a_queue_with_a_quota_share_policy_is_a_system_even_before_it_has_shares(path: Path) -> None:
    resources = {"Environment": environment(), "Policy": policy(), "Queue": queue()}

    reading = read_systems(write(path, {"Resources": resources}))

    assert [share_names(system) for system in reading.systems] == [[]]
    assert reading.notes == (f"{path}: resource 'Queue': no quota share of this queue is in what was read",)


@pytest.mark.parametrize(
    ("resources", "note"),
    [
        pytest.param(
            {"Research": share(queue="elsewhere")},
            "resource 'Research': quota share passed over, as its queue was not read: "
            "'elsewhere' is not in what was read",
            id="share of a queue elsewhere",
        ),
        pytest.param(
            {"Research": share(queue={"Fn::ImportValue": "queue"})},
            "resource 'Research': quota share passed over, as its queue was not read: export 'queue' is not in what "
            "was read; give the cloud assembly that has both stacks",
            id="share of a queue of another stack",
        ),
        pytest.param(
            {"Queue": queue(State="DISABLED")},
            "resource 'Queue': the queue is DISABLED; simulated as if it were ENABLED",
            id="disabled queue",
        ),
        pytest.param(
            {"Environment": environment(State="DISABLED")},
            "resource 'Environment': the service environment is DISABLED; simulated as if it were ENABLED",
            id="disabled environment",
        ),
        pytest.param(
            {"Queue": queue(SchedulingPolicyArn={"Ref": "AWS::NoValue"})},
            "resource 'Queue': has no scheduling policy; the service requires one with a QuotaSharePolicy",
            id="no policy",
        ),
        pytest.param(
            {"Policy": policy(QuotaSharePolicy={})},
            "resource 'Policy': has no IdleResourceAssignmentStrategy; the service requires FIFO",
            id="no strategy",
        ),
    ],
)
def test_notes_what_the_simulation_leaves_out(path: Path, resources: Properties, note: str) -> None:
    reading = read_systems(write(path, template(resources)))

    assert len(reading.systems) == 1
    assert f"{path}: {note}" in reading.notes


def test_a_resource_whose_condition_is_false_does_not_exist(path: Path) -> None:
    never = {"Condition": "Never"}
    resources = {
        "Ops": {**share("ops"), **never},
        "Second": {**queue(), **never},
        "Elsewhere": {**share("x", queue={"Fn::Base64": "x"}), **never},
    }
    conditions = {"Never": {"Fn::Equals": ["a", "b"]}}

    system = read_one(write(path, template(resources, Conditions=conditions)))

    assert share_names(system) == ["research"]


def test_of_two_environments_of_one_name_the_one_that_exists_is_taken(path: Path) -> None:
    resources = {
        "Environment": {**environment(2, ServiceEnvironmentName="pool"), "Condition": "IsSmall"},
        "Large": {**environment(9, ServiceEnvironmentName="pool"), "Condition": "IsLarge"},
        "Queue": queue("pool"),
    }
    conditions = {"IsSmall": {"Fn::Equals": ["a", "b"]}, "IsLarge": {"Fn::Not": [{"Condition": "IsSmall"}]}}

    system = read_one(write(path, template(resources, Conditions=conditions)))

    assert system.environment.capacity == {UNIT: 9}


def test_queues_on_one_environment_are_read_and_know_of_each_other(path: Path) -> None:
    resources = {"Queue": queue(JobQueueName="first"), "Second": queue(), "Ops": share("ops", {"Ref": "Second"})}

    systems = read_systems(write(path, template(resources))).systems

    assert [(system.name, system.environment.other_queues) for system in systems] == [
        ("Second", ("first",)),
        ("first", ("Second",)),
    ]


def test_what_is_not_needed_may_be_anything(path: Path) -> None:
    unresolvable = {"Fn::GetAtt": ["Nowhere", "Arn"]}
    resources: Properties = {
        "Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": unresolvable}},
        "Other": resource("JobQueue", {"JobQueueType": "EKS", "ComputeEnvironmentOrder": unresolvable}),
        "Research": share(Tags={"owner": unresolvable}),
        "Queue": queue(Tags={"owner": {"Fn::Cidr": []}}, Priority={"Ref": "Nowhere"}, JobQueueName=unresolvable),
    }

    assert read_one(write(path, template(resources, Outputs={"Broken": {"Value": unresolvable}}))).name == "Queue"


SHARE = "resource 'Research', Properties"
QUEUE = "resource 'Queue', Properties"
ENVIRONMENT = "resource 'Environment', Properties"


@pytest.mark.parametrize(
    ("resources", "message"),
    [
        pytest.param(
            {"Research": share(capacity=0)},
            f"{SHARE}/CapacityLimits/0/MaxCapacity: must be a whole number from 1 to 2147483647, got 0",
            id="nothing allocated",
        ),
        pytest.param(
            {"Research": share(capacity=True)},
            f"{SHARE}/CapacityLimits/0/MaxCapacity: must be a whole number from 1 to 2147483647, got true",
            id="truth for a number",
        ),
        pytest.param(
            {"Research": share(capacity="2.5")},
            f"{SHARE}/CapacityLimits/0/MaxCapacity: must be a whole number from 1 to 2147483647, got '2.5'",
            id="fraction",
        ),
        pytest.param(
            {"Research": share(CapacityLimits=[{"CapacityUnit": UNIT}])},
            f"{SHARE}/CapacityLimits/0/MaxCapacity: is missing; it must be a whole number from 1 to 2147483647",
            id="no capacity",
        ),
        pytest.param(
            {"Research": share(CapacityLimits=[{"MaxCapacity": 1}])},
            f"{SHARE}/CapacityLimits/0/CapacityUnit: is missing; it must be text",
            id="no unit",
        ),
        pytest.param(
            {"Research": share(CapacityLimits=limits(1) + limits(2))},
            f"{SHARE}/CapacityLimits/1/CapacityUnit: '{UNIT}' has a limit already; one limit a unit",
            id="one unit twice",
        ),
        pytest.param(
            {"Research": share(CapacityLimits=[])},
            f"{SHARE}/CapacityLimits: must have at least one limit",
            id="no limits",
        ),
        pytest.param(
            {"Research": share(CapacityLimits={"CapacityUnit": UNIT})},
            f"{SHARE}/CapacityLimits: must be a list, got an object",
            id="object for a list",
        ),
        pytest.param(
            {"Research": share(CapacityLimits=["x"])},
            f"{SHARE}/CapacityLimits/0: must be an object, got 'x'",
            id="text for an object",
        ),
        pytest.param(
            {"Research": share(ResourceSharingConfiguration={"Strategy": "GIVE"})},
            f"{SHARE}/ResourceSharingConfiguration/Strategy: must be one of LEND, LEND_AND_BORROW, RESERVE, got 'GIVE'",
            id="unknown strategy",
        ),
        pytest.param(
            {"Research": share(ResourceSharingConfiguration=None)},
            f"{SHARE}/ResourceSharingConfiguration/Strategy: is missing; it must be one of "
            "LEND, LEND_AND_BORROW, RESERVE",
            id="no strategy",
        ),
        pytest.param(
            {"Research": share(ResourceSharingConfiguration={"Strategy": "LEND_AND_BORROW", "BorrowLimit": -2})},
            f"{SHARE}/ResourceSharingConfiguration/BorrowLimit: must be a whole number from -1 to 2147483647, got -2",
            id="borrow limit too low",
        ),
        pytest.param(
            {"Research": share("re\u001b[2Jsearch")},
            f"{SHARE}/QuotaShareName: must be 1 to 128 of letters, digits, '-' and '_', got 're\\x1b[2Jsearch'",
            id="control characters in a name",
        ),
        pytest.param(
            {"Queue": queue(JobQueueName="a/b")},
            f"{QUEUE}/JobQueueName: must be 1 to 128 of letters, digits, '-' and '_', got 'a/b'",
            id="a queue's name that no ARN can hold",
        ),
        pytest.param(
            {"Environment": environment(ServiceEnvironmentName="a:b")},
            f"{ENVIRONMENT}/ServiceEnvironmentName: must be 1 to 128 of letters, digits, '-' and '_', got 'a:b'",
            id="an environment's name that no ARN can hold",
        ),
        pytest.param(
            {"Research": share(None)}, f"{SHARE}/QuotaShareName: is missing; it must be text", id="share without name"
        ),
        pytest.param(
            {"Again": share("research")},
            "resource 'Again', Properties/QuotaShareName: 'research' is the name of PATH: resource 'Research' too; "
            "a queue's shares must have different names",
            id="one share name twice",
        ),
        pytest.param(
            {"Environment": environment(CapacityLimits=limits(4, "NUM_INSTANCES"))},
            f"{ENVIRONMENT}/CapacityLimits/0/CapacityUnit: must be an instance type like 'ml.g5.xlarge', as quota "
            "management counts by type, got 'NUM_INSTANCES'",
            id="environment that counts instances of any type",
        ),
        pytest.param(
            {"Environment": environment(-1)},
            f"{ENVIRONMENT}/CapacityLimits/0/MaxCapacity: must be a whole number from 0 to 2147483647, got -1",
            id="negative capacity",
        ),
        pytest.param(
            {"Queue": queue(ServiceEnvironmentOrder=[])},
            f"{QUEUE}/ServiceEnvironmentOrder: "
            "must name exactly one service environment for a quota-managed queue, got 0",
            id="no environment",
        ),
        pytest.param(
            {"Queue": queue("pool")},
            f"{QUEUE}/ServiceEnvironmentOrder/0/ServiceEnvironment: is needed, but 'pool' is not in what was read; "
            "give the cloud assembly that has the service environment, or declare it in the template",
            id="environment elsewhere",
        ),
        pytest.param(
            {"Environment": {**environment(), "Condition": "Never"}},
            f"{QUEUE}/ServiceEnvironmentOrder/0/ServiceEnvironment: "
            "is needed, but the condition of 'Environment' is false; "
            "give the cloud assembly that has the service environment, or declare it in the template",
            id="environment that does not exist",
        ),
        pytest.param(
            {"Queue": queue({"Fn::ImportValue": "pool"})},
            f"{QUEUE}/ServiceEnvironmentOrder/0/ServiceEnvironment: cannot be resolved: export 'pool' is not in what "
            "was read; give the cloud assembly that has both stacks",
            id="environment of another stack",
        ),
        pytest.param(
            {"Queue": queue(JobStateTimeLimitActions=[time_limit(Reason="CAPACITY:OTHER")])},
            f"{QUEUE}/JobStateTimeLimitActions/0/Reason: must be one of CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY, "
            "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED, MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE, "
            "got 'CAPACITY:OTHER'",
            id="unknown reason",
        ),
        pytest.param(
            {"Queue": queue(JobStateTimeLimitActions=[time_limit(MaxTimeSeconds=599)])},
            f"{QUEUE}/JobStateTimeLimitActions/0/MaxTimeSeconds: must be a whole number from 600 to 86400, got 599",
            id="time limit too short",
        ),
        pytest.param(
            {"Queue": queue(JobStateTimeLimitActions=[time_limit(Action="CANCEL")])},
            f"{QUEUE}/JobStateTimeLimitActions/0/Action: must be TERMINATE, got 'CANCEL'",
            id="another action",
        ),
        pytest.param(
            {"Research": {"Type": "AWS::Batch::QuotaShare"}},
            f"{SHARE}/JobQueue: is missing; it must be text",
            id="no properties",
        ),
        pytest.param({"Research": "share"}, "resource 'Research' must be an object with a Type", id="no resource"),
    ],
)
def test_fails_naming_place_value_and_what_is_allowed(path: Path, resources: Properties, message: str) -> None:
    never = {"Never": {"Fn::Equals": ["a", "b"]}}

    assert refusal(path, template(resources, Conditions=never)) == message.replace("PATH", str(path))


def test_fails_on_two_queues_that_one_name_means(path: Path) -> None:
    resources: Properties = {
        "Queue": queue(JobQueueName="training"),
        "Second": queue({"Ref": "Other"}, JobQueueName="training"),
        "Other": environment(),
        "Research": share(queue="training"),
    }

    message = refusal(path, template(resources))

    assert re.search(r"means more than one resource: 'Queue' \(.*\) and 'Second' \(.*\)", message)
