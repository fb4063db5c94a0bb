from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quota_constructs.evaluator.evaluation import check_path, evaluate, simulate_path
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, State
from tests.builders import job, share, system, trace
from tests.templates import queue, write_template, write_trace

TWO_TEAMS = {"a": (1, "LEND_AND_BORROW"), "b": (1, "LEND")}
ONE_JOB = {"id": "it", "share": "a", "submit": 0, "duration": 100}


def serious(findings: Iterable[Finding]) -> list[Finding]:
    """Leave out what merely informs."""
    return [finding for finding in findings if finding.severity is not Severity.NOTE]


def test_an_evaluation_holds_what_was_run_and_what_came_of_it() -> None:
    arrangement, jobs, assumptions = system(share("a", 1)), trace(job("it", "a")), Assumptions(stop_ms=0)

    evaluation = evaluate(arrangement, jobs, assumptions)

    assert (evaluation.system, evaluation.trace, evaluation.assumptions) == (arrangement, jobs, assumptions)
    assert [each.state for each in evaluation.history.jobs] == [State.SUCCEEDED]
    assert evaluation.figures.jobs.jobs == 1


def test_a_template_and_a_trace_on_disk_are_simulated(tmp_path: Path) -> None:
    template = write_template(tmp_path / "t.json", queue("main", TWO_TEAMS, capacity=2))
    jobs = write_trace(tmp_path / "t.jsonl", ONE_JOB)

    evaluation = simulate_path(template, jobs)

    assert (evaluation.system.name, evaluation.trace.name) == ("main", str(jobs))
    assert evaluation.history.jobs[0].finish_ms == 100_000


def test_parameters_reach_the_template(tmp_path: Path) -> None:
    template = write_template(
        tmp_path / "t.json",
        queue("main", TWO_TEAMS, capacity={"Ref": "Size"}),
        parameters={"Size": {"Type": "Number"}},
    )

    assert serious(check_path(template, scenarios=(), parameters={"Size": "2"})) == []
    too_small = check_path(template, scenarios=(), parameters={"Size": "1"})
    assert [finding.rule_id for finding in serious(too_small)] == ["QC102"]


def test_every_queue_is_checked_where_there_is_no_trace(tmp_path: Path) -> None:
    template = write_template(
        tmp_path / "t.json", queue("first", TWO_TEAMS, capacity=1), queue("second", TWO_TEAMS, capacity=1)
    )

    assert [(finding.rule_id, finding.queue) for finding in serious(check_path(template, scenarios=()))] == [
        ("QC102", "first"),
        ("QC102", "second"),
    ]


def test_findings_on_traces_follow_those_on_the_template_in_the_order_of_the_traces(tmp_path: Path) -> None:
    template = write_template(
        tmp_path / "t.json", queue("main", {"a": (1, "LEND_AND_BORROW"), "b": (2, "LEND")}, capacity=2)
    )
    big = write_trace(tmp_path / "z.jsonl", ONE_JOB | {"instance_count": 3})
    late = write_trace(tmp_path / "a.jsonl", ONE_JOB | {"timeout": 1})

    findings = serious(check_path(template, traces=[big, late]))

    assert [(finding.rule_id, finding.trace) for finding in findings] == [
        ("QC102", None),
        ("QC113", str(big)),
        ("QC301", str(big)),
        ("QC304", str(late)),
    ]


def test_assumptions_reach_the_simulation(tmp_path: Path) -> None:
    template = write_template(
        tmp_path / "t.json", queue("main", {"a": (1, "RESERVE"), "b": (1, "RESERVE")}, capacity=2)
    )
    jobs = write_trace(tmp_path / "t.jsonl", ONE_JOB | {"instance_count": 2}, ONE_JOB | {"id": "behind"})

    strict = check_path(template, traces=[jobs])
    backfill = check_path(template, traces=[jobs], assumptions=Assumptions(queueing=Queueing.BACKFILL))

    assert "QC303" in [finding.rule_id for finding in strict]
    assert "QC303" not in [finding.rule_id for finding in backfill]


def test_notes_of_the_reading_are_told(tmp_path: Path) -> None:
    fair_share = queue("other", {}, capacity=1)
    fair_share["otherPolicy"]["Properties"] = {"Name": "fair", "FairsharePolicy": {}}
    template = write_template(tmp_path / "t.json", queue("main", TWO_TEAMS, capacity=2), fair_share)
    notes: list[str] = []

    check_path(template, tell=notes.append)

    assert len(notes) == 1
    assert "other" in notes[0]


def test_a_promise_for_a_scenario_that_was_not_run_is_told(tmp_path: Path) -> None:
    template = write_template(tmp_path / "t.json", queue("main", TWO_TEAMS, capacity=2))
    agreed = tmp_path / "agreed.toml"
    share = next(iter(TWO_TEAMS))
    agreed.write_text(f"[shares.{share}.objectives.wait_max_seconds]\nbound = 1e9\ntraces = ['big-gang']\n", "utf-8")

    untested = check_path(template, scenarios=["owner-returns"], objectives=agreed)
    tested = check_path(template, scenarios=["owner-returns", "big-gang"], objectives=agreed)

    assert "QC213" in [finding.rule_id for finding in untested]
    assert "QC213" not in [finding.rule_id for finding in tested]
