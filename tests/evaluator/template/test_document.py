"""Files that are not what they should be, and YAML."""

import json
from pathlib import Path

import pytest

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template import read_systems
from quota_constructs.evaluator.template.document import MAX_BYTES
from tests.evaluator.template.templates import UNIT, read_one, share, share_names, template, write

YAML = """\
AWSTemplateFormatVersion: 2010-09-09
Parameters:
  Size: {Type: Number, Default: 3}
Conditions:
  IsBig: !Equals [!Ref Size, "3"]
  IsSmall: !Not [!Condition IsBig]
Resources:
  Environment:
    Type: AWS::Batch::ServiceEnvironment
    Properties:
      ServiceEnvironmentName: !Sub "${AWS::StackName}-pool"
      ServiceEnvironmentType: SAGEMAKER_TRAINING
      CapacityLimits: [{CapacityUnit: ml.g5.xlarge, MaxCapacity: 8}]
  Policy:
    Type: AWS::Batch::SchedulingPolicy
    Properties:
      QuotaSharePolicy: {IdleResourceAssignmentStrategy: FIFO}
  Queue:
    Type: AWS::Batch::JobQueue
    Properties:
      JobQueueName: 0123
      JobQueueType: SAGEMAKER_TRAINING
      SchedulingPolicyArn: !GetAtt Policy.Arn
      Priority: 1
      ServiceEnvironmentOrder:
        - Order: 1
          ServiceEnvironment: !Join ["", [!Sub "${AWS::StackName}", "-pool"]]
  Research:
    Type: AWS::Batch::QuotaShare
    Condition: IsBig
    Properties:
      QuotaShareName: "7"
      JobQueue: !GetAtt [Queue, JobQueueArn]
      CapacityLimits:
        - CapacityUnit: ml.g5.xlarge
          MaxCapacity: !If
            - IsSmall
            - 1
            - !Ref Size
      ResourceSharingConfiguration: {Strategy: LEND}
"""


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".template", ".YAML"])
def test_reads_yaml_with_short_tags(tmp_path: Path, suffix: str) -> None:
    system = read_one(write(tmp_path / f"stack{suffix}", YAML))

    assert (system.name, share_names(system), system.shares[0].limits) == ("0123", ["7"], {UNIT: 3})


@pytest.mark.parametrize("suffix", [".json", ".template", ".yaml"])
def test_reads_json(tmp_path: Path, suffix: str) -> None:
    assert read_one(write(tmp_path / f"stack{suffix}", template())).name == "Queue"


def test_reads_json_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert read_one(write(tmp_path / "stack.json", "\ufeff" + json.dumps(template()))).name == "Queue"


def nested(levels: int) -> str:
    return '{"Resources": ' + "[" * levels + "]" * levels + "}"


CODE = "a: !!python/object/apply:os.system ['true']\n"
REPEATED = '{"a": 1, "b": {"x\\u001b": 1, "x\\u001b": 2}}'
LAUGHS = "a: &a [x, x]\nb: &b [*a, *a]\nResources: {x: *b}\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("x.json", "", "is empty; expected a CloudFormation template", id="nothing"),
        pytest.param("x.yaml", "  \n", "is empty; expected a CloudFormation template", id="blanks"),
        pytest.param("x.json", "{", "line 1: is not JSON: Expecting property name", id="broken JSON"),
        pytest.param("x.json", "[]", "holds no object at its top; expected a CloudFormation template", id="JSON list"),
        pytest.param("x.yaml", "- a", "holds no object at its top; expected a CloudFormation template", id="YAML list"),
        pytest.param("x.json", "{}", "is not a CloudFormation template: it has no Resources object", id="no resources"),
        pytest.param("x.json", '{"a": NaN}', "is not acceptable JSON: NaN is not a JSON number", id="NaN"),
        pytest.param("x.json", REPEATED, "is not acceptable JSON: the key 'x\\x1b' appears twice", id="key twice"),
        pytest.param("x.json", nested(65), "is nested more than 64 levels deep", id="deep"),
        pytest.param("x.json", nested(100_000), "is nested more than 64 levels deep", id="very deep"),
        pytest.param("x.yaml", nested(65), "line 1: is nested more than 64 levels deep", id="deep YAML"),
        pytest.param("x.yaml", "a: 1\na: 2\n", "line 2: the key 'a' appears twice in one object", id="YAML key twice"),
        pytest.param("x.yaml", "a: {\n", "line 2: is not YAML: ", id="broken YAML"),
        pytest.param("x.yaml", "a: \x00\n", "is not YAML: ", id="control character"),
        pytest.param("x.yaml", LAUGHS, "line 2: uses an alias, which CloudFormation does not support", id="alias"),
        pytest.param("x.yaml", "a:\n  <<: {b: 1}\n", "line 2: uses a merge key, which CloudFormation", id="merge key"),
        pytest.param("x.yaml", "? [a]\n: 1\n", "line 1: uses a list or object as a key", id="list as key"),
        pytest.param("x.yaml", "a: 1\n---\nb: 1\n", "line 2: begins a second document", id="two documents"),
        pytest.param(
            "x.yaml", CODE, "line 1: the tag 'tag:yaml.org,2002:python/object/apply:os.system' is no", id="code"
        ),
        pytest.param("x.yaml", "a: !Reff b\n", "line 1: the tag '!Reff' is no intrinsic function", id="unknown tag"),
        pytest.param("x.tf", "x", "must end in one of .json, .yaml, .yml, .template, or be", id="another suffix"),
    ],
)
def test_fails_in_one_line_on_what_is_no_template(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = write(tmp_path / name, content)

    with pytest.raises(TemplateError) as refused:
        read_systems(path)

    assert str(refused.value).startswith(f"{path}: {message}")
    assert str(refused.value).isprintable()


def test_fails_on_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"a": "\xff"}')

    with pytest.raises(TemplateError, match=r"is not UTF-8 text \(byte 7\)"):
        read_systems(path)


def test_fails_on_more_than_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", " " * (MAX_BYTES + 1))

    with pytest.raises(TemplateError, match=r"is larger than 10,000,000 bytes"):
        read_systems(path)


def test_fails_on_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="no such file"):
        read_systems(tmp_path / "x.json")


def test_a_number_of_many_digits_is_only_a_wrong_value(tmp_path: Path) -> None:
    content = json.dumps(template({"Research": share(capacity="SIZE")})).replace('"SIZE"', "9" * 10_000)

    with pytest.raises(TemplateError, match=r"must be a whole number from 1 to 2147483647, got '9+\.\.\.9+'$"):
        read_systems(write(tmp_path / "x.json", content))
