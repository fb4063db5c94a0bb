"""Scenarios in which all shares want much at the same time."""

from __future__ import annotations

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios.allocations import allocations, gangs
from quota_constructs.evaluator.traces.scenarios.draws import Draws
from quota_constructs.evaluator.traces.scenarios.scenario import Scenario
from quota_constructs.evaluator.traces.scenarios.script import HOUR, MINUTE, Script


def everyone_at_once(system: System, draws: Draws) -> Script:
    """Let each share submit, within the first minute, twice what it can run on its own."""
    script = Script()
    for each in draws.shuffled(tuple(allocations(system))):
        for size in 2 * gangs(each.own, 4):
            script.submit(
                each,
                size,
                at_s=draws.below(MINUTE),
                work_s=draws.between(30 * MINUTE, 3 * HOUR),
                deadline_s=8 * HOUR,
            )
    return script


def big_gang(system: System, draws: Draws) -> Script:
    """Let each share be busy with small jobs, then want one that takes nearly all it can get, then small ones again."""
    script = Script()
    for each in allocations(system):
        small = gangs(each.own, 4)
        for size in small:
            script.submit(each, size, at_s=draws.below(10 * MINUTE), work_s=draws.between(30 * MINUTE, 90 * MINUTE))
        script.submit(
            each,
            -(-each.reach * draws.between(80, 100) // 100),
            at_s=30 * MINUTE + draws.below(10 * MINUTE),
            work_s=draws.between(HOUR, 2 * HOUR),
        )
        for size in small:
            script.submit(each, size, at_s=HOUR + draws.below(HOUR), work_s=draws.between(10 * MINUTE, 30 * MINUTE))
    return script


EVERYONE_AT_ONCE = Scenario(
    name="everyone-at-once",
    description="all teams submit twice what they can run on their own, within one minute",
    script=everyone_at_once,
)

BIG_GANG = Scenario(
    name="big-gang",
    description="among small jobs, each team submits one that needs 80 to 100 % of the most its share can ever hold",
    script=big_gang,
)
