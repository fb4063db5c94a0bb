"""Scenarios of lenders who come back for what others have borrowed."""

from __future__ import annotations

from dataclasses import dataclass

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios.allocations import Allocation, allocations, dealt, gangs, lent
from quota_constructs.evaluator.traces.scenarios.draws import Draws
from quota_constructs.evaluator.traces.scenarios.scenario import Scenario
from quota_constructs.evaluator.traces.scenarios.script import DAY, HOUR, MINUTE, Script

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
    work_s: tuple[int, int],
    preemption_retries: int | None = None,
) -> None:
    """Let *guests* take what they are allocated within ten minutes, and all they can borrow within the next ten."""
    taken = [(each, each.own, 0) for each in guests]
    names = sorted({each.share for each in guests})
    for unit in sorted({each.unit for each in guests}):
        borrowers = [each for each in guests if each.unit == unit]
        for each, part in dealt(lent(system, unit, besides=names), borrowers):
            taken.append((each, part, 10 * MINUTE))
    for each, amount, after_s in taken:
        for size in gangs(amount, GUEST_JOBS):
            script.submit(
                each,
                size,
                at_s=after_s + draws.below(10 * MINUTE),
                work_s=draws.between(*work_s),
                preemption_retries=preemption_retries,
            )


def owner_returns(system: System, draws: Draws) -> Script:
    """Let the hosts come back one share after the other, for all that they are allocated."""
    script = Script()
    parts = cast(system, draws)
    fill(script, system, parts.guests, draws, work_s=(4 * HOUR, 8 * HOUR))
    for place, name in enumerate(draws.shuffled(sorted({each.share for each in parts.hosts}))):
        back_s = HOUR + place * 20 * MINUTE
        for each in parts.hosts:
            if each.share == name:
                for size in gangs(each.own, 4):
                    work_s = draws.between(HOUR, 2 * HOUR)
                    at_s = back_s + draws.below(MINUTE)
                    script.submit(each, size, at_s=at_s, work_s=work_s, deadline_s=at_s + 2 * work_s)
    return script


def long_jobs_borrow(system: System, draws: Draws) -> Script:
    """Let the hosts come back every twelve hours for three days, for two to four hours each time."""
    script = Script()
    parts = cast(system, draws)
    fill(script, system, parts.guests, draws, work_s=(36 * HOUR, 3 * DAY))
    for visit in range(6):
        _visit(script, parts.hosts, draws, from_s=(12 * visit + 2) * HOUR, within_s=8 * HOUR, hours=(2, 4))
    return script


def retry_exhaustion(system: System, draws: Draws) -> Script:
    """Let the hosts come back every two hours, on guests whose jobs may be preempted once."""
    script = Script()
    parts = cast(system, draws)
    fill(script, system, parts.guests, draws, work_s=(8 * HOUR, 12 * HOUR), preemption_retries=1)
    for visit in range(4):
        _visit(script, parts.hosts, draws, from_s=(2 * visit + 1) * HOUR, within_s=5 * MINUTE, hours=(1, 1))
    return script


def _visit(
    script: Script,
    hosts: tuple[Allocation, ...],
    draws: Draws,
    *,
    from_s: int,
    within_s: int,
    hours: tuple[int, int],
) -> None:
    """Let each of *hosts* take what it is allocated, some time *within_s* of *from_s*."""
    for each in hosts:
        at_s = from_s + draws.below(within_s)
        for size in gangs(each.own, 2):
            work_s = draws.between(hours[0] * HOUR, hours[1] * HOUR)
            script.submit(each, size, at_s=at_s, work_s=work_s, deadline_s=at_s + 2 * work_s)


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
