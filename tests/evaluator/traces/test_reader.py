"""What a well-formed trace becomes in memory."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.errors import TemplateError, TraceError
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Cancel, Checkpoint, Instances, Job, PriorityUpdate, Trace
from quota_constructs.evaluator.traces import UnknownShares, read_trace
from tests.builders import OTHER_UNIT, UNIT, job, rearrange, share, system

SYSTEM = system(share("research", 4), share("mixed", {UNIT: 4, OTHER_UNIT: 2}))
AFTER = system(share("research", 4), share("later", {OTHER_UNIT: 2}))
HELD: Instances = (("x", 2), ("y", 1))


def line(**fields: object) -> dict[str, Any]:
    """Return a job's fields, the given ones over the least there must be."""
    return {"id": "a", "share": "research", "submit": 0, "duration": 60} | fields


def write(folder: Path, *lines: Mapping[str, Any]) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def read(folder: Path, *lines: Mapping[str, Any]) -> Trace:
    return read_trace(write(folder, *lines), system=SYSTEM, read_arrangement=lambda _: AFTER)


def test_a_job_may_say_only_what_it_must(tmp_path: Path) -> None:
    trace = read(tmp_path, line())

    assert trace == Trace(name=str(tmp_path / "trace.jsonl"), jobs=(job("a", "research", duration=60),))


def test_a_job_may_say_everything(tmp_path: Path) -> None:
    checkpoint = {"interval": 10.5, "cost": 0.25, "restore": 2, "on_stop": True}
    given = line(instance_type="x", instance_count=3, priority=7, preemption_retries=0, checkpoint=checkpoint)

    trace = read(tmp_path, given | {"submit": 0.001, "startup": 4, "timeout": 90.125, "deadline": -1.5})

    assert trace.jobs == (
        Job(
            id="a",
            share="research",
            submit_ms=1,
            duration_ms=60_000,
            instances=(("x", 3),),
            priority=7,
            preemption_retries=0,
            checkpoint=Checkpoint(interval_ms=10_500, cost_ms=250, restore_ms=2_000, on_stop=True),
            startup_ms=4_000,
            timeout_ms=90_125,
            deadline_ms=-1_500,
        ),
    )


def test_jobs_stay_in_the_order_of_the_file(tmp_path: Path) -> None:
    trace = read(tmp_path, line(id="c", submit=2), line(id="a", submit=9), line(id="b", submit=0))

    assert [job.id for job in trace.jobs] == ["c", "a", "b"]


def test_the_header_describes_the_trace(tmp_path: Path) -> None:
    trace = read(tmp_path, {"trace": 1, "description": "a conflict", "source": "by hand"})

    assert (trace.description, trace.source, trace.jobs) == ("a conflict", "by hand", ())


def test_an_empty_file_is_a_trace_without_jobs(tmp_path: Path) -> None:
    assert read(tmp_path).jobs == ()


def test_defaults_hold_where_a_job_says_nothing(tmp_path: Path) -> None:
    defaults = {"priority": 5, "preemption_retries": 2, "startup": 3, "timeout": 70, "deadline": 100}

    first, second = read(
        tmp_path,
        {"trace": 1, "defaults": defaults | {"checkpoint": {"interval": 9, "cost": 1}}},
        line(),
        line(id="b", checkpoint={"cost": 2}, priority=0, preemption_retries=None, startup=0)
        | {"timeout": None, "deadline": None},
    ).jobs

    assert first.checkpoint == Checkpoint(interval_ms=9_000, cost_ms=1_000)
    assert (first.priority, first.preemption_retries, first.startup_ms) == (5, 2, 3_000)
    assert (first.timeout_ms, first.deadline_ms) == (70_000, 100_000)
    assert second.checkpoint == Checkpoint(interval_ms=None, cost_ms=2_000)
    assert (second.priority, second.preemption_retries, second.startup_ms) == (0, None, 0)
    assert (second.timeout_ms, second.deadline_ms) == (None, None)


def test_a_job_may_switch_the_default_checkpoint_off(tmp_path: Path) -> None:
    trace = read(tmp_path, {"trace": 1, "defaults": {"checkpoint": {"on_stop": True}}}, line(checkpoint=None))

    assert trace.jobs[0].checkpoint is None


