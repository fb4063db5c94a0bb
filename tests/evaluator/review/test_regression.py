from __future__ import annotations

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.review.regression import Regression, tell_apart
from tests.builders import source


def finding(
    rule_id: str = "QC301",
    *,
    share: str | None = "a",
    queue: str = "q",
    trace: str | None = None,
    severity: Severity = Severity.ERROR,
    message: str = "",
    at: str = "Properties",
) -> Finding:
    return Finding(
        rule_id=rule_id,
        severity=severity,
        source=source("X"),
        property_path=at,
        message=message,
        fix="",
        queue=queue,
        share=share,
        trace=trace,
    )


def apart(base: list[Finding], head: list[Finding]) -> tuple[list[Finding], list[Finding], list[Finding]]:
    found = tell_apart(base, head, {})
    return list(found.new), list(found.fixed), list(found.unchanged)


def test_what_both_sides_have_is_unchanged_and_told_as_the_head_tells_it() -> None:
    before, after = finding(message="4 jobs"), finding(message="5 jobs")

    assert apart([before], [after]) == ([], [], [after])


def test_what_one_side_has_is_new_or_fixed() -> None:
    gone, come = finding(share="a"), finding(share="b")

    assert apart([gone], [come]) == ([come], [gone], [])


def test_a_finding_that_became_graver_is_new() -> None:
    warning, error = finding(severity=Severity.WARNING), finding(severity=Severity.ERROR)

    assert apart([warning], [error]) == ([error], [warning], [])


def test_two_promises_of_a_share_are_not_the_same() -> None:
    waits, loses = finding("QC306", at="Metadata/x/wait"), finding("QC306", at="Metadata/x/lost")

    assert apart([waits], [loses]) == ([loses], [waits], [])


def test_of_several_that_are_the_same_as_many_are_unchanged_as_both_sides_have() -> None:
    first, second = finding(message="one"), finding(message="two")

    assert apart([first], [first, second]) == ([second], [], [first])
    assert apart([first, second], [first]) == ([], [second], [first])


def test_a_trace_is_known_by_its_name_whatever_its_folder() -> None:
    before, after = finding(trace="base/week.jsonl"), finding(trace="head/week.jsonl")

    assert apart([before], [after]) == ([], [], [after])
    assert apart([before], [finding(trace="other.jsonl")])[2] == []


def test_a_renamed_share_keeps_its_findings() -> None:
    before, after = finding(share="a"), finding(share="z")

    assert tell_apart([before], [after], {("q", "a"): ("q", "z")}) == Regression(new=(), fixed=(), unchanged=(after,))
