"""What the reader refuses, and that one line says where, what is allowed and what to do."""

import gzip
import os
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.traces import UnknownShares, builder, read_trace, source
from tests.builders import OTHER_UNIT, UNIT, share, system

SYSTEM = system(share("research", 4), share("mixed", {UNIT: 4, OTHER_UNIT: 2}))
GOOD = b'{"id": "a", "share": "research", "submit": 0, "duration": 60}'
HEADER = b'{"trace": 1}'


def refusal(folder: Path, content: bytes, *, name: str = "trace.jsonl") -> str:
    """Return why a trace of *content* is refused, without the folder."""
    path = folder / name
    path.write_bytes(content)

    with pytest.raises(TraceError) as refused:
        read_trace(path, system=SYSTEM)

    return str(refused.value).removeprefix(f"{folder}{os.sep}")


def job(fields: str) -> bytes:
    """Return the line of a job with some more *fields*."""
    return GOOD[:-1] + f", {fields}}}".encode()


SECONDS = "a number of seconds from 0 to 1e12, with at most three decimals"
NAME = "a string of 1 to 256 characters"

LINES: Mapping[str, tuple[bytes, str]] = {
    # what is no JSON object
    "an array": (b"[1, 2]", "must be a JSON object, got [1, 2]; write one object, on one line"),
    "a bare number": (b"17", "must be a JSON object, got 17; write one object, on one line"),
    "half an object": (b'{"id": "a",', "not JSON: expecting property name enclosed in double quotes (column "),
    "two objects": (GOOD + GOOD, "not JSON: extra data (column 62); write one object, on one line"),
    "not UTF-8": (b'{"id": "\xff"}', "not UTF-8 (byte 9 of the line); save the file as UTF-8"),
    "UTF-16": ("{}".encode("utf-16"), "not UTF-8 (byte 1 of the line); save the file as UTF-8"),
    "half a character": (GOOD.replace(b'"a"', rb'"\ud800"'), "not JSON: a string holds half a character"),
    "half a character where none is due": (job(r'"priority": "\ud800"'), "not JSON: a string holds half a character"),
    "half a character as a field": (rb'{"\ud800": 1}', "not JSON: a string holds half a character"),
    "half a character in a header": (
        rb'{"trace": 1, "defaults": {"startup": "\udfff"}}',
        "not JSON: a string holds half a character",
    ),
    "deep nesting": (b'{"id": ' + b"[" * 100_000, "nested too deeply"),
    "a mark inside the file": (b"\xef\xbb\xbf" + GOOD, "not JSON: unexpected UTF-8 BOM"),
    # fields
    "a field that is missing": (b'{"id": "b"}', f"'share' is missing; it must be {NAME}"),
    "a misspelt field": (job('"prioritty": 3'), "'prioritty' is no field of this line; did you mean 'priority'?"),
    "a field from elsewhere": (job('"zzz": 3'), "'zzz' is no field of this line; there are 'instance_type', "),
    "a misspelt field inside": (
        job('"checkpoint": {"intervall": 3}'),
        "'intervall' is no field in 'checkpoint'; did you mean 'interval'?",
    ),
    "a key twice": (job('"share": "mixed"'), "'share' is given twice; keep one of them"),
    "a key twice, once in disguise": (job(r'"sh\u0061re": "mixed"'), "'share' is given twice; keep one of them"),
    "a key twice inside": (job('"instances": {"x": 1, "x": 2}'), "'x' is given twice; keep one of them"),
    "a key twice, hidden by an escaped colon": (
        rb'{"id": "a\u003ab", "share": "x", "share": "research", "submit": 0, "duration": 60}',
        "'share' is given twice; keep one of them",
    ),
    # types and bounds
    "an empty id": (GOOD.replace(b'"a"', b'""'), f"'id' must be {NAME}, got ''"),
    "a long id": (GOOD.replace(b'"a"', b'"%s"' % (b"x" * 257)), f"'id' must be {NAME}, got 'xxx"),
    "a number as id": (GOOD.replace(b'"a"', b"17"), f"'id' must be {NAME}, got 17"),
    "a negative time": (GOOD.replace(b"0,", b"-1,"), f"'submit' must be {SECONDS}, got -1"),
    "a time as text": (GOOD.replace(b"0,", b'"0",'), f"'submit' must be {SECONDS}, got '0'"),
    "a truth as time": (GOOD.replace(b"0,", b"true,"), f"'submit' must be {SECONDS}, got true"),
    "NaN": (GOOD.replace(b"0,", b"NaN,"), f"'submit' must be {SECONDS}, got 'NaN'"),
    "infinity": (GOOD.replace(b"0,", b"Infinity,"), f"'submit' must be {SECONDS}, got 'Infinity'"),
    "more than a float holds": (GOOD.replace(b"0,", b"1e999,"), f"'submit' must be {SECONDS}, got Infinity"),
    "a number of 5,000 digits": (GOOD.replace(b"0,", b"9" * 5000 + b","), f"'submit' must be {SECONDS}, got"),
    "a time after the end of time": (GOOD.replace(b"0,", b"1.1e12,"), f"'submit' must be {SECONDS}, got 11"),
    "four decimals": (
        GOOD.replace(b"0,", b"0.0001,"),
        "'submit' must have at most three decimals, got 0.0001; round it",
    ),
    "four decimals in a duration": (
        GOOD.replace(b"60", b"60.0001"),
        "'duration' must have at most three decimals, got 60.0001; round it",
    ),
    "four decimals inside": (
        job('"checkpoint": {"cost": 0.0005}'),
        "'checkpoint.cost' must have at most three decimals, got 0.0005; round it",
    ),
    "no duration": (GOOD.replace(b"60", b"0"), "'duration' must be a number of seconds above 0, up to 1e12"),
    "half an instance": (
        job('"instance_count": 0.5'),
        "'instance_count' must be a whole number from 1 to 1e9, got 0.5",
    ),
    "no instance": (job('"instance_count": 0'), "'instance_count' must be a whole number from 1 to 1e9, got 0"),
    "instances of nothing": (job('"instances": {}'), "'instances' must be an object that gives each instance type"),
    "no instances": (job('"instances": null'), "'instances' must be an object that gives each instance type"),
    "a nameless type": (job('"instances": {"": 1}'), "'instances' must be an object that gives each instance type"),
    "none of a type": (job('"instances": {"x": 0}'), 'whole number from 1 to 1e9, got {"x": 0}'),
    "a high priority": (job('"priority": 10000'), "'priority' must be a whole number from 0 to 9999, got 10000"),
    "a priority with decimals": (job('"priority": 1.0'), "'priority' must be a whole number from 0 to 9999, got 1.0"),
    "negative retries": (job('"preemption_retries": -1'), "must be a whole number from 0 to 1e9, or null, got -1"),
    "no time between checkpoints": (
        job('"checkpoint": {"interval": 0}'),
        "'checkpoint.interval' must be a number of seconds above 0, up to 1e12, with at most three decimals, or null",
    ),
    "a number as a truth": (
        job('"checkpoint": {"on_stop": 1}'),
        "'checkpoint.on_stop' must be true or false, got 1",
    ),
    "a truth as a checkpoint": (job('"checkpoint": true'), "'checkpoint' must be an object, or null, got true"),
    "no time to start": (job('"startup": null'), f"'startup' must be {SECONDS}, got null"),
    "no time to work": (job('"timeout": 0'), "'timeout' must be a number of seconds above 0"),
    "a deadline as text": (job('"deadline": "soon"'), "with at most three decimals, or null, got 'soon'"),
    # what a job holds
    "a type beside several": (
        job('"instances": {"x": 1}, "instance_type": "x"'),
        "'instances' and 'instance_type' are both given; keep one of them",
    ),
    "a count beside several": (
        job('"instances": {"x": 1}, "instance_count": 2'),
        "'instances' and 'instance_count' are both given; keep one of them",
    ),
    "a share of two types": (
        GOOD.replace(b"research", b"mixed"),
        f"'instance_type' is missing, and its share has 2 to choose from: '{UNIT}', '{OTHER_UNIT}'; write 'instance",
    ),
    "a share that nothing declares": (
        GOOD.replace(b"research", b"resarch"),
        "'share' must be one of 'mixed', 'research', got 'resarch'; did you mean 'research'? --unknown-shares=reject",
    ),
    # headers and events
    "another version": (
        b'{"trace": 2, "jobs": []}',
        "'trace' must be 1, the only version of the format, got 2",
    ),
    "a truth as version": (b'{"trace": true}', "'trace' must be 1, the only version of the format, got true"),
    "a default id": (
        b'{"trace": 1, "defaults": {"id": "a"}}',
        "'id' is no field in 'defaults'; there are 'instance_type'",
    ),
    "a wrong default": (
        b'{"trace": 1, "defaults": {"checkpoint": {"cost": -1}}}',
        f"'defaults.checkpoint.cost' must be {SECONDS}, got -1",
    ),
    "a fine default": (
        b'{"trace": 1, "defaults": {"startup": 0.0001}}',
        "'startup' must have at most three decimals, got 0.0001; round it",
    ),
    "two default holdings": (
        b'{"trace": 1, "defaults": {"instances": {"x": 1}, "instance_type": "x"}}',
        "'instances' and 'instance_type' are both given; keep one of them",
    ),
    "a key twice in the header": (b'{"trace": 1, "trace": 1}', "'trace' is given twice; keep one of them"),
    "an unknown event": (
        b'{"event": "explode", "time": 0}',
        "'event' must be one of 'priority', 'cancel', 'arrangement', got 'explode'",
    ),
    "an event that is no text": (
        b'{"event": [], "time": 0}',
        "'event' must be one of 'priority', 'cancel', 'arrangement', got []",
    ),
    "an event without its job": (b'{"event": "cancel", "time": 0}', f"'job' is missing; it must be {NAME}"),
    "an event with a job's field": (
        b'{"event": "cancel", "time": 0, "job": "a", "priority": 3}',
        "'priority' is no field of this line; there are 'event', 'time', 'job'",
    ),
    "an event with a key twice": (
        b'{"event": "cancel", "time": 0, "job": "b", "job": "a"}',
        "'job' is given twice; keep one of them",
    ),
    "a fine event": (
        b'{"event": "cancel", "time": 0.0001, "job": "a"}',
        "'time' must have at most three decimals, got 0.0001; round it",
    ),
    "an event for nobody": (
        b'{"event": "cancel", "time": 0, "job": "zz"}',
        "'job' must be the 'id' of a job of this trace, got 'zz'",
    ),
}


