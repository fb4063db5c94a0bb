from __future__ import annotations

from collections import Counter

from quota_constructs.evaluator.traces.scenarios.draws import Draws


def test_a_seed_draws_the_same_numbers_for_ever() -> None:
    draws = Draws(1)

    drawn = [draws.below(1_000) for _ in range(6)]

    assert drawn == [134, 847, 763, 255, 495, 449]


def test_both_ends_are_drawn_and_nothing_beyond() -> None:
    draws = Draws(3)

    drawn = Counter(draws.between(-1, 1) for _ in range(300))

    assert sorted(drawn) == [-1, 0, 1]
    assert min(drawn.values()) > 70


def test_a_chance_is_none_or_certain_at_its_ends() -> None:
    draws = Draws(3)

    assert not any(draws.percent(0) for _ in range(200))
    assert all(draws.percent(100) for _ in range(200))


def test_a_distribution_has_its_quantiles() -> None:
    draws = Draws(5)

    drawn = sorted(draws.of([(0, 10), (500, 20), (900, 100), (1_000, 1_000)]) for _ in range(2_000))

    assert drawn[0] >= 10
    assert 18 <= drawn[1_000] <= 23
    assert 90 <= drawn[1_800] <= 130
    assert 800 < drawn[-1] <= 1_000


def test_a_shuffle_keeps_everything_and_comes_to_every_order() -> None:
    draws = Draws(2)

    orders = Counter("".join(draws.shuffled("abc")) for _ in range(600))

    assert sorted(orders) == ["abc", "acb", "bac", "bca", "cab", "cba"]
    assert min(orders.values()) > 60
