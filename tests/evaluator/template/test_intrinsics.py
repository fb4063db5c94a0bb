"""Intrinsic functions, seen through what they do to a share's capacity or to who belongs to whom."""

from pathlib import Path

import pytest

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template import read_systems
from tests.evaluator.template.templates import UNIT, environment, limits, queue, read_one, share, template, write

SECTIONS: dict[str, object] = {
    "Parameters": {
        "Size": {"Type": "Number", "Default": 3},
        "Sizes": {"Type": "CommaDelimitedList", "Default": "5, 7"},
        "Numbers": {"Type": "List<Number>", "Default": "5,7"},
        "Stage": {"Type": "String", "Default": "prod"},
        "Missing": {"Type": "Number"},
        "Stored": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/sizes/research"},
    },
    "Mappings": {"Sizes": {"prod": {"research": 6, "units": ["a", "b"]}, "test": {"research": 1}}},
    "Conditions": {
        "IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
        "IsTest": {"Fn::Not": [{"Condition": "IsProd"}]},
        "Either": {"Fn::Or": [{"Condition": "IsTest"}, {"Condition": "IsProd"}]},
        "Both": {"Fn::And": [{"Condition": "IsTest"}, {"Condition": "IsProd"}]},
        "IsHere": {"Fn::Equals": [{"Ref": "AWS::Region"}, "eu-west-1"]},
        "SameRegion": {"Fn::Equals": [{"Ref": "AWS::Region"}, {"Ref": "AWS::Region"}]},
        "HereOrProd": {"Fn::Or": [{"Condition": "IsHere"}, {"Condition": "IsProd"}]},
        "HereAndTest": {"Fn::And": [{"Condition": "IsHere"}, {"Condition": "IsTest"}]},
        "HereAndProd": {"Fn::And": [{"Condition": "IsHere"}, {"Condition": "IsProd"}]},
        "One": {"Condition": "Other"},
        "Other": {"Fn::Not": [{"Condition": "One"}]},
        "Numbers": {"Fn::Equals": [{"Ref": "Size"}, 3]},
    },
}


def choose(condition: str) -> object:
    return {"Fn::If": [condition, 1, 2]}


