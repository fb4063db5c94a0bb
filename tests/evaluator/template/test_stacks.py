"""Shares, queue and environment in different stacks, nested stacks and stages; and assemblies that are not sound."""

from pathlib import Path

import pytest

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template import read_systems
from tests.evaluator.template.templates import (
    UNIT,
    Properties,
    environment,
    policy,
    queue,
    read_one,
    share,
    share_names,
    stack_artifact,
    template,
    write,
    write_assembly,
)

REF_QUEUE = {"Ref": "Queue"}


def stack(resources: Properties, **sections: object) -> Properties:
    return {"Resources": resources, **sections}


def exported(name: object, value: object) -> Properties:
    return {"Exported": {"Value": value, "Export": {"Name": name}}}


def nested_stack(file: str, **parameters: object) -> Properties:
    return {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "https://example.invalid/template", "Parameters": parameters},
        "Metadata": {"aws:asset:path": file},
    }


def test_reads_what_three_stacks_share_by_exports(tmp_path: Path) -> None:
    assembly = write_assembly(
        tmp_path / "cdk.out",
        {
            "Shares": stack({"Research": share(queue={"Fn::ImportValue": {"Fn::Sub": "queue-${AWS::Region}"}})}),
            "Pool": stack({"Environment": environment(5)}, Outputs=exported("pool", {"Ref": "Environment"})),
            "Queues": stack(
                {"Queue": queue({"Fn::ImportValue": "pool"}), "Policy": policy()},
                Outputs=exported({"Fn::Sub": "queue-${AWS::Region}"}, REF_QUEUE),
            ),
        },
    )

    system = read_one(assembly)

    assert share_names(system) == ["research"]
    assert system.source.template == str(assembly / "Queues.template.json")
    assert system.environment.source.template == str(assembly / "Pool.template.json")
    assert system.shares[0].source.template == str(assembly / "Shares.template.json")


def test_reads_what_stacks_share_by_name(tmp_path: Path) -> None:
    assembly = write_assembly(
        tmp_path,
        {
            "Pool": stack({"Environment": environment(ServiceEnvironmentName="pool")}),
            "Queues": stack({"Queue": queue("pool", JobQueueName="training"), "Policy": policy()}),
            "Shares": stack({"Research": share(queue="arn:aws:batch:eu-west-1:111122223333:job-queue/training")}),
        },
    )

    assert share_names(read_one(assembly)) == ["research"]


def test_reads_an_output_that_is_taken_by_the_name_of_its_stack(tmp_path: Path) -> None:
    output = {"Fn::GetStackOutput": {"StackName": "Queues", "OutputName": "Queue"}}
    assembly = write_assembly(
        tmp_path,
        {
            "Queues": template({"Research": share("research")}, Outputs={"Queue": {"Value": REF_QUEUE}}),
            "Shares": stack({"Ops": share("ops", queue=output)}),
        },
    )

    assert share_names(read_one(assembly)) == ["ops", "research"]


def test_a_queue_in_another_region_is_another_queue(tmp_path: Path) -> None:
    regions = {"Here": "eu-west-1", "There": "us-east-1"}
    assembly = write_assembly(
        tmp_path, {}, **{name: stack_artifact("x.json", f"aws://111122223333/{at}") for name, at in regions.items()}
    )
    write(
        assembly / "x.json",
        template(
            {
                "Queue": queue(JobQueueName="training"),
                "Research": share("research", queue="training"),
                "Ops": share("ops", queue="arn:aws:batch:us-east-1:111122223333:job-queue/training"),
                "Small": share("small", queue=REF_QUEUE, capacity={"Fn::If": ["IsHere", 1, 2]}),
            },
            Conditions={"IsHere": {"Fn::Equals": [{"Ref": "AWS::Region"}, "eu-west-1"]}},
        ),
    )

    systems = read_systems(assembly).systems

    assert [share_names(system) for system in systems] == [["research", "small"], ["ops", "research", "small"]]
    assert [system.shares[-1].limits[UNIT] for system in systems] == [1, 2]


