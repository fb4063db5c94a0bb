"""What only the engine has to be held to: that it comes to rest, and leaves the process as it was."""

from __future__ import annotations

import gc

import pytest

from quota_constructs.errors import SchedulingLoopError
from quota_constructs.evaluator.simulation import engine
from quota_constructs.evaluator.simulation.engine import simulate
from quota_constructs.evaluator.simulation.model import State
from tests.builders import RESERVE, job, share, system, trace


def test_many_jobs_may_start_at_one_instant() -> None:
    jobs = trace(*(job(f"j{number}", "a", duration=60) for number in range(3_000)))

    history = simulate(system(share("a", 3_000, RESERVE)), jobs)

    assert {(each.state, each.wait_ms) for each in history.jobs} == {(State.SUCCEEDED, 0)}


def test_fails_rather_than_hangs_when_the_scheduler_does_not_come_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(*_: object) -> bool:
        return True

    monkeypatch.setattr(f"{engine.__name__}._Engine._decide", decide)  # no arrangement is known to loop

    with pytest.raises(SchedulingLoopError, match=r"does not come to rest at 5000 ms .* are 'j0', 'j1'"):
        simulate(system(share("a", 1)), trace(*(job(f"j{number}", "a", submit=5, duration=60) for number in range(2))))


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_of_cycles_is_left_as_it_was(*, collecting: bool) -> None:
    was = gc.isenabled()
    (gc.enable if collecting else gc.disable)()

    try:
        simulate(system(share("a", 1)), trace(job("j", "a", duration=60)))

        assert gc.isenabled() is collecting
    finally:
        (gc.enable if was else gc.disable)()
