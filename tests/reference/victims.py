"""Who is stopped for whom (scheduling model, 5)."""

from __future__ import annotations

from quota_constructs.evaluator.simulation.model import VictimOrder
from tests.reference.life import lost_ms
from tests.reference.state import (
    Phase,
    Task,
    World,
    borrowed,
    excess,
    fits,
    fits_by_right,
    fits_own,
    lacking,
)


def in_victim_order(world: World, candidates: list[Task], *, cross_share: bool) -> list[Task]:
    """Section 5, victim order."""
    return sorted(candidates, key=lambda task: victim_key(world, task, cross_share=cross_share))


def victim_key(world: World, task: Task, *, cross_share: bool) -> tuple[int, ...]:
    """Section 5, victim order: one row of the table each."""
    newest = (task.priority, -task.dispatched_ms, -task.seq)
    instances = [borrowed(world, task, unit) for unit in task.units] if cross_share else []
    match world.assumptions.victim_order:
        case VictimOrder.BORROWING_FIRST:
            return (0 if any(instances) else 1, *newest)
        case VictimOrder.NEWEST:
            return newest
        case VictimOrder.OLDEST:
            return (task.priority, task.dispatched_ms, task.seq)
        case VictimOrder.MOST_BORROWED:
            return (-sum(instances), *newest)
        case VictimOrder.LEAST_LOST_WORK:
            size = sum(count for _, count in task.job.instances)
            return (task.priority, lost_ms(task, world.now) * size, -task.dispatched_ms, -task.seq)


def has_excess(world: World, task: Task, units: list[str], gone: list[Task]) -> bool:
    """Section 5: whether the job's share has excess in one of *units* that the job holds."""
    return any(task.need(unit) > 0 and excess(world, task.job.share, unit, gone) > 0 for unit in units)


def cross_share_victims(world: World, head: Task, gone: list[Task]) -> list[Task]:
    """Section 5, cross-share, with the jobs *gone* left out of account; empty if nobody is to be stopped."""
    candidates = [
        task
        for task in world.in_phase(Phase.DISPATCHED)
        if task.job.share != head.job.share and has_excess(world, task, lacking(world, head, gone), gone)
    ]
    picks: list[Task] = []
    for task in in_victim_order(world, candidates, cross_share=True):
        if fits_by_right(world, head, gone + picks):
            break
        if has_excess(world, task, lacking(world, head, gone + picks), gone + picks):
            picks.append(task)
    if not fits_by_right(world, head, gone + picks):
        return []
    for task in reversed(list(picks)):
        others = [pick for pick in picks if pick is not task]
        if fits_by_right(world, head, gone + others):
            picks = others
    return picks


def in_share_victims(world: World, head: Task) -> list[Task]:
    """Section 5, in-share; empty if nobody is to be stopped."""
    candidates = [
        task
        for task in world.in_phase(Phase.DISPATCHED)
        if task.job.share == head.job.share and task.priority < head.priority
    ]
    picks: list[Task] = []
    for task in in_victim_order(world, candidates, cross_share=False):
        picks.append(task)
        if fits(world, head, picks) and fits_by_right(world, head, picks):
            return without_the_unneeded(world, head, picks)
        if fits_own(world, head, picks):
            reclaimed = cross_share_victims(world, head, picks)
            if reclaimed:
                return without_the_unneeded(world, head, picks + reclaimed)
    return []


def without_the_unneeded(world: World, head: Task, victims: list[Task]) -> list[Task]:
    """Section 5: from last to first, drop each one without which the head still fits, by right."""
    kept = victims
    for task in reversed(victims):
        others = [each for each in kept if each is not task]
        if fits_by_right(world, head, others) and fits_beside(world, head, others):
            kept = others
    return kept


def fits_beside(world: World, head: Task, victims: list[Task]) -> bool:
    """Section 5: while a cross-share victim remains, the head must fit own."""
    if any(task.job.share != head.job.share for task in victims):
        return fits_own(world, head, victims)
    return fits(world, head, victims)
