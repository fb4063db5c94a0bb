from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.trace import Event, Job
from tests.builders import job, reprioritise, share, system, trace


def found(*lines: Job | Event) -> list[Finding]:
    evaluation = evaluate(system(share("a", 1)), trace(*lines))
    return [finding for finding in check_outcome(evaluation) if finding.rule_id == "QC310"]


def jobs(*urgent: int, of: int = 20) -> list[Job]:
    """Return jobs one after the other, of which those at the places *urgent* have priority 9, the others 1."""
    return [job(str(place), "a", submit=place, priority=9 if place in urgent else 1) for place in range(of)]


def test_a_share_in_which_more_and_more_is_urgent_is_named() -> None:
    [finding] = found(*jobs(0, 1, 10, 11, 12, 13, 14, 15))

    assert finding.severity is Severity.WARNING
    assert (finding.share, finding.property_path) == ("a", "Properties/PreemptionConfiguration/InSharePreemption")
    assert finding.message == (
        "of the later half of the jobs of share 'a', 60.0 % have its highest priority, 9, up from 20.0 % of the "
        "earlier half; half of these wait 0:07:18 and longer, and 0:00:50 before"
    )


def test_half_of_the_jobs_may_be_urgent() -> None:
    assert found(*jobs(0, 1, 10, 11, 12, 13, 14)) == []


def test_a_share_in_which_as_much_was_urgent_before_is_as_it_always_was() -> None:
    assert found(*jobs(0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15)) == []


def test_a_share_in_which_nothing_is_more_urgent_is_another_rules_matter() -> None:
    assert found(*jobs(*range(20))) == []


def test_of_nineteen_jobs_no_growth_is_read() -> None:
    assert found(*jobs(*range(9, 19), of=19)) == []
    assert len(found(*jobs(*range(10, 20), of=20))) == 1


def test_jobs_that_are_raised_later_count_as_urgent() -> None:
    raised = [reprioritise(1500, str(place), 50) for place in range(14, 20)]

    [finding] = found(*jobs(0), *raised)

    assert finding.figures["priority"] == 50


def test_each_share_is_judged_by_its_own_jobs() -> None:
    others = [job(f"b{place}", "b", submit=place, priority=99) for place in range(20)]
    evaluation = evaluate(system(share("a", 1), share("b", 1)), trace(*jobs(*range(10, 20)), *others))

    assert [f.share for f in check_outcome(evaluation) if f.rule_id == "QC310"] == ["a"]
