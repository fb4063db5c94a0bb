from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.findings.catalogue import check_outcome
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.robustness import MOST_FOR_ALL, MOST_FOR_ANY, Extent, Robustness
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.recorded import read_recorded
from quota_constructs.evaluator.report.findings_json import encode_findings
from quota_constructs.evaluator.sensitivity import check_sensitivity, extent_for
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Event, Job, Trace
from quota_constructs.policies.objectives import Objective, Objectives
from tests.builders import LEND, LEND_AND_BORROW, checkpoint, job, share, system, trace

CHOSEN = Assumptions()


class Runs:
    """Evaluates one trace, and counts how often."""

    def __init__(self, arrangement: System, jobs: Trace) -> None:
        self.count = 0
        self._arrangement, self._jobs = arrangement, jobs

    def __call__(self, assumptions: Assumptions = CHOSEN) -> Evaluation:
        self.count += 1
        return evaluate(self._arrangement, self._jobs, assumptions)


def checked(arrangement: System, *lines: Job | Event, chosen: Assumptions = CHOSEN) -> list[Finding]:
    runs = Runs(arrangement, trace(*lines))
    return list(check_sensitivity(runs(chosen), runs))


def robustness_of(finding: Finding) -> Robustness:
    assert finding.robustness is not None
    return finding.robustness


def borrowing(**bounds: float) -> System:
    """Two lenders' instances for a borrower that is promised all this."""
    objectives = Objectives(**{name: Objective(bound=bound) for name, bound in bounds.items()})
    return system(share("a", 1, LEND_AND_BORROW, objectives=objectives), share("b", 2, LEND))


# The owner takes one instance back from two guests; who saved its work loses none.
SAVED = checkpoint(on_stop=True)
KEEPER = job("keeper", "a", submit=1, duration=1000, checkpoint=SAVED)
LOSER = job("loser", "a", submit=2, duration=1000)
OWNER = job("owner", "b", submit=100)
OWN = job("own", "a", duration=1000, checkpoint=SAVED)


def test_a_finding_that_depends_on_nothing_holds_under_all() -> None:
    [finding] = checked(system(share("a", 1)), job("big", "a", 2), job("next", "a", submit=5), job("b", "b"))[:1]

    robustness = robustness_of(finding)
    assert finding.rule_id == "QC301"
    assert robustness.holds_under_all
    assert robustness.text == "holds under all 30 combinations of assumptions"


def test_a_finding_that_depends_on_the_victim_order_names_the_orders_without_it() -> None:
    [finding] = checked(borrowing(lost_work_percent=0), OWN, KEEPER, LOSER, OWNER)

    robustness = robustness_of(finding)
    assert (finding.rule_id, finding.severity) == ("QC306", Severity.ERROR)
    assert not robustness.holds_under_all
    assert robustness.depends_on == {"victim_order": ("oldest", "least-lost-work"), "queueing": (), "stop_ms": ()}
    assert robustness.text == (
        "depends on what is assumed: not with victim order oldest, or victim order least-lost-work (shows under 18 of "
        "30 combinations of assumptions)"
    )


def test_a_finding_that_shows_only_under_another_victim_order_is_a_note() -> None:
    chosen = Assumptions(victim_order=VictimOrder.OLDEST)

    [finding] = checked(borrowing(lost_work_percent=0), OWN, KEEPER, LOSER, OWNER, chosen=chosen)

    robustness = robustness_of(finding)
    assert (finding.rule_id, finding.severity) == ("QC306", Severity.NOTE)
    assert not robustness.shows_as_chosen
    assert robustness.depends_on["victim_order"] == ("borrowing-first", "newest", "most-borrowed")
    assert robustness.text == (
        "not as assumed, but with victim order borrowing-first, or victim order newest, or victim order most-borrowed "
        "(shows under 18 of 30 combinations of assumptions)"
    )


def test_a_finding_that_depends_on_the_stop_time_names_the_times_and_what_was_measured() -> None:
    lender = share("b", 2, LEND, objectives=Objectives(entitled_wait_seconds=Objective(bound=0)))

    findings = checked(system(share("a", 1, LEND_AND_BORROW), lender), OWN, KEEPER, LOSER, OWNER)

    [finding] = [finding for finding in findings if finding.share == "b"]
    assert robustness_of(finding).depends_on == {"victim_order": (), "queueing": (), "stop_ms": (0,)}
    assert robustness_of(finding).text == (
        "depends on what is assumed: not with stop time 0 s (shows under 20 of 30 combinations of assumptions), "
        "measured 20 to 120 s"
    )


def test_a_finding_that_is_measured_by_the_stop_time_depends_on_it_though_nobody_is_stopped() -> None:
    # 8 instances for limits of 4 + 4 + 2: the last waits 90 s for what it is allocated.
    arrangement = system(share("a", 4, LEND), share("b", 4, LEND), share("c", 2, LEND), capacity=8)
    lines = (job("b", "b", 4), job("c", "c", 2), job("a", "a", 4, submit=10))

    [finding] = checked(arrangement, *lines)

    assert finding.rule_id == "QC309"
    assert robustness_of(finding).depends_on == {"victim_order": (), "queueing": (), "stop_ms": (120_000,)}


def test_a_finding_that_depends_on_the_queueing_says_so() -> None:
    arrangement = system(share("a", 2, objectives=Objectives(wait_max_seconds=Objective(bound=200))))
    lines = (job("1", "a", duration=150), job("both", "a", 2, submit=1), job("small", "a", submit=2, duration=140))

    [finding] = checked(arrangement, *lines)

    assert robustness_of(finding).text == (
        "depends on what is assumed: not with queueing backfill (shows under 15 of 30 combinations of assumptions)"
    )


