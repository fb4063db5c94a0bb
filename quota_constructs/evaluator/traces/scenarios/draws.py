"""
Chance that comes out the same everywhere.

Python promises one thing of its generators for good: the numbers that `random()` gives for a seed
(https://docs.python.org/3/library/random.html#notes-on-reproducibility). All else is made of them here, in whole
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import TypeVar

T = TypeVar("T")

Quantiles = Sequence[tuple[int, int]]
"""A distribution as (per mille, value) pairs, from 0 to 1000 and ascending: so many values are at most that."""

_BITS = 53
"""`random()` is a whole number of this many bits, divided by 2 to their number."""


class Draws:
    """Numbers drawn one after the other, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random  # noqa: S311 - made-up jobs, not a secret

    def below(self, bound: int) -> int:
        """Draw one of 0 to *bound* - 1, each as likely as the others."""
        return int(self._random() * (1 << _BITS)) * bound >> _BITS

    def between(self, low: int, high: int) -> int:
        """Draw one of *low* to *high*, both included."""
        return low + self.below(high - low + 1)

    def percent(self, chance: int) -> bool:
        """Draw whether something happens that does *chance* times in a hundred."""
        return self.below(100) < chance

    def of(self, quantiles: Quantiles) -> int:
        """Draw from a distribution; between two of its points, every value is as likely as the others."""
        place = self.below(1_000_000)
        for (low, least), (high, most) in pairwise(quantiles):
            if place < high * 1_000:
                return least + (most - least) * (place - low * 1_000) // ((high - low) * 1_000)
        return quantiles[-1][1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return *items* in a drawn order (Fisher and Yates)."""
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled
