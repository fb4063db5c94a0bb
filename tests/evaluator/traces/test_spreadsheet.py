"""Traces from spreadsheets: the same jobs, the same checks."""

import gzip
import json
from pathlib import Path

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.trace import Checkpoint, Job
from quota_constructs.evaluator.traces import read_trace
from quota_constructs.evaluator.traces.spreadsheet import COLUMNS
from tests.builders import UNIT, job, share, system

SYSTEM = system(share("research", 4))
HEAD = "id,share,submit,duration"


def read(folder: Path, text: str) -> tuple[Job, ...]:
    path = folder / "trace.csv"
    path.write_bytes(text.encode())
    return read_trace(path, system=SYSTEM).jobs


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(TraceError) as refused:
        read(folder, text)

    return str(refused.value).removeprefix(f"{folder / 'trace.csv'}:")


def test_a_row_is_a_job(tmp_path: Path) -> None:
    jobs = read(tmp_path, f"{HEAD}\na,research,0,60\nb,research,1.5,2\n")

    assert jobs == (job("a", "research", duration=60), job("b", "research", submit=1.5, duration=2))


def test_every_field_has_its_column(tmp_path: Path) -> None:
    cells = {
        "id": "007",
        "share": "research",
        "submit": "1E3",
        "duration": "60.25",
        "instance_type": "12",
        "instance_count": "3",
        "priority": "7",
        "preemption_retries": "0",
        "startup": "4",
        "timeout": "90.125",
        "deadline": "-1.5",
        "checkpoint_interval": "10.5",
        "checkpoint_cost": "0.25",
        "checkpoint_restore": "0",
        "checkpoint_on_stop": "TRUE",
    }

    jobs = read(tmp_path, f"{','.join(cells)}\n{','.join(cells.values())}\n")

    assert set(COLUMNS) == {*cells, "instances"}
    assert jobs == (
        Job(
            id="007",
            share="research",
            submit_ms=1_000_000,
            duration_ms=60_250,
            instances=(("12", 3),),
            priority=7,
            preemption_retries=0,
            checkpoint=Checkpoint(interval_ms=10_500, cost_ms=250, restore_ms=0, on_stop=True),
            startup_ms=4_000,
            timeout_ms=90_125,
            deadline_ms=-1_500,
        ),
    )


def test_an_empty_cell_is_the_default(tmp_path: Path) -> None:
    empty = "," * (len(COLUMNS) - 4)
    columns = ",".join([*HEAD.split(","), *(column for column in COLUMNS if column not in HEAD.split(","))])

    jobs = read(tmp_path, f"{columns}\na,research,0,60{empty}\n")

    assert jobs == (job("a", "research", duration=60),)


def test_several_types_are_a_json_object(tmp_path: Path) -> None:
    jobs = read(tmp_path, f'{HEAD},instances\na,research,0,60,"{{""y"": 1, ""x"": 2}}"\n')

    assert jobs[0].instances == (("x", 2), ("y", 1))


def test_quotes_commas_line_ends_empty_rows_and_the_mark_of_a_spreadsheet_are_understood(tmp_path: Path) -> None:
    jobs = read(tmp_path, f'\ufeff{HEAD}\r\n,,,\r\n\r\n"a ""b"", c",research,0,60')

    assert [job.id for job in jobs] == ['a "b", c']


def test_a_gzip_file_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv.gz"
    path.write_bytes(gzip.compress(f"{HEAD}\na,research,0,60\n".encode()))

    assert read_trace(path, system=SYSTEM).jobs == (job("a", "research", duration=60),)