def test_reads_nested_stacks_with_their_parameters_and_outputs(tmp_path: Path) -> None:
    pool = {"Fn::GetAtt": ["Pool", "Outputs.Environment"]}
    deep = stack(
        {"Ops": share("ops", queue={"Ref": "Target"}, capacity={"Ref": "Size"})},
        Parameters={"Target": {"Type": "String"}, "Size": {"Type": "Number", "Default": 2}},
    )
    shares = stack(
        {
            "Research": share(queue={"Ref": "Queue"}),
            "Deep": nested_stack("deep.json", Target={"Fn::Sub": "${Queue}"}),
        },
        Parameters={"Queue": {"Type": "String"}},
    )
    parent = stack(
        {
            "Shares": nested_stack("shares.json", Queue={"Fn::GetAtt": ["Queue", "JobQueueArn"]}),
            "Pool": nested_stack("pool.json"),
            "Queue": queue(pool),
            "Policy": policy(),
        }
    )
    write(
        tmp_path / "pool.json",
        stack({"Environment": environment(7)}, Outputs={"Environment": {"Value": {"Ref": "Environment"}}}),
    )
    write(tmp_path / "shares.json", shares)
    write(tmp_path / "deep.json", deep)
    assembly = write_assembly(tmp_path, {"Parent": parent})

    for path in (assembly, assembly / "Parent.template.json"):
        system = read_one(path)

        assert share_names(system) == ["ops", "research"]
        assert system.shares[0].source.template == str(tmp_path / "deep.json")
        assert (system.environment.capacity, system.shares[0].limits) == ({UNIT: 7}, {UNIT: 2})


def test_a_nested_template_may_be_a_path_beside_its_parent(tmp_path: Path) -> None:
    nested = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "./nested/shares.yaml"}}
    write(tmp_path / "nested/shares.yaml", stack({"Ops": share("ops", queue="training")}))
    path = write(tmp_path / "x.yaml", template({"Queue": queue(JobQueueName="training"), "Nested": nested}))

    assert share_names(read_one(path)) == ["ops", "research"]


def test_one_template_nested_twice_is_two_stacks(tmp_path: Path) -> None:
    write(
        tmp_path / "share.json",
        stack(
            {"Share": share({"Ref": "Name"}, queue={"Ref": "Queue"})},
            Parameters={"Name": {"Type": "String"}, "Queue": {"Type": "String"}},
        ),
    )
    twice: Properties = {
        "First": nested_stack("share.json", Name="a", Queue=REF_QUEUE),
        "Second": nested_stack("share.json", Name="b", Queue=REF_QUEUE),
    }

    assert share_names(read_one(write(tmp_path / "x.json", template(twice)))) == ["a", "b", "research"]


@pytest.mark.parametrize("file", ["gone.json", "x" * 300], ids=["gone", "too long a name"])
def test_notes_a_nested_stack_whose_template_is_not_there(tmp_path: Path, file: str) -> None:
    path = write(tmp_path / "x.json", template({"Nested": nested_stack(file)}))

    assert read_systems(path).notes == (
        f"{path}: resource 'Nested': the template of this nested stack is not in what was read; passed over",
    )


def test_stages_with_the_same_names_do_not_mix(tmp_path: Path) -> None:
    stages = {name: {"type": "cdk:cloud-assembly", "properties": {"directoryName": name}} for name in ("beta", "prod")}
    assembly = write_assembly(tmp_path, {}, **stages)
    for stage, capacity in {"beta": 1, "prod": 9}.items():
        write_assembly(
            assembly / stage,
            {
                "Pool": stack({"Environment": environment(capacity)}, Outputs=exported("pool", {"Ref": "Environment"})),
                "Queues": stack(
                    {"Queue": queue({"Fn::ImportValue": "pool"}, JobQueueName="training"), "Policy": policy()},
                ),
                "Shares": stack({"Research": share(queue="training", capacity=capacity)}),
            },
        )

    systems = read_systems(assembly).systems

    assert [system.source.template for system in systems] == [
        str(assembly / stage / "Queues.template.json") for stage in ("beta", "prod")
    ]
    assert [(system.environment.capacity[UNIT], system.shares[0].limits[UNIT]) for system in systems] == [
        (1, 1),
        (9, 9),
    ]


def test_values_that_the_assembly_gives_for_parameters_count(tmp_path: Path) -> None:
    artifact = stack_artifact("x.json")
    artifact["properties"] = {"templateFile": "x.json", "parameters": {"Size": "6"}}
    assembly = write_assembly(tmp_path, {}, Sized=artifact)
    write(
        assembly / "x.json",
        template({"Research": share(capacity={"Ref": "Size"})}, Parameters={"Size": {"Type": "Number"}}),
    )

    assert read_one(assembly).shares[0].limits == {UNIT: 6}
    assert read_one(assembly, Size="7").shares[0].limits == {UNIT: 7}


def test_fails_on_an_export_declared_twice(tmp_path: Path) -> None:
    pool = stack({"Environment": environment()}, Outputs=exported("pool", {"Ref": "Environment"}))
    queues = stack({"Queue": queue({"Fn::ImportValue": "pool"}), "Policy": policy()})

    with pytest.raises(TemplateError, match=r"export 'pool' is declared more than once: .*One.* and .*Two"):
        read_systems(write_assembly(tmp_path, {"One": pool, "Two": pool, "Queues": queues}))