@pytest.mark.parametrize(
    ("expression", "capacity"),
    [
        ({"Ref": "Size"}, 3),
        ({"Fn::Select": [1, {"Ref": "Sizes"}]}, 7),
        ({"Fn::Select": ["0", {"Ref": "Numbers"}]}, 5),
        ({"Fn::Select": [1, {"Fn::Split": ["/", "a/8/b"]}]}, 8),
        ({"Fn::Select": [0, [{"Ref": "AWS::NoValue"}, 4]]}, 4),
        ({"Fn::Join": ["", [1, {"Ref": "Size"}]]}, 13),
        ({"Fn::Join": ["0", ["1", "2"]]}, 102),
        ({"Fn::Sub": "${Size}0"}, 30),
        ({"Fn::Sub": ["${x}${Size}", {"x": {"Ref": "Size"}}]}, 33),
        ({"Fn::FindInMap": ["Sizes", {"Ref": "Stage"}, "research"]}, 6),
        ({"Fn::FindInMap": ["Sizes", "elsewhere", "research", {"DefaultValue": 9}]}, 9),
        ({"Fn::FindInMap": ["Sizes", "test", "research", {"DefaultValue": 9}]}, 1),
        (choose("IsProd"), 1),
        (choose("IsTest"), 2),
        (choose("Either"), 1),
        (choose("Both"), 2),
        (choose("Numbers"), 1),
        (choose("SameRegion"), 1),
        (choose("HereOrProd"), 1),
        (choose("HereAndTest"), 2),
        ({"Fn::If": ["IsProd", 1, {"Ref": "Missing"}]}, 1),
        ({"Fn::If": [{"Fn::Equals": ["a", "a"]}, 1, 2]}, 1),
    ],
    ids=str,
)
def test_an_expression_comes_to_a_value(tmp_path: Path, expression: object, capacity: int) -> None:
    path = write(tmp_path / "x.json", template({"Research": share(capacity=expression)}, **SECTIONS))

    assert read_one(path).shares[0].limits == {UNIT: capacity}


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ({"Ref": "Missing"}, "parameter 'Missing' has no value; supply it with --parameter Missing=VALUE"),
        ({"Ref": "Stored"}, "parameter 'Stored' has no value; supply it with --parameter Stored=VALUE"),
        ({"Fn::Sub": "1${Missing}"}, "parameter 'Missing' has no value; supply it with --parameter Missing=VALUE"),
        ({"Ref": "Nowhere"}, "'Nowhere' is neither a parameter nor a resource of the template"),
        ({"Fn::GetAtt": ["Nowhere", "Arn"]}, "'Nowhere' is not a resource of the template"),
        (
            {"Fn::GetAtt": "Pool.X"},
            "the attribute 'X' of 'Pool' (AWS::S3::Bucket) is known only after deployment; write the value itself",
        ),
        (
            {"Ref": "Research"},
            "the id of 'Research' (AWS::Batch::QuotaShare) is known only after deployment; write the value itself",
        ),
        ({"Fn::FindInMap": ["Sizes", "x", "research"]}, "'Mappings' has no Sizes/x/research"),
        ({"Fn::Select": [2, ["1"]]}, "Fn::Select asks for item 2 of a list of 1"),
        ({"Fn::Select": ["first", ["1"]]}, "its Fn::Select is malformed; expected [index, [value, ...]]"),
        ({"Fn::Join": ["1"]}, "its Fn::Join is malformed; expected [delimiter, [value, ...]]"),
        ({"Fn::Split": ["", "1"]}, "its Fn::Split is malformed; expected [delimiter, text]"),
        ({"Fn::If": ["IsProd", 1]}, "its Fn::If is malformed; expected [condition, value if true, value if false]"),
        ({"Fn::Sub": "${Sizes}"}, "its Fn::Sub is malformed; expected single values for its ${...}"),
        ({"Fn::Length": [1]}, "Fn::Length is not evaluated here; write the value itself"),
        (
            "{{resolve:ssm:/sizes/research}}",
            "'{{resolve:ssm:/sizes/research}}' is looked up at deployment; write the value itself",
        ),
        (choose("IsHere"), "AWS::Region is not known here; supply it with --parameter AWS::Region=VALUE"),
        (choose("HereAndProd"), "AWS::Region is not known here; supply it with --parameter AWS::Region=VALUE"),
        (choose("Nowhere"), "the template declares no condition 'Nowhere'"),
        (
            choose("One"),
            "it refers to itself in a circle: condition 'One' -> condition 'Other' -> condition 'One'",
        ),
    ],
    ids=str,
)
def test_fails_saying_why_a_value_that_is_needed_is_unknown(tmp_path: Path, expression: object, why: str) -> None:
    resources = {"Research": share(capacity=expression), "Pool": {"Type": "AWS::S3::Bucket"}}
    path = write(tmp_path / "x.json", template(resources, **SECTIONS))

    with pytest.raises(TemplateError) as refused:
        read_systems(path)

    place = "resource 'Research', Properties/CapacityLimits/0/MaxCapacity"
    assert str(refused.value) == f"{path}: {place}: cannot be resolved: {why}"


