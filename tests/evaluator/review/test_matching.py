from __future__ import annotations

from dataclasses import replace

from quota_constructs.evaluator.review.matching import QueuePair, match
from quota_constructs.evaluator.system import QuotaShare, Source, System
from quota_constructs.policies.agreement import Agreement
from quota_constructs.policies.share_policy import SharePolicy
from tests.builders import UNIT, share, system


def at(logical_id: str, path: str | None = None) -> Source:
    return Source(template="t.json", logical_id=logical_id, construct_path=path)


def queue(name: str, *shares: QuotaShare, logical_id: str | None = None, path: str | None = None) -> System:
    return replace(system(*shares), name=name, source=at(logical_id or name, path))


def placed(name: str, logical_id: str, path: str | None = None) -> QuotaShare:
    return replace(share(name, 1), source=at(logical_id, path))


def name_of(each: System | QuotaShare | None) -> str | None:
    return None if each is None else each.name


def names(pairs: tuple[QueuePair, ...]) -> list[tuple[str | None, str | None]]:
    return [(name_of(pair.base), name_of(pair.head)) for pair in pairs]


def shares(pair: QueuePair) -> list[tuple[str | None, str | None]]:
    return [(name_of(each.base), name_of(each.head)) for each in pair.shares]


def test_shares_go_together_by_name_whatever_their_logical_ids() -> None:
    base, head = queue("q", placed("a", "One"), placed("b", "Two")), queue("q", placed("a", "Two"), placed("b", "One"))

    [pair] = match([base], [head])

    assert shares(pair) == [("a", "a"), ("b", "b")]
    assert not any(each.is_replaced for each in pair.shares)


def test_a_share_of_the_same_logical_id_and_another_name_is_replaced() -> None:
    [pair] = match([queue("q", placed("a", "One"))], [queue("q", placed("z", "One"))])

    assert shares(pair) == [("a", "z")]
    assert pair.shares[0].is_replaced
    assert pair.new_names == {"a": "z"}


def test_a_share_of_the_same_construct_path_and_another_name_is_replaced() -> None:
    [pair] = match([queue("q", placed("a", "One", "S/Q/a"))], [queue("q", placed("z", "Two", "S/Q/a"))])

    assert shares(pair) == [("a", "z")]


def test_a_share_with_another_name_and_nothing_in_common_is_removed_and_another_added() -> None:
    [pair] = match([queue("q", placed("a", "One"))], [queue("q", replace(placed("z", "Two"), limits={UNIT: 2}))])

    assert shares(pair) == [("a", None), (None, "z")]


def owned(each: QuotaShare, owner: str) -> QuotaShare:
    return replace(each, policy=SharePolicy(agreement=Agreement(owner=owner)))


def test_a_share_of_which_all_else_is_the_same_is_renamed_whatever_its_logical_id() -> None:
    base = queue("q", placed("a", "One", "S/Q/a"), replace(placed("b", "Two", "S/Q/b"), limits={UNIT: 2}))
    head = queue("q", placed("z", "Six", "S/Q/z"), replace(placed("y", "Ten", "S/Q/y"), limits={UNIT: 3}))

    [pair] = match([base], [head])

    assert shares(pair) == [("b", None), (None, "y"), ("a", "z")]
    assert pair.new_names == {"a": "z"}


def test_of_shares_with_other_terms_the_ones_of_the_same_owner_are_the_same() -> None:
    base = queue("q", owned(placed("a", "One"), "ann"), owned(placed("b", "Two"), "bob"))
    other = replace(placed("z", "Six"), limits={UNIT: 3})

    [pair] = match([base], [queue("q", owned(other, "ann"), placed("y", "Ten"))])

    assert shares(pair) == [("b", None), (None, "y"), ("a", "z")]


def test_shares_that_nothing_tells_apart_are_not_taken_for_each_other() -> None:
    [pair] = match([queue("q", placed("a", "One"), placed("b", "Two"))], [queue("q", placed("z", "Six"))])

    assert shares(pair) == [("a", None), ("b", None), (None, "z")]


def test_a_share_that_moved_is_not_taken_for_a_new_one_like_it() -> None:
    base = [queue("one", placed("a", "A")), queue("two", placed("c", "C"))]
    head = [queue("one", placed("z", "Z")), queue("two", placed("c", "C"), placed("a", "A"))]

    one, two = match(base, head)

    assert shares(one) == [("a", None), (None, "z")]
    assert shares(two) == [("a", "a"), ("c", "c")]


def test_shares_that_exchange_their_logical_ids_for_new_names_stay_apart() -> None:
    base = queue("q", placed("a", "One"), placed("b", "Two"))
    head = queue("q", placed("b", "One"), replace(placed("c", "Two"), limits={UNIT: 2}))

    [pair] = match([base], [head])

    assert shares(pair) == [("a", None), ("b", "b"), (None, "c")]


def test_queues_go_together_by_name_then_logical_id_then_construct_path() -> None:
    base = [queue("a", logical_id="A"), queue("b", logical_id="B"), queue("c", logical_id="C", path="S/C")]
    head = [queue("z", logical_id="Z", path="S/C"), queue("y", logical_id="B"), queue("a", logical_id="X")]

    pairs = match(base, head)

    assert names(pairs) == [("c", "z"), ("b", "y"), ("a", "a")]
    assert [pair.is_replaced for pair in pairs] == [True, True, False]


def test_the_one_queue_that_is_left_on_each_side_is_the_same() -> None:
    pairs = match([queue("a"), queue("kept")], [queue("kept"), queue("z")])

    assert names(pairs) == [("kept", "kept"), ("a", "z")]


def test_of_several_queues_that_are_left_those_with_shares_of_the_same_name_are_the_same() -> None:
    base = [queue("a", share("x", 1)), queue("b", share("y", 1), share("z", 1))]
    head = [queue("c", share("z", 1)), queue("d", share("w", 1))]

    assert names(match(base, head)) == [("b", "c"), (None, "d"), ("a", None)]


def test_a_share_that_is_in_another_queue_now_moved() -> None:
    base = [queue("one", placed("a", "A"), placed("b", "B")), queue("two", placed("c", "C"))]
    head = [queue("one", placed("b", "B")), queue("two", placed("c", "C"), placed("a", "A"))]

    one, two = match(base, head)

    [left] = [each for each in one.shares if each.head is None]
    [entered] = [each for each in two.shares if each.moved_from]
    assert (left.moved_to, entered.moved_from) == ("two", "one")
    assert entered.is_replaced
    assert two.new_names == {}


def test_queues_of_the_same_name_in_two_stacks_go_together_by_logical_id() -> None:
    base = [queue("q", share("x", 1), logical_id="A"), queue("q", share("y", 1), logical_id="B")]

    pairs = match(base, list(reversed(base)))

    assert all(pair.base is pair.head for pair in pairs)
    assert len(pairs) == 2


def test_a_side_may_be_empty() -> None:
    assert names(match([], [queue("q")])) == [(None, "q")]
    assert names(match([queue("q")], [])) == [("q", None)]