@pytest.mark.parametrize(
    ("defaults", "given", "held"),
    [
        pytest.param({}, {}, ((UNIT, 1),), id="nothing: one of the share's only type"),
        pytest.param({}, {"instance_count": 3}, ((UNIT, 3),), id="a count: of the share's only type"),
        pytest.param({"instance_count": 3}, {}, ((UNIT, 3),), id="a default count: of the share's only type"),
        pytest.param({"instance_count": 3}, {"instance_count": 2}, ((UNIT, 2),), id="the line's count comes first"),
        pytest.param({}, {"instance_type": "x"}, (("x", 1),), id="a type: one of it"),
        pytest.param({"instance_type": "x"}, {}, (("x", 1),), id="a default type: one of it"),
        pytest.param({"instance_type": "x"}, {"instance_count": 2}, (("x", 2),), id="a count of the default type"),
        pytest.param({"instance_count": 2}, {"instance_type": "x"}, (("x", 2),), id="the default count of a type"),
        pytest.param({"instance_type": "x"}, {"instance_type": "y"}, (("y", 1),), id="the line's type comes first"),
        pytest.param({}, {"instances": {"y": 1, "x": 2}}, HELD, id="several types, in order"),
        pytest.param({"instances": {"y": 1, "x": 2}}, {}, HELD, id="several types by default"),
        pytest.param({"instances": {"z": 9}}, {"instances": {"y": 1, "x": 2}}, HELD, id="the line's types come first"),
        pytest.param({"instances": {"z": 9}}, {"instance_type": "x"}, (("x", 1),), id="a type for several"),
        pytest.param(
            {"instances": {"z": 9}},
            {"instance_type": "x", "instance_count": 2},
            (("x", 2),),
            id="a type and count for several",
        ),
        pytest.param(
            {"instance_type": "z", "instance_count": 9}, {"instances": {"y": 1, "x": 2}}, HELD, id="several for a type"
        ),
    ],
)
def test_what_a_job_holds(
    tmp_path: Path, defaults: Mapping[str, Any], given: Mapping[str, Any], held: Instances
) -> None:
    trace = read(tmp_path, {"trace": 1, "defaults": defaults}, line(**given))

    assert trace.jobs[0].instances == held


def test_what_a_trace_is_silent_about_is_told_from_what_it_denies(tmp_path: Path) -> None:
    denying = {"checkpoint": None, "preemption_retries": None}

    jobs = read(tmp_path, line(), line(id="b", **denying)).jobs
    by_default = read(tmp_path, {"trace": 1, "defaults": denying}, line(), line(id="b", checkpoint={})).jobs

    assert [(job.keeps_nothing, job.retries_unlimited) for job in jobs] == [(False, False), (True, True)]
    assert [(job.keeps_nothing, job.retries_unlimited) for job in by_default] == [(True, True), (False, True)]


def test_what_is_equal_is_one_object(tmp_path: Path) -> None:
    checkpoint = {"interval": 600}

    first, second, third = read(
        tmp_path,
        line(checkpoint=checkpoint),
        line(id="b", checkpoint=checkpoint, instance_type=UNIT),
        line(id="c", checkpoint=checkpoint, instances={UNIT: 1}),
    ).jobs

    assert first.instances is second.instances is third.instances
    assert first.share is second.share is third.share
    assert first.checkpoint is second.checkpoint is third.checkpoint


def test_events_come_in_the_order_of_the_file_and_before_their_jobs_if_need_be(tmp_path: Path) -> None:
    trace = read(
        tmp_path,
        {"event": "cancel", "time": 5, "job": "a"},
        {"event": "priority", "time": 1.5, "job": "a", "priority": 3},
        line(),
        {"event": "arrangement", "time": 0, "template": "after.json"},
    )

    assert trace.events == (
        Cancel(time_ms=5_000, job="a"),
        PriorityUpdate(time_ms=1_500, job="a", priority=3),
        rearrange(0, AFTER),
    )


def test_a_job_may_have_a_word_of_the_format_as_its_id(tmp_path: Path) -> None:
    trace = read(tmp_path, line(id="event"), line(id="trace"), {"event": "cancel", "time": 1, "job": "trace"})

    assert [job.id for job in trace.jobs] == ["event", "trace"]


def test_text_of_all_kinds_is_kept(tmp_path: Path) -> None:
    ids = ["arn:aws:batch:1", 'quo"ted', "naïve", "\N{GRINNING FACE}", "x" * 256, "\N{GRINNING FACE}" * 256]

    trace = read(tmp_path, *(line(id=name) for name in ids))

    assert [job.id for job in trace.jobs] == ids


@pytest.mark.parametrize("seconds", [0, 0.001, 0.1, 1.005, 2.675, 123456.789, 999_999_999_999.999, 1e12])
def test_three_decimals_are_exact(tmp_path: Path, seconds: float) -> None:
    trace = read(tmp_path, line(submit=seconds))

    assert trace.jobs[0].submit_ms / 1000 == seconds


def test_blank_lines_other_line_ends_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path, {"trace": 1}, line())
    path.write_bytes(b"\xef\xbb\xbf\r\n \t\r\n" + path.read_bytes().replace(b"\n", b"\r\n\r\n").rstrip())

    trace = read_trace(path, system=SYSTEM)

    assert trace.jobs == (job("a", "research", duration=60),)


