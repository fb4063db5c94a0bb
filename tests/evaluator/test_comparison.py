from __future__ import annotations

from quota_constructs.evaluator.balance import Balance, Contrast
from quota_constructs.evaluator.comparison import Comparison, Outcome, ShareOutcome
from quota_constructs.evaluator.metrics import Spread
from quota_constructs.evaluator.side_by_side import compare_systems
from quota_constructs.evaluator.simulation.model import State
from quota_constructs.evaluator.trace import Trace
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, RESERVE, UNIT, job, ms, rearrange, share, system, trace

SHARING = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))

OWNER_RETURNS = trace(job("guest", "a", 2, duration=7200), job("owner", "b", submit=3600, duration=3600))
"""
With a stop of 20 s, by hand (start, end):

- declared: guest (0, 3620) stopped, owner (3620, 7220), guest again (7220, 14420)
- partition: guest never, as it is larger than its share; owner (3600, 7200)
- pool: guest (0, 7200), owner (7200, 10800)
"""

BUSY_BORROWER = trace(
    *(job(f"sweep {number}", "a", duration=3600) for number in range(4)),
    job("owner", "b", submit=5000, duration=3600),
)
"""
By hand, ends:

- declared: sweeps 3600, 3600, 7200 and, stopped at 5000 for the owner and begun again at 7200, 10800; owner 8620
- partition: sweeps 3600, 7200, 10800, 14400; owner 8600
"""


def outcome(comparison: Comparison, name: str) -> Outcome:
    return next(each for each in comparison.outcomes if each.name == name)


def of_share(comparison: Comparison, name: str, share: str) -> ShareOutcome:
    return next(each for each in outcome(comparison, name).shares if each.share == share)


def contrast(comparison: Comparison, against: str) -> Contrast:
    return next(each for each in comparison.contrasts if each.against == against)


def constant(milliseconds: int) -> Spread:
    return Spread(count=1, p50=milliseconds, p95=milliseconds, max=milliseconds)


def test_a_partition_and_a_pool_stand_beside_what_is_declared() -> None:
    comparison = compare_systems(SHARING, OWNER_RETURNS)

    assert [each.name for each in comparison.outcomes] == ["declared", "partition", "pool"]
    assert [each.against for each in comparison.contrasts] == ["partition", "pool"]
    assert [each.horizon_ms for each in comparison.outcomes] == [ms(14420), ms(7200), ms(10800)]
    assert [(each.jobs.count(State.SUCCEEDED), each.jobs.jobs) for each in comparison.outcomes] == [
        (2, 2),
        (1, 2),
        (2, 2),
    ]


def test_each_share_shows_its_waits_and_completions_under_each() -> None:
    comparison = compare_systems(SHARING, OWNER_RETURNS)

    figures = {
        (name, each): of_share(comparison, name, each).jobs
        for name in ("declared", "partition", "pool")
        for each in ("a", "b")
    }
    assert {key: (each.wait_ms, each.completion_ms) for key, each in figures.items()} == {
        ("declared", "a"): (constant(0), constant(ms(14420))),
        ("declared", "b"): (constant(ms(20)), constant(ms(3620))),
        ("partition", "a"): (None, None),
        ("partition", "b"): (constant(0), constant(ms(3600))),
        ("pool", "a"): (constant(0), constant(ms(7200))),
        ("pool", "b"): (constant(ms(3600)), constant(ms(7200))),
    }
    assert {key: each.cross_share_preemptions for key, each in figures.items() if each.cross_share_preemptions} == {
        ("declared", "a"): 1
    }


def test_what_is_held_stands_beside_what_is_finished_and_what_is_done_again() -> None:
    comparison = compare_systems(SHARING, OWNER_RETURNS)

    [unit] = of_share(comparison, "declared", "a").units
    assert (unit.allocated, unit.used_own, unit.borrowed) == (ms(14420), ms(10800), ms(10800))
    assert (unit.use.used, unit.use.good, unit.lost) == (ms(21600), ms(14400), ms(7200))
    assert (unit.use.utilization, unit.use.goodput) == (21600 / 28840, 14400 / 28840)
    [total] = outcome(comparison, "declared").units
    assert (total.use.used, total.use.good, total.lost) == (ms(25220), ms(18000), ms(7200))


def test_in_a_pool_a_share_holds_something_and_is_neither_allocated_nor_borrows() -> None:
    comparison = compare_systems(SHARING, OWNER_RETURNS)

    held = {name: of_share(comparison, "pool", name).units[0] for name in ("a", "b")}
    assert [(each.allocated, each.borrowed, each.used_own) for each in held.values()] == [(None, None, None)] * 2
    assert {name: each.use.used for name, each in held.items()} == {"a": ms(14400), "b": ms(3600)}
    assert outcome(comparison, "pool").units[0].use.used == ms(18000)


def test_a_balance_counts_who_finishes_sooner_who_later_and_who_only_on_one_side() -> None:
    comparison = compare_systems(SHARING, OWNER_RETURNS)

    assert contrast(comparison, "partition").shares == (
        Balance(share="a", gained=1),
        Balance(share="b", later=1, later_ms=ms(20)),
    )
    assert contrast(comparison, "pool").shares == (
        Balance(share="a", later=1, later_ms=ms(7220)),
        Balance(share="b", sooner=1, sooner_ms=ms(3580)),
    )
    assert contrast(comparison, "pool").total.change_ms == ms(3640)


def test_the_share_that_pays_is_named_although_the_total_gains() -> None:
    against = contrast(compare_systems(SHARING, BUSY_BORROWER), "partition")

    assert against.shares == (
        Balance(share="a", same=1, sooner=3, sooner_ms=ms(10800)),
        Balance(share="b", later=1, later_ms=ms(20)),
    )
    assert against.total.change_ms == ms(-10780)
    assert against.pays_most == against.shares[1]


def test_who_loses_on_balance_pays_more_than_who_loses_here_and_gains_there() -> None:
    mixed = Balance(share="mixed", sooner=1, sooner_ms=900, later=5, later_ms=800)
    against = Contrast(
        against="x", shares=(mixed, Balance(share="loser", later=1, later_ms=1)), total=Balance(share=None)
    )

    assert against.pays_most is against.shares[1]


def test_who_pays_is_found_where_every_share_gains_on_balance() -> None:
    mixed = Balance(share="mixed", sooner=1, sooner_ms=900, later=5, later_ms=800)
    against = Contrast(
        against="x", shares=(Balance(share="winner", sooner=1, sooner_ms=1), mixed), total=Balance(share=None)
    )

    assert against.pays_most is mixed


def test_nobody_pays_where_no_job_finishes_later() -> None:
    against = Contrast(
        against="x",
        shares=(Balance(share="a", sooner=2, sooner_ms=5), Balance(share="b", same=1)),
        total=Balance(share=""),
    )

    assert (against.pays_most, against.forgoes_most) == (None, None)


def test_equal_arrangements_differ_in_nothing() -> None:
    reserving = system(share("a", 1, RESERVE), share("b", 1, RESERVE))

    comparison = compare_systems(reserving, BUSY_BORROWER, bases={"same.json": reserving})

    assert not contrast(comparison, "partition").total.differs
    assert not contrast(comparison, "base").total.differs
    assert contrast(comparison, "base").total.same == 5


def test_jobs_of_a_share_that_the_base_lacks_are_rejected_there() -> None:
    base = system(share("a", 2), share("old", 1))

    comparison = compare_systems(SHARING, OWNER_RETURNS, bases={"base.json": base})

    assert [(each.share, each.declared) for each in outcome(comparison, "base").shares] == [
        ("a", True),
        ("b", False),
        ("old", True),
    ]
    assert of_share(comparison, "base", "b").jobs.count(State.REJECTED) == 1
    assert of_share(comparison, "base", "b").units[0].allocated is None
    assert contrast(comparison, "base").shares == (
        Balance(share="a", later=1, later_ms=ms(7220)),
        Balance(share="b", gained=1),
        Balance(share="old"),
    )


def test_jobs_of_a_share_that_only_the_base_has_are_forgone() -> None:
    comparison = compare_systems(SHARING, trace(job("it", "old")), bases={"base.json": system(share("old", 1))})

    assert of_share(comparison, "declared", "old").jobs.count(State.REJECTED) == 1
    against = contrast(comparison, "base")
    assert against.forgoes_most == Balance(share="old", forgone=1)
    assert contrast(comparison, "pool").total == Balance(share=None)


