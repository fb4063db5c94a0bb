"""Whatever a template holds, it is read or refused in one line that is safe to print."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template import read_systems
from quota_constructs.evaluator.template.values import Node
from tests.evaluator.template.templates import Properties, policy, queue, share, template, write

SECTIONS: Properties = {
    "Parameters": {"Size": {"Type": "Number", "Default": 3}},
    "Mappings": {"Sizes": {"prod": {"research": 6}}},
    "Conditions": {"Is": {"Fn::Equals": [{"Ref": "Size"}, "3"]}, "Not": {"Fn::Not": [{"Condition": "Is"}]}},
    "Outputs": {"Queue": {"Value": {"Ref": "Queue"}, "Export": {"Name": {"Fn::Sub": "${AWS::StackName}-q"}}}},
}
RESOURCES: Properties = {
    "Queue": queue(JobQueueName="training", JobStateTimeLimitActions=[]),
    "Policy": policy(Name={"Fn::Join": ["-", ["a", {"Ref": "AWS::Region"}]]}),
    "Research": {**share(capacity={"Fn::If": ["Is", {"Ref": "Size"}, 1]}), "Condition": "Is"},
    "Ops": share("ops", queue={"Fn::ImportValue": {"Fn::Sub": "${AWS::StackName}-q"}}),
    "Small": share("small", capacity={"Fn::FindInMap": ["Sizes", "prod", "research"]}, Tags={"a": "b"}),
    "Nested": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "n.json", "Parameters": {}}},
}

words = st.sampled_from(
    [
        "Queue",
        "Research",
        "Size",
        "Is",
        "Not",
        "AWS::NoValue",
        "AWS::Region",
        "training",
        "\x1b[2J\n",
        "\ud800",
        "x" * 300,
    ]
)
functions = st.sampled_from(
    [
        "Ref",
        "Condition",
        "Fn::If",
        "Fn::Sub",
        "Fn::GetAtt",
        "Fn::Join",
        "Fn::Select",
        "Fn::Split",
        "Fn::FindInMap",
        "Fn::Not",
    ]
)
values: st.SearchStrategy[Node] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(functions, words), inner, max_size=2)
    ),
    max_leaves=8,
)


def places(node: Node, trail: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the way to every value of a document but its top."""
    inner: list[tuple[str | int, Node]] = []
    if isinstance(node, dict):
        inner.extend(node.items())
    elif isinstance(node, list):
        inner.extend(enumerate(node))
    return [here for key, child in inner for here in ((*trail, key), *places(child, (*trail, key)))]


BODY: Node = json.loads(json.dumps(template(RESOURCES, **SECTIONS)))


@given(changes=st.lists(st.tuples(st.sampled_from(places(BODY)), values), min_size=1, max_size=3))
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_is_read_or_refused_in_one_printable_line(
    tmp_path: Path, changes: list[tuple[tuple[str | int, ...], Node]]
) -> None:
    body = copy.deepcopy(BODY)
    for trail, value in changes:
        put(body, trail, value)
    path = write(tmp_path / "x.json", body)

    try:
        said = [*(reading := read_systems(path)).notes, *(system.name for system in reading.systems)]
    except TemplateError as error:
        said = [str(error)]

    assert all(line.isprintable() for line in said)


def put(body: Node, trail: tuple[str | int, ...], value: Node) -> None:
    """Put *value* at *trail*, if the place is still there."""
    match body, trail:
        case dict(), (str(key),) if key in body:
            body[key] = value
        case list(), (int(index),) if index < len(body):
            body[index] = value
        case dict(), (str(key), *rest) if key in body:
            put(body[key], tuple(rest), value)
        case list(), (int(index), *rest) if index < len(body):
            put(body[index], tuple(rest), value)
        case _:
            pass
