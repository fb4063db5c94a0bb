"""A trace that is written and read again is the same trace."""

import dataclasses
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quota_constructs.errors import TraceError
from quota_constructs.evaluator.system import Source, System
from quota_constructs.evaluator.trace import ArrangementChange, Cancel, Checkpoint, Event, Job, PriorityUpdate, Trace
from quota_constructs.evaluator.traces import UnknownShares, read_trace, write_trace
from quota_constructs.evaluator.traces.schema import MAX_COUNT, MAX_NAME_LENGTH, MAX_PRIORITY, MAX_SECONDS
from tests.builders import job, rearrange, share, system, trace

SYSTEM = system(share("research", 4))

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=MAX_NAME_LENGTH)
times = st.integers(0, 1000 * MAX_SECONDS)
lengths = st.integers(1, 1000 * MAX_SECONDS)
checkpoints = st.builds(
    Checkpoint, interval_ms=st.none() | lengths, cost_ms=times, restore_ms=times, on_stop=st.booleans()
)
holdings = st.dictionaries(names, st.integers(1, MAX_COUNT), min_size=1, max_size=3)
silent_jobs = st.builds(
    Job,
    id=names,
    share=st.sampled_from(["research", "nobody"]) | names,
    submit_ms=times,
    duration_ms=lengths,
    instances=holdings.map(lambda held: tuple(sorted(held.items()))),
    priority=st.integers(0, MAX_PRIORITY),
    preemption_retries=st.none() | st.integers(0, MAX_COUNT),
    checkpoint=st.none() | checkpoints,
    startup_ms=times,
    timeout_ms=st.none() | lengths,
    deadline_ms=st.none() | times | times.map(int.__neg__),
)


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    job = draw(silent_jobs)
    return replace(
        job,
        keeps_nothing=job.checkpoint is None and draw(st.booleans()),
        retries_unlimited=job.preemption_retries is None and draw(st.booleans()),
    )


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    some = draw(st.lists(jobs(), min_size=1, max_size=5, unique_by=lambda job: job.id))
    ids = st.sampled_from([job.id for job in some])
    events: st.SearchStrategy[Event] = st.one_of(
        st.builds(PriorityUpdate, time_ms=times, job=ids, priority=st.integers(0, MAX_PRIORITY)),
        st.builds(Cancel, time_ms=times, job=ids),
    )
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    return Trace(
        name="",
        jobs=tuple(some),
        events=tuple(draw(st.lists(events, max_size=3))),
        description=draw(text),
        source=draw(text),
    )


@given(traces())
def test_a_trace_survives_being_written(trace: Trace) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"

        write_trace(trace, path)

        assert replace(read_trace(path, system=SYSTEM, unknown_shares=UnknownShares.REJECT), name="") == trace


def test_a_job_is_written_without_what_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"

    write_trace(trace(job("a", "research", {"x": 1}, submit=1.5, duration=60)), path)

    assert path.read_text(encoding="utf-8").splitlines() == [
        '{"trace":1}',
        '{"instance_type":"x","instance_count":1,"id":"a","share":"research","submit":1.5,"duration":60}',
    ]


def test_an_arrangement_is_written_as_the_path_of_its_template(tmp_path: Path) -> None:
    after = _read_from(tmp_path / "sub" / "after.json")
    path = tmp_path / "trace.jsonl"

    write_trace(trace(rearrange(5, after)), path)

    assert read_trace(path, system=SYSTEM, read_arrangement=_read_from).events == (
        ArrangementChange(time_ms=5_000, system=after),
    )


def test_an_arrangement_from_elsewhere_cannot_be_written(tmp_path: Path) -> None:
    elsewhere = _read_from(tmp_path / "after.json")
    folder = tmp_path / "folder"
    folder.mkdir()

    with pytest.raises(TraceError, match=r"a template that a trace names must lie in the trace's folder"):
        write_trace(trace(rearrange(5, elsewhere)), folder / "trace.jsonl")


def _read_from(path: Path) -> System:
    return dataclasses.replace(SYSTEM, source=Source(template=str(path), logical_id="Queue"))