def test_several_bases_are_numbered() -> None:
    comparison = compare_systems(SHARING, trace(), bases={"one.json": SHARING, "two.json": SHARING})

    assert [(each.name, each.template) for each in comparison.outcomes[3:]] == [
        ("base 1", "one.json"),
        ("base 2", "two.json"),
    ]


def test_units_are_kept_apart() -> None:
    arrangement = system(share("a", {UNIT: 1, OTHER_UNIT: 2}), share("b", {OTHER_UNIT: 1}))
    jobs = trace(job("both", "a", {UNIT: 1, OTHER_UNIT: 2}, duration=100), job("other", "b", {UNIT: 1}, duration=50))

    comparison = compare_systems(arrangement, jobs)

    assert {
        (name, each): [(unit.use.unit, unit.use.used) for unit in of_share(comparison, name, each).units]
        for name in ("declared", "pool")
        for each in ("a", "b")
    } == {
        ("declared", "a"): [(UNIT, ms(100)), (OTHER_UNIT, ms(200))],
        ("declared", "b"): [(UNIT, 0), (OTHER_UNIT, 0)],
        ("pool", "a"): [(UNIT, ms(100)), (OTHER_UNIT, ms(200))],
        ("pool", "b"): [(UNIT, ms(50)), (OTHER_UNIT, 0)],
    }
    assert contrast(comparison, "pool").forgoes_most == Balance(share="b", forgone=1)


def test_a_pool_follows_the_arrangement_that_the_trace_changes_to() -> None:
    smaller = system(share("a", 1, LEND_AND_BORROW))
    jobs = trace(
        job("one", "a", 2, duration=100),
        job("two", "b", submit=10, duration=100),
        rearrange(50, smaller),
        job("three", "b", submit=60),
    )

    comparison = compare_systems(SHARING, jobs)

    # declared: one (0, 30) is stopped for two, which its share's end terminates at 50; one is then too large for ever
    assert outcome(comparison, "declared").jobs.count(State.SUCCEEDED) == 0
    # pool: one (0, 100), then two in the one instance that is left (100, 200); three is rejected
    pool = outcome(comparison, "pool")
    assert (pool.jobs.count(State.SUCCEEDED), pool.jobs.count(State.REJECTED), pool.horizon_ms) == (2, 1, ms(200))
    assert contrast(comparison, "pool").total == Balance(share=None, forgone=2)


def test_a_contract_speaks_for_the_same_jobs_everywhere() -> None:
    contract = InterruptionContract(can_resume=True, checkpoint_interval_seconds=50, checkpoint_cost_seconds=10)
    arrangement = system(share("a", 1, interruption=contract))

    comparison = compare_systems(
        arrangement, trace(job("it", "a", duration=100)), bases={"base.json": system(share("a", 1))}
    )

    assert {each.name: each.horizon_ms for each in comparison.outcomes} == dict.fromkeys(
        ("declared", "partition", "pool", "base"), ms(110)
    )
    assert list(comparison.contract_use) == ["a"]


def test_a_contract_of_a_base_speaks_only_for_shares_that_are_not_declared() -> None:
    contract = InterruptionContract(can_resume=True, checkpoint_interval_seconds=50, checkpoint_cost_seconds=10)
    base = system(share("a", 1, interruption=contract), share("old", 1, interruption=contract))
    jobs = trace(job("kept", "a", duration=100), job("gone", "old", submit=50, duration=100))

    comparison = compare_systems(system(share("a", 1)), jobs, bases={"base.json": base})

    assert of_share(comparison, "base", "a").jobs.completion_ms == constant(ms(100))
    assert of_share(comparison, "base", "old").jobs.completion_ms == constant(ms(110))
    assert list(comparison.contract_use) == ["old"]


def test_no_jobs_make_no_difference() -> None:
    comparison = compare_systems(SHARING, Trace(name="empty", jobs=()))

    assert [each.total for each in comparison.contrasts] == [Balance(share=None)] * 2
    assert comparison.outcomes[0].units[0].use.utilization is None
