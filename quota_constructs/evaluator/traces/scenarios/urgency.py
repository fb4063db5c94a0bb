"""Scenarios of haste: before a deadline, and by priority."""

from __future__ import annotations

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios.allocations import allocations, gangs
from quota_constructs.evaluator.traces.scenarios.draws import Draws
from quota_constructs.evaluator.traces.scenarios.scenario import Scenario
from quota_constructs.evaluator.traces.scenarios.script import HOUR, MINUTE, STARTUP, Script

CRUNCH_HOURS = 8
CRUNCH_JOB_HOURS = 2

ROUNDS = 8
USUAL_PRIORITY = 100
TOP_PRIORITY = 9_999


def deadline_crunch(system: System, draws: Draws) -> Script:
    """Let one share want half as much again as it can do on its own until the deadline; the others come and go."""
    script = Script()
    every = tuple(allocations(system))
    names = sorted({each.share for each in every})
    hurried = names[draws.below(len(names))] if names else None
    for each in every:
        if each.share != hurried:
            for _ in range(5):
                script.submit(
                    each,
                    -(-each.own // 2),
                    at_s=draws.below(12 * HOUR),
                    work_s=draws.between(45 * MINUTE, 135 * MINUTE),
                )
            continue
        size = -(-each.own // 4)
        turns = CRUNCH_HOURS // CRUNCH_JOB_HOURS
        for _ in range(-(-3 * each.own * turns // (2 * size))):
            script.submit(
                each,
                size,
                at_s=HOUR + draws.below(15 * MINUTE),
                work_s=CRUNCH_JOB_HOURS * HOUR,
                deadline_s=(1 + CRUNCH_HOURS) * HOUR + 15 * MINUTE + turns * STARTUP,
            )
    return script


def priority_inflation(system: System, draws: Draws) -> Script:
    """Let each share keep a queue, and raise a larger part of its jobs to the top with every hour, at last all."""
    script = Script()
    for each in allocations(system):
        for number in range(ROUNDS):
            for size in gangs(each.own, 2):
                at_s = number * HOUR + draws.below(10 * MINUTE)
                job = script.submit(
                    each,
                    size,
                    at_s=at_s,
                    work_s=draws.between(HOUR, 90 * MINUTE),
                    priority=USUAL_PRIORITY,
                )
                if draws.percent(100 * (number + 1) // ROUNDS):
                    script.reprioritise(job, TOP_PRIORITY, at_s=at_s + draws.between(5 * MINUTE, 20 * MINUTE))
    return script


DEADLINE_CRUNCH = Scenario(
    name="deadline-crunch",
    description="one team floods its share with half as much again as it can do on its own before a common deadline",
    script=deadline_crunch,
)

PRIORITY_INFLATION = Scenario(
    name="priority-inflation",
    description="with every hour, a larger part of the waiting jobs is raised to the highest priority, at last all",
    script=priority_inflation,
)