@pytest.mark.parametrize(("line", "reason"), LINES.values(), ids=LINES)
def test_a_line_is_refused_with_its_number_and_the_reason(tmp_path: Path, line: bytes, reason: str) -> None:
    header_may_come = b'"trace"' in line
    before = b"\n\n" if header_may_come else HEADER + b"\n\n"

    message = refusal(tmp_path, before + line + b"\n")

    assert message.startswith("trace.jsonl:3: ")
    assert reason in message
    assert message.isprintable()


def test_an_id_must_be_unique(tmp_path: Path) -> None:
    message = refusal(tmp_path, HEADER + b"\n" + GOOD + b"\n\n" + GOOD)

    assert message == "trace.jsonl:4: 'id' must be unique, but 'a' is also that of line 2; rename one"


@pytest.mark.parametrize("first", [GOOD, HEADER], ids=["a job", "a header"])
def test_a_header_must_be_the_first_line(tmp_path: Path, first: bytes) -> None:
    message = refusal(tmp_path, first + b"\n" + HEADER)

    assert message == (
        "trace.jsonl:2: 'trace' makes this a header, which must be the first line and the only one; remove it"
    )


def test_a_count_does_not_apply_to_the_default_instances(tmp_path: Path) -> None:
    header = b'{"trace": 1, "defaults": {"instances": {"x": 1}}}'

    message = refusal(tmp_path, header + b"\n" + job('"instance_count": 2'))

    assert message == (
        "trace.jsonl:2: 'instance_count' counts one instance type, but the header's defaults give 'instances'; "
        "write 'instance_type' beside it"
    )


