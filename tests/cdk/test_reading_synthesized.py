"""What the CDK writes for plain L1 constructs, read back: stacks, nested stacks and stages."""

from pathlib import Path

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from constructs import Construct

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.template import read_systems

UNIT = "ml.g5.xlarge"
HERE = cdk.Environment(account="111122223333", region="eu-west-1")
THERE = cdk.Environment(account="111122223333", region="us-east-1")

AS_THE_COMMAND_RUNS_IT = {"aws:cdk:enable-path-metadata": True, "aws:cdk:enable-asset-metadata": True}


def environment(scope: Construct, capacity: float = 4) -> batch.CfnServiceEnvironment:
    limit = batch.CfnServiceEnvironment.CapacityLimitProperty(capacity_unit=UNIT, max_capacity=capacity)
    return batch.CfnServiceEnvironment(
        scope, "Environment", service_environment_type="SAGEMAKER_TRAINING", capacity_limits=[limit]
    )


def queue(scope: Construct, environment: str) -> batch.CfnJobQueue:
    strategy = batch.CfnSchedulingPolicy.QuotaSharePolicyProperty(idle_resource_assignment_strategy="FIFO")
    policy = batch.CfnSchedulingPolicy(scope, "Policy", quota_share_policy=strategy)
    order = batch.CfnJobQueue.ServiceEnvironmentOrderProperty(order=1, service_environment=environment)
    return batch.CfnJobQueue(
        scope,
        "Queue",
        priority=1,
        job_queue_type="SAGEMAKER_TRAINING",
        scheduling_policy_arn=policy.attr_arn,
        service_environment_order=[order],
    )


def share(scope: Construct, name: str, queue: str, capacity: float = 1) -> batch.CfnQuotaShare:
    return batch.CfnQuotaShare(
        scope,
        name,
        quota_share_name=name,
        job_queue=queue,
        capacity_limits=[
            batch.CfnQuotaShare.QuotaShareCapacityLimitProperty(capacity_unit=UNIT, max_capacity=capacity)
        ],
        resource_sharing_configuration=batch.CfnQuotaShare.QuotaShareResourceSharingConfigurationProperty(
            strategy="LEND"
        ),
        preemption_configuration=batch.CfnQuotaShare.QuotaSharePreemptionConfigurationProperty(
            in_share_preemption="DISABLED"
        ),
    )


def share_names(system: System) -> list[str]:
    return [share.name for share in system.shares]


def new_app(tmp_path: Path, **context: object) -> cdk.App:
    return cdk.App(outdir=str(tmp_path / "cdk.out"), context={**AS_THE_COMMAND_RUNS_IT, **context})


def synthesize(app: cdk.App) -> Path:
    return Path(app.synth().directory)


