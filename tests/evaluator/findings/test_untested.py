from __future__ import annotations

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.context import Context
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.policies.objectives import Objective, Objectives
from tests.builders import share, system


def found(traces: tuple[str, ...], ran: tuple[str, ...]) -> list[Finding]:
    promise = Objectives(wait_max_seconds=Objective(bound=600, traces=traces))
    findings = check_arrangement(system(share("a", 1, objectives=promise)), Context(ran=ran))
    return [finding for finding in findings if finding.rule_id == "QC213"]


def test_a_promise_for_traces_of_which_none_was_run_is_a_note() -> None:
    [finding] = found(("week.jsonl", "big-gang"), ran=("owner-returns", "traces/day.jsonl"))

    assert (finding.severity, finding.share) == (Severity.NOTE, "a")
    assert finding.property_path == "Metadata/quota-constructs:share-policy/objectives/wait_max_seconds/traces"
    assert finding.message == (
        "share 'a' is promised longest wait at most 600 s on 'week.jsonl' and 'big-gang' only, and nothing of that "
        "was run: the promise was not tested"
    )
    assert finding.fix == "run it as well, or correct the name"


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("ower-returns", "did you mean 'owner-returns'?"),
        ("owner-returns.jsonl", "run it as well, or correct the name"),
        ("big-gang", "run it as well, or correct the name"),
    ],
)
def test_a_misspelt_scenario_is_recognised(name: str, fix: str) -> None:
    [finding] = found((name,), ran=("steady-week",))

    assert finding.fix == fix


@pytest.mark.parametrize(
    ("traces", "ran"),
    [
        pytest.param(("owner-returns", "big-gang"), ("big-gang",), id="one of its traces was run"),
        pytest.param(("week.jsonl",), ("traces/week.jsonl",), id="its file was run"),
        pytest.param((), ("big-gang",), id="it holds for all"),
        pytest.param(("week.jsonl",), (), id="nothing was run"),
    ],
)
def test_a_promise_that_was_tested_or_could_not_be_is_no_finding(traces: tuple[str, ...], ran: tuple[str, ...]) -> None:
    assert found(traces, ran) == []
