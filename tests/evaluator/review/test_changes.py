from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from quota_constructs.evaluator.review.changes import Change, Kind, find_changes
from quota_constructs.evaluator.review.matching import match
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.policies.agreement import Agreement, Exemption
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objective, Objectives
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import LEND, LEND_AND_BORROW, OTHER_UNIT, RESERVE, UNIT, share, source, system


def changes(base: System, head: System) -> list[Change]:
    return list(find_changes(match([base], [head])))


def of_share(before: QuotaShare, after: QuotaShare) -> list[tuple[str, str | None, str | None]]:
    return [
        (each.what, each.before, each.after) for each in changes(system(before, capacity=9), system(after, capacity=9))
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(share("a", 4), share("a", 1234), [(f"allocation of {UNIT}", "4", "1,234")], id="allocation"),
        pytest.param(
            share("a", {UNIT: 1}),
            share("a", {OTHER_UNIT: 1}),
            [(f"allocation of {UNIT}", "1", None), (f"allocation of {OTHER_UNIT}", None, "1")],
            id="another instance type",
        ),
        pytest.param(share("a", 1, RESERVE), share("a", 1, LEND), [("strategy", "RESERVE", "LEND")], id="strategy"),
        pytest.param(
            share("a", 1, LEND_AND_BORROW, borrow_limit=200),
            share("a", 1, LEND_AND_BORROW),
            [("borrow limit", "200 % of its own allocation", "unlimited")],
            id="borrow limit",
        ),
        pytest.param(
            share("a", 1, LEND_AND_BORROW),
            share("a", 1, LEND),
            [("strategy", "LEND_AND_BORROW", "LEND"), ("borrow limit", "unlimited", None)],
            id="no borrowing any more",
        ),
        pytest.param(
            share("a", 1),
            share("a", 1, in_share_preemption=True),
            [("in-share preemption", "disabled", "enabled")],
            id="in-share preemption",
        ),
        pytest.param(share("a", 1), share("a", 1, enabled=False), [("state", "ENABLED", "DISABLED")], id="state"),
        pytest.param(
            share("a", 1, agreement=Agreement(owner="ann")),
            share("a", 1, agreement=Agreement(owner="bob", review_by=date(2030, 1, 31))),
            [("owner", "ann", "bob"), ("review by", None, "2030-01-31")],
            id="agreement",
        ),
        pytest.param(
            share("a", 1, agreement=Agreement(owner="ann")),
            share(
                "a",
                1,
                agreement=Agreement(
                    owner="ann",
                    exceptions=(
                        Exemption(reason="a paper", granted_by="cto", since=date(2030, 1, 1), until=date(2030, 2, 1)),
                    ),
                ),
            ),
            [("exception since 2030-01-01 granted by cto", None, "until 2030-02-01: a paper")],
            id="exception",
        ),
        pytest.param(
            share("a", 1, interruption=InterruptionContract(can_resume=False)),
            share("a", 1, interruption=InterruptionContract(can_resume=True, checkpoint_interval_seconds=900)),
            [("a stopped job", "starts again from nothing", "resumes"), ("checkpoint interval", None, "900 s")],
            id="contract",
        ),
        pytest.param(
            share("a", 1, objectives=Objectives(wait_max_seconds=Objective(bound=60))),
            share("a", 1, objectives=Objectives(wait_max_seconds=Objective(bound=3600, traces=("week",)))),
            [
                (
                    "promise wait_max_seconds",
                    "longest wait at most 60 s (error)",
                    "longest wait at most 3,600 s on week (error)",
                )
            ],
            id="promise",
        ),
    ],
)
def test_each_thing_that_a_policy_says_is_told_before_and_after(
    before: QuotaShare, after: QuotaShare, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert of_share(before, after) == expected


def test_what_is_the_same_on_both_sides_is_not_told() -> None:
    same = share("a", {UNIT: 1, OTHER_UNIT: 2}, LEND_AND_BORROW, borrow_limit=50, agreement=Agreement(owner="ann"))

    assert of_share(same, same) == []


def test_the_queues_own_comes_before_its_shares() -> None:
    base = system(share("a", 1), capacity=4, time_limits={BlockedReason.QUOTA_EXCEEDED: 600})
    head = system(share("a", 2), capacity=3, time_limits={BlockedReason.QUOTA_EXCEEDED: 3600})

    assert [(each.share, each.what, each.before, each.after) for each in changes(base, head)] == [
        (None, f"environment's capacity of {UNIT}", "4", "3"),
        (None, f"time limit for {BlockedReason.QUOTA_EXCEEDED}", "600 s", "3,600 s"),
        ("a", f"allocation of {UNIT}", "1", "2"),
    ]


def test_a_share_that_is_added_or_removed_is_told_with_all_it_has() -> None:
    base, head = system(share("a", 1), capacity=2), system(share("b", 2, LEND), capacity=2)

    assert [(each.share, each.kind, each.before, each.after) for each in changes(base, head)] == [
        (
            "a",
            Kind.REMOVED,
            f"allocation of {UNIT} 1; strategy RESERVE; in-share preemption disabled; state ENABLED",
            None,
        ),
        ("b", Kind.ADDED, None, f"allocation of {UNIT} 2; strategy LEND; in-share preemption disabled; state ENABLED"),
    ]


def test_a_share_with_another_name_is_replaced_and_its_changes_are_told_too() -> None:
    head = replace(share("z", 2), source=source("a"))

    assert [
        (each.share, each.kind, each.what, each.before, each.after)
        for each in changes(system(share("a", 1), capacity=2), system(head, capacity=2))
    ] == [
        ("z", Kind.REPLACED, "share", "a", "z"),
        ("z", Kind.CHANGED, f"allocation of {UNIT}", "1", "2"),
    ]


def test_a_queue_on_one_side_only_is_told_once_with_its_shares() -> None:
    [added, *shares] = find_changes(match([], [system(share("a", 1))]))

    assert (added.kind, added.share, added.what, added.before) == (Kind.ADDED, None, "queue", None)
    assert added.after == f"environment's capacity of {UNIT} 1; environment environment; shares a"
    assert [(each.share, each.kind) for each in shares] == [("a", Kind.ADDED)]


def test_another_logical_id_under_the_same_name_is_told() -> None:
    assert of_share(share("a", 1), replace(share("a", 1), source=source("Other"))) == [("logical id", "a", "Other")]
