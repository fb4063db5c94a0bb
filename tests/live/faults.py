"""
What can go wrong between a client and a service, and at which of the calls it does.

A fault is set for one operation, or for all of them, and for its first calls, for every so-many-th, for one of them
by its number, or, if none of these is said, for all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.live.account import Account
from tests.live.failures import Failure
from tests.live.protocol import Call, denied, throttled


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """The calls that a fault is set for."""

    operation: str | None = None
    first: int = 0
    every: int = 0
    at: int = 0

    def holds(self, number: int) -> bool:
        """Say whether the fault strikes the call of this number, counted from 1."""
        if not (self.first or self.every or self.at):
            return True
        return number <= self.first or number == self.at or (self.every > 0 and number % self.every == 0)


class Dropped(Exception):  # noqa: N818 - an event on the wire, not an error of this code
    """The connection is closed in place of an answer."""


class CutShort(Exception):  # noqa: N818 - an event on the wire, not an error of this code
    """The connection is closed in the middle of the answer."""


@dataclass(slots=True)
class Faults:
    """The faults that are set, and the means to set them; the first that strikes a call decides."""

    account: Account
    ended: threading.Event = field(default_factory=threading.Event)
    """Set when nothing need wait any more, since the endpoint stops."""
    _set: list[tuple[When, Callable[[Call], None]]] = field(default_factory=list[tuple[When, Callable[[Call], None]]])
    _seen: dict[int, int] = field(default_factory=dict[int, int])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def strike(self, call: Call) -> None:
        """Do what the faults set for this call do: return after a change or a delay, raise for anything else."""
        effects: list[Callable[[Call], None]] = []
        with self._lock:
            for index, (when, effect) in enumerate(self._set):
                if when.operation in (None, call.operation):
                    self._seen[index] = self._seen.get(index, 0) + 1
                    if when.holds(self._seen[index]):
                        effects.append(effect)
        for effect in effects:
            effect(call)

    def throttle(self, operation: str | None = None, *, first: int = 0, every: int = 0, at: int = 0) -> None:
        """Answer that there were too many calls."""
        self._add(operation, first, every, at, lambda call: _raise(throttled(call)))

    def deny(self, operation: str | None = None, *, first: int = 0, every: int = 0, at: int = 0) -> None:
        """Answer that no policy allows the call."""
        self._add(operation, first, every, at, lambda call: _raise(denied(call)))

    def fail(
        self, failure: Failure, operation: str | None = None, *, first: int = 0, every: int = 0, at: int = 0
    ) -> None:
        """Answer with an error of any kind."""
        self._add(operation, first, every, at, lambda _: _raise(failure))

    def drop(self, operation: str | None = None, *, first: int = 0, every: int = 0, at: int = 0) -> None:
        """Close the connection without an answer."""
        self._add(operation, first, every, at, lambda _: _raise(Dropped()))

    def cut_short(self, operation: str | None = None, *, first: int = 0, every: int = 0, at: int = 0) -> None:
        """Close the connection in the middle of the answer, whose length was announced."""
        self._add(operation, first, every, at, lambda _: _raise(CutShort()))

    def delay(
        self, seconds: float, operation: str | None = None, *, first: int = 0, every: int = 0, at: int = 0
    ) -> None:
        """Let the client wait, longer than it is willing to if it is to time out."""
        self._add(operation, first, every, at, lambda _: _discard(self.ended.wait(seconds)))

    def change(
        self,
        change: Callable[[Account], object],
        operation: str | None = None,
        *,
        first: int = 0,
        every: int = 0,
        at: int = 0,
    ) -> None:
        """Change the account, or do anything else, just before the call is answered."""
        self._add(operation, first, every, at, lambda _: _discard(change(self.account)))

    def _add(self, operation: str | None, first: int, every: int, at: int, effect: Callable[[Call], None]) -> None:
        self._set.append((When(operation=operation, first=first, every=every, at=at), effect))


def _raise(exception: Exception) -> None:
    raise exception


def _discard(_: object) -> None:
    """Turn a value into none."""
