from __future__ import annotations

from pathlib import Path

import pytest

from quota_constructs.errors import TemplateError, TraceError, UsageError
from quota_constructs.evaluator.evaluation import check_path, simulate_path
from quota_constructs.evaluator.inputs import load_trace, read_queue, read_queues
from quota_constructs.evaluator.traces import UnknownShares
from tests.builders import share, system
from tests.templates import queue, write_template, write_trace

TWO_TEAMS = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
ONE_JOB = {"id": "it", "share": "a", "submit": 0, "duration": 100}


@pytest.mark.parametrize("wanted", ["second", "first"])
def test_of_several_queues_the_named_one_is_read(tmp_path: Path, wanted: str) -> None:
    template = write_template(
        tmp_path / "t.json", queue("first", TWO_TEAMS, capacity=2), queue("second", TWO_TEAMS, capacity=2)
    )

    assert read_queue(template, queue=wanted).name == wanted


def test_fails_when_several_queues_leave_the_choice_open(tmp_path: Path) -> None:
    template = write_template(
        tmp_path / "t.json", queue("first", TWO_TEAMS, capacity=2), queue("second", TWO_TEAMS, capacity=2)
    )

    with pytest.raises(UsageError, match=r"several quota-managed job queues \(first, second\); .* --queue NAME"):
        read_queue(template)


def test_fails_when_no_queue_is_called_so(tmp_path: Path) -> None:
    template = write_template(tmp_path / "t.json", queue("main", TWO_TEAMS, capacity=2))

    with pytest.raises(UsageError, match="no queue 'mian'; --queue must be one of main"):
        read_queue(template, queue="mian")


def test_fails_when_there_is_no_queue_to_look_at(tmp_path: Path) -> None:
    template = write_template(tmp_path / "t.json")

    with pytest.raises(TemplateError, match="no quota-managed job queue"):
        check_path(template)


def test_an_unknown_share_is_refused_unless_it_is_to_be_rejected(tmp_path: Path) -> None:
    arrangement = system(share("a", 1))
    path = write_trace(tmp_path / "t.jsonl", ONE_JOB | {"share": "typo", "instance_type": "ml.g5.xlarge"})

    rejecting = load_trace(path, arrangement, unknown_shares=UnknownShares.REJECT)

    assert [each.share for each in rejecting.jobs] == ["typo"]
    with pytest.raises(TraceError, match="typo"):
        load_trace(path, arrangement)


def test_a_change_of_arrangement_takes_the_queue_of_the_same_name(tmp_path: Path) -> None:
    template = write_template(tmp_path / "t.json", queue("main", TWO_TEAMS, capacity=2))
    write_template(tmp_path / "later.json", queue("main", TWO_TEAMS, capacity=9), queue("zz", TWO_TEAMS, capacity=7))
    jobs = write_trace(tmp_path / "t.jsonl", ONE_JOB, {"event": "arrangement", "time": 5, "template": "later.json"})

    evaluation = simulate_path(template, jobs)

    assert [each.environment.capacity["ml.g5.xlarge"] for each in evaluation.systems] == [2, 9]


def test_a_change_of_arrangement_takes_an_only_queue_whatever_it_is_called(tmp_path: Path) -> None:
    template = write_template(tmp_path / "t.json", queue("main", TWO_TEAMS, capacity=2))
    write_template(tmp_path / "later.json", queue("renamed", TWO_TEAMS, capacity=9))
    jobs = write_trace(tmp_path / "t.jsonl", ONE_JOB, {"event": "arrangement", "time": 5, "template": "later.json"})

    evaluation = simulate_path(template, jobs)

    assert [each.name for each in evaluation.systems] == ["main", "renamed"]


def test_a_change_of_arrangement_takes_the_parameters_it_declares_and_leaves_the_others(tmp_path: Path) -> None:
    template = write_template(
        tmp_path / "now.json",
        queue("main", TWO_TEAMS, capacity=2),
        parameters={"OnlyBefore": {"Type": "String"}},
    )
    write_template(tmp_path / "later.json", queue("main", TWO_TEAMS, capacity=2))
    jobs = write_trace(tmp_path / "t.jsonl", ONE_JOB, {"event": "arrangement", "time": 5, "template": "later.json"})

    evaluation = simulate_path(template, jobs, parameters={"OnlyBefore": "x"})

    assert len(evaluation.trace.events) == 1


def test_that_there_is_no_queue_can_be_let_pass(tmp_path: Path) -> None:
    template = tmp_path / "t.json"
    template.write_text('{"Resources": {}}', encoding="utf-8")

    assert read_queues(template, allow_none=True) == ()
