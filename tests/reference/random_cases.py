"""
Random arrangements and traces that matter, the same for the same seed.

Small on purpose: few units, tight limits, sizes near the limits and few distinct times, so that most jobs
contend and ties are common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.system import QuotaShare, System
from quota_constructs.evaluator.trace import Checkpoint, Event, Job, Trace
from quota_constructs.policies.sharing import Strategy
from quota_constructs.policies.time_limits import BlockedReason
from tests.builders import cancel, checkpoint, job, rearrange, reprioritise, share, system

UNITS = ("ml.g5.xlarge", "ml.p4d.24xlarge")
NAMES = ("a", "b", "c", "d", "e")
BORROW_LIMITS = (-1, -1, -1, 0, 25, 50, 100, 150, 200)
STOPS_MS = (0, 0, 20_000, 20_000, 1, 5_000, 10_000, 33_333)
HORIZON = 12
"""How many steps of time submissions and events are spread over."""

RARELY, HALF, USUALLY, OFTEN, ALMOST_ALWAYS = 0.2, 0.5, 0.7, 0.9, 0.97


@dataclass(frozen=True)
class Case:
    """One run to compare."""

    system: System
    trace: Trace
    assumptions: Assumptions


def random_case(seed: int) -> Case:
    """Draw the case of *seed*: two in three contend for sound limits, the third has anything in it."""
    rng = Random(seed)  # noqa: S311 - cases, not secrets
    wild = seed % 3 == 2
    units = UNITS[: rng.choice((1, 1, 2))]
    step = rng.choice((10, 10, 20, 7.001))
    arrangement = random_system(rng, units, wild=wild)
    jobs = [random_job(rng, f"j{n}", arrangement, units, step, wild=wild) for n in range(rng.randint(2, 24))]
    events = random_events(rng, jobs, arrangement, step, wild=wild)
    return Case(
        system=arrangement,
        trace=Trace(name=f"seed {seed}", jobs=tuple(jobs), events=tuple(events)),
        assumptions=Assumptions(
            stop_ms=rng.choice(STOPS_MS),
            victim_order=rng.choice(list(VictimOrder)),
            queueing=rng.choice(list(Queueing)),
        ),
    )


def random_system(rng: Random, units: tuple[str, ...], *, wild: bool) -> System:
    """Draw shares, and an environment that holds them exactly, too little for them, or too much."""
    count = rng.choice((1, 2, 2, 3, 3, 3, 4, 5))
    shares = [random_share(rng, name, units, wild=wild) for name in NAMES[:count]]
    return around(rng, shares, units, wild=wild)


def around(rng: Random, shares: list[QuotaShare], units: tuple[str, ...], *, wild: bool) -> System:
    """Put *shares* into an environment, with or without time limits."""
    off_by = rng.choice((0, 0, 0, -1, -2, 1, 3) if wild else (0, 0, 0, 0, 0, 0, -1, 1))
    capacity = {unit: sum(each.limits.get(unit, 0) for each in shares) + off_by for unit in units}
    reasons = (BlockedReason.ENVIRONMENT_EXCEEDED, BlockedReason.QUOTA_EXCEEDED)
    return system(
        *shares,
        capacity={unit: max(1, count) for unit, count in capacity.items() if not wild or rng.random() < ALMOST_ALWAYS},
        time_limits={reason: rng.choice((10, 20, 30, 47.5, 600)) for reason in reasons if rng.random() < HALF},
    )


def random_share(rng: Random, name: str, units: tuple[str, ...], *, wild: bool) -> QuotaShare:
    """Draw a share with tight limits, mostly one that borrows."""
    borrower = Strategy.LEND_AND_BORROW
    return share(
        name,
        {
            unit: rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 6) if wild else (1, 2, 2, 2, 2, 3, 3, 4, 4, 6))
            for unit in units
            if not wild or rng.random() < OFTEN
        },
        rng.choice((Strategy.RESERVE, Strategy.LEND, borrower, borrower, borrower, borrower, borrower)),
        borrow_limit=rng.choice(BORROW_LIMITS),
        in_share_preemption=rng.random() < USUALLY,
        enabled=not wild or rng.random() < ALMOST_ALWAYS,
    )


def random_job(rng: Random, name: str, arrangement: System, units: tuple[str, ...], step: float, *, wild: bool) -> Job:
    """Draw a job; its share's jobs come in a burst of their own, so that owners find their capacity lent."""
    home = rng.choice(arrangement.shares)
    burst = 0 if wild else 2 * NAMES[::-1].index(home.name)
    wanted = [unit for unit in units if rng.random() < USUALLY] or [units[0]]
    return job(
        name,
        "unknown" if wild and rng.random() > ALMOST_ALWAYS else home.name,
        {unit: random_size(rng, home, unit, wild=wild) for unit in wanted},
        submit=step * rng.choice((burst, burst, burst + rng.randrange(3), rng.randrange(HORIZON))),
        duration=step * rng.choice((1, 2, 3, 5, 8, 13, 21)) + rng.choice((0, 0, 0, 0.5)),
        priority=rng.choice((0, 0, 1, 2, 3)),
        retries=rng.choice((None, None, None, 0, 1, 2)),
        checkpoint=random_checkpoint(rng, step),
        startup=rng.choice((0, 0, 0, step / 2, step, 1.5)),
        timeout=rng.choice((step * 2, step * 3 + 1, step * 5)) if rng.random() < RARELY / 2 else None,
    )


