"""The literal model's state, and everything that can be read off it (scheduling model, 1, 2 and 6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum

from quota_constructs.evaluator.simulation.history import JobHistory
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import Job
from quota_constructs.policies.sharing import Strategy
from quota_constructs.policies.time_limits import BlockedReason


class Phase(Enum):
    """Where a job is in its life."""

    UNSUBMITTED = "unsubmitted"
    QUEUED = "queued"
    AWAITING = "awaiting reclaimed capacity"
    DISPATCHED = "dispatched"
    STOPPING = "stopping"
    ENDED = "ended"


@dataclass(eq=False)
class Task:
    """A job and all that changes about it; compared by identity."""

    seq: int
    job: Job
    priority: int
    history: JobHistory
    phase: Phase = Phase.UNSUBMITTED
    saved_ms: int = 0
    dispatched_ms: int = 0
    """When its present attempt was dispatched, or, while it awaits capacity, when it will be."""

    release_ms: int = 0
    promised: dict[str, int] = field(default_factory=dict[str, int])
    fitted_own: bool = False
    """Others were stopped for it when it fitted own."""

    cancelled: bool = False
    """A cancel came while it was stopping or awaiting capacity."""

    deleted: bool = False
    """Its share was deleted while it was stopping or awaiting capacity."""

    def need(self, unit: str) -> int:
        """Return how many instances of *unit* it holds when it runs."""
        return dict(self.job.instances).get(unit, 0)

    @property
    def units(self) -> list[str]:
        """The units it needs."""
        return [unit for unit, _ in self.job.instances]


@dataclass
class World:
    """Everything that is the case at one moment."""

    system: System
    assumptions: Assumptions
    tasks: list[Task]
    now: int = -1
    rearranged_ms: int = 0
    """When the arrangement last changed."""

    heads: dict[str, tuple[Task, int]] = field(default_factory=dict[str, tuple[Task, int]])
    """Each share's head as the last look found it, and since when."""

    misconfigured: list[tuple[Task, BlockedReason]] = field(default_factory=list[tuple[Task, BlockedReason]])
    """The heads that can never start, as the last pass left them."""

    first_submission_ms: int | None = None
    last_change_ms: int = 0

    def in_phase(self, *phases: Phase) -> list[Task]:
        """List the jobs that are in one of *phases*, by `seq`."""
        return [task for task in self.tasks if task.phase in phases]


Gone = Collection[Task]
"""Jobs to be left out of account, as if they had been stopped already."""


def share_of(world: World, task: Task) -> QuotaShare:
    """Return the share of a queued job."""
    share = world.system.share(task.job.share)
    assert share is not None, f"{task.job.id} is queued in a share that does not exist"
    return share


def limit(world: World, name: str, unit: str) -> int:
    """Section 1, limit: a unit that is absent may not be used; a share that is absent has nothing."""
    share = world.system.share(name)
    return 0 if share is None else share.limits.get(unit, 0)


def ceiling(share: QuotaShare, unit: str) -> float:
    """Section 1, ceiling."""
    own = share.limits.get(unit, 0)
    if share.strategy is not Strategy.LEND_AND_BORROW:
        return own
    if share.borrow_limit_percent == -1:
        return float("inf")
    return own + (own * share.borrow_limit_percent) // 100


def capacity(world: World, unit: str) -> int:
    """Section 1, environment."""
    return world.system.environment.capacity.get(unit, 0)


def effective_capacity(world: World, unit: str) -> int:
    """Section 1, effective capacity: capacity that no share owns cannot be used."""
    return min(capacity(world, unit), sum(share.limits.get(unit, 0) for share in world.system.shares))


def used(world: World, name: str, unit: str, gone: Gone = ()) -> int:
    """Section 1, used: held by jobs of the share that are dispatched or awaiting reclaimed capacity."""
    return sum(
        task.need(unit)
        for task in world.in_phase(Phase.DISPATCHED, Phase.AWAITING)
        if task.job.share == name and task not in gone
    )


def used_by_all(world: World, unit: str, gone: Gone = ()) -> int:
    """Section 1, the sum of U[*][u]."""
    return sum(task.need(unit) for task in world.in_phase(Phase.DISPATCHED, Phase.AWAITING) if task not in gone)


def excess(world: World, name: str, unit: str, gone: Gone = ()) -> int:
    """Section 1, excess: what a share holds beyond its own."""
    return max(0, used(world, name, unit, gone) - limit(world, name, unit))


def borrowed(world: World, task: Task, unit: str) -> int:
    """Section 1, borrowed: the job's part of the excess, the share's jobs being counted in the order of dispatch."""
    jobs = [each for each in world.in_phase(Phase.DISPATCHED, Phase.AWAITING) if each.job.share == task.job.share]
    in_order = sorted(jobs, key=lambda each: (each.dispatched_ms, each.seq))
    before = sum(each.need(unit) for each in in_order[: in_order.index(task)])
    own = limit(world, task.job.share, unit)
    return max(0, before + task.need(unit) - own) - max(0, before - own)


