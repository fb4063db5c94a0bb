from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.objectives_file import agreed_in
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.toml_file import MAX_BYTES
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.interruption import InterruptionContract
from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity
from quota_constructs.policies.share_policy import SharePolicy
from tests.builders import share, system

DECLARED = system(
    share(
        "research",
        1,
        agreement=Agreement(owner="Research", purpose="papers"),
        objectives=Objectives(wait_p95_seconds=Objective(bound=60), slowdown_p95=Objective(bound=2)),
    ),
    share("silent", 1),
)


def agreed(path: Path, text: str, *systems: System) -> list[SharePolicy]:
    """Return the policies of *systems* as a file of *text* at *path* changes them."""
    path.write_text(text, encoding="utf-8")
    return [share.policy for system in agreed_in(path, systems or (DECLARED,)) for share in system.shares]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "agreed.toml"


def test_a_share_that_says_nothing_is_given_a_whole_policy(file: Path) -> None:
    _, silent = agreed(
        file,
        """
        [shares.silent]
        agreement = {owner = "Silent", review_by = 2031-05-01}
        interruption.can_resume = false

        [shares.silent.objectives.wait_p95_seconds]
        bound = 3600
        traces = ["week.jsonl"]
        severity = "warning"
        """,
    )

    assert silent == SharePolicy(
        agreement=Agreement(owner="Silent", review_by=date(2031, 5, 1)),
        interruption=InterruptionContract(can_resume=False),
        objectives=Objectives(
            wait_p95_seconds=Objective(bound=3600, traces=("week.jsonl",), severity=PromiseSeverity.WARNING)
        ),
    )


def test_a_field_of_the_file_takes_the_place_of_the_template_s_and_the_others_stay(file: Path) -> None:
    research, _ = agreed(
        file,
        """
        [shares.research]
        agreement.owner = "Platform"
        objectives.wait_p95_seconds.bound = 90
        """,
    )

    assert research == SharePolicy(
        agreement=Agreement(owner="Platform", purpose="papers"),
        objectives=Objectives(wait_p95_seconds=Objective(bound=90), slowdown_p95=Objective(bound=2)),
    )


def test_an_empty_file_changes_nothing(file: Path) -> None:
    assert agreed(file, "") == [each.policy for each in DECLARED.shares]


def test_shares_of_several_queues_may_stand_in_one_file(file: Path) -> None:
    text = '[shares.a.agreement]\nowner = "A"\n[shares.b.agreement]\nowner = "B"\n'

    policies = agreed(file, text, system(share("a", 1)), system(share("b", 1)))

    assert policies == [SharePolicy(agreement=Agreement(owner=owner)) for owner in "AB"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "[shares.reserach]", "'shares.reserach' is no share of the template; did you mean 'research'?", id="share"
        ),
        pytest.param("[shares.x]", "'shares.x' is no share of the template; there are research, silent", id="stranger"),
        pytest.param("shares = 1", "'shares' must be a table of shares, such as [shares.NAME.objectives]", id="shares"),
        pytest.param("shares.silent = 1", "'shares.silent' must be a table, got 1", id="no table"),
        pytest.param(
            "[share.x]", "'share' is not known; write tables such as [shares.NAME.objectives]", id="another table"
        ),
        pytest.param(
            "[shares.silent.promises]",
            "'promises' is no part of 'shares.silent'; there are agreement, interruption, objectives",
            id="part",
        ),
        pytest.param(
            "shares.silent.objectives.wait_p95.bound = 1",
            "'shares.silent': 'wait_p95' is no field of 'objectives'; did you mean 'wait_p95_seconds'?",
            id="promise",
        ),
        pytest.param(
            "shares.silent.objectives = 3",
            "'shares.silent': 'objectives' must be a table of fields such as 'wait_p50_seconds' "
            "(Objectives in Python), got 3",
            id="a number for a part",
        ),
        pytest.param(
            "shares.silent.agreement.purpose = 'papers'",
            "'shares.silent': 'agreement.owner' is missing; give it",
            id="no owner anywhere",
        ),
        pytest.param(
            "shares.silent.objectives.wait_max_seconds.bound = nan",
            "'shares.silent': 'objectives.wait_max_seconds.bound' must be a number >= 0.0, got NaN",
            id="no number",
        ),
        pytest.param(
            "shares.silent.agreement = {owner = 'a', review_by = 2031-05-01T00:00:00}",
            "'shares.silent': 'agreement.review_by' must be a date such as 2030-01-31, got \"2031-05-01 00:00:00\"",
            id="a time of day",
        ),
        pytest.param(
            "[shares", "not TOML: expected ']' at the end of a table declaration (at end of document)", id="t"
        ),
        pytest.param(
            f"x = {'[' * 5000}", "not TOML that can be read; write plain tables, texts and numbers", id="deep"
        ),
        pytest.param(
            f"x = {'9' * 5000}", "not TOML that can be read; write plain tables, texts and numbers", id="long"
        ),
        pytest.param("#" * (MAX_BYTES + 1), "must have at most 256,000 bytes; shorten its texts", id="too large"),
    ],
)
def test_fails_for_what_cannot_be_agreed_in_one_line_that_names_the_file(file: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        agreed(file, text)

    assert str(refused.value) == f"{file}: {message}"


def test_fails_for_a_key_of_very_many_parts(file: Path) -> None:
    with pytest.raises(UsageError, match=r"agreed\.toml:2: a line must have at most 500 dots; break it"):
        agreed(file, f"\n{'a.' * 501}a = 1")


def test_fails_for_another_encoding(file: Path) -> None:
    file.write_bytes('# "\xfcber"'.encode("latin-1"))

    with pytest.raises(UsageError, match="not UTF-8; save the file as UTF-8"):
        agreed_in(file, [DECLARED])


def test_nothing_of_the_file_reaches_a_terminal_raw(file: Path) -> None:
    with pytest.raises(UsageError) as refused:
        agreed(file, '[shares."\\u001b[31m\\u202e"]')

    assert str(refused.value).isprintable()


def test_a_byte_order_mark_is_passed_over(file: Path) -> None:
    _, silent = agreed(file, "\ufeff[shares.silent.agreement]\nowner = 'Product'\n")

    assert silent.agreement == Agreement(owner="Product")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"agreed\.toml: cannot be read: no such file or directory$"):
        agreed_in(tmp_path / "agreed.toml", (DECLARED,))