def random_size(rng: Random, home: QuotaShare, unit: str, *, wild: bool) -> int:
    """Draw a size near the share's limit, mostly within what it may use."""
    limit = home.limits.get(unit, 0)
    beyond = (limit + 1, limit + 2) if wild or home.strategy.borrows or rng.random() < RARELY else ()
    size: int = rng.choice([1, 1, 1, 2, limit - 1, limit, *beyond])
    return max(1, size)


def random_checkpoint(rng: Random, step: float) -> Checkpoint | None:
    """Draw a way to keep work, or none."""
    if rng.random() < HALF:
        return None
    return checkpoint(
        rng.choice((None, step / 2, step / 2, step, 3, step * 2)),
        cost=rng.choice((0, 0, 1, 0.25, step / 2)),
        restore=rng.choice((0, 0, 2, step / 2)),
        on_stop=rng.random() < RARELY,
    )


def random_events(rng: Random, jobs: list[Job], arrangement: System, step: float, *, wild: bool) -> list[Event]:
    """Draw events, in any order, at the times at which other things happen too."""
    events: list[Event] = []
    for _ in range(rng.choice((0, 0, 1, 2, 4, 6))):
        name, at = rng.choice(jobs).id, step * rng.randrange(HORIZON + 4)
        events.append(reprioritise(at, name, rng.randrange(6)) if rng.random() < USUALLY else cancel(at, name))
    at = 0.0
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3) if wild else (0, 0, 0, 0, 1, 2))):
        at += step * rng.randrange(7)
        arrangement = rearranged(rng, arrangement, wild=wild)
        events.append(rearrange(at, arrangement))
    if rng.random() < RARELY:
        rng.shuffle(events)
    return events


def rearranged(rng: Random, arrangement: System, *, wild: bool) -> System:
    """Change something about an arrangement: limits, strategies, states, which shares there are, or the environment."""
    shares = list(arrangement.shares)
    units = arrangement.units
    change = rng.choice(
        ("remove", "add", "add", "disable", "strategies", "lower", "lower", "raise", "anything", "none")
    )
    if change == "remove" and len(shares) > 1:
        shares.pop(rng.randrange(len(shares)))
    elif change == "add" and len(shares) < len(NAMES):
        missing = [name for name in NAMES if arrangement.share(name) is None]
        shares.append(random_share(rng, missing[0], units, wild=wild))
    elif change == "disable":
        shares = [replace(each, enabled=rng.random() < USUALLY) for each in shares]
    elif change == "strategies":
        shares = [replace(each, strategy=rng.choice(list(Strategy))) for each in shares]
    elif change in ("lower", "raise"):
        sign = -1 if change == "lower" else 1
        shares = [replace(each, limits=moved(rng, each.limits, sign)) for each in shares]
    elif change == "anything":
        shares = [random_share(rng, each.name, units, wild=wild) for each in shares]
    return around(rng, shares, units, wild=wild)


def moved(rng: Random, limits: Mapping[str, int], sign: int) -> dict[str, int]:
    """Lower or raise limits a little."""
    return {unit: max(0, count + sign * rng.randrange(3)) for unit, count in limits.items()}
