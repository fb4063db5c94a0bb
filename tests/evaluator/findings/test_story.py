from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.rules.story import story
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, job, share, system, trace

ALONE = system(share("a", 1))
SHARED = system(share("a", 1, LEND_AND_BORROW), share("b", 2, LEND))


def told(name: str, arrangement: System, *lines: Job | Event) -> str:
    evaluation = evaluate(arrangement, trace(*lines))
    return story(evaluation, next(each for each in evaluation.history.jobs if each.job.id == name))


def test_a_job_that_nothing_happens_to() -> None:
    assert told("1", ALONE, job("1", "a")) == "'1' finished 100 s after its submission"


def test_a_job_that_waits_names_who_gave_way() -> None:
    assert told("2", ALONE, job("1", "a", duration=50), job("2", "a", submit=10)) == (
        "'2' waited 40 s until '1' of its own share gave back 1 instance, and finished 140 s after its submission"
    )


def test_a_job_that_never_starts_names_who_held_the_most_of_what_it_needs() -> None:
    lines = (job("1", "a", duration=50), job("big", "a", 2, submit=10), job("1b", "b", duration=500))

    assert told("big", system(share("a", 1), share("b", 1)), *lines) == (
        "'big' waited 490 s and never started while '1b' of share 'b' held 1 instance for 490 s of that, "
        "and is still waiting at the end, 490 s in all"
    )


def test_a_job_that_never_starts_while_nobody_holds_anything() -> None:
    arrangement = system(share("a", 1), share("b", {"other": 1}))

    assert "never started while no other job held what it needs" in told(
        "big", arrangement, job("big", "a", 2), job("b", "b", {"other": 1})
    )


def test_a_job_that_is_stopped_names_the_first_for_whom() -> None:
    lines = (
        job("guest", "a", 3, duration=250),
        *(job(f"owner-{turn}", "b", submit=50 + 300 * turn) for turn in range(2)),
    )

    assert told("guest", SHARED, *lines) == (
        "'guest' was stopped 2 times, first for 'owner-0' of share 'b' with 230 s of work lost, and finished 720 s "
        "after its submission"
    )


def test_who_was_stopped_for_one_of_several_names_nobody() -> None:
    lines = (job("guest", "a", 3), job("x", "b", submit=50), job("y", "b", submit=50))

    assert told("guest", SHARED, *lines).startswith("'guest' was stopped 1 time with 50 s of work lost")


def test_a_job_that_ends_after_its_deadline() -> None:
    assert told("1", ALONE, job("1", "a", deadline=70)) == (
        "'1' finished 100 s after its submission, 30 s after its deadline"
    )


def test_many_stories_of_one_run_agree_with_each_other() -> None:
    evaluation = evaluate(ALONE, trace(*(job(str(number), "a", duration=10) for number in range(30))))

    stories = [story(evaluation, each) for each in evaluation.history.jobs]

    assert all(f"until '{number}' of its own share gave back" in stories[number + 1] for number in range(29))
