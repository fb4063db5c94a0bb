from __future__ import annotations

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.promises import MEASURES
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job
from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity
from tests.builders import LEND, LEND_AND_BORROW, cancel, job, share, system, trace
from tests.promised import BORROWER as GIVEN


def found(arrangement: System, *lines: Job | Event) -> list[Finding]:
    return [finding for finding in check_outcome(evaluate(arrangement, trace(*lines))) if finding.rule_id == "QC306"]


def promising(**bounds: float) -> System:
    """Two shares of one instance: `a`, which borrows and is promised all this, and `b`, which lends."""
    objectives = Objectives(**{name: Objective(bound=bound) for name, bound in bounds.items()})
    return system(share("a", 1, LEND_AND_BORROW, objectives=objectives), share("b", 1, LEND))


# The trace of tests.promised.
WORKLOAD = (
    job("first", "a", duration=1000, deadline=1000),
    job("guest", "a", submit=10, deadline=110),
    job("owner", "b", submit=60, duration=300),
    job("last", "a", submit=70, duration=30),
)


def test_a_share_gets_what_the_next_test_says() -> None:
    evaluation = evaluate(promising(), trace(*WORKLOAD))

    share_a = next(each for each in evaluation.figures.shares if each.share == "a")

    assert {name: measure.of(share_a) for name, measure in MEASURES.items()} == pytest.approx(GIVEN)


def test_promises_that_are_just_kept_are_no_finding() -> None:
    assert found(promising(**GIVEN), *WORKLOAD) == []


@pytest.mark.parametrize("broken", [name for name, given in GIVEN.items() if given])
def test_a_promise_of_a_little_more_is_broken_and_no_other(broken: str) -> None:
    bound = GIVEN[broken] * (1.01 if MEASURES[broken].at_least else 0.99)

    [finding] = found(promising(**{**GIVEN, broken: bound}), *WORKLOAD)

    assert finding.severity is Severity.ERROR
    assert (finding.share, finding.source.logical_id, finding.trace) == ("a", "a", "test")
    assert finding.property_path == f"Metadata/quota-constructs:share-policy/objectives/{broken}"
    assert finding.figures["objective"] == broken
    assert finding.figures["promised"] == bound
    assert finding.figures["measured"] == pytest.approx(GIVEN[broken])


def test_the_message_names_the_worst_job_and_what_it_waited_behind() -> None:
    [finding] = found(promising(wait_max_seconds=400), *WORKLOAD)

    assert finding.message == (
        "share 'a' was promised longest wait at most 400 s, and got 410 s; worst: 'last' waited 410 s until 'guest' "
        "of its own share gave back 1 instance, and finished 440 s after its submission"
    )
    assert finding.fix == "allocate the share more, or let it borrow more, or promise 410 s"


def test_the_message_names_who_stopped_the_worst_job() -> None:
    [finding] = found(promising(preemptions_per_job=0), *WORKLOAD)

    assert finding.message == (
        "share 'a' was promised preemptions of any one job at most 0, and got 1; worst: 'guest' was stopped 1 time "
        "for 'owner' of share 'b' with 50 s of work lost, and finished 470 s after its submission, 370 s after its "
        "deadline"
    )


def test_a_wait_for_what_the_share_owns_is_measured_at_the_lender() -> None:
    lender = share("b", 1, LEND, objectives=Objectives(entitled_wait_seconds=Objective(bound=19.9)))

    [finding] = found(system(share("a", 1, LEND_AND_BORROW), lender), *WORKLOAD)

    assert (finding.share, finding.figures["measured"], finding.figures["job"]) == ("b", 20, "owner")


def test_a_promise_that_all_finish_is_broken_by_one_that_fails() -> None:
    exhausted = job("guest", "a", 2, retries=0)

    [finding] = found(promising(all_jobs_finish=0), exhausted, job("owner", "b", submit=60))

    assert finding.message == (
        "share 'a' was promised jobs that do not finish at most 0, and got 1; worst: 'guest' was stopped 1 time for "
        "'owner' of share 'b' with 60 s of work lost, and ended FAILED (PREEMPTION_RETRIES_EXHAUSTED) 80 s after its "
        "submission"
    )


def test_a_promise_about_jobs_that_never_get_so_far_is_broken() -> None:
    waits = promising(wait_p95_seconds=9999, completion_p95_seconds=9999, slowdown_p95=9999)

    messages = [finding.message for finding in found(waits, job("big", "a", 3))]

    assert [message.partition("; worst: ")[0] for message in messages] == [
        "share 'a' was promised wait of 95 % of the jobs at most 9,999 s, and none of its 1 job started",
        "share 'a' was promised completion time of 95 % of the jobs at most 9,999 s, and none of its 1 job succeeded",
        "share 'a' was promised slowdown of 95 % of the jobs at most 9,999 times, and none of its 1 job succeeded",
    ]


def test_a_share_whose_jobs_are_all_cancelled_is_owed_nothing() -> None:
    everything = promising(**dict.fromkeys(MEASURES, 0) | {"deadline_hit_percent": 100, "goodput_percent": 100})

    assert found(everything, job("gone", "a", 3, deadline=1), job("other", "b"), cancel(50, "gone")) == []


@pytest.mark.parametrize("severity", PromiseSeverity)
def test_a_broken_promise_is_as_severe_as_it_was_declared(severity: PromiseSeverity) -> None:
    objectives = Objectives(wait_max_seconds=Objective(bound=10, severity=severity))

    [finding] = found(system(share("a", 1, objectives=objectives)), job("1", "a"), job("2", "a"))

    assert finding.severity is Severity(severity)


@pytest.mark.parametrize(("name", "count"), [("traces/test.jsonl", 1), ("owner-returns", 1), ("other.jsonl", 0)])
def test_a_promise_binds_only_on_the_traces_that_it_names(name: str, count: int) -> None:
    objective = Objective(bound=10, traces=("test.jsonl", "owner-returns"))
    arrangement = system(share("a", 1, objectives=Objectives(wait_max_seconds=objective)))

    findings = check_outcome(evaluate(arrangement, trace(job("1", "a"), job("2", "a"), name=name)))

    assert [finding.rule_id for finding in findings] == ["QC306"] * count


def test_hostile_names_reach_no_terminal() -> None:
    objectives = Objectives(wait_max_seconds=Objective(bound=1))
    name = "a\x1b[31m\u202e"

    [finding] = found(system(share(name, 1, objectives=objectives)), job("1\n", name), job("2\n", name))

    assert finding.message.isprintable()
    assert r"\x1b[31m\u202e" in finding.message
