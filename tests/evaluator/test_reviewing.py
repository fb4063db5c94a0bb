from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from quota_constructs.errors import TemplateError, TraceError, UsageError
from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.report.review_json import encode_review
from quota_constructs.evaluator.review.review import Review
from quota_constructs.evaluator.reviewing import Judging, Reading, review_paths, review_systems
from quota_constructs.evaluator.shared_load import Load
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces import UnknownShares
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, share, source, system
from tests.templates import Resource, queue, write_template, write_trace

HOUR = 3600
FOUR_AND_FOUR = {"research": (4, "LEND_AND_BORROW"), "product": (4, "LEND")}
THREE_AND_FIVE = {"research": (3, "LEND_AND_BORROW"), "product": (5, "LEND")}
AFTERNOON = (
    *({"id": f"sweep-{number}", "share": "research", "submit": 0, "duration": 4 * HOUR} for number in range(1, 5)),
    {"id": "tune", "share": "product", "submit": 0, "duration": 2 * HOUR, "instance_count": 4},
    {"id": "nightly", "share": "product", "submit": HOUR, "duration": 2 * HOUR},
)
NO_LOAD = Load(scenarios=())


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def side(name: str, shares: Mapping[str, tuple[int, str]], *, capacity: int = 8) -> Path:
    return write_template(Path(name), queue("main", shares, capacity=capacity))


def afternoon() -> Load:
    return Load(traces=[write_trace(Path("afternoon.jsonl"), *AFTERNOON)])


def review(base: System, head: System, load: Load = NO_LOAD, **reading: str) -> Review:
    return review_systems([base], [head], names=("base", "head"), reading=Reading(**reading), load=load)  # type: ignore[arg-type]  # only names are given here


def new(review: Review) -> list[tuple[str, str | None]]:
    return [(each.rule_id, each.share) for each in review.findings.new]


def test_two_templates_are_reviewed_on_a_trace() -> None:
    found = review_paths(side("base.json", FOUR_AND_FOUR), side("head.json", THREE_AND_FIVE), load=afternoon())

    assert (found.base, found.head, found.traces) == ("base.json", "head.json", ("afternoon.jsonl",))
    assert [(each.share, each.before, each.after) for each in found.changes or ()] == [
        ("product", "4", "5"),
        ("research", "4", "3"),
    ]
    [on_trace] = found.on_traces
    assert [(team.share, team.loses) for team in on_trace.people.teams] == [("research", True), ("product", False)]
    assert on_trace.running.worst is not None
    assert on_trace.running.worst.count("stopped") == 1
    assert found.failing(Severity.ERROR) == ()


def test_the_same_input_makes_the_same_bytes() -> None:
    base, head = side("base.json", FOUR_AND_FOUR), side("head.json", THREE_AND_FIVE)

    results = {encode_review(review_paths(base, head, load=load)) for load in (afternoon(), afternoon())}

    assert len(results) == 1


def test_nothing_changes_nothing_whatever_is_found_in_it() -> None:
    found = review_paths(
        side("base.json", FOUR_AND_FOUR, capacity=3), side("head.json", FOUR_AND_FOUR, capacity=3), load=afternoon()
    )

    assert found.changes_nothing
    assert any(each.severity is Severity.ERROR for each in found.findings.unchanged)
    assert found.failing(Severity.NOTE) == ()
    assert found.on_traces == ()


def test_only_a_new_finding_that_is_grave_enough_and_not_accepted_fails() -> None:
    base, head = side("base.json", FOUR_AND_FOUR), side("head.json", FOUR_AND_FOUR, capacity=7)

    found = review_paths(base, head, load=NO_LOAD)

    assert ("QC102", None) in new(found)
    assert found.failing(Severity.ERROR) == ()
    assert [each.rule_id for each in found.failing(Severity.WARNING)] == ["QC102"]
    assert found.failing(None) == ()


def test_an_accepted_replacement_does_not_fail_and_is_told_with_its_reason() -> None:
    base = side("base.json", FOUR_AND_FOUR)
    head = write_template(Path("head.json"), renamed("research", "science"))
    file = Path("accepted.toml")
    file.write_text('[[suppressions]]\nrule = "QC501"\nreason = "nobody works there at night"\n', encoding="utf-8")

    plain = review_paths(base, head, load=NO_LOAD)
    accepted = review_paths(base, head, load=NO_LOAD, judging=Judging(suppressions=file))

    assert [each.rule_id for each in plain.failing(Severity.ERROR)] == ["QC501"]
    assert accepted.failing(Severity.ERROR) == ()
    [replacement] = [each for each in accepted.findings.new if each.rule_id == "QC501"]
    assert replacement.suppressed_because == "nobody works there at night"


