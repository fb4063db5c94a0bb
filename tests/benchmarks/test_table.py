from dataclasses import replace

import pytest
from rich.console import Console

from benchmarks.measure import Cost
from benchmarks.table import HELP, NOTHING, command_table, workload_table
from benchmarks.targets import targets_of

GOOD = Cost(jobs=10_000, preemptions=0, read_s=0.02, simulate_s=0.04, kept=4_000_000, most=5_000_000, peak=30_000_000)
POOL_S = 0.00001


@pytest.mark.parametrize(
    ("cost", "missed"),
    [
        pytest.param(GOOD, [], id="all is well"),
        pytest.param(replace(GOOD, simulate_s=0.06), ["2x pool"], id="slow"),
        pytest.param(replace(GOOD, most=10_000_000), ["under 1 KB a job"], id="large"),
        pytest.param(replace(GOOD, read_s=0.05), ["read no slower"], id="slowly read"),
    ],
)
def test_a_target_that_is_missed_is_said_to_be(cost: Cost, missed: list[str]) -> None:
    targets = list(targets_of("fifo-10000", {"fifo-10000": cost}, POOL_S))

    assert [target.text for target in targets if not target.met] == missed
    assert len(targets) == 3


def test_ten_times_the_jobs_are_held_against_a_tenth() -> None:
    costs = {"10,000 generated": GOOD, "100,000 generated": replace(GOOD, jobs=100_000, simulate_s=0.5)}

    targets = [str(target) for target in targets_of("100,000 generated", costs, POOL_S)]

    assert "MISSED: under 12x a tenth (12.5x)" in targets


def test_without_the_pool_speed_is_shown_and_not_judged() -> None:
    shown = drawn(workload_table({"10,000 generated": GOOD}, None))

    assert "250,000" in shown
    assert "0.3x pool" not in shown


def test_each_speed_stands_beside_the_pools() -> None:
    shown = drawn(workload_table({"fifo-10000": GOOD}, POOL_S))

    pool, ours = (line.split("|") for line in shown.splitlines() if line.startswith("fifo-10000"))
    assert [cell.strip() for cell in pool[2:4]] == ["100,000", "1.00"]
    assert [cell.strip() for cell in ours[1:10]] == [
        "0.00",
        "250,000",
        "2.50",
        "166,667",
        "1.67",
        "0.50",
        "0.40",
        "0.50",
        "30",
    ]  # fmt: skip - a row is a row


@pytest.mark.parametrize(("taken", "verdict"), [(0.039, "met: under 4x"), (0.041, "MISSED: under 4x")])
def test_help_is_held_against_a_python_that_does_nothing(taken: float, verdict: str) -> None:
    shown = drawn(command_table({NOTHING: 0.010, HELP: taken}))

    assert verdict in shown


def drawn(table: object) -> str:
    console = Console(width=160, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return capture.get()