def entitled(world: World, name: str, unit: str, gone: Gone = ()) -> int:
    """Section 1, entitled: what the share may still take by right."""
    kept_for_reserves = sum(
        max(0, other.limits.get(unit, 0) - used(world, other.name, unit, gone))
        for other in world.system.shares
        if other.strategy is Strategy.RESERVE and other.name != name
    )
    return effective_capacity(world, unit) - used_by_all(world, unit, gone) - kept_for_reserves


def idle(world: World, unit: str) -> int:
    """Section 1, idle: what is there at once."""
    held = sum(task.need(unit) for task in world.in_phase(Phase.DISPATCHED, Phase.STOPPING))
    promised = sum(task.promised.get(unit, 0) for task in world.in_phase(Phase.AWAITING))
    return effective_capacity(world, unit) - held - promised


def fits_own(world: World, task: Task, gone: Gone = ()) -> bool:
    """Section 1, fits own."""
    name = task.job.share
    return all(used(world, name, u, gone) + task.need(u) <= limit(world, name, u) for u in task.units)


def fits_by_borrowing(world: World, task: Task, gone: Gone = ()) -> bool:
    """Section 1, fits by borrowing."""
    share = share_of(world, task)
    return (
        share.strategy is Strategy.LEND_AND_BORROW
        and all(unit in share.limits for unit in task.units)
        and all(used(world, share.name, u, gone) + task.need(u) <= ceiling(share, u) for u in task.units)
    )


def fits_by_right(world: World, task: Task, gone: Gone = ()) -> bool:
    """Section 1, fits by right."""
    return not lacking(world, task, gone)


def lacking(world: World, task: Task, gone: Gone = ()) -> list[str]:
    """Section 5: the units that are lacking, d > entitled."""
    return [unit for unit in task.units if task.need(unit) > entitled(world, task.job.share, unit, gone)]


def fits_at_once(world: World, task: Task) -> bool:
    """Section 1, fits at once."""
    return all(task.need(unit) <= idle(world, unit) for unit in task.units)


def fits(world: World, task: Task, gone: Gone = ()) -> bool:
    """Section 1: fits own or fits by borrowing."""
    return fits_own(world, task, gone) or fits_by_borrowing(world, task, gone)


def may_start(world: World, task: Task) -> bool:
    """Section 1: it starts iff (fits own or fits by borrowing), by right and at once."""
    return fits(world, task) and fits_by_right(world, task) and fits_at_once(world, task)


def queue(world: World, name: str) -> list[Task]:
    """Section 2: by priority, highest first, then submit time, then `seq`."""
    waiting = [task for task in world.in_phase(Phase.QUEUED) if task.job.share == name]
    return sorted(waiting, key=lambda task: (-task.priority, task.job.submit_ms, task.seq))


def look_at_the_heads(world: World) -> None:
    """Section 2, head since: the instant of the pass that found the present head newly at the head."""
    before = world.heads
    world.heads = {}
    for share in world.system.shares:
        jobs = queue(world, share.name)
        if jobs:
            known = before.get(share.name)
            same = known is not None and known[0] is jobs[0]
            world.heads[share.name] = known if known is not None and same else (jobs[0], world.now)


def misconfiguration(world: World, task: Task) -> BlockedReason | None:
    """Section 6: why the job can never start, None if it can."""
    if any(task.need(unit) > capacity(world, unit) for unit in task.units):
        return BlockedReason.ENVIRONMENT_EXCEEDED
    share = share_of(world, task)
    for unit in task.units:
        if unit not in share.limits or task.need(unit) > ceiling(share, unit):
            return BlockedReason.QUOTA_EXCEEDED
        lent = sum(
            other.limits.get(unit, 0)
            for other in world.system.shares
            if other.name != share.name and other.strategy is not Strategy.RESERVE
        )
        if share.strategy is Strategy.LEND_AND_BORROW and task.need(unit) > share.limits[unit] + lent:
            return BlockedReason.QUOTA_EXCEEDED
    return None


def time_limit(world: World, reason: BlockedReason) -> int | None:
    """Section 6: of two entries with one reason the shorter counts."""
    return min((entry.max_time_ms for entry in world.system.time_limits if entry.reason is reason), default=None)


def termination_ms(world: World, task: Task, reason: BlockedReason) -> int | None:
    """Section 6: `MaxTimeSeconds` after it became the head or, if later, after the last change of arrangement."""
    longest = time_limit(world, reason)
    if longest is None:
        return None
    return max(world.heads[task.job.share][1], world.rearranged_ms) + longest


def heads_in_order(world: World) -> list[Task]:
    """Section 3, 4: by head since, earliest first, then by name; a misconfigured head is passed over."""
    names = sorted(world.heads, key=lambda name: (world.heads[name][1], name))
    return [world.heads[name][0] for name in names if misconfiguration(world, world.heads[name][0]) is None]
