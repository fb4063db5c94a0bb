"""A scenario in which less is allocated all of a sudden."""

from __future__ import annotations

from dataclasses import replace

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios.allocations import Allocation, allocations, gangs
from quota_constructs.evaluator.traces.scenarios.draws import Draws
from quota_constructs.evaluator.traces.scenarios.scenario import Scenario
from quota_constructs.evaluator.traces.scenarios.script import HOUR, MINUTE, Script

LOWERED_AT = 2 * HOUR


def lowered(system: System) -> System:
    """Return *system* with every limit halved, rounded up, and the environment smaller in the same proportion."""
    shares = tuple(
        replace(share, limits={unit: _half(limit) for unit, limit in share.limits.items()}) for share in system.shares
    )
    capacity: dict[str, int] = {}
    for unit, before in system.environment.capacity.items():
        allocated = sum(share.limits.get(unit, 0) for share in system.shares)
        left = sum(share.limits.get(unit, 0) for share in shares)
        capacity[unit] = before * left // allocated if allocated else before
    return replace(system, shares=shares, environment=replace(system.environment, capacity=capacity))


def limits_lowered(system: System, draws: Draws) -> Script:
    """Let half of the shares be busy when everything is halved, and the others come for their part thereafter."""
    script = Script()
    after = lowered(system)
    left = {(each.share, each.unit): each for each in allocations(after)}
    every = [each for each in allocations(system) if (each.share, each.unit) in left]
    busy = sorted(draws.shuffled(sorted({each.share for each in every}))[::2])
    for each in every:
        less = left[each.share, each.unit]
        if each.share in busy:
            _submit(script, draws, each, each.own, most=min(each.own, less.own), from_s=0, hours=(4, 8))
        _submit(script, draws, each, less.own, most=less.own, from_s=LOWERED_AT + 30 * MINUTE, hours=(1, 2))
    script.rearrange(after, at_s=LOWERED_AT)
    return script


def _submit(
    script: Script, draws: Draws, each: Allocation, amount: int, *, most: int, from_s: int, hours: tuple[int, int]
) -> None:
    """Let *each* submit jobs for *amount* instances in all, none for more than *most*."""
    for size in gangs(amount, max(4, -(-amount // most))):
        at_s = from_s + draws.below(10 * MINUTE)
        script.submit(each, size, at_s=at_s, work_s=draws.between(hours[0] * HOUR, hours[1] * HOUR))


def _half(limit: int) -> int:
    return (limit + 1) // 2


LIMITS_LOWERED = Scenario(
    name="limits-lowered",
    description="after two hours, while jobs run, every limit is halved and the environment with them",
    script=limits_lowered,
)