def test_jobs_that_nobody_stops_are_run_once_for_each_way_of_queueing() -> None:
    runs = Runs(system(share("a", 1)), trace(job("big", "a", 2), job("next", "a")))

    findings = check_sensitivity(runs(), runs)

    assert runs.count == 2
    assert {robustness_of(finding).holds_under_all for finding in findings} == {True, False}


def test_every_combination_finds_what_a_run_under_it_finds() -> None:
    arrangement = borrowing(lost_work_percent=0, preemptions_per_job=0, wait_max_seconds=15)
    jobs = trace(OWN, KEEPER, LOSER, OWNER, job("late", "a", 2, submit=90), job("later", "b", 2, submit=95))
    runs = Runs(arrangement, jobs)

    findings = check_sensitivity(runs(), runs)

    for queueing in Queueing:
        for order in VictimOrder:
            for stop_ms in (0, 20_000, 120_000):
                assumed = Assumptions(stop_ms=stop_ms, victim_order=order, queueing=queueing)
                alone = {
                    (each.rule_id, each.share, each.figures.get("objective")) for each in check_outcome(runs(assumed))
                }
                marked = {
                    (each.rule_id, each.share, each.figures.get("objective"))
                    for each in findings
                    if assumed in robustness_of(each).shows_under
                }
                assert marked == alone


def test_what_shows_as_assumed_is_reported_as_without_other_assumptions() -> None:
    runs = Runs(borrowing(lost_work_percent=0, preemptions_per_job=0), trace(OWN, KEEPER, LOSER, OWNER))

    shown = [each for each in check_sensitivity(runs(), runs) if robustness_of(each).shows_as_chosen]

    assert [replace(each, robustness=None) for each in shown] == list(check_outcome(runs()))


def test_a_stop_time_of_ones_own_is_tried_beside_the_usual_ones() -> None:
    chosen = Assumptions(stop_ms=45_000)

    findings = checked(borrowing(preemptions_per_job=0), OWN, KEEPER, LOSER, OWNER, chosen=chosen)

    assert robustness_of(findings[0]).text == "holds under all 40 combinations of assumptions"


def sized(jobs: int) -> Trace:
    return trace(*(job(str(number), "a", submit=number, duration=1) for number in range(jobs)))


def test_the_larger_a_trace_the_fewer_assumptions_are_tried() -> None:
    assert extent_for(sized(MOST_FOR_ALL)) is Extent.ALL
    assert extent_for(sized(MOST_FOR_ALL + 1)) is Extent.ONE_AT_A_TIME
    assert extent_for(sized(MOST_FOR_ANY)) is Extent.ONE_AT_A_TIME
    assert extent_for(sized(MOST_FOR_ANY + 1)) is Extent.NOT_TRIED


def test_the_documentation_says_how_large_a_trace_may_be() -> None:
    page = (Path(__file__).parents[2] / "docs" / "robustness.md").read_text(encoding="utf-8")

    assert f"| up to {MOST_FOR_ALL:,} | all combinations |" in page
    assert f"| up to {MOST_FOR_ANY:,} | one assumption changed at a time" in page


@pytest.mark.parametrize(
    ("most_for_all", "most_for_any", "text", "runs_made"),
    [
        (4, 4, "holds under all 30 combinations of assumptions", 30),
        (3, 4, "holds under all 8 sets of assumptions, one changed at a time", 8),
        (3, 3, "not tried under other assumptions: the trace has more than 10,000 jobs and events", 1),
    ],
)
def test_a_finding_says_how_much_was_tried(
    monkeypatch: pytest.MonkeyPatch, most_for_all: int, most_for_any: int, text: str, runs_made: int
) -> None:
    monkeypatch.setattr("quota_constructs.evaluator.sensitivity.MOST_FOR_ALL", most_for_all)
    monkeypatch.setattr("quota_constructs.evaluator.sensitivity.MOST_FOR_ANY", most_for_any)
    runs = Runs(borrowing(preemptions_per_job=0), trace(OWN, KEEPER, LOSER, OWNER))

    [finding] = check_sensitivity(runs(), runs)

    assert robustness_of(finding).text == text
    assert runs.count == runs_made


def test_robustness_for_machines_lists_what_differs_from_what_was_chosen() -> None:
    [finding] = checked(borrowing(lost_work_percent=0), OWN, KEEPER, LOSER, OWNER)

    value = robustness_of(finding).as_value()

    assert value | {"exceptions": None, "measured": None} == {
        "extent": "all-combinations",
        "holds_under_all": False,
        "shows_as_assumed": True,
        "tried": 30,
        "shows": 18,
        "depends_on": {"victim_order": ["oldest", "least-lost-work"], "queueing": [], "stop_ms": []},
        "assumed": {"victim_order": "borrowing-first", "queueing": "strict", "stop_ms": 20_000},
        "exceptions": None,
        "measured": None,
        "unit": " % of the work done",
    }
    assert isinstance(value["exceptions"], list)
    assert value["exceptions"][0] == {"victim_order": "oldest", "queueing": "strict", "stop_ms": 20_000}
    assert len(robustness_of(finding).exceptions) == 12


def test_the_result_of_a_check_is_read_back_with_it(tmp_path: Path) -> None:
    found = checked(borrowing(lost_work_percent=0), OWN, KEEPER, LOSER, OWNER)
    (tmp_path / "result.json").write_bytes(encode_findings(found))

    [back] = read_recorded(tmp_path / "result.json").findings

    assert robustness_of(back).text == robustness_of(found[0]).text
    assert robustness_of(back).as_value() == robustness_of(found[0]).as_value()
