from __future__ import annotations

import unicodedata
from datetime import date

from hypothesis import given, settings
from markdown_it import MarkdownIt

from quota_constructs.evaluator.evaluation import evaluate
from quota_constructs.evaluator.report.agreement_page import agreement_page
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import Trace
from quota_constructs.policies.agreement import Agreement, Exemption
from quota_constructs.policies.interruption import InterruptionContract, WhenRetriesRunOut
from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity
from quota_constructs.policies.share_policy import SharePolicy
from tests.builders import LEND, LEND_AND_BORROW, RESERVE, UNIT, job, share, system, trace
from tests.policies.policies import HOSTILE, share_policies

CONTRACT = InterruptionContract(
    can_resume=True,
    checkpoint_interval_seconds=600,
    preemption_retries=3,
    when_retries_run_out=WhenRetriesRunOut.RESUBMIT,
)
GUEST = share(
    "guest",
    2,
    LEND_AND_BORROW,
    borrow_limit=100,
    agreement=Agreement(
        owner="Research",
        purpose="papers",
        review_by=date(2031, 5, 1),
        exceptions=(Exemption(reason="a loan", granted_by="Dr. No", since=date(2030, 1, 1), until=date(2030, 2, 1)),),
    ),
    interruption=CONTRACT,
    objectives=Objectives(
        wait_max_seconds=Objective(bound=10),
        slowdown_p95=Objective(bound=2, traces=("week.jsonl",), severity=PromiseSeverity.NOTE),
    ),
)
LENDER = share("lender", 3, LEND)
OWN = share("own", 1, RESERVE)
SYSTEM = system(GUEST, LENDER, OWN)
JOBS = trace(job("one", "guest", 2), job("two", "guest", 3, submit=1))


def page(arrangement: System = SYSTEM, *traces: Trace) -> str:
    return agreement_page([arrangement], (evaluate(arrangement, each) for each in traces))


def section(text: str, *headings: str) -> list[str]:
    """Return the lines under *headings*, each within the one before, up to the next heading."""
    for heading in headings:
        text = text.split(f"{heading}\n", 1)[1]
    return [line for line in text.split("\n#", 1)[0].splitlines() if line]


def test_every_share_is_in_the_table_with_what_it_is_allocated_and_may_borrow() -> None:
    assert section(page(), "## Queue `queue`")[1:] == [
        "| share | owner | allocated | lends | may borrow | review by |",
        "| --- | --- | --- | --- | --- | --- |",
        f"| `guest` | Research | 2 of `{UNIT}` | yes | up to 2 of `{UNIT}` | 2031-05-01 |",
        f"| `lender` | nobody is named | 3 of `{UNIT}` | yes | nothing | no date is set |",
        f"| `own` | nobody is named | 1 of `{UNIT}` | no | nothing | no date is set |",
    ]


def test_a_share_says_who_is_entitled_who_may_take_it_back_and_who_can_change_it() -> None:
    assert section(page(), "### Share `guest`") == [
        "For: papers",
        f"- **Who is entitled:** Research, to 2 of `{UNIT}`.",
        (
            "- **Who may take it back:** What it has borrowed, the share that lent it: `lender`. "
            "Nobody takes back what is allocated to it."
        ),
        (
            "- **Who can change this:** Research decides on exceptions. "
            "The allocation itself changes with `guest` of `Test.template.json`."
        ),
        "- **Looked at again by:** 2031-05-01.",
    ]


def test_lending_and_borrowing_are_plain_sentences() -> None:
    assert section(page(), "### Share `guest`", "#### Lending and borrowing") == [
        f"- Allocated: 2 of `{UNIT}`.",
        (
            "- Lends: what it leaves idle, others may borrow. "
            "When its own jobs ask for it, jobs that borrowed it are stopped."
        ),
        f"- Borrows: up to 2 of `{UNIT}` beyond what it is allocated, while others leave it idle.",
        "- Within the share, no job stops another.",
    ]
    assert section(page(), "### Share `own`", "#### Lending and borrowing")[1:3] == [
        "- Does not lend: what it leaves idle stays idle.",
        "- Does not borrow.",
    ]


def test_more_than_all_lenders_have_cannot_be_borrowed() -> None:
    unlimited = page(system(share("guest", 2, LEND_AND_BORROW), LENDER))

    assert f"- Borrows: up to 3 of `{UNIT}` beyond" in unlimited