def test_reads_one_stack_with_the_paths_of_its_constructs(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    stack = cdk.Stack(app, "Training")
    share(stack, "research", queue(stack, environment(stack).ref).attr_job_queue_arn)

    (system,) = read_systems(synthesize(app)).systems

    assert system.source.template == str(tmp_path / "cdk.out" / "Training.template.json")
    assert (system.source.construct_path, system.shares[0].source.construct_path) == (
        "Training/Queue",
        "Training/research",
    )


@pytest.mark.parametrize("strength", ["strong", "weak", "both"])
def test_reads_shares_queue_and_environment_of_different_stacks(tmp_path: Path, strength: str) -> None:
    app = new_app(tmp_path, **{"@aws-cdk/core:defaultCrossStackReferences": strength})
    pool = environment(cdk.Stack(app, "Pool"))
    queues = queue(cdk.Stack(app, "Queues"), pool.ref)
    share(cdk.Stack(app, "Research"), "research", queues.ref)
    share(cdk.Stack(app, "Ops"), "ops", queues.attr_job_queue_arn)

    (system,) = read_systems(synthesize(app)).systems

    assert share_names(system) == ["ops", "research"]


@pytest.mark.parametrize("metadata", [True, False])
def test_reads_nested_stacks_within_each_other(tmp_path: Path, *, metadata: bool) -> None:
    app = new_app(tmp_path, **{"aws:cdk:enable-asset-metadata": metadata})
    stack = cdk.Stack(app, "Training")
    pool = environment(cdk.NestedStack(stack, "Pool"), capacity=6)
    queues = queue(cdk.NestedStack(stack, "Queues"), pool.attr_service_environment_arn)
    teams = cdk.NestedStack(stack, "Teams")
    share(teams, "research", queues.ref)
    share(cdk.NestedStack(teams, "Deep"), "deep", queues.attr_job_queue_arn)
    share(cdk.Stack(app, "Ops"), "ops", queues.ref)
    assembly = synthesize(app)

    (system,) = read_systems(assembly).systems
    (alone,) = read_systems(assembly / "Training.template.json").systems

    assert (share_names(system), dict(system.environment.capacity)) == (["deep", "ops", "research"], {UNIT: 6})
    assert share_names(alone) == ["deep", "research"]


def test_reads_each_stage_by_itself(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    for name, env, capacity in (("Beta", None, 1), ("Prod", HERE, 9)):
        stage = cdk.Stage(app, name, env=env)
        inner = cdk.Stage(stage, "Inner") if env else stage
        pool = environment(cdk.Stack(inner, "Pool", stack_name="pool"), capacity)
        stack = cdk.Stack(inner, "Queues", stack_name="queues")
        queues = queue(stack, pool.ref)
        share(cdk.NestedStack(stack, "Nested"), "research", queues.ref, capacity)

    systems = read_systems(synthesize(app)).systems

    assert [(system.environment.capacity[UNIT], system.shares[0].limits[UNIT]) for system in systems] == [
        (1, 1),
        (9, 9),
    ]
    assert [Path(system.source.template).parent.name for system in systems] == ["assembly-Beta", "assembly-Prod-Inner"]


def test_reads_a_name_that_was_cut_out_of_an_arn(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    stack = cdk.Stack(app, "Training")
    arn = queue(stack, environment(stack).ref).attr_job_queue_arn
    name = stack.split_arn(arn, cdk.ArnFormat.SLASH_RESOURCE_NAME).resource_name
    assert name is not None
    share(stack, "research", name)
    share(stack, "ops", stack.format_arn(service="batch", resource="job-queue", resource_name=name))

    (system,) = read_systems(synthesize(app)).systems

    assert share_names(system) == ["ops", "research"]


def test_reads_parameters_conditions_and_mappings(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    stack = cdk.Stack(app, "Training")
    size = cdk.CfnParameter(stack, "Size", type="Number", default=2)
    sizes = cdk.CfnMapping(stack, "Sizes", mapping={"eu-west-1": {"ops": 3}, "us-east-1": {"ops": 5}})
    queues = queue(stack, environment(stack, 8).ref)
    is_large = cdk.CfnCondition(stack, "IsLarge", expression=cdk.Fn.condition_equals(size.value_as_string, "7"))
    share(stack, "research", queues.ref, size.value_as_number)
    share(stack, "ops", queues.ref, cdk.Token.as_number(sizes.find_in_map(cdk.Aws.REGION, "ops")))
    share(stack, "large", queues.ref).cfn_options.condition = is_large
    assembly = synthesize(app)

    (usual,) = read_systems(assembly, parameters={"AWS::Region": "eu-west-1"}).systems
    (large,) = read_systems(assembly, parameters={"AWS::Region": "us-east-1", "Size": "7"}).systems

    assert [(share.name, share.limits[UNIT]) for share in usual.shares] == [("ops", 3), ("research", 2)]
    assert [(share.name, share.limits[UNIT]) for share in large.shares] == [("large", 1), ("ops", 5), ("research", 7)]
    with pytest.raises(TemplateError, match=r"AWS::Region is not known here; supply it with --parameter"):
        read_systems(assembly)


def test_fails_on_a_reference_that_only_a_deployment_carries_across_regions(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    pool = environment(cdk.Stack(app, "Pool", env=HERE, cross_region_references=True))
    queue(cdk.Stack(app, "Queues", env=THERE, cross_region_references=True), pool.ref)

    with pytest.raises(TemplateError, match=r"\(Custom::CrossRegionExportReader\) is known only after deployment"):
        read_systems(synthesize(app))
