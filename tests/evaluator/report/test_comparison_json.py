from __future__ import annotations

import json
from typing import Any

from quota_constructs.evaluator.comparison import Comparison
from quota_constructs.evaluator.report.comparison_json import encode_comparisons
from quota_constructs.evaluator.side_by_side import compare_systems
from quota_constructs.policies.interruption import InterruptionContract
from tests.builders import LEND, LEND_AND_BORROW, UNIT, job, share, system, trace

SHARING = system(share("a", 1, LEND_AND_BORROW), share("b", 1, LEND))
OWNER_RETURNS = trace(job("guest", "a", 2, duration=7200), job("owner", "b", submit=3600, duration=3600))


def encoded(*comparisons: Comparison) -> bytes:
    return b"".join(encode_comparisons(comparisons))


def decoded(*comparisons: Comparison) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(encoded(*comparisons))
    return result


def test_the_object_says_which_version_of_what_it_is() -> None:
    result = decoded(compare_systems(SHARING, OWNER_RETURNS))

    assert (result["compare"], result["model"]) == (1, "quota-share/1")


def test_every_comparison_has_its_trace_and_arrangements_in_order() -> None:
    one = compare_systems(SHARING, OWNER_RETURNS, template="cdk.out", bases={"base.json": SHARING})

    result = decoded(one, compare_systems(SHARING, trace()))

    assert [each["trace"] for each in result["comparisons"]] == ["test", "test"]
    assert [(each["arrangement"], each["template"]) for each in result["comparisons"][0]["arrangements"]] == [
        ("declared", "cdk.out"),
        ("partition", None),
        ("pool", None),
        ("base", "base.json"),
    ]
    assert [each["against"] for each in result["comparisons"][0]["contrasts"]] == ["partition", "pool", "base"]


def test_what_a_pool_does_not_have_is_null_and_not_zero() -> None:
    [comparison] = decoded(compare_systems(SHARING, OWNER_RETURNS))["comparisons"]

    units = {each["arrangement"]: each["shares"][0]["units"][0] for each in comparison["arrangements"]}
    assert units["declared"] == {
        "unit": UNIT,
        "capacity_instance_ms": 28_840_000,
        "used_instance_ms": 21_600_000,
        "utilization": 21_600 / 28_840,
        "succeeded_instance_ms": 14_400_000,
        "goodput": 14_400 / 28_840,
        "lost_instance_ms": 7_200_000,
        "overhead_instance_ms": 0,
        "allocated_instance_ms": 14_420_000,
        "used_own_instance_ms": 10_800_000,
        "borrowed_instance_ms": 10_800_000,
    }
    assert units["pool"] == {
        "unit": UNIT,
        "capacity_instance_ms": 21_600_000,
        "used_instance_ms": 14_400_000,
        "utilization": 14_400 / 21_600,
        "succeeded_instance_ms": 14_400_000,
        "goodput": 14_400 / 21_600,
        "lost_instance_ms": 0,
        "overhead_instance_ms": 0,
        "allocated_instance_ms": None,
        "used_own_instance_ms": None,
        "borrowed_instance_ms": None,
    }


def test_the_verdict_is_data_and_words() -> None:
    [comparison] = decoded(compare_systems(SHARING, OWNER_RETURNS))["comparisons"]

    [partition, pool] = comparison["contrasts"]
    assert pool["shares"][1] == {
        "share": "b",
        "same": 0,
        "sooner": 1,
        "sooner_ms": 3_580_000,
        "later": 0,
        "later_ms": 0,
        "change_ms": -3_580_000,
        "succeed_only_here": 0,
        "succeed_only_there": 0,
    }
    assert pool["verdict"] == {
        "differs": True,
        "change_ms": 3_640_000,
        "pays_most": pool["shares"][0],
        "forgoes_most": None,
        "sentence": "Against pool: jobs that succeed under both finish 1:00:40 later in all (1 sooner, 1 later, "
        "0 at the same time); share 'a' pays most, 2:00:20 later on balance, 1 of 1 job later.",
    }
    assert partition["total"]["succeed_only_here"] == 1


def test_what_rests_on_contracts_is_said() -> None:
    arrangement = system(share("a", 1, interruption=InterruptionContract(can_resume=True)))

    [comparison] = decoded(compare_systems(arrangement, trace(job("it", "a"))))["comparisons"]

    assert comparison["contract_defaults"] == {"a": {"checkpoints": 1, "retries": 0}}


def test_the_same_input_makes_the_same_bytes() -> None:
    assert encoded(compare_systems(SHARING, OWNER_RETURNS)) == encoded(compare_systems(SHARING, OWNER_RETURNS))


def test_no_comparison_is_a_whole_object_too() -> None:
    assert decoded()["comparisons"] == []


def test_nothing_from_outside_reaches_the_output_raw() -> None:
    hostile = "\x1b[2J\u202e\x7f\u00e9\U0001f600[red]"
    arrangement = system(share(hostile, {hostile: 1}, LEND_AND_BORROW), share("b", {hostile: 1}, LEND))
    jobs = trace(job(hostile, hostile, {hostile: 1}), job("big", hostile, {hostile: 2}))

    output = encoded(compare_systems(arrangement, jobs, template=hostile, bases={hostile: SHARING}))

    assert output.isascii()
    assert output.decode().replace("\n", "").isprintable()
    assert json.loads(output)["comparisons"][0]["arrangements"][0]["shares"][0]["share"] == hostile
