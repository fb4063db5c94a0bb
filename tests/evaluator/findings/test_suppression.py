from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from quota_constructs.evaluator.findings.catalogue import check_arrangement
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.suppression import Suppression, suppress
from quota_constructs.evaluator.findings.unused import Coverage, check_suppressions
from tests.builders import LEND, share, system

TODAY = date(2026, 11, 29)
(FINDING,) = (
    finding for finding in check_arrangement(system(share("a", 1), share("b", 1, LEND))) if finding.rule_id == "QC105"
)
ON_TRACE = replace(FINDING, rule_id="QC301", severity=Severity.ERROR, trace="traces/week.jsonl")
EVERYTHING = Coverage(queues=None, traces=("traces/week.jsonl",), dates=True)


def accepting(rule: str = "QC105", until: date | None = None, **scope: str) -> Suppression:
    return Suppression(rule=rule, reason="agreed", until=until, **scope)


def complaints(
    suppression: Suppression, *findings: Finding, coverage: Coverage = EVERYTHING, today: date | None = TODAY
) -> list[str]:
    found = check_suppressions([suppression], findings, file="accepted.toml", today=today, coverage=coverage)
    return [finding.rule_id for finding in found]


@pytest.mark.parametrize(
    ("suppression", "covers"),
    [
        pytest.param(accepting(), True, id="rule alone"),
        pytest.param(accepting("QC104"), False, id="another rule"),
        pytest.param(accepting(share="b"), True, id="its share"),
        pytest.param(accepting(share="a"), False, id="another share"),
        pytest.param(accepting(queue="queue", logical_id="b"), True, id="its queue and logical id"),
        pytest.param(accepting(queue="other", logical_id="b"), False, id="one of two that differs"),
        pytest.param(accepting(trace="week.jsonl"), False, id="a trace, though the template alone shows it"),
        pytest.param(accepting(until=TODAY), True, id="its last day"),
        pytest.param(accepting(until=date(2026, 11, 28)), False, id="the day after its last"),
    ],
)
def test_a_finding_is_suppressed_where_rule_scope_and_day_fit(suppression: Suppression, covers: bool) -> None:
    (judged,) = suppress([FINDING], [suppression], TODAY)

    assert judged == (replace(FINDING, suppressed_because="agreed") if covers else FINDING)


@pytest.mark.parametrize("trace", ["traces/week.jsonl", "week.jsonl"])
def test_a_trace_is_named_with_or_without_its_folder(trace: str) -> None:
    (judged,) = suppress([ON_TRACE], [accepting("QC301", trace=trace)], TODAY)

    assert judged.suppressed_because == "agreed"


def test_a_suppressed_error_fails_no_check() -> None:
    (judged,) = suppress([ON_TRACE], [accepting("QC301")], None)

    assert (ON_TRACE.fails, judged.fails) == (True, False)


def test_of_two_suppressions_the_first_gives_the_reason() -> None:
    (judged,) = suppress([FINDING], [accepting(), replace(accepting(), reason="also")], None)

    assert judged.suppressed_because == "agreed"


def test_a_suppression_that_covers_a_finding_is_no_finding() -> None:
    assert complaints(accepting(), FINDING) == []


def test_a_suppression_that_covers_nothing_is_a_warning_at_its_entry() -> None:
    (finding,) = check_suppressions(
        [accepting(), accepting(share="typo")], [FINDING], file="accepted.toml", today=TODAY, coverage=EVERYTHING
    )

    assert (finding.rule_id, finding.severity) == ("QC401", Severity.WARNING)
    assert (finding.source.template, finding.source.logical_id, finding.property_path) == (
        "accepted.toml",
        "suppressions",
        "2",
    )
    assert finding.message == "the suppression of QC105 for share 'typo' matches no finding"


@pytest.mark.parametrize(
    ("suppression", "coverage"),
    [
        pytest.param(accepting(queue="other"), replace(EVERYTHING, queues=frozenset({"queue"})), id="queue"),
        pytest.param(accepting("QC301"), replace(EVERYTHING, traces=()), id="any trace"),
        pytest.param(accepting("QC301", trace="day.jsonl"), EVERYTHING, id="the trace"),
        pytest.param(accepting("QC501"), EVERYTHING, id="a change"),
        pytest.param(accepting("QC209"), replace(EVERYTHING, dates=False), id="dates"),
    ],
)
def test_a_suppression_of_what_was_not_looked_at_is_no_finding(suppression: Suppression, coverage: Coverage) -> None:
    assert complaints(suppression, coverage=coverage) == []


def test_an_expired_suppression_is_a_finding_with_its_reason_also_where_it_would_match() -> None:
    (finding,) = check_suppressions(
        [accepting(until=date(2026, 11, 27))], [FINDING], file="accepted.toml", today=TODAY, coverage=EVERYTHING
    )

    assert finding.rule_id == "QC402"
    assert finding.message == "the suppression of QC105 held until 2026-11-27, 2 days before 2026-11-29: agreed"


def test_on_its_last_day_a_suppression_has_not_expired() -> None:
    assert complaints(accepting(until=TODAY), FINDING) == []


def test_without_a_day_nothing_expires() -> None:
    assert complaints(accepting(until=date(2000, 1, 1)), FINDING, today=None) == []


def test_hostile_words_of_a_suppression_cannot_steer_a_terminal() -> None:
    hostile = Suppression(rule="QC105", reason="\x1b[2J\n\u202e", share="\x1b[1m", until=date(2000, 1, 1))

    (expired,) = check_suppressions([hostile], [], file="x", today=TODAY, coverage=EVERYTHING)

    assert expired.message.isprintable()
