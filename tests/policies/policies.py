"""Any policy that can be declared, for hypothesis."""

from __future__ import annotations

from datetime import date
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from quota_constructs.policies.agreement import Agreement, Exemption
from quota_constructs.policies.interruption import InterruptionContract, ResumeEvidence, WhenRetriesRunOut
from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity
from quota_constructs.policies.share_policy import SharePolicy

HOSTILE = (
    "| a | b |\n|---|---|",
    "</td><script>alert(1)</script>",
    "[click](javascript:alert(1)) ![](x) `code` **bold** # head",
    "- item\r\n\r\n# heading\u2028line\u2029paragraph",
    "\u202eesrever\u202c \u200f\u2067rtl\u2069 \ufeff\u200b",
    "\x1b[31mred\x1b[0m\x07\x9b",
    "x" * 128,
    "$ {Token} {{resolve:ssm:x}}",
)
"""Names that break out of a table, a page, a line, a terminal."""

texts = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), max_size=40)
names = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
amounts = st.floats(0, 1e12) | st.integers(0, 10**12)
dates = st.dates()
objective = st.builds(
    Objective,
    bound=amounts,
    traces=st.lists(names, max_size=3).map(tuple),
    severity=st.sampled_from(PromiseSeverity),
)


def _exemption(reason: str, granted_by: str, days: tuple[date, date]) -> Exemption:
    return Exemption(reason=reason, granted_by=granted_by, since=min(days), until=max(days))


exemptions = st.builds(_exemption, texts, names, st.tuples(dates, dates))
agreements = st.builds(
    Agreement,
    owner=names,
    contact=texts,
    purpose=texts,
    rationale=texts,
    priorities_raised_by=texts,
    review_by=st.none() | dates,
    exceptions=st.lists(exemptions, max_size=3).map(tuple),
    links=st.lists(texts, max_size=3).map(tuple),
)
contracts = st.builds(
    InterruptionContract,
    can_resume=st.booleans(),
    checkpoint_interval_seconds=st.none() | st.floats(0, 1e12, exclude_min=True) | st.integers(1, 10**12),
    checkpoint_cost_seconds=amounts,
    restore_seconds=amounts,
    saves_on_sigterm=st.booleans(),
    save_on_sigterm_seconds=st.none() | amounts,
    upload_lag_seconds=amounts,
    evidence=st.none() | st.builds(ResumeEvidence, tried_on=dates, link=texts),
    recovery_owner=texts,
    assumes_continuous_access=st.booleans(),
    preemption_retries=st.none() | st.integers(0, 10**9),
    when_retries_run_out=st.none() | st.sampled_from(WhenRetriesRunOut),
    escalate_to=texts,
)


@st.composite
def objectives(draw: st.DrawFn) -> Objectives:
    """Promise some things and leave others out; at least one, as none is the same as no objectives at all."""
    fields = [field.name for field in structs.fields(Objectives)]
    chosen: list[str] = draw(st.lists(st.sampled_from(fields), min_size=1, max_size=4, unique=True))
    promises: dict[str, Any] = {name: draw(objective) for name in chosen}
    return Objectives(**promises)


share_policies = st.builds(
    SharePolicy,
    agreement=st.none() | agreements,
    interruption=st.none() | contracts,
    objectives=st.none() | objectives(),
)