def test_control_characters_do_not_reach_the_message(tmp_path: Path) -> None:
    message = refusal(tmp_path, rb'{"\u001b[2J": 1}')

    assert r"'\x1b[2J' is no field of this line" in message


def test_an_undeclared_share_is_still_checked_where_it_is_to_be_rejected(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(job('"instances": {"x": 1}, "instance_count": 2').replace(b"research", b"nobody"))

    with pytest.raises(TraceError, match=r"trace.jsonl:1: 'instances' and 'instance_count' are both given"):
        read_trace(path, system=SYSTEM, unknown_shares=UnknownShares.REJECT)


def test_a_long_line_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    with path.open("wb") as file:
        file.truncate(200_000_000)

    tracemalloc.start()
    with pytest.raises(TraceError, match=r"trace.jsonl:1: a line must have at most 1,000,000 bytes"):
        read_trace(path, system=SYSTEM)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 10_000_000


def test_a_long_line_is_refused_in_a_small_gzip_file(tmp_path: Path) -> None:
    message = refusal(tmp_path, gzip.compress(b"x" * 5_000_000), name="trace.jsonl.gz")

    assert message == "trace.jsonl.gz:1: a line must have at most 1,000,000 bytes; write one job a line"


@pytest.mark.parametrize(
    ("module", "bound", "reason"),
    [
        pytest.param(source, "MAX_FILE_BYTES", "a trace must have at most 2 bytes, unpacked", id="bytes"),
        pytest.param(source, "MAX_LINES", "and 2 lines; split it by time", id="lines"),
        pytest.param(builder, "MAX_JOBS", "a trace must have at most 2 jobs; split it by time", id="jobs"),
    ],
)
def test_a_trace_has_its_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, bound: str, reason: str
) -> None:
    monkeypatch.setattr(module, bound, 2)

    message = refusal(tmp_path, b"\n".join(GOOD.replace(b'"a"', b'"%d"' % number) for number in range(3)))

    assert reason in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(gzip.compress(GOOD * 100)[:-12], "compressed file ended before the end-of-stream", id="cut short"),
        pytest.param(gzip.compress(GOOD)[:5], "compressed file ended before the end-of-stream", id="cut in its head"),
        pytest.param(gzip.compress(GOOD)[:-1] + b"x", "incorrect length of data produced", id="wrong length"),
        pytest.param(b"", "the file is empty, which no gzip file is", id="empty"),
        pytest.param(GOOD, "not a gzipped file", id="not compressed"),
        pytest.param(gzip.compress(b"")[:10] + b"\xff" * 20, "while decompressing data: invalid", id="broken"),
    ],
)
def test_a_broken_gzip_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    message = refusal(tmp_path, content, name="trace.jsonl.gz")

    assert message.startswith("trace.jsonl.gz:")
    assert reason in message


def test_a_name_must_say_the_format(tmp_path: Path) -> None:
    message = refusal(tmp_path, GOOD, name="trace.json")

    assert message == "trace.json: a trace's name must end in one of '.jsonl', '.jsonl.gz', '.csv', '.csv.gz'"


def test_a_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"missing.jsonl: cannot be read: no such file or directory$"):
        read_trace(tmp_path / "missing.jsonl", system=SYSTEM)


def test_a_folder_is_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "folder.jsonl"
    path.mkdir()

    with pytest.raises(TraceError, match=r"folder.jsonl: cannot be read: is a directory$"):
        read_trace(path, system=SYSTEM)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_must_be_readable(tmp_path: Path) -> None:
    path = tmp_path / "secret.jsonl"
    path.touch(mode=0)

    with pytest.raises(TraceError, match=r"secret.jsonl: cannot be read: permission denied$"):
        read_trace(path, system=SYSTEM)