def test_a_sheet_without_rows_is_a_trace_without_jobs(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD) == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", " name the columns, such as id, share, submit, duration", id="an empty file"),
        pytest.param("id;share;submit\n", "1: 'id;share;submit' is no column of a trace; there are", id="semicolons"),
        pytest.param("id,shared\n", "1: 'shared' is no column of a trace; did you mean 'share'?", id="unknown column"),
        pytest.param("id,checkpoint\n", "1: 'checkpoint' is no column of a trace", id="a checkpoint in one column"),
        pytest.param("id,share,id\n", "1: column 'id' comes twice; keep one of them", id="a column twice"),
        pytest.param("id\na\n", "2: 'share' is missing; it must be a string", id="a column that is missing"),
        pytest.param(
            f"{HEAD}\na,research,0\n", "2: a row must have a cell for each of the 4 columns, got 3", id="short"
        ),
        pytest.param(
            f"{HEAD}\na,research,0,6,7\n", "2: a row must have a cell for each of the 4 columns, got 5", id="long"
        ),
        pytest.param(f"{HEAD}\n\na,research,nan,6\n", "3: 'submit' must be a number of seconds from 0", id="NaN"),
        pytest.param(f"{HEAD}\na,research,1_0,6\n", "2: 'submit' must be a number of seconds from 0", id="underscore"),
        pytest.param(f"{HEAD}\na,research, 1,6\n", "with at most three decimals, got ' 1'", id="a space"),
        pytest.param(
            f"{HEAD}\na,research,\u0661,6\n", "2: 'submit' must be a number of seconds from 0", id="a digit abroad"
        ),
        pytest.param(f'{HEAD}\na,research,"1,5",6\n', "with at most three decimals, got '1,5'", id="a decimal comma"),
        pytest.param(f"{HEAD}\na,research,-1,6\n", "with at most three decimals, got -1", id="negative"),
        pytest.param(
            f"{HEAD}\na,research,{'9' * 5000},6\n", "with at most three decimals, got Infinity", id="5,000 digits"
        ),
        pytest.param(f"{HEAD}\na,research,0,6\na,research,0,6\n", "3: 'id' must be unique", id="an id twice"),
        pytest.param(f"{HEAD},priority\na,research,0,6,1.0\n", "2: 'priority' must be a whole number", id="half"),
        pytest.param(f"{HEAD},priority\na,research,0,6,true\n", "2: 'priority' must be a whole number", id="a truth"),
        pytest.param(
            f"{HEAD},checkpoint_on_stop\na,research,0,6,1\n",
            "2: 'checkpoint.on_stop' must be true or false, got 1",
            id="1",
        ),
        pytest.param(
            f"{HEAD},instances\na,research,0,6,x=2\n", "2: 'instances': not JSON: expecting value", id="no JSON"
        ),
        pytest.param(
            f"{HEAD},instances\na,research,0,6,2\n",
            "2: 'instances': must be a JSON object, got 2; write",
            id="a bare count",
        ),
        pytest.param(
            f'{HEAD},instances\na,research,0,6,"{{""x"": 1, ""x"": 1}}"\n',
            "2: 'instances': 'x' is given twice",
            id="a type twice",
        ),
        pytest.param(
            f'{HEAD},instances\na,research,0,6,"{{""\\ud800"": 1}}"',
            "2: 'instances': not JSON: a string holds half a character",
            id="half a character",
        ),
        pytest.param(
            f'{HEAD},instances,instance_type\na,research,0,6,"{{""x"": 1}}",x\n',
            "2: 'instances' and 'instance_type' are both given",
            id="a type and several",
        ),
        pytest.param(
            f'{HEAD}\n"a\nb",research,0,6\n', "2: not CSV: unexpected end of data", id="a line break in a cell"
        ),
        pytest.param(f'{HEAD}\n"a"b,research,0,6\n', "2: not CSV: ',' expected after '\"'", id="a quote in the middle"),
        pytest.param(f"{HEAD}\ra,research,0,6\r", "1: not CSV: new-line character seen", id="line ends of long ago"),
        pytest.param(f"{HEAD}\n{'x' * 200_000},research,0,6\n", "2: not CSV: field larger than", id="a long cell"),
    ],
)
def test_a_sheet_that_is_no_trace_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    message = refusal(tmp_path, text)

    assert reason in message
    assert message.isprintable()


def test_a_sheet_must_be_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_bytes(f"{HEAD}\nna\u00efve,research,0,6\n".encode("latin-1"))

    with pytest.raises(TraceError, match=r":2: not UTF-8 \(byte 3 of the line\); save the file as 'CSV UTF-8'$"):
        read_trace(path, system=SYSTEM)


def test_a_sheet_and_json_lines_make_the_same_jobs(tmp_path: Path) -> None:
    record = {"id": "a", "share": "research", "submit": 0.125, "duration": 6, "instance_type": UNIT, "priority": 3}
    lines = tmp_path / "trace.jsonl"
    lines.write_text(json.dumps(record), encoding="utf-8")

    jobs = read(tmp_path, f"{','.join(record)}\n{','.join(str(value) for value in record.values())}\n")

    assert jobs == read_trace(lines, system=SYSTEM).jobs
