"""Random cases with many jobs running at once, so that victims are chosen from among many and several fall together."""

from __future__ import annotations

from random import Random

from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.trace import Event, Job, Trace
from quota_constructs.policies.sharing import Strategy
from tests.builders import cancel, checkpoint, job, rearrange, reprioritise, share, system
from tests.reference.random_cases import UNITS, Case, rearranged

STRATEGIES = (Strategy.LEND_AND_BORROW, Strategy.LEND_AND_BORROW, Strategy.LEND_AND_BORROW, Strategy.LEND)

KEEPING = (
    None,
    None,
    checkpoint(10),
    checkpoint(7, cost=1, restore=2),
    checkpoint(on_stop=True),
    checkpoint(9, cost=1, lag=4),
)


def crowded_case(seed: int) -> Case:
    """Draw the case of *seed*: borrowers fill a large environment before its owners come, and come again."""
    rng = Random(f"crowded {seed}")  # noqa: S311 - cases, not secrets
    units = UNITS[: rng.choice((1, 1, 1, 2))]
    names = "abcdef"[: rng.randint(3, 6)]
    shares = [
        share(
            name,
            {unit: rng.randint(2, 9) for unit in units},
            Strategy.RESERVE if rng.random() < 0.1 else rng.choice(STRATEGIES),
            borrow_limit=rng.choice((-1, -1, -1, 100, 300)),
            in_share_preemption=rng.random() < 0.5,
        )
        for name in names
    ]
    slack = rng.choice((0, 0, 0, 0, -3, 2))
    capacity = {unit: sum(each.limits[unit] for each in shares) + slack for unit in units}
    arrangement = system(*shares, capacity=capacity)
    stop_ms = rng.choice((0, 1_000, 7_000, 20_000, 20_000))
    jobs = [crowded_job(rng, f"j{number}", names, units) for number in range(rng.randint(30, 70))]
    events: list[Event] = []
    for _ in range(rng.choice((0, 2, 6, 12))):
        name, at = rng.choice(jobs).id, float(rng.randrange(150))
        events.append(reprioritise(at, name, rng.randrange(5)) if rng.random() < 0.8 else cancel(at, name))
    for at in sorted(float(rng.randrange(40, 150)) for _ in range(rng.choice((0, 0, 1, 3)))):
        arrangement_then = rearranged(rng, arrangement, wild=False)
        events.append(rearrange(at, arrangement_then))
    return Case(
        system=arrangement,
        trace=Trace(name=f"crowded {seed}", jobs=tuple(jobs), events=tuple(events)),
        assumptions=Assumptions(
            stop_ms=stop_ms,
            victim_order=rng.choice(list(VictimOrder)),
            queueing=rng.choice((Queueing.STRICT, Queueing.STRICT, Queueing.BACKFILL)),
        ),
    )


def crowded_job(rng: Random, name: str, names: str, units: tuple[str, ...]) -> Job:
    """Draw a job: small, of one of five priorities; the later its share in the order of names, the earlier it comes."""
    home = rng.randrange(len(names))
    burst = 20 * (len(names) - home)
    wanted = units if rng.random() < 0.3 else (rng.choice(units),)
    return job(
        name,
        names[home],
        {unit: rng.choice((1, 1, 1, 2, 2, 3, 5)) for unit in wanted},
        submit=max(0, burst + rng.randrange(-10, 30)),
        duration=rng.choice((15, 40, 90, 160)) + rng.randrange(10),
        priority=rng.choice((0, 0, 1, 2, 3)),
        retries=rng.choice((None, None, None, 1, 3)),
        checkpoint=rng.choice(KEEPING),
        startup=rng.choice((0, 0, 5)),
    )
