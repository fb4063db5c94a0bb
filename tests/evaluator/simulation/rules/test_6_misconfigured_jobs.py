"""Section 6 of the scheduling model, sentence by sentence: jobs that can never start."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.simulation.model import Queueing, State
from quota_constructs.evaluator.system import System
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, UNIT, cancel, job, rearrange, reprioritise, share, system
from tests.runs import Runner

ENVIRONMENT = BlockedReason.ENVIRONMENT_EXCEEDED
QUOTA = BlockedReason.QUOTA_EXCEEDED


@pytest.mark.parametrize(
    ("arrangement", "size", "reason"),
    [
        pytest.param(system(share("s", 4), capacity=3), {UNIT: 4}, ENVIRONMENT, id="more than the environment has"),
        pytest.param(system(share("s", 4), capacity=3), {UNIT: 5}, ENVIRONMENT, id="more than either: the environment"),
        pytest.param(system(share("s", 4)), {OTHER_UNIT: 1}, ENVIRONMENT, id="a unit the environment lacks"),
        pytest.param(
            system(share("s", {UNIT: 4, OTHER_UNIT: 4}), capacity={UNIT: 9, OTHER_UNIT: 3}),
            {UNIT: 5, OTHER_UNIT: 4},
            ENVIRONMENT,
            id="the environment in any unit comes first",
        ),
        pytest.param(system(share("s", 4), share("t", 4)), {UNIT: 5}, QUOTA, id="more than the limit"),
        pytest.param(
            system(share("s", {UNIT: 4}), share("t", {OTHER_UNIT: 4})),
            {OTHER_UNIT: 1},
            QUOTA,
            id="no limit for the unit",
        ),
        pytest.param(
            system(share("s", 2, LEND_AND_BORROW, borrow_limit=100), share("t", 8, LEND)),
            {UNIT: 5},
            QUOTA,
            id="ceiling",
        ),
        pytest.param(
            system(share("s", 2, LEND_AND_BORROW), share("t", 2, LEND), share("r", 4)),
            {UNIT: 5},
            QUOTA,
            id="what is lent",
        ),
    ],
)
def test_a_job_that_can_never_start_carries_its_code(
    run: Runner, arrangement: System, size: dict[str, int], reason: BlockedReason
) -> None:
    assert run(arrangement, job("j", "s", size)).outcome("j") == (State.RUNNABLE, reason, None)


def test_what_other_borrowers_and_disabled_shares_own_is_lent_too(run: Runner) -> None:
    arrangement = system(
        share("s", 2, LEND_AND_BORROW), share("t", 2, LEND_AND_BORROW), share("u", 2, LEND, enabled=False)
    )

    assert run(arrangement, job("j", "s", 6)).started("j") == 0


def test_a_job_behind_a_misconfigured_head_carries_no_code(run: Runner) -> None:
    ran = run(system(share("s", 1), capacity=9), job("bad", "s", 2), job("also bad", "s", 2))

    assert (ran["bad"].reason, ran["also bad"].reason) == (QUOTA, None)


def test_a_misconfigured_head_blocks_its_share_for_ever_without_a_time_limit(run: Runner) -> None:
    ran = run(
        system(share("s", 1), share("t", 1), time_limits={ENVIRONMENT: 600}),
        *(job("bad", "s", 2), job("good", "s", submit=1), job("t1", "t", submit=5000)),
    )

    assert ran["good"].state is State.RUNNABLE
    assert ran["good"].queued_ms == 5_099_000


def test_backfill_passes_a_misconfigured_head(run: Runner) -> None:
    ran = run(
        system(share("s", 1), capacity=9), job("bad", "s", 2), job("good", "s", submit=1), queueing=Queueing.BACKFILL
    )

    assert ran.started("good") == 1


def test_a_misconfigured_head_is_terminated_when_its_time_is_over(run: Runner) -> None:
    ran = run(
        system(share("s", 1), capacity=9, time_limits={QUOTA: 600, ENVIRONMENT: 700}),
        *(job("bad", "s", 2, submit=3), job("good", "s", submit=4), job("huge", "s", 10, submit=5)),
    )

    assert ran.outcome("bad") == (State.FAILED, QUOTA, 603)
    assert ran.attempts("good") == [(603, 703)]
    assert ran.outcome("huge") == (State.FAILED, ENVIRONMENT, 603 + 700)
    assert (ran.attempts("bad"), ran["bad"].queued_ms) == ([], 600_000)


def test_the_time_counts_from_when_it_became_the_head(run: Runner) -> None:
    ran = run(
        system(share("s", 1), capacity=9, time_limits={QUOTA: 600}),
        *(job("running", "s"), job("waiting", "s"), job("bad", "s", 2, submit=1)),
    )

    assert ran.finished("bad") == 100 + 600


def test_a_displaced_head_begins_its_time_anew(run: Runner) -> None:
    ran = run(
        system(share("s", 1), capacity=9, time_limits={QUOTA: 600}),
        *(job("running", "s"), job("bad", "s", 2), job("good", "s", submit=5), job("other", "s", submit=6)),
        *(reprioritise(50, "other", 1), cancel(60, "other")),
    )

    assert ran.finished("bad") == 60 + 600


def test_the_time_counts_from_the_last_change_of_arrangement_if_that_is_later(run: Runner) -> None:
    arrangement = system(share("s", 1), capacity=9, time_limits={QUOTA: 600})

    ran = run(arrangement, job("bad", "s", 2), rearrange(599, arrangement))

    assert ran.finished("bad") == 599 + 600


def test_a_change_of_arrangement_may_help_a_misconfigured_head(run: Runner) -> None:
    ran = run(system(share("s", 1), capacity=9), job("j", "s", 2), rearrange(50, system(share("s", 2))))

    assert ran.attempts("j") == [(50, 150)]


def test_a_change_of_arrangement_may_make_a_waiting_head_misconfigured(run: Runner) -> None:
    smaller = system(share("s", 1), capacity=9, time_limits={QUOTA: 600})

    ran = run(system(share("s", 2)), job("running", "s"), job("j", "s", 2, submit=1), rearrange(50, smaller))

    assert ran.outcome("j") == (State.FAILED, QUOTA, 650)


def test_of_two_time_limits_with_one_reason_the_shorter_counts(run: Runner) -> None:
    longer = system(share("s", 1), capacity=9, time_limits={QUOTA: 700})
    shorter = system(share("s", 1), capacity=9, time_limits={QUOTA: 600})

    ran = run(with_both(longer, shorter), job("bad", "s", 2))

    assert ran.finished("bad") == 600


def with_both(first: System, second: System) -> System:
    """Return *first* with the time limits of both."""
    return System(
        name=first.name,
        source=first.source,
        environment=first.environment,
        shares=first.shares,
        time_limits=(*first.time_limits, *second.time_limits),
    )