def test_fails_if_it_cannot_be_told_whether_a_share_exists(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", template({"Research": {**share(), "Condition": "IsHere"}}, **SECTIONS))

    with pytest.raises(TemplateError, match=r"resource 'Research', Condition: cannot be resolved: AWS::Region is not"):
        read_systems(path)


def test_a_pseudo_parameter_can_be_supplied(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", template({"Research": share(capacity=choose("IsHere"))}, **SECTIONS))

    system = read_one(path, **{"AWS::Region": "eu-west-1"})

    assert system.shares[0].limits == {UNIT: 1}


ARN = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/training"


@pytest.mark.parametrize(
    "reference",
    [
        {"Ref": "Queue"},
        {"Fn::GetAtt": ["Queue", "JobQueueArn"]},
        {"Fn::GetAtt": "Queue.JobQueueArn"},
        {"Fn::Sub": "${Queue}"},
        {"Fn::Sub": "${Queue.JobQueueArn}"},
        "training",
        {"Fn::Sub": ARN},
        "arn:aws:batch:eu-west-1:111122223333:job-queue/training",
        {"Fn::Join": ["", ["arn:aws:batch:", {"Ref": "AWS::Region"}, ":111122223333:job-queue/training"]]},
        {"Fn::Select": [1, {"Fn::Split": ["/", {"Ref": "Queue"}]}]},
        {"Fn::Select": [1, {"Fn::Split": ["/", {"Fn::Select": [5, {"Fn::Split": [":", {"Ref": "Queue"}]}]}]}]},
    ],
    ids=str,
)
def test_a_share_finds_its_queue_however_it_names_it(tmp_path: Path, reference: object) -> None:
    resources = {"Queue": queue(JobQueueName="training"), "Research": share(queue=reference)}

    assert len(read_one(write(tmp_path / "x.json", template(resources))).shares) == 1


@pytest.mark.parametrize(
    "reference",
    [
        {"Ref": "Queue"},
        {"Fn::GetAtt": ["Queue", "JobQueueArn"]},
        {"Fn::Select": [1, {"Fn::Split": ["/", {"Ref": "Queue"}]}]},
    ],
    ids=str,
)
def test_a_share_finds_a_queue_whose_name_nobody_knows_yet(tmp_path: Path, reference: object) -> None:
    path = write(tmp_path / "x.json", template({"Research": share(queue=reference)}))

    assert len(read_one(path).shares) == 1


def test_a_name_that_is_partly_unknown_means_what_is_written_alike(tmp_path: Path) -> None:
    name = {"Fn::Sub": "${AWS::StackName}-pool"}
    resources = {"Environment": environment(ServiceEnvironmentName=name), "Queue": queue(name)}

    assert read_one(write(tmp_path / "x.json", template(resources))).environment.name == "Environment"


@pytest.mark.parametrize(
    "reference", ["arn:aws:batch:eu-west-1:111122223333:service-environment/Queue", "arn:aws:s3:::x", "other"]
)
def test_a_share_does_not_find_what_is_called_otherwise(tmp_path: Path, reference: str) -> None:
    path = write(tmp_path / "x.json", template({"Research": share(queue=reference)}))

    assert read_one(path).shares == ()


def test_a_whole_property_may_be_chosen(tmp_path: Path) -> None:
    chosen = {"Fn::If": ["IsProd", limits(6), limits(1)]}
    path = write(tmp_path / "x.json", template({"Research": share(CapacityLimits=chosen)}, **SECTIONS))

    assert read_one(path).shares[0].limits == {UNIT: 6}


def test_an_item_without_a_value_is_not_there(tmp_path: Path) -> None:
    extra = {"Fn::If": ["IsTest", *limits(1, "ml.p5.48xlarge"), {"Ref": "AWS::NoValue"}]}
    path = write(tmp_path / "x.json", template({"Research": share(CapacityLimits=[*limits(4), extra])}, **SECTIONS))

    assert read_one(path).shares[0].limits == {UNIT: 4}


@pytest.mark.parametrize("depth", [40, 200])
def test_fails_on_expressions_without_end_before_they_exhaust_anything(tmp_path: Path, depth: int) -> None:
    conditions = {f"C{n}": {"Fn::Not": [{"Condition": f"C{n + 1}"}]} for n in range(depth)}
    sections = {"Conditions": {**conditions, f"C{depth}": {"Fn::Not": [{"Condition": "C0"}]}}}
    path = write(tmp_path / "x.json", template({"Research": share(capacity=choose("C0"))}, **sections))

    with pytest.raises(TemplateError, match=r"circle: condition 'C0' -> |nested more than 60 deep"):
        read_systems(path)


def test_fails_on_a_string_that_doubles_and_doubles(tmp_path: Path) -> None:
    doubled: object = "1" * 1000
    for _ in range(12):
        doubled = {"Fn::Sub": ["${x}${x}", {"x": doubled}]}
    path = write(tmp_path / "x.json", template({"Research": share(capacity=doubled)}))

    with pytest.raises(TemplateError, match="a string of more than 20,000 characters"):
        read_systems(path)


def test_fails_on_work_that_doubles_and_doubles(tmp_path: Path) -> None:
    doubled: object = "1"
    for _ in range(25):
        doubled = {"Fn::Sub": ["${x}${x}", {"x": {"Fn::Select": [0, {"Fn::Split": ["2", doubled]}]}}]}
    path = write(tmp_path / "x.json", template({"Research": share(capacity=doubled)}))

    with pytest.raises(TemplateError, match=r"takes more than .* steps|nested more than|more than 20,000"):
        read_systems(path)
