from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from msgspec import structs

from quota_constructs.evaluator.balance import Balance
from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.review.people import Direction, Figure, People, Team, Unit, compare_people
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from tests.builders import LEND, LEND_AND_BORROW, job, ms, share, system, trace

HOUR = 3600
NOBODY: Mapping[str, str] = {}

BASE = system(share("research", 4, LEND_AND_BORROW), share("product", 4, LEND))
HEAD = system(share("research", 3, LEND_AND_BORROW), share("product", 5, LEND))
AFTERNOON = trace(
    *(job(f"sweep {number}", "research", duration=4 * HOUR) for number in range(1, 5)),
    job("tune", "product", 4, duration=2 * HOUR),
    job("nightly", "product", submit=HOUR, duration=2 * HOUR, deadline=3.5 * HOUR),
)
"""
By hand: under BASE the sweeps run from 0 to 14400, `tune` from 0 to 7200, `nightly` from then on to 14400. Under HEAD
the last sweep borrows, is stopped for `nightly` (3620 to 10820) and goes on from 7200 to 21600.
"""


def people(base: System, head: System, jobs: Trace) -> People:
    return compare_people(evaluate(base, jobs), evaluate(head, jobs), NOBODY)


def values(team: Team) -> dict[str, tuple[float | None, float | None, str]]:
    return {each.name: (each.before, each.after, each.direction) for each in team.figures}


def test_who_loses_comes_first() -> None:
    found = people(BASE, HEAD, AFTERNOON)

    assert [(team.share, team.loses) for team in found.teams] == [("research", True), ("product", False)]


def test_each_figure_has_both_sides_and_a_direction() -> None:
    research, product = people(BASE, HEAD, AFTERNOON).teams

    assert {name: each for name, each in values(research).items() if each[2] != "same"} == {
        "completion p95": (ms(4 * HOUR), ms(6 * HOUR), "worse"),
        "preemptions": (0, 1, "worse"),
        "lost work": (0, ms(HOUR), "worse"),
        "allocated": (4, 3, "different"),
        "used of its own": (ms(16 * HOUR), ms(14 * HOUR), "different"),
        "borrowed": (0, ms(3 * HOUR), "different"),
        "goodput": (0.5, pytest.approx(1 / 3), "different"),
    }
    assert values(product)["longest wait"] == (ms(HOUR), ms(20), "better")
    assert values(product)["deadlines missed"] == (1, 0, "better")
    assert values(product)["allocated"] == (4, 5, "different")


def test_what_jobs_finish_later_is_added_up() -> None:
    research, _ = people(BASE, HEAD, AFTERNOON).teams

    assert research.balance == Balance(share="research", same=3, later=1, later_ms=ms(2 * HOUR))


def test_the_total_is_over_all_jobs_and_says_how_long_the_run_takes() -> None:
    total = people(BASE, HEAD, AFTERNOON).total

    assert total.share == "queue"
    assert values(total)["run takes"] == (ms(4 * HOUR), ms(6 * HOUR), "different")
    assert values(total)["jobs that succeed"] == (6, 6, "same")


def test_nothing_changes_for_anybody_under_the_same_arrangement() -> None:
    found = people(BASE, BASE, AFTERNOON)

    assert [team.direction for team in (*found.teams, found.total)] == ["same"] * 3


def test_a_team_whose_jobs_no_longer_succeed_loses_before_one_that_waits() -> None:
    jobs = trace(job("big", "b", 2, duration=100), job("one", "a", duration=100), job("two", "a", duration=100))
    base = system(share("a", 2), share("b", 2), capacity=4)

    found = people(base, system(share("a", 1), share("b", 1), capacity=4), jobs)

    assert [(team.share, team.losses[0], team.losses[2]) for team in found.teams] == [("b", 1, 0), ("a", 0, ms(100))]


def test_a_renamed_share_is_one_team_under_both_names() -> None:
    head = system(share("science", 3, LEND_AND_BORROW), share("product", 5, LEND))
    renamed = structs.replace(
        AFTERNOON,
        jobs=tuple(
            structs.replace(each, share="science") if each.share == "research" else each for each in AFTERNOON.jobs
        ),
    )

    before, after = evaluate(BASE, AFTERNOON), evaluate(head, renamed)
    found = compare_people(before, after, {"research": "science"})

    assert [(team.share, team.new_name, team.loses) for team in found.teams] == [
        ("research", "science", True),
        ("product", None, False),
    ]
    assert found.teams[0].balance == people(BASE, HEAD, AFTERNOON).teams[0].balance
    assert {each.job.share for each in after.history.jobs} == {"science", "product"}, "the run itself is left as it is"


def test_a_share_that_only_one_side_has_is_a_team_too() -> None:
    jobs = trace(job("one", "a", duration=100))

    found = people(system(share("a", 1)), system(share("b", 1)), jobs)

    [gone, new] = found.teams
    assert (gone.share, gone.loses, gone.balance.forgone) == ("a", True, 1)
    assert (new.share, new.loses) == ("b", False)


@pytest.mark.parametrize(
    ("before", "after", "more_is", "direction"),
    [
        (1, 2, Direction.WORSE, "worse"),
        (2, 1, Direction.WORSE, "better"),
        (1, 2, Direction.BETTER, "better"),
        (2, 1, Direction.BETTER, "worse"),
        (1, 2, Direction.DIFFERENT, "different"),
        (2, 2, Direction.WORSE, "same"),
        (None, 2, Direction.WORSE, "different"),
        (None, None, Direction.WORSE, "same"),
    ],
)
def test_a_direction_is_told_only_where_both_sides_have_the_figure(
    before: float | None, after: float | None, more_is: Direction, direction: str
) -> None:
    figure = Figure(name="it", unit=Unit.COUNT, before=before, after=after, more_is=more_is)

    assert figure.direction == direction


def test_an_environment_that_shrinks_hits_all() -> None:
    jobs = trace(job("one", "a", 2, duration=100), job("two", "b", 2, duration=100))
    base = system(share("a", 2, LEND), share("b", 2, LEND))

    found = people(base, replace(base, environment=replace(base.environment, capacity={"ml.g5.xlarge": 2})), jobs)

    assert [team.share for team in found.teams if team.loses] == ["b"]
