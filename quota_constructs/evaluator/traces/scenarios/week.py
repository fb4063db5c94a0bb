"""
A week as clusters of deep-learning jobs know it: by day more than by night, many small jobs and a few very large ones.

The shapes are rounded from published logs, and their amounts fitted to the arrangement:

- durations and sizes: the 69,351 jobs of ten clusters in https://github.com/microsoft/elasticflow-traces (MIT), where
  83 % of the jobs hold one GPU and half of the GPU time goes to jobs of eight, half of the jobs are done within three
  hours and one in a hundred takes more than two days. The longest per cent is cut at three days.
- days of the week: the jobs of https://github.com/msr-fiddle/philly-traces (CC BY 4.0), described by Jeon et al. in
  "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads", USENIX ATC 2019: on a day of the
  weekend less than half of what comes on another.
- hours of the day are our own, with two to three times as many jobs by day as by night: the daily rhythm that Hu et
  al. found in "Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU Datacenters", SC 2021.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.traces.scenarios.allocations import Allocation, allocations
from quota_constructs.evaluator.traces.scenarios.draws import Draws, Quantiles
from quota_constructs.evaluator.traces.scenarios.scenario import Scenario
from quota_constructs.evaluator.traces.scenarios.script import DAY, HOUR, MINUTE, Script

DURATION_SECONDS: Final[Quantiles] = (
    (0, 600),
    (50, 980),
    (100, 1_340),
    (250, 3_800),
    (400, 7_600),
    (500, 10_500),
    (600, 11_800),
    (750, 16_300),
    (900, 28_800),
    (950, 57_500),
    (980, 121_000),
    (990, 210_000),
    (1_000, 259_200),
)
SIZES: Final = ((832, 1), (853, 2), (887, 4), (988, 8), (993, 16), (998, 32), (1_000, 64))
"""(jobs per mille up to here, how many times the smallest job they are)"""

HOURS: Final = (2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 6, 6, 5, 5, 6, 6, 6, 6, 5, 5, 4, 4, 3, 3)
DAYS: Final = (16, 16, 16, 16, 16, 7, 7)

BUSY_PERCENT: Final = (30, 90)
"""How much of what it can do on its own a share wants, drawn for each."""

MEAN_WORK: Final = 10 * HOUR
"""About what a job of the smallest size comes to, larger ones included; decides how large the smallest is."""

WEEK: Final = 7 * DAY
SHORTEST: Final = MINUTE
LONGEST: Final = 3 * DAY
MOST_JOBS: Final = 1_200
"""How many jobs there are in all, unless there are very many allocations or very few."""


def steady_week(system: System, draws: Draws) -> Script:
    """Let each share submit jobs over a week, as many hours of work as it wants."""
    script = Script()
    every = tuple(allocations(system))
    count = min(max(MOST_JOBS // max(len(every), 1), 8), 120)
    by_hour = tuple(accumulate(day * hour for day in DAYS for hour in HOURS))
    for each in every:
        _submit_week(script, each, draws, count, by_hour)
    return script


def _submit_week(script: Script, each: Allocation, draws: Draws, count: int, by_hour: tuple[int, ...]) -> None:
    wanted_s = each.own * WEEK * draws.between(*BUSY_PERCENT) // 100
    smallest = max(1, wanted_s // (count * MEAN_WORK))
    jobs = [(min(smallest * _size(draws), each.own), draws.of(DURATION_SECONDS)) for _ in range(count)]
    drawn_s = sum(size * duration_s for size, duration_s in jobs)
    for size, duration_s in jobs:
        work_s = min(max(duration_s * wanted_s // drawn_s, SHORTEST), LONGEST)
        at_s = _hour(draws, by_hour) * HOUR + draws.below(HOUR)
        script.submit(each, size, at_s=at_s, work_s=work_s)


def _size(draws: Draws) -> int:
    place = draws.below(1_000)
    return next(size for up_to, size in SIZES if place < up_to)


def _hour(draws: Draws, by_hour: tuple[int, ...]) -> int:
    """Draw an hour of the week; *by_hour* holds how much comes up to the end of each."""
    place = draws.below(by_hour[-1])
    return next(hour for hour, up_to in enumerate(by_hour) if place < up_to)


STEADY_WEEK = Scenario(
    name="steady-week",
    description="a week of jobs shaped like public GPU-cluster logs, with which some teams are busier than others",
    script=steady_week,
)