def test_fails_on_an_export_whose_name_is_not_known(tmp_path: Path) -> None:
    imported = {"Fn::ImportValue": {"Fn::Sub": "${AWS::Region}-queue"}}
    path = write(tmp_path / "x.json", template({"Research": share(queue=imported)}))

    with pytest.raises(TemplateError, match=r"JobQueue: cannot be resolved: AWS::Region is not known here; supply it"):
        read_systems(path)


def test_fails_on_exports_that_go_in_a_circle(tmp_path: Path) -> None:
    one = stack({}, Outputs=exported("one", {"Fn::ImportValue": "two"}))
    two = stack(
        {"Research": share(queue={"Fn::ImportValue": "one"})}, Outputs=exported("two", {"Fn::ImportValue": "one"})
    )

    with pytest.raises(
        TemplateError, match=r"resource 'Research', Properties/JobQueue: .* in a circle: output 'Exported' ->"
    ):
        read_systems(write_assembly(tmp_path, {"One": one, "Two": two}))


def test_fails_on_a_template_nested_in_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", template({"Nested": nested_stack("x.json")}))

    with pytest.raises(TemplateError, match=r"resource 'Nested': nests the template 'x.json' in itself"):
        read_systems(path)


def test_fails_on_nested_stacks_without_end(tmp_path: Path) -> None:
    for level in range(20):
        write(tmp_path / f"{level}.json", stack({"Nested": nested_stack(f"{level + 1}.json")}))

    with pytest.raises(TemplateError, match=r"stacks are nested more than 16 deep"):
        read_systems(tmp_path / "0.json")


def test_fails_on_nested_stacks_that_multiply(tmp_path: Path) -> None:
    for level in range(12):
        twice: Properties = {name: nested_stack(f"{level + 1}.json") for name in ("A", "B")}
        write(tmp_path / f"{level}.json", stack(twice))
    write(tmp_path / "12.json", stack({}))

    with pytest.raises(TemplateError, match=r"holds more than 2,000 stacks"):
        read_systems(tmp_path / "0.json")


def test_fails_on_a_directory_that_is_no_assembly(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"is not a cloud assembly: it has no manifest.json; give the output"):
        read_systems(tmp_path)


@pytest.mark.parametrize(
    "outside", ["../secret.json", "/etc/hostname", "a/../../secret.json", "link.json", "\x1b[2J", ""]
)
def test_fails_on_files_outside_the_assembly(tmp_path: Path, outside: str) -> None:
    write(tmp_path / "secret.json", template())
    assembly = write_assembly(tmp_path / "cdk.out", {}, Stack=stack_artifact(outside))
    (assembly / "link.json").symlink_to(tmp_path / "secret.json")

    with pytest.raises(TemplateError) as refused:
        read_systems(assembly)

    assert str(refused.value).startswith(f"{assembly / 'manifest.json'}: names ")
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("directory", ["..", ".", "/", "loop"])
def test_fails_on_stages_outside_the_assembly(tmp_path: Path, directory: str) -> None:
    stage = {"type": "cdk:cloud-assembly", "properties": {"directoryName": directory}}
    assembly = write_assembly(tmp_path, {}, Stage=stage)
    (assembly / "loop").symlink_to(assembly)

    with pytest.raises(TemplateError, match=r"which is not below its own directory|nested more than 16 deep"):
        read_systems(assembly)


def test_fails_on_nested_templates_outside_the_directory(tmp_path: Path) -> None:
    write(tmp_path / "secret.json", template())
    path = write(tmp_path / "app/x.json", template({"Nested": nested_stack("../secret.json")}))

    with pytest.raises(TemplateError, match=r"names '../secret.json', which is not below its own directory"):
        read_systems(path)


@pytest.mark.parametrize("artifacts", [[], {"Stack": "x"}, {"Stack": {"type": "aws:cloudformation:stack"}}], ids=str)
def test_fails_on_a_manifest_of_another_form(tmp_path: Path, artifacts: object) -> None:
    write(tmp_path / "manifest.json", {"artifacts": artifacts})

    with pytest.raises(TemplateError, match=r"manifest.json: "):
        read_systems(tmp_path)


def test_fails_on_a_loop_that_makes_batch_resources(tmp_path: Path) -> None:
    loop = ["Team", ["a", "b"], {"Share${Team}": share({"Ref": "Team"})}]
    path = write(tmp_path / "x.json", template({"Fn::ForEach::Teams": loop}))

    with pytest.raises(TemplateError, match=r"Resources/Fn::ForEach::Teams makes AWS::Batch resources"):
        read_systems(path)


def test_a_loop_that_makes_other_resources_is_ignored(tmp_path: Path) -> None:
    loop = ["Name", ["a", "b"], {"Bucket${Name}": {"Type": "AWS::S3::Bucket"}}]

    assert share_names(read_one(write(tmp_path / "x.json", template({"Fn::ForEach::Buckets": loop})))) == ["research"]
