"""The figures of a literal run, integrated the long way (scheduling model, 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quota_constructs.evaluator.simulation.history import History, Usage
from quota_constructs.evaluator.system import System
from tests.reference.state import Phase, Task, World, excess, fits_own, queue, used


@dataclass(frozen=True)
class Moment:
    """What was the case from one instant to the next."""

    begins_ms: int
    ends_ms: int
    waiting: list[Task]
    entitled: list[Task]
    used: Mapping[tuple[str, str], int]
    excess: Mapping[tuple[str, str], int]
    system: System


def moment(world: World, until: int) -> Moment:
    """Write down what is the case from now to *until*."""
    names = {share.name for share in world.system.shares} | {task.job.share for task in world.tasks}
    units = {*world.system.units} | {unit for task in world.tasks for unit in task.units}
    pairs = [(name, unit) for name in names for unit in units]
    return Moment(
        begins_ms=world.now,
        ends_ms=until,
        waiting=world.in_phase(Phase.QUEUED, Phase.AWAITING),
        entitled=entitled_but_waiting(world),
        used={pair: used(world, *pair) for pair in pairs},
        excess={pair: excess(world, *pair) for pair in pairs},
        system=world.system,
    )


def entitled_but_waiting(world: World) -> list[Task]:
    """Return who does not run although it fits own: heads, and those for whom capacity is being reclaimed."""
    heads = [waiting[0] for share in world.system.shares if (waiting := queue(world, share.name))]
    awaiting = [task for task in world.in_phase(Phase.AWAITING) if task.fitted_own]
    return [head for head in heads if fits_own(world, head)] + awaiting


def figures(world: World, moments: list[Moment], arrangements: list[System]) -> History:
    """Section 8: add up value times elapsed over every moment of the horizon."""
    if world.first_submission_ms is None:
        start, end = 0, 0
    else:
        start, end = world.first_submission_ms, world.last_change_ms
    spans = [(m, max(0, min(m.ends_ms, end) - max(m.begins_ms, start))) for m in moments]
    for task in world.tasks:
        task.history.queued_ms = sum(span for m, span in spans if task in m.waiting)
        task.history.entitled_wait_ms = sum(span for m, span in spans if task in m.entitled)
    pairs = sorted({(s.name, unit) for a in arrangements for s in a.shares for unit in s.limits})
    units = sorted({unit for a in arrangements for unit in a.environment.capacity})
    return History(
        jobs=[task.history for task in world.tasks],
        usage={
            pair: Usage(
                used=sum(m.used.get(pair, 0) * span for m, span in spans),
                borrowed=sum(m.excess.get(pair, 0) * span for m, span in spans),
                allocated=sum(own(m.system, *pair) * span for m, span in spans),
            )
            for pair in pairs
        },
        capacity={unit: sum(m.system.environment.capacity.get(unit, 0) * span for m, span in spans) for unit in units},
        start_ms=start,
        end_ms=end,
    )


def own(system: System, name: str, unit: str) -> int:
    """Return the limit of a share, 0 where the arrangement has none."""
    share = system.share(name)
    return 0 if share is None else share.limits.get(unit, 0)
