"""Values that the user gives for a template's parameters."""

from pathlib import Path

import pytest

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.template import read_systems
from tests.evaluator.template.templates import UNIT, read_one, share, template, write

PSEUDO = (
    "AWS::AccountId, AWS::NotificationARNs, AWS::Partition, AWS::Region, AWS::StackId, AWS::StackName, AWS::URLSuffix"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    parameters = {
        "Size": {"Type": "Number"},
        "Team": {"Type": "String", "Default": "research", "AllowedValues": ["research", "ops"]},
    }
    resources = {"Research": share({"Ref": "Team"}, capacity={"Ref": "Size"})}
    return write(tmp_path / "x.json", template(resources, Parameters=parameters))


def test_a_value_is_taken_before_the_default(path: Path) -> None:
    (share,) = read_one(path, Size="5", Team="ops").shares

    assert (share.name, share.limits) == ("ops", {UNIT: 5})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Sise", "5", "parameter 'Sise' is declared by none of the templates; they declare Size, Team"),
        (
            "AWS::Regoin",
            "eu-west-1",
            f"parameter 'AWS::Regoin' is no pseudo parameter of CloudFormation; there are {PSEUDO}",
        ),
        ("Size", "five", "parameter 'Size' of PATH must be a number, got 'five'"),
        ("Team", "sales", "parameter 'Team' of PATH must be one of research, ops, got 'sales'"),
    ],
)
def test_fails_on_a_value_that_the_template_does_not_take(path: Path, name: str, value: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_systems(path, parameters={name: value})

    assert str(refused.value) == message.replace("PATH", str(path))


def test_an_undeclared_name_may_be_allowed(path: Path) -> None:
    reading = read_systems(path, parameters={"Size": "5", "Other": "1"}, allow_undeclared=True)

    assert len(reading.systems) == 1
