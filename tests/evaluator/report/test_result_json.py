from __future__ import annotations

import json
from typing import Any

from quota_constructs.evaluator.evaluation import Evaluation, evaluate
from quota_constructs.evaluator.report.result_json import encode_result
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, UNIT, job, reprioritise, share, system, trace

JOB_FIELDS = [
    "id",
    "share",
    "state",
    "reason",
    "first_dispatch_ms",
    "finish_ms",
    "queued_ms",
    "overhead_ms",
    "lost_ms",
    "cross_share_preemptions",
    "in_share_preemptions",
    "attempts",
    "wait_ms",
    "completion_ms",
    "entitled_wait_ms",
]

AWS_EXAMPLE = system(
    share("QS1", 1, LEND_AND_BORROW, borrow_limit=200, in_share_preemption=True),
    share("QS2", 1, LEND),
    share("QS3", 1),
)
AWS_TRACE = trace(
    job("high", "QS1", priority=3, duration=3600),
    job("med", "QS1", priority=2, duration=3600),
    job("low", "QS1", priority=1, duration=3600),
    job("own", "QS2", priority=1, duration=3600, submit=600),
    reprioritise(900, "low", 4),
)


def encoded(evaluation: Evaluation) -> bytes:
    return b"".join(encode_result(evaluation))


def decoded(evaluation: Evaluation) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(encoded(evaluation))
    return value


def test_the_object_has_the_published_keys_in_order() -> None:
    result = decoded(evaluate(AWS_EXAMPLE, AWS_TRACE))

    assert list(result) == ["model", "assumptions", "arrangement", "jobs", "shares", "totals"]
    assert result["model"] == "quota-share/1"
    assert [list(each) for each in result["jobs"]] == [JOB_FIELDS] * 4


def test_jobs_come_in_trace_order_with_their_times() -> None:
    result = decoded(evaluate(AWS_EXAMPLE, AWS_TRACE))

    assert [each["id"] for each in result["jobs"]] == ["high", "med", "low", "own"]
    assert result["jobs"][0] == {
        "id": "high",
        "share": "QS1",
        "state": "SUCCEEDED",
        "reason": None,
        "first_dispatch_ms": 0,
        "finish_ms": 7_820_000,
        "queued_ms": 3_300_000,
        "overhead_ms": 0,
        "lost_ms": 900_000,
        "cross_share_preemptions": 0,
        "in_share_preemptions": 1,
        "attempts": [[0, 920_000], [4_220_000, 7_820_000]],
        "wait_ms": 0,
        "completion_ms": 7_820_000,
        "entitled_wait_ms": 0,
    }


def test_the_wait_for_what_a_share_owns_is_told_from_any_other() -> None:
    result = decoded(evaluate(AWS_EXAMPLE, AWS_TRACE))

    assert result["jobs"][3]["entitled_wait_ms"] == 20_000
    lender = result["shares"][1]
    assert (lender["longest_wait_ms"], lender["longest_entitled_wait_ms"], lender["most_preemptions"]) == (
        20_000,
    ) * 2 + (0,)


def test_assumptions_are_stated_in_the_words_of_the_options() -> None:
    assumptions = Assumptions(stop_ms=1_500, victim_order=VictimOrder.OLDEST, queueing=Queueing.BACKFILL)

    result = decoded(evaluate(AWS_EXAMPLE, AWS_TRACE, assumptions))

    assert result["assumptions"] == {"stop_seconds": 1.5, "victim_order": "oldest", "queueing": "backfill"}


def test_whole_seconds_are_whole_numbers() -> None:
    assert b'"stop_seconds":20,' in encoded(evaluate(AWS_EXAMPLE, AWS_TRACE))


def test_a_share_parts_what_it_owns_from_what_it_borrows() -> None:
    first = decoded(evaluate(AWS_EXAMPLE, AWS_TRACE))["shares"][0]

    assert (first["share"], first["strategy"]) == ("QS1", "LEND_AND_BORROW")
    assert first["units"] == [
        {
            "unit": UNIT,
            "allocated_instance_ms": 8_120_000,
            "used_instance_ms": 12_320_000,
            "used_own_instance_ms": 8_120_000,
            "borrowed_instance_ms": 4_200_000,
            "idle_own_instance_ms": 0,
        }
    ]
    assert (first["cross_share_preemptions"], first["in_share_preemptions"]) == (1, 1)
    assert first["lost_instance_ms"] == 1_500_000


def test_a_share_says_what_rests_on_its_contract() -> None:
    contract = InterruptionContract(can_resume=True, checkpoint_interval_seconds=60)
    arrangement = system(share("a", 1, interruption=contract), share("b", 1))

    shares = decoded(evaluate(arrangement, trace(job("one", "a"), job("two", "a"), job("other", "b"))))["shares"]

    assert [each["contract_defaults"] for each in shares] == [{"checkpoints": 2, "retries": 0}, None]


def test_totals_show_goodput_beside_utilization() -> None:
    totals = decoded(evaluate(AWS_EXAMPLE, AWS_TRACE))["totals"]

    [unit] = totals["units"]
    assert totals["horizon_ms"] == 8_120_000
    assert unit["utilization"] == 15_940 / 24_360
    assert unit["goodput"] == 4 * 3_600 / 24_360


def test_the_same_input_makes_the_same_bytes() -> None:
    assert encoded(evaluate(AWS_EXAMPLE, AWS_TRACE)) == encoded(evaluate(AWS_EXAMPLE, AWS_TRACE))


def test_a_trace_without_jobs_is_a_whole_object_too() -> None:
    result = decoded(evaluate(AWS_EXAMPLE, trace()))

    assert result["jobs"] == []
    assert result["totals"]["submitted"] == 0


def test_many_jobs_come_in_pieces_that_make_one_object() -> None:
    evaluation = evaluate(system(share("a", 500)), trace(*(job(f"job {number}", "a") for number in range(2_000))))

    pieces = list(encode_result(evaluation))

    assert max(map(len, pieces)) < 100_000 < sum(map(len, pieces))
    assert [each["id"] for each in json.loads(b"".join(pieces))["jobs"]] == [f"job {n}" for n in range(2_000)]


def test_a_delete_among_ascii_is_escaped_too() -> None:
    evaluation = evaluate(system(share("a", 1)), trace(job("\x7f", "a")))

    assert b'{"id":"\\u007f",' in encoded(evaluation)


def test_nothing_from_outside_reaches_the_output_raw() -> None:
    hostile = "\x1b[2J\u202e\x7f\u00e9\U0001f600[red]"
    evaluation = evaluate(system(share(hostile, 1)), trace(job(hostile, hostile)))

    output = encoded(evaluation)

    assert output.isascii()
    assert output.decode().replace("\n", "").isprintable()
    assert json.loads(output)["jobs"][0]["id"] == hostile
    assert json.loads(output)["shares"][0]["share"] == hostile