def test_a_share_to_which_nobody_lends_is_said_to_borrow_in_vain() -> None:
    alone = page(system(share("guest", 2, LEND_AND_BORROW), OWN))

    assert "- Is to borrow, but nobody lends what it can use." in alone
    assert "It borrows nothing. Nobody takes back" in alone


def test_an_interruption_contract_is_plain_sentences() -> None:
    assert section(page(), "### Share `guest`", "#### When a job is stopped") == [
        "- A stopped job goes on from saved work.",
        "- It makes a checkpoint after every 600 s of work; what it did since is lost.",
        "- Nobody has shown yet that resuming works.",
        "- A job may be preempted 3 times; the next time it fails.",
        "- Then somebody submits it again.",
    ]


def test_a_promise_that_no_trace_measured_says_so() -> None:
    assert section(page(), "### Share `guest`", "#### Promises")[2:] == [
        "| longest wait at most 10 s | all | error | not measured | - | - |",
        "| slowdown of 95 % of the jobs at most 2 times | `week.jsonl` | note | not measured | - | - |",
    ]


def test_a_promise_stands_beside_each_measured_result_and_what_that_rests_on() -> None:
    assert section(page(SYSTEM, JOBS), "### Share `guest`", "#### Promises")[2:] == [
        "| longest wait at most 10 s | all | error | 99 s | `test` | **no** |",
        "| slowdown of 95 % of the jobs at most 2 times | `week.jsonl` | note | not measured | - | - |",
        "- On `test`, this rests on the interruption contract: checkpoints of 2 jobs, retries of 2 jobs.",
    ]


def test_assumptions_stand_where_something_was_measured() -> None:
    assert "stop time 20 s, victim order borrowing-first, queueing strict" in page(SYSTEM, JOBS)
    assert "stop time" not in page()


def test_exceptions_are_a_table() -> None:
    assert section(page(), "### Share `guest`", "#### Exceptions")[2:] == [
        "| a loan | Dr. No | 2030-01-01 | 2030-02-01 |"
    ]
    assert section(page(), "### Share `own`", "#### Exceptions") == ["None."]


def test_the_same_arrangement_makes_the_same_page() -> None:
    assert page(SYSTEM, JOBS) == page(SYSTEM, JOBS)


@settings(deadline=None)
@given(policy=share_policies)
def test_nothing_that_was_agreed_on_becomes_markup(policy: SharePolicy) -> None:
    hostile = share("s", 1, agreement=policy.agreement, interruption=policy.interruption, objectives=policy.objectives)

    text = page(system(hostile), trace(job("one", "s")))

    require_safe(text, headings=7 + bool(policy.agreement and policy.agreement.links))


def test_no_name_becomes_markup() -> None:
    shares = [share(f"{name[:120]}{number}", 1, LEND) for number, name in enumerate(HOSTILE)]

    require_safe(page(system(*shares)), headings=2 + 5 * len(shares))


def require_safe(text: str, *, headings: int) -> None:
    """Raise unless *text* has as many headings as it is to have, tables of even rows, and no markup from elsewhere."""
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inline)}

    assert kinds.isdisjoint({"html_block", "html_inline", "link_open", "image", "fence", "code_block", "hr"})
    assert kinds.isdisjoint({"ordered_list_open", "blockquote_open", "s_open"})
    assert sum(child.type == "em_open" for child in inline) == 2  # allocated and borrowed, in the head
    assert sum(token.type == "heading_open" for token in tokens) == headings
    assert not [character for character in text if character != "\n" and unicodedata.category(character)[0] == "C"]
    assert "\u2028" not in text
    assert "\u2029" not in text


def test_a_queue_that_allocates_more_than_there_is_says_so() -> None:
    said = "Its shares are allocated more than that"

    assert f"{said}, 6 of `{UNIT}` in all" in page(system(GUEST, LENDER, OWN, capacity=5))
    assert said not in page(SYSTEM)


def test_one_retry_is_one_time() -> None:
    contract = InterruptionContract(can_resume=True, preemption_retries=1)

    assert "- A job may be preempted 1 time; the next" in page(system(share("a", 1, interruption=contract)))