def renamed(old: str, new: str) -> dict[str, Resource]:
    """Return the resources of FOUR_AND_FOUR with a share of another name under the same logical id."""
    resources = queue("main", FOUR_AND_FOUR, capacity=8)
    properties = resources[f"main{old}"]["Properties"]
    assert isinstance(properties, dict)
    properties["QuotaShareName"] = new
    return resources


def test_a_suppression_of_what_is_found_no_more_is_told() -> None:
    same = side("same.json", FOUR_AND_FOUR)
    file = Path("accepted.toml")
    file.write_text('[[suppressions]]\nrule = "QC501"\nreason = "done long ago"\n', encoding="utf-8")

    found = review_paths(same, same, load=NO_LOAD, judging=Judging(suppressions=file, today=date(2030, 1, 1)))

    assert [each.rule_id for each in found.findings.new] == ["QC401"]


def test_jobs_of_a_renamed_share_run_on_both_sides() -> None:
    base, head = side("base.json", FOUR_AND_FOUR), write_template(Path("head.json"), renamed("research", "science"))

    found = review_paths(base, head, load=afternoon())

    [on_trace] = found.on_traces
    assert {team.direction for team in on_trace.people.teams} == {"same"}
    assert on_trace.running.worst is not None
    assert on_trace.running.worst.count("terminated") == 4
    assert new(found) == [("QC501", "science")]


def test_a_trace_may_speak_of_a_renamed_share_by_its_new_name() -> None:
    base, head = side("base.json", FOUR_AND_FOUR), write_template(Path("head.json"), renamed("research", "science"))
    jobs = write_trace(Path("t.jsonl"), {"id": "it", "share": "science", "submit": 0, "duration": 60})

    [on_trace] = review_paths(base, head, load=Load(traces=[jobs])).on_traces

    assert {team.direction for team in on_trace.people.teams} == {"same"}


def test_jobs_of_a_share_that_only_one_side_has_are_rejected_on_the_other() -> None:
    base = side("base.json", {"research": (4, "LEND")})

    found = review_paths(base, side("head.json", FOUR_AND_FOUR), load=afternoon())

    [on_trace] = found.on_traces
    product = next(team for team in on_trace.people.teams if team.share == "product")
    assert (product.figure("jobs that succeed").before, product.figure("jobs that succeed").after) == (0, 2)


def test_a_job_that_leaves_its_instance_type_to_its_share_has_that_of_each_side() -> None:
    base, head = system(share("a", {UNIT: 1})), system(share("a", {OTHER_UNIT: 1}))
    jobs = write_trace(Path("t.jsonl"), {"id": "it", "share": "a", "submit": 0, "duration": 60})

    [on_trace] = review(base, head, Load(traces=[jobs])).on_traces

    assert on_trace.people.teams[0].figure("jobs that succeed").direction == "same"


def test_jobs_of_unknown_shares_are_refused_or_rejected_as_asked() -> None:
    base, head = side("base.json", FOUR_AND_FOUR), side("head.json", THREE_AND_FIVE)
    line = {"id": "it", "share": "typo", "submit": 0, "duration": 60, "instance_type": UNIT}
    jobs = write_trace(Path("t.jsonl"), line)

    with pytest.raises(TraceError, match="typo"):
        review_paths(base, head, load=Load(traces=[jobs]))
    rejecting = Load(traces=[jobs], unknown_shares=UnknownShares.REJECT)
    assert review_paths(base, head, load=rejecting).on_traces[0].jobs == 1


def test_scenarios_are_made_of_the_base() -> None:
    found = review(
        system(share("a", 4, LEND), share("b", 4, LEND_AND_BORROW)),
        system(share("a", 2, LEND), share("b", 6, LEND_AND_BORROW)),
        Load(scenarios=["everyone-at-once"]),
    )

    assert found.traces == ("everyone-at-once",)
    assert [each.trace for each in found.on_traces] == ["everyone-at-once"]


def test_a_base_that_is_plain_cloudformation_shows_what_is_agreed_on_now() -> None:
    head = queue("main", FOUR_AND_FOUR, capacity=8)
    head["mainresearch"]["Metadata"] = {
        "aws:cdk:path": "Stack/Queue/research/Resource",
        "quota-constructs:share-policy": {"version": 1, "agreement": {"owner": "ann"}},
    }

    found = review_paths(side("base.json", FOUR_AND_FOUR), write_template(Path("head.json"), head), load=NO_LOAD)

    assert [(each.share, each.what, each.before, each.after) for each in found.changes or ()] == [
        ("research", "owner", None, "ann")
    ]