def test_a_gzip_file_is_unpacked(tmp_path: Path) -> None:
    plain = write(tmp_path, line())
    packed = tmp_path / "TRACE.JSONL.GZ"
    packed.write_bytes(gzip.compress(plain.read_bytes()) + gzip.compress(json.dumps(line(id="b")).encode()))

    trace = read_trace(packed, system=SYSTEM)

    assert [job.id for job in trace.jobs] == ["a", "b"]


class TestUnknownShares:
    def test_are_kept_where_they_are_to_be_rejected(self, tmp_path: Path) -> None:
        path = write(tmp_path, line(share="nobody"), line(id="b", share="nobody", instance_type="x"))

        trace = read_trace(path, system=SYSTEM, unknown_shares=UnknownShares.REJECT)

        assert [job.instances for job in trace.jobs] == [(), (("x", 1),)]

    def test_are_known_if_a_later_arrangement_declares_them(self, tmp_path: Path) -> None:
        trace = read(
            tmp_path, line(share="later"), line(id="b"), {"event": "arrangement", "time": 9, "template": "after.json"}
        )

        assert [job.instances for job in trace.jobs] == [((OTHER_UNIT, 1),), ((UNIT, 1),)]

    def test_take_their_type_from_the_earliest_arrangement_that_declares_them(self, tmp_path: Path) -> None:
        path = write(
            tmp_path,
            line(share="later"),
            {"event": "arrangement", "time": 9, "template": "b"},
            {"event": "arrangement", "time": 8, "template": "a"},
        )
        arrangements = {"a": system(share("later", {"x": 1})), "b": system(share("later", {"y": 1}))}

        trace = read_trace(path, system=SYSTEM, read_arrangement=lambda path: arrangements[path.name])

        assert trace.jobs[0].instances == (("x", 1),)

    def test_must_say_what_they_hold_if_the_later_share_has_several_types(self, tmp_path: Path) -> None:
        path = write(tmp_path, line(share="later"), {"event": "arrangement", "time": 9, "template": "b"})
        after = system(share("later", {"x": 1, "y": 1}))

        with pytest.raises(TraceError, match=r":1: 'instance_type' is missing, and its share has 2 to choose from"):
            read_trace(path, system=SYSTEM, read_arrangement=lambda _: after)


class TestArrangements:
    def event(self, template: str) -> dict[str, object]:
        return {"event": "arrangement", "time": 0, "template": template}

    def test_are_read_once_from_beside_the_trace(self, tmp_path: Path) -> None:
        seen: list[Path] = []

        def remember(path: Path) -> System:
            seen.append(path)
            return AFTER

        path = write(tmp_path, *map(self.event, ("sub/after.json", ".//sub/after.json", "sub/../sub/after.json")))

        trace = read_trace(path, system=SYSTEM, read_arrangement=remember)

        assert seen == [tmp_path / "sub" / "after.json"]
        assert len(trace.events) == 3

    @pytest.mark.parametrize("template", ["../after.json", "sub/../../after.json", "/etc/passwd", "link/after.json"])
    def test_must_not_lead_out_of_the_folder(self, tmp_path: Path, template: str) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        (folder / "link").symlink_to(tmp_path)

        with pytest.raises(TraceError, match=r":1: 'template' must be a path within the trace's own folder, got '"):
            read(folder, self.event(template))

    @pytest.mark.parametrize("template", ["a\0b", "a\nb", "\x1b[2J"])
    def test_must_have_printable_names(self, tmp_path: Path, template: str) -> None:
        with pytest.raises(TraceError, match=r":1: 'template' must be a path within the trace's own folder, got '"):
            read(tmp_path, self.event(template))

    def test_in_a_loop_of_links_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to(tmp_path / "loop")

        with pytest.raises(TraceError, match=r":1: 'template' must be a path within the trace's own folder, got '"):
            read(tmp_path, self.event("loop/after.json"))

    def test_with_a_very_long_name_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match=r":1: 'template' must be a path of up to 1,024 characters"):
            read(tmp_path, self.event("x" * 100_000))

    def test_that_cannot_be_read_say_so_themselves(self, tmp_path: Path) -> None:
        def fail(path: Path) -> System:
            raise TemplateError(f"{path.name}: no quota shares")

        path = write(tmp_path, self.event("after.json"))

        with pytest.raises(TemplateError, match=r"^after.json: no quota shares$"):
            read_trace(path, system=SYSTEM, read_arrangement=fail)

    def test_are_refused_where_no_template_can_be_read(self, tmp_path: Path) -> None:
        path = write(tmp_path, self.event("after.json"))

        with pytest.raises(TraceError, match=r":1: 'event' must be 'priority' or 'cancel' here"):
            read_trace(path, system=SYSTEM)
