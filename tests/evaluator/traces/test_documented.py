"""The examples of the documentation are traces, and its bounds are the reader's."""

import re
from pathlib import Path

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces import builder, read_trace, schema, source
from tests.builders import share, system

PAGE = (Path(__file__).parents[3] / "docs" / "trace-format.md").read_text(encoding="utf-8")
SYSTEM = system(share("research", 1), share("medium", 1), share("protected", {"ml.g5.xlarge": 1, "ml.m5.large": 2}))


def example(language: str) -> str:
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return str(block)


@pytest.mark.parametrize(
    ("language", "ids"),
    [("jsonl", ["high", "med", "low", "owner", "pair"]), ("csv", ["sweep-1", "nightly, small", "pair"])],
)
def test_the_example_can_be_read(tmp_path: Path, language: str, ids: list[str]) -> None:
    path = tmp_path / f"conflict.{language}"
    path.write_text(example(language), encoding="utf-8")

    trace = read_trace(path, system=SYSTEM)

    assert [job.id for job in trace.jobs] == ids


def test_the_error_shown_is_the_error_given(tmp_path: Path) -> None:
    path = tmp_path / "conflict.jsonl"
    path.write_text(example("jsonl").replace('"priority": 2', '"prioritty": 2'), encoding="utf-8")

    with pytest.raises(TraceError) as refused:
        read_trace(path, system=SYSTEM)

    assert str(refused.value) == f"{tmp_path}/{example('text').strip()}"


@pytest.mark.parametrize("line_type", [schema.JobLine, schema.CheckpointFields])
def test_every_field_is_explained(line_type: type[schema.JobLine] | type[schema.CheckpointFields]) -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE))

    assert set(line_type.__struct_fields__) <= rows


@pytest.mark.parametrize(
    "bound",
    [
        source.MAX_LINE_BYTES,
        source.MAX_FILE_BYTES,
        source.MAX_LINES,
        builder.MAX_JOBS,
        schema.MAX_SECONDS,
        schema.MAX_COUNT,
        schema.MAX_PATH_LENGTH,
    ],
)
def test_every_bound_is_stated(bound: int) -> None:
    assert re.search(rf"(?<![\d,]){bound:,}(?![\d,])", PAGE)
