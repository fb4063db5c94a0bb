"""What a trace asks of an arrangement, worked out by hand on a few jobs."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.demand import Demand, measure_demand
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Job
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, RESERVE, job, rearrange, share, system, trace

S = 1000
LENDER = share("owner", 4, LEND)
BORROWER = share("guest", 2, LEND_AND_BORROW)


def demand(arrangement: System, *jobs: Job) -> Demand:
    return measure_demand(arrangement, trace(*jobs))


def of_share(measured: Demand, name: str) -> tuple[int, int, int, int]:
    """Return work, peak, time over the limit and work over it, in seconds."""
    each = next(each for each in measured.shares if each.share == name)
    return each.work_ms // S, each.peak, each.over_ms // S, each.excess_ms // S


def borrowable(arrangement: System, *jobs: Job) -> int:
    return sum(unit.borrowable_ms for unit in demand(arrangement, *jobs).units) // S


def test_demand_goes_up_with_a_submission_and_down_when_the_work_is_done() -> None:
    measured = demand(
        system(LENDER, BORROWER),
        job("a", "guest", 2, submit=10, duration=100),
        job("b", "guest", 3, submit=60, duration=100),
        job("c", "owner", 4, submit=160, duration=50),
    )

    assert (measured.start_ms, measured.last_submit_ms, measured.end_ms) == (10 * S, 160 * S, 210 * S)
    assert of_share(measured, "guest") == (500, 5, 100, 3 * 50 + 1 * 50)
    assert of_share(measured, "owner") == (200, 4, 0, 0)
    (unit,) = measured.units
    assert (unit.work_ms // S, unit.peak, unit.capacity, unit.over_ms) == (700, 5, 6, 0)


def test_what_ends_makes_room_for_what_begins_at_the_same_time() -> None:
    measured = demand(
        system(BORROWER), job("a", "guest", 2, duration=100), job("b", "guest", 2, submit=100, duration=100)
    )

    assert of_share(measured, "guest") == (400, 2, 0, 0)
    assert not measured.contends


@pytest.mark.parametrize(
    ("arrangement", "expected"),
    [
        pytest.param(system(share("owner", 4, LEND), share("guest", 2, LEND_AND_BORROW)), 3 * 100, id="all above"),
        pytest.param(
            system(share("owner", 4, LEND), share("guest", 2, LEND_AND_BORROW, borrow_limit=100)),
            2 * 100,
            id="no more than the borrow limit",
        ),
        pytest.param(
            system(share("owner", 4, RESERVE), share("guest", 2, LEND_AND_BORROW), share("third", 1, LEND)),
            1 * 100,
            id="no more than others lend",
        ),
        pytest.param(system(share("owner", 4, LEND), share("guest", 2, LEND)), 0, id="nothing by who only lends"),
        pytest.param(
            system(share("owner", 4, LEND, enabled=False), share("guest", 2, LEND_AND_BORROW), share("third", 9)),
            0,
            id="nothing of a share that is disabled",
        ),
    ],
)
def test_what_can_be_borrowed(arrangement: System, expected: int) -> None:
    jobs = [job("a", "guest", 1, duration=100), *(job(f"{n}", "guest", 2, duration=100) for n in range(2))]

    assert borrowable(arrangement, *jobs) == expected


def test_only_what_is_idle_at_the_same_time_can_be_borrowed() -> None:
    busy = job("a", "owner", 3, submit=50, duration=50)
    asking = [job(f"{n}", "guest", 2, duration=200) for n in range(2)]

    assert borrowable(system(LENDER, BORROWER), busy, *asking) == 2 * 200 - 50


def test_a_lender_that_asks_for_more_than_its_own_lends_nothing() -> None:
    jobs = [job("a", "guest", 3), *(job(f"{n}", "owner", 4) for n in range(2))]

    measured = demand(system(LENDER, BORROWER), *jobs)

    assert measured.contends
    assert not measured.lets_borrow


def test_periods_part_the_span_and_add_up() -> None:
    jobs = [job("a", "guest", 2, duration=50), job("b", "guest", 2, submit=30, duration=70)]

    measured = measure_demand(system(LENDER, BORROWER), trace(*jobs), periods=4)

    (unit,) = measured.units
    assert [(each.start_ms // S, each.end_ms // S) for each in unit.periods] == [(0, 25), (25, 50), (50, 75), (75, 100)]
    assert [each.work_ms // S for each in unit.periods] == [50, 50 + 40, 50, 50]
    assert [each.peak for each in unit.periods] == [2, 4, 2, 2]
    assert [each.borrowable_ms // S for each in unit.periods] == [0, 40, 0, 0]
    assert [each.over for each in unit.periods] == [(), ("guest",), (), ()]


@pytest.mark.parametrize("length", [0.001, 0.005, 0.012, 100])
def test_a_span_that_has_no_twelve_parts_is_no_harm(length: float) -> None:
    measured = demand(system(BORROWER), job("a", "guest", 2, duration=length))

    (unit,) = measured.units
    assert sum(period.work_ms for period in unit.periods) == unit.work_ms == round(2 * length * S)


def test_instance_types_are_counted_apart() -> None:
    arrangement = system(share("guest", {OTHER_UNIT: 1, "x": 4}))

    measured = demand(arrangement, job("a", "guest", {OTHER_UNIT: 1, "x": 3}), job("b", "guest", {"x": 1}))

    assert [(each.unit, each.jobs, each.peak) for each in measured.shares] == [(OTHER_UNIT, 1, 1), ("x", 2, 4)]


def test_jobs_that_ask_for_nothing_here_are_counted() -> None:
    arrangement = system(LENDER, BORROWER, share("off", 1, enabled=False))

    measured = demand(
        arrangement,
        job("a", "nobody"),
        job("b", "off"),
        job("too large", "guest", 8),
        job("of another kind", "guest", {OTHER_UNIT: 1}),
        job("larger than its limit", "guest", 6),
    )

    assert (measured.jobs, measured.teams, measured.rejected, measured.never) == (5, 3, 2, 2)
    assert [(each.share, each.jobs, each.larger_than_limit) for each in measured.shares] == [
        ("guest", 1, 1),
        ("owner", 0, 0),
    ]


@pytest.mark.parametrize(
    ("arrangement", "jobs", "contends"),
    [
        pytest.param(system(LENDER, BORROWER), [job("a", "guest", 2), job("b", "owner", 4)], False, id="all fit"),
        pytest.param(system(LENDER, BORROWER), [job("a", "guest", 3)], True, id="a limit is exceeded"),
        pytest.param(
            system(LENDER, BORROWER, capacity=5),
            [job("a", "guest", 2), job("b", "owner", 4)],
            True,
            id="the capacity is exceeded",
        ),
        pytest.param(system(LENDER, BORROWER), [job("a", "guest", 9)], True, id="one can never start"),
        pytest.param(system(LENDER, BORROWER), [], False, id="no job"),
    ],
)
def test_whether_a_trace_contends(arrangement: System, jobs: list[Job], *, contends: bool) -> None:
    assert demand(arrangement, *jobs).contends is contends


def test_a_change_of_the_arrangement_is_counted() -> None:
    arrangement = system(BORROWER)

    measured = measure_demand(arrangement, trace(job("a", "guest"), rearrange(5, arrangement)))

    assert measured.changes == 1
