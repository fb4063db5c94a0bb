"""Scenarios of lenders who come back for what others have borrowed."""

from __future__ import annotations

from dataclasses import dataclass

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios.allocations import Allocation, allocations, dealt, gangs, lent
from quota_constructs.evaluator.traces.scenarios.draws import Draws
from quota_constructs.evaluator.traces.scenarios.scenario import Scenario
from quota_constructs.evaluator.traces.scenarios.script import DAY_MS, HOUR_MS, MINUTE_MS, Script

GUEST_JOBS = 6
"""The most jobs into which a guest splits what it has, and what it borrows, of one unit."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who begins with everything, and who comes later."""

    guests: tuple[Allocation, ...]
    """Of shares that borrow: every other one of them, in a drawn order, and the first in any case."""

    hosts: tuple[Allocation, ...]
    """Of all other shares."""


def cast(system: System, draws: Draws) -> Cast:
    """Draw who is a guest and who a host."""
    every = tuple(allocations(system))
    at_work = {each.share for each in every}
    borrowers = [share.name for share in system.shares if share.name in at_work and share.strategy.borrows]
    guests = sorted(draws.shuffled(borrowers)[::2])
    return Cast(
        guests=tuple(each for each in every if each.share in guests),
        hosts=tuple(each for each in every if each.share not in guests),
    )


def fill(
    script: Script,
    system: System,
    guests: tuple[Allocation, ...],
    draws: Draws,
    *,
    work_ms: tuple[int, int],
    preemption_retries: int | None = None,
) -> None:
    """Let *guests* take what they are allocated within ten minutes, and all they can borrow within the next ten."""
    taken = [(each, each.own, 0) for each in guests]
    names = sorted({each.share for each in guests})
    for unit in sorted({each.unit for each in guests}):
        borrowers = [each for each in guests if each.unit == unit]
        for each, part in dealt(lent(system, unit, besides=names), borrowers):
            taken.append((each, part, 10 * MINUTE_MS))
    for each, amount, after_ms in taken:
        for size in gangs(amount, GUEST_JOBS):
            script.submit(
                each,
                size,
                at_ms=after_ms + draws.below(10 * MINUTE_MS),
                work_ms=draws.between(*work_ms),
                preemption_retries=preemption_retries,
            )


def owner_returns(system: System, draws: Draws) -> Script:
    """Let the hosts come back one share after the other, for all that they are allocated."""
    script = Script()
    parts = cast(system, draws)
    fill(script, system, parts.guests, draws, work_ms=(4 * HOUR_MS, 8 * HOUR_MS))
    for place, name in enumerate(draws.shuffled(sorted({each.share for each in parts.hosts}))):
        back_ms = HOUR_MS + place * 20 * MINUTE_MS
        for each in parts.hosts:
            if each.share == name:
                for size in gangs(each.own, 4):
                    work_ms = draws.between(HOUR_MS, 2 * HOUR_MS)
                    at_ms = back_ms + draws.below(MINUTE_MS)
                    script.submit(each, size, at_ms=at_ms, work_ms=work_ms, deadline_ms=at_ms + 2 * work_ms)
    return script


def long_jobs_borrow(system: System, draws: Draws) -> Script:
    """Let the hosts come back every twelve hours for three days, for two to four hours each time."""
    script = Script()
    parts = cast(system, draws)
    fill(script, system, parts.guests, draws, work_ms=(36 * HOUR_MS, 3 * DAY_MS))
    for visit in range(6):
        _visit(script, parts.hosts, draws, from_ms=(12 * visit + 2) * HOUR_MS, within_ms=8 * HOUR_MS, hours=(2, 4))
    return script


def retry_exhaustion(system: System, draws: Draws) -> Script:
    """Let the hosts come back every two hours, on guests whose jobs may be preempted once."""
    script = Script()
    parts = cast(system, draws)
    fill(script, system, parts.guests, draws, work_ms=(8 * HOUR_MS, 12 * HOUR_MS), preemption_retries=1)
    for visit in range(4):
        _visit(script, parts.hosts, draws, from_ms=(2 * visit + 1) * HOUR_MS, within_ms=5 * MINUTE_MS, hours=(1, 1))
    return script


def _visit(
    script: Script,
    hosts: tuple[Allocation, ...],
    draws: Draws,
    *,
    from_ms: int,
    within_ms: int,
    hours: tuple[int, int],
) -> None:
    """Let each of *hosts* take what it is allocated, some time *within_ms* of *from_ms*."""
    for each in hosts:
        at_ms = from_ms + draws.below(within_ms)
        for size in gangs(each.own, 2):
            work_ms = draws.between(hours[0] * HOUR_MS, hours[1] * HOUR_MS)
            script.submit(each, size, at_ms=at_ms, work_ms=work_ms, deadline_ms=at_ms + 2 * work_ms)


OWNER_RETURNS = Scenario(
    name="owner-returns",
    description="borrowers fill everything that is lent, then the owners come back for it, one share after the other",
    script=owner_returns,
)

LONG_JOBS_BORROW = Scenario(
    name="long-jobs-borrow",
    description="jobs of several days run on borrowed capacity, and its owners come back for it every twelve hours",
    script=long_jobs_borrow,
)

RETRY_EXHAUSTION = Scenario(
    name="retry-exhaustion",
    description="jobs that may be preempted only once run on borrowed capacity, and its owners come back four times",
    script=retry_exhaustion,
)
