"""A share's interruption contract in the place of what a trace does not say about the share's jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import structs

from quota_constructs.evaluator.system import QuotaShare
from quota_constructs.evaluator.trace import Checkpoint, Job, Trace
from quota_constructs.policies.interruption import SIGTERM_WINDOW_SECONDS, InterruptionContract
from quota_constructs.printable import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractUse:
    """For how many jobs of a share its contract spoke, because the trace did not."""

    checkpoints: int = 0
    """Jobs whose way to keep work, or to keep none, is the contract's."""

    retries: int = 0
    """Jobs whose bound on preemptions is the contract's; a contract without one adds nothing to the trace."""

    @property
    def text(self) -> str:
        """For how many jobs the contract spoke: `checkpoints of 3 jobs, retries of 2 jobs`."""
        counts = {"checkpoints": self.checkpoints, "retries": self.retries}
        return ", ".join(f"{what} of {plural(count, 'job')}" for what, count in counts.items() if count)


def under_contracts(trace: Trace, shares: Mapping[str, QuotaShare]) -> tuple[Trace, Mapping[str, ContractUse]]:
    """
    Return *trace* with the contracts of *shares* where it is silent, and by share what rests on them.

    What the trace says outright stays, a null included. A trace to which nothing is added is returned as it is,
    so that applying contracts twice is the same as once.
    """
    terms = {
        name: _Terms(share.policy.interruption)
        for name, share in shares.items()
        if share.policy.interruption is not None
    }
    if not terms:
        return trace, {}
    jobs = tuple(
        job if (terms_of_share := terms.get(job.share)) is None else terms_of_share.fill_in(job) for job in trace.jobs
    )
    uses = {name: use for name, of_share in sorted(terms.items()) if (use := of_share.use) != ContractUse()}
    return (structs.replace(trace, jobs=jobs), uses) if uses else (trace, {})


class _Terms:
    """What one contract says of every job that the trace is silent on, and for how many it was asked."""

    def __init__(self, contract: InterruptionContract) -> None:
        self._checkpoint = checkpoint_of(contract)
        self._retries = contract.preemption_retries
        self._filled_checkpoints = self._filled_retries = 0

    @property
    def use(self) -> ContractUse:
        return ContractUse(checkpoints=self._filled_checkpoints, retries=self._filled_retries)

    def fill_in(self, job: Job) -> Job:
        """Return *job* with what it lacks; one that lacks nothing is returned as it is."""
        keeps_unsaid = job.checkpoint is None and not job.keeps_nothing
        retries_unsaid = job.preemption_retries is None and not job.retries_unlimited and self._retries is not None
        if not keeps_unsaid and not retries_unsaid:
            return job
        self._filled_checkpoints += keeps_unsaid
        self._filled_retries += retries_unsaid
        return structs.replace(
            job,
            checkpoint=self._checkpoint if keeps_unsaid else job.checkpoint,
            keeps_nothing=job.keeps_nothing or (keeps_unsaid and self._checkpoint is None),
            preemption_retries=self._retries if retries_unsaid else job.preemption_retries,
        )


def checkpoint_of(contract: InterruptionContract) -> Checkpoint | None:
    """Return how a job under *contract* keeps its work, None if it cannot resume."""
    if not contract.can_resume:
        return None
    interval = contract.checkpoint_interval_seconds
    return Checkpoint(
        interval_ms=None if interval is None else max(1, _milliseconds(interval)),  # the clock knows no shorter time
        cost_ms=_milliseconds(contract.checkpoint_cost_seconds),
        restore_ms=_milliseconds(contract.restore_seconds),
        on_stop=contract.saves_on_sigterm and (contract.save_on_sigterm_seconds or 0) <= SIGTERM_WINDOW_SECONDS,
        lag_ms=_milliseconds(contract.upload_lag_seconds),
    )


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
