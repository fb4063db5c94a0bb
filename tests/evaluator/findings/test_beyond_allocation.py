from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.system import System
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity
from quota_constructs.policies.sharing import Strategy
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, job, share, system, trace

SAVES = InterruptionContract(can_resume=True, saves_on_sigterm=True, save_on_sigterm_seconds=60)


def promised(
    objectives: Objectives,
    strategy: Strategy = LEND_AND_BORROW,
    *,
    contract: InterruptionContract | None = None,
    in_share_preemption: bool = False,
) -> System:
    """Promise something to a share of 2 that may borrow 2 more, if it borrows."""
    promisee = share(
        "a",
        2,
        strategy,
        borrow_limit=100,
        objectives=objectives,
        interruption=contract,
        in_share_preemption=in_share_preemption,
    )
    return system(promisee, share("b", 4, LEND_AND_BORROW))


def found(rule_id: str, arrangement: System, stop_ms: int = 20_000) -> list[Finding]:
    findings = check_arrangement(arrangement, Context(stop_ms=stop_ms))
    return [finding for finding in findings if finding.rule_id == rule_id and finding.share == "a"]


@pytest.mark.parametrize(
    ("impossible", "possible", "message"),
    [
        pytest.param(
            Objectives(deadline_hit_percent=Objective(bound=100.5)),
            Objectives(deadline_hit_percent=Objective(bound=100)),
            "share 'a' is promised deadlines met at least 100.5 %, and 100 % is the best that there can be: "
            "there are no more deadlines than all",
            id="deadlines",
        ),
        pytest.param(
            Objectives(slowdown_p95=Objective(bound=0.9)),
            Objectives(slowdown_p95=Objective(bound=1)),
            "share 'a' is promised slowdown of 95 % of the jobs at most 0.9 times, and 1 times is the best that there "
            "can be: no job is faster than undisturbed",
            id="slowdown",
        ),
        pytest.param(
            Objectives(goodput_percent=Objective(bound=201)),
            Objectives(goodput_percent=Objective(bound=200)),
            "share 'a' is promised finished work at least 201 % of the allocation, and 200 % of the allocation is the "
            "best that there can be: it may hold 2 of its own and borrow 2",
            id="goodput",
        ),
    ],
)
def test_what_no_run_can_meet_is_an_error_and_the_best_that_can_be_is_not(
    impossible: Objectives, possible: Objectives, message: str
) -> None:
    [finding] = found("QC211", promised(impossible))

    assert (finding.severity, finding.message) == (Severity.ERROR, message)
    assert finding.property_path.startswith("Metadata/quota-constructs:share-policy/objectives/")
    assert found("QC211", promised(possible)) == []


def test_an_impossible_objective_matters_as_much_as_it_was_declared_to() -> None:
    modest = Objectives(slowdown_p95=Objective(bound=0.5, severity=PromiseSeverity.NOTE))

    [finding] = found("QC211", promised(modest))

    assert finding.severity is Severity.NOTE


NO_PREEMPTIONS = Objectives(preemptions_per_job=Objective(bound=0))
NOTHING_LOST = Objectives(lost_work_percent=Objective(bound=0))
ALL_FINISH = Objectives(all_jobs_finish=Objective(bound=0))
OWN_AT_ONCE = Objectives(entitled_wait_seconds=Objective(bound=19))


@pytest.mark.parametrize(
    ("arrangement", "reason"),
    [
        pytest.param(
            promised(NO_PREEMPTIONS),
            "its jobs may be stopped for the owners of what it may borrow (2 of ml.g5.xlarge)",
            id="no preemptions for a borrower",
        ),
        pytest.param(
            promised(NO_PREEMPTIONS, RESERVE, in_share_preemption=True),
            "its jobs may be stopped for jobs of its own with a higher priority",
            id="no preemptions with in-share preemption",
        ),
        pytest.param(
            promised(NOTHING_LOST, contract=InterruptionContract(can_resume=True, checkpoint_interval_seconds=60)),
            "its jobs may be stopped for the owners of what it may borrow (2 of ml.g5.xlarge), "
            "and no contract says that they save then",
            id="no lost work without saving when stopped",
        ),
        pytest.param(
            promised(ALL_FINISH, contract=InterruptionContract(can_resume=True, preemption_retries=2)),
            "its jobs may be stopped for the owners of what it may borrow (2 of ml.g5.xlarge), "
            "and fail when that happens more than 2 times",
            id="no failed job with retries that run out",
        ),
        pytest.param(
            promised(Objectives(goodput_percent=Objective(bound=101))),
            "more than 100 % is done on what others leave idle, 2 of ml.g5.xlarge",
            id="more work than its own instances do",
        ),
        pytest.param(
            promised(OWN_AT_ONCE, LEND),
            "1 other share may hold what it lends, and to stop their jobs takes 20 s",
            id="its own at once although it is lent",
        ),
        pytest.param(
            promised(Objectives(wait_max_seconds=Objective(bound=0)), LEND),
            "1 other share may hold what it lends, and to stop their jobs takes 20 s",
            id="no wait at all although it is lent",
        ),
    ],
)
def test_a_promise_that_rests_on_others_is_a_warning_that_says_on_what(arrangement: System, reason: str) -> None:
    [finding] = found("QC212", arrangement)

    assert finding.severity is Severity.WARNING
    assert finding.message.startswith("share 'a' is promised ")
    assert finding.message.endswith(f", which its 2 own instances cannot give: {reason}")


@pytest.mark.parametrize(
    "arrangement",
    [
        pytest.param(
            promised(NO_PREEMPTIONS, LEND), id="no preemptions for a share that never holds more than its own"
        ),
        pytest.param(promised(Objectives(preemptions_per_job=Objective(bound=1))), id="a preemption is allowed"),
        pytest.param(promised(NOTHING_LOST, contract=SAVES), id="jobs that save when stopped lose nothing"),
        pytest.param(promised(Objectives(lost_work_percent=Objective(bound=0.1))), id="some lost work is allowed"),
        pytest.param(promised(ALL_FINISH, contract=SAVES), id="retries without end"),
        pytest.param(promised(Objectives(goodput_percent=Objective(bound=100))), id="what its own instances do"),
        pytest.param(promised(OWN_AT_ONCE, RESERVE), id="its own at once, which nobody may borrow"),
        pytest.param(
            promised(Objectives(entitled_wait_seconds=Objective(bound=20)), LEND), id="the time that stopping takes"
        ),
    ],
)
def test_the_allocation_alone_may_give_what_is_promised(arrangement: System) -> None:
    assert found("QC212", arrangement) == []


def test_the_stop_time_that_is_assumed_counts() -> None:
    assert found("QC212", promised(OWN_AT_ONCE, LEND), stop_ms=19_000) == []


def test_the_wait_that_it_foretells_is_what_happens() -> None:
    arrangement = promised(OWN_AT_ONCE, LEND)
    held = [job(f"b{number}", "b", duration=500) for number in range(6)]

    run = evaluate(arrangement, trace(*held, job("returns", "a", 2, submit=100)))

    assert max(each.entitled_wait_ms for each in run.history.jobs if each.job.share == "a") == 20_000
