"""What a queue declares besides who may run on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template import read_systems
from quota_constructs.evaluator.template.settings import QueueSettings, read_settings
from tests.templates import queue, write_template

Properties = dict[str, Any]
NO_PARAMETERS: dict[str, str] = {}


def declare(path: Path, *, on_queue: Properties, on_environment: Properties) -> Path:
    resources = queue("training", {"research": (2, "RESERVE")}, capacity=2)
    changes = {"AWS::Batch::JobQueue": on_queue, "AWS::Batch::ServiceEnvironment": on_environment}
    for resource in resources.values():
        declared = cast("Properties", resource["Properties"])
        declared |= changes.get(str(resource["Type"]), {})
    return write_template(path / "template.json", resources, parameters={"Name": {"Type": "String"}})


def settings_in(path: Path) -> QueueSettings:
    [system] = read_systems(path).systems
    return read_settings(system, path, parameters=NO_PARAMETERS)


def test_settings_are_as_they_are_declared(tmp_path: Path) -> None:
    path = declare(
        tmp_path,
        on_queue={"JobQueueName": "training", "State": "disabled", "Priority": "7"},
        on_environment={"ServiceEnvironmentName": "pool", "State": "DISABLED"},
    )

    found = settings_in(path)

    assert found == QueueSettings(
        name="training", state="DISABLED", priority=7, environment="pool", environment_state="DISABLED"
    )


def test_a_state_that_is_not_declared_is_enabled(tmp_path: Path) -> None:
    path = declare(tmp_path, on_queue={"State": None}, on_environment={"State": None})

    found = settings_in(path)

    assert (found.state, found.environment_state) == ("ENABLED", "ENABLED")


@pytest.mark.parametrize(
    "unknown", [None, {"Ref": "Name"}], ids=["left to CloudFormation", "a parameter without value"]
)
def test_what_only_the_deployment_knows_is_left_open(tmp_path: Path, unknown: object) -> None:
    path = declare(
        tmp_path,
        on_queue={"JobQueueName": unknown, "Priority": unknown},
        on_environment={"ServiceEnvironmentName": unknown},
    )

    found = settings_in(path)

    assert (found.name, found.priority, found.environment) == (None, None, None)


@pytest.mark.parametrize(
    ("properties", "problem"),
    [
        pytest.param({"State": "ON"}, "Properties/State: must be one of DISABLED, ENABLED, got 'ON'", id="state"),
        pytest.param({"Priority": "high"}, "Properties/Priority: must be a whole number", id="priority"),
    ],
)
def test_fails_for_what_the_service_would_refuse(tmp_path: Path, properties: Properties, problem: str) -> None:
    path = declare(tmp_path, on_queue=properties, on_environment={})

    with pytest.raises(TemplateError, match=problem):
        settings_in(path)
