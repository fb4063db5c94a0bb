"""The published schema: what the package carries is what the reader decodes with."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces import read_trace, schema
from tests.builders import share, system
from tests.evaluator.traces.test_refusals import GOOD, LINES

PUBLISHED = Path(schema.__file__).with_name("contention-trace.schema.json")
SYSTEM = system(share("research", 4))

NO_JSON = {
    "half an object",
    "two objects",
    "not UTF-8",
    "UTF-16",
    "deep nesting",
    "a mark inside the file",
    "NaN",
    "infinity",
    "a number of 5,000 digits",
}
"""What no schema can judge, because a JSON parser refuses it first (or, with NaN, should)."""

BEYOND_THE_SCHEMA = {
    # what the schema of one line cannot see, or a JSON parser does not show it
    "a key twice",
    "a key twice, once in disguise",
    "a key twice inside",
    "a key twice, hidden by an escaped colon",
    "a key twice in the header",
    "an event with a key twice",
    "half a character",
    "four decimals",
    "four decimals in a duration",
    "four decimals inside",
    "a fine default",
    "a fine event",
    "a share of two types",
    "a share that nothing declares",
    "an event for nobody",
    # JSON Schema counts 1.0 among the whole numbers
    "a priority with decimals",
}


Accepts = Callable[[object], bool]


@pytest.fixture(scope="module")
def schema_accepts() -> Accepts:
    published = json.loads(PUBLISHED.read_bytes())
    jsonschema.Draft202012Validator.check_schema(published)
    validator = cast("Any", jsonschema.Draft202012Validator(published))  # its stubs are not wholly typed
    return lambda line: bool(validator.is_valid(line))


def test_the_package_carries_the_schema_that_the_types_make() -> None:
    made = schema.published_schema()

    assert PUBLISHED.read_bytes() == made, (
        "write it anew: python -c 'from quota_constructs.evaluator.traces.schema import published_schema as s; "
        f'print(s().decode(), end="")\' > {PUBLISHED.name}'
    )


@pytest.mark.parametrize("name", [name for name in LINES if name not in BEYOND_THE_SCHEMA | NO_JSON])
def test_the_schema_refuses_what_the_reader_refuses(name: str, schema_accepts: Accepts) -> None:
    line = json.loads(LINES[name][0])

    assert not schema_accepts(line)


@pytest.mark.parametrize("name", sorted(BEYOND_THE_SCHEMA))
def test_the_reader_is_stricter_than_the_schema(name: str, schema_accepts: Accepts) -> None:
    line = json.loads(LINES[name][0])

    assert schema_accepts(line)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"trace": 1}, id="the least header"),
        pytest.param({"trace": 1, "description": "", "source": "", "defaults": {"instances": {"x": 1}}}, id="a header"),
        pytest.param({"trace": 1, "defaults": {"instance_count": 2, "deadline": -5}}, id="defaults"),
        pytest.param({}, id="the least job"),
        pytest.param({"submit": 1e12, "duration": 0.001, "priority": 9999, "preemption_retries": 0}, id="the bounds"),
        pytest.param({"preemption_retries": None, "checkpoint": None, "timeout": None, "deadline": None}, id="nulls"),
        pytest.param({"checkpoint": {}}, id="an empty checkpoint"),
        pytest.param({"checkpoint": {"interval": None, "cost": 0, "restore": 0.5, "on_stop": True}}, id="a checkpoint"),
        pytest.param({"instance_type": "x", "instance_count": 10**9}, id="a type and a count"),
        pytest.param({"instances": {"x": 1, "y": 2}}, id="several types"),
        pytest.param({"event": "priority", "time": 0, "job": "a", "priority": 0}, id="a priority update"),
        pytest.param({"event": "cancel", "time": 1e12, "job": "a"}, id="a cancel"),
        pytest.param({"event": "arrangement", "time": 0.5, "template": "a.json"}, id="an arrangement"),
    ],
)
def test_the_schema_and_the_reader_accept(tmp_path: Path, line: dict[str, Any], schema_accepts: Accepts) -> None:
    first = json.loads(GOOD)
    lines = [line, first] if "trace" in line else [first, line] if "event" in line else [first | line]
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in lines), encoding="utf-8")

    trace = read_trace(path, system=SYSTEM, read_arrangement=lambda _: SYSTEM)

    assert len(trace.jobs) == 1
    assert all(schema_accepts(each) for each in lines)


def test_the_reader_refuses_what_the_schema_refuses(tmp_path: Path, schema_accepts: Accepts) -> None:
    """Every field of a job with every kind of value: both agree on each."""
    values: list[object] = [None, True, "", "x", -1, 0, 1, 0.5, 10**13, [], {}, {"x": 1}, {"x": None}, {"cost": 1}]
    path = tmp_path / "trace.jsonl"
    read: dict[tuple[str, str], bool] = {}
    valid: dict[tuple[str, str], bool] = {}

    for field in schema.JobLine.__struct_fields__:
        for value in values:
            line = json.loads(GOOD) | {field: value}
            path.write_text(json.dumps(line), encoding="utf-8")
            valid[field, str(value)] = schema_accepts(line) and line["share"] == "research"
            read[field, str(value)] = _is_read(path)

    assert read == valid


def _is_read(path: Path) -> bool:
    try:
        read_trace(path, system=SYSTEM)
    except TraceError:
        return False
    return True
