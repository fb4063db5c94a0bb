from __future__ import annotations

import re

import pytest

from quota_constructs.evaluator.contested_hours import MOST_BARS, WINDOW_MS, Bar, ContestedHours, contested_hours
from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.report.mermaid import contested_chart
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import LEND, LEND_AND_BORROW, job, ms, rearrange, share, system, trace
from tests.hostile import HOSTILE

SHARING = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
HOUR = 3600


def contested(arrangement: System, *lines: Job | Event) -> ContestedHours:
    found = contested_hours(evaluate(arrangement, trace(*lines)))
    assert found is not None
    return found


def bars(found: ContestedHours) -> list[tuple[str, float, float, str]]:
    """Return the bars in seconds of the window, with what is said of each."""
    return [
        (
            bar.job,
            bar.start_ms / 1000,
            bar.end_ms / 1000,
            f"{'borrowed' if bar.borrowed else 'own'}{' stopped' if bar.stopped else ''}",
        )
        for bar in found.bars
    ]


def test_the_owner_s_return_shows_what_was_borrowed_stopped_and_begun_again() -> None:
    found = contested(
        SHARING,
        job("own", "a", duration=2 * HOUR),
        job("guest", "a", duration=2 * HOUR),
        job("owner", "b", submit=HOUR, duration=HOUR),
    )

    assert (found.queue, found.trace, found.start_ms, found.left_out) == ("queue", "test", 0, 0)
    assert bars(found) == [
        ("own", 0, 7200, "own"),
        ("guest", 0, 3620, "borrowed stopped"),
        ("guest", 7200, 14400, "own"),
        ("owner", 3620, 7220, "own"),
    ]


def test_nothing_is_contested_where_nobody_waits() -> None:
    assert contested_hours(evaluate(SHARING, trace(job("it", "a")))) is None
    assert contested_hours(evaluate(SHARING, trace())) is None


def test_where_nothing_is_stopped_the_hours_are_those_with_most_that_wait() -> None:
    late = 50 * HOUR
    found = contested(
        system(share("a", 1)),
        job("early", "a"),
        job("waits", "a"),
        *(job(f"late {number}", "a", submit=late + number) for number in range(5)),
    )

    assert found.start_ms <= ms(late) <= found.start_ms + WINDOW_MS
    assert {bar.job for bar in found.bars} == {f"late {number}" for number in range(5)}


def test_the_window_is_around_the_most_stops() -> None:
    def owner_returns(hour: float) -> list[Job]:
        at = hour * HOUR
        return [job(f"guest {at}", "a", 2, submit=at, duration=600), job(f"owner {at}", "b", submit=at + 60)]

    found = contested(SHARING, *owner_returns(0), *owner_returns(100), *owner_returns(101), *owner_returns(200))

    assert found.start_ms == ms(100 * HOUR + 60 + 20 + HOUR / 2) - WINDOW_MS // 2
    assert [bar.job for bar in found.bars if bar.stopped] == [f"guest {100 * HOUR}", f"guest {101 * HOUR}"]


def test_what_lasts_longer_than_the_window_is_cut() -> None:
    found = contested(
        SHARING,
        job("long", "a", duration=100 * HOUR),
        job("guest", "a", submit=50 * HOUR),
        job("owner", "b", submit=50 * HOUR + 50),
    )

    assert bars(found)[0] == ("long", 0, WINDOW_MS / 1000, "own")


def test_what_is_stopped_comes_before_the_rest_where_not_all_can_be_drawn() -> None:
    found = contested(
        system(share("a", 40, LEND_AND_BORROW), share("b", 1, LEND)),
        *(job(f"own {number}", "a", duration=HOUR) for number in range(40)),
        job("guest", "a", duration=HOUR),
        job("owner", "b", submit=60),
    )

    assert len(found.bars) == MOST_BARS
    assert found.left_out == 43 - MOST_BARS
    assert [bar.job for bar in found.bars if bar.stopped] == ["guest"]
    assert "owner" in {bar.job for bar in found.bars}


def test_borrowed_is_what_goes_beyond_the_limit_of_the_day() -> None:
    smaller = system(share("a", 1, LEND_AND_BORROW), share("b", 3, LEND))
    larger = system(share("a", 3, LEND_AND_BORROW), share("b", 1, LEND))

    found = contested(
        smaller,
        job("before", "a", 2, duration=10),
        rearrange(60, larger),
        job("after", "a", 2, submit=70, duration=10),
        job("waits", "b", 2, submit=70),
    )

    assert [(bar.job, bar.borrowed) for bar in found.bars if bar.share == "a"] == [("before", True), ("after", False)]


def test_the_chart_is_a_gantt_that_needs_no_knowledge_of_the_day() -> None:
    found = contested(SHARING, job("guest", "a", 2, duration=HOUR), job("owner", "b", submit=60, duration=60))

    assert contested_chart(found) == (
        "Trace `test` on queue `queue`, from 0:00:00 of its clock: what ran, on the share's own instances or on "
        "borrowed ones, and what was stopped.\n\n"
        "```mermaid\n"
        "gantt\n"
        "    dateFormat YYYY-MM-DD HH:mm:ss\n"
        "    axisFormat %H:%M\n"
        "    todayMarker off\n"
        "    section share a\n"
        "    borrowed guest stopped :crit, done, 2001-01-01 00:00:00, 2001-01-01 00:01:20\n"
        "    borrowed guest :done, 2001-01-01 00:02:20, 2001-01-01 01:02:20\n"
        "    section share b\n"
        "    own owner :active, 2001-01-01 00:01:20, 2001-01-01 00:02:20\n"
        "```"
    )


LINE = re.compile(
    r" {4}(section share [\w.?-]*|(own|borrowed) [\w.?-]*( stopped)? :(crit, )?(done|active)"
    r"(, 2001-01-01 \d\d:\d\d:\d\d){2}|(dateFormat|axisFormat|todayMarker) [\w:% -]+)",
    re.ASCII,
)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_stay_in_their_line(text: str) -> None:
    bar = Bar(share=text, job=text, start_ms=0, end_ms=0, borrowed=True, stopped=True)
    found = ContestedHours(queue=text, trace=text, start_ms=0, bars=(bar,), left_out=0)

    _, _, fence, head, *lines, end = contested_chart(found).split("\n")

    assert (fence, head, end) == ("```mermaid", "gantt", "```")
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    assert len(lines) == 5
