from __future__ import annotations

from quota_constructs.evaluator.evaluation import evaluate
from tests.builders import job, rearrange, share, system, trace


def test_the_arrangements_of_a_run_come_in_the_order_of_time() -> None:
    first, second, third = (system(share("a", size)) for size in (1, 2, 3))

    evaluation = evaluate(first, trace(rearrange(20, third), rearrange(10, second), job("it", "a")))

    assert evaluation.systems == (first, second, third)


def test_a_share_is_the_one_first_declared() -> None:
    first, later = system(share("a", 1)), system(share("a", 2), share("b", 1))

    evaluation = evaluate(first, trace(rearrange(10, later), job("it", "a")))

    assert evaluation.shares == {"a": first.shares[0], "b": later.shares[1]}