def test_dates_that_are_not_judged_are_told() -> None:
    head = queue("main", FOUR_AND_FOUR, capacity=8)
    head["mainresearch"]["Metadata"] = {
        "quota-constructs:share-policy": {"version": 1, "agreement": {"owner": "ann", "review_by": "2030-01-31"}},
    }
    sides = side("base.json", FOUR_AND_FOUR), write_template(Path("head.json"), head)
    notes: list[str] = []

    review_paths(*sides, load=NO_LOAD, tell=notes.append)
    judged = review_paths(*sides, load=NO_LOAD, judging=Judging(today=date(2030, 2, 1)), tell=notes.append)

    assert notes == ["1 date of agreements not judged: no day was given to judge them by"]
    assert "QC209" in [each.rule_id for each in judged.findings.new]


def test_a_side_may_be_without_queues_but_not_both() -> None:
    empty = write_template(Path("empty.json"))
    full = side("full.json", FOUR_AND_FOUR)

    added = review_paths(empty, full, load=afternoon())
    removed = review_paths(full, empty, load=afternoon())

    assert [each.kind for each in added.changes or ()] == ["added", "added", "added"]
    assert added.on_traces == ()
    assert [each.rule_id for each in removed.findings.new] == ["QC503"]
    with pytest.raises(TemplateError, match=r"neither empty.json nor empty.json declares a quota-managed job queue"):
        review_paths(empty, empty)


def test_where_both_sides_are_broken_both_are_told() -> None:
    Path("broken.json").write_text("{", encoding="utf-8")

    with pytest.raises(
        TemplateError, match=r"the base cannot be read: broken.json.*; the head cannot be read: none.json"
    ):
        review_paths(Path("broken.json"), Path("none.json"))


def test_traces_need_a_single_queue_and_queues_are_chosen_by_a_name_of_either_side() -> None:
    one, two = queue("one", FOUR_AND_FOUR, capacity=8), queue("two", FOUR_AND_FOUR, capacity=8)
    both = write_template(Path("both.json"), one, two)
    head = write_template(Path("head.json"), one, queue("two", THREE_AND_FIVE, capacity=8))

    with pytest.raises(UsageError, match=r"several quota-managed job queues \(one, two\); say which one with --queue"):
        review_paths(both, head, load=afternoon())
    with pytest.raises(UsageError, match=r"no queue 'three' on either side; --queue must be one of one, two"):
        review_paths(both, head, reading=Reading(queue="three"))
    assert review_paths(both, head, reading=Reading(queue="one"), load=afternoon()).changes_nothing
    assert len(review_paths(both, head, reading=Reading(queue="two"), load=afternoon()).on_traces) == 1


def test_objectives_from_a_file_hold_for_both_sides() -> None:
    file = Path("objectives.toml")
    file.write_text("[shares.research.objectives.completion_p95_seconds]\nbound = 18000\n", encoding="utf-8")

    found = review_paths(
        side("base.json", FOUR_AND_FOUR),
        side("head.json", THREE_AND_FIVE),
        reading=Reading(objectives=file),
        load=afternoon(),
    )

    assert [each.rule_id for each in found.failing(Severity.ERROR)] == ["QC306"]


def test_findings_may_say_what_they_hang_on() -> None:
    found = review_paths(
        side("base.json", FOUR_AND_FOUR),
        side("head.json", {"research": (4, "LEND_AND_BORROW"), "product": (1, "LEND")}),
        load=afternoon(),
        judging=Judging(sensitivity=True),
    )

    assert any(each.robustness is not None for each in found.findings.new)


def test_a_base_that_is_a_copy_is_called_as_it_should_be() -> None:
    side("copy.json", FOUR_AND_FOUR, capacity=7)
    head = side("head.json", FOUR_AND_FOUR)

    found = review_paths(Path("copy.json"), head, load=NO_LOAD, base_called="t.json at main")

    assert found.base == "t.json at main"
    assert {each.source.template for each in found.findings.fixed} == {"t.json at main"}
    with pytest.raises(TemplateError, match=r"the base cannot be read: t.json at main"):
        review_paths(Path("none.json"), head, base_called="t.json at main")


def test_twenty_queues_of_twenty_shares_are_reviewed() -> None:
    def queues(changed: int) -> list[System]:
        return [
            replace(
                system(
                    *(
                        replace(
                            share(f"share{number:02}", 10 + changed * (number == 3), LEND_AND_BORROW),
                            source=source(f"Q{place}S{number}"),
                        )
                        for number in range(20)
                    ),
                    capacity=201,
                ),
                name=f"queue{place}",
                source=source(f"Q{place}"),
            )
            for place in range(20)
        ]

    found = review_systems(
        queues(0), queues(1), names=("base", "head"), load=Load(scenarios=["owner-returns", "everyone-at-once"])
    )

    assert len(found.changes or ()) == 20
    assert len(found.on_traces) == 40
    assert json.loads(encode_review(found))["review"] == 1
