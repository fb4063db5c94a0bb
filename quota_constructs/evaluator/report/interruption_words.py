"""An interruption contract in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.report.markdown import prose
from quota_constructs.policies.interruption import SIGTERM_WINDOW_SECONDS, InterruptionContract, WhenRetriesRunOut
from quota_constructs.printable import plural

_AFTERWARDS = {
    WhenRetriesRunOut.RECLASSIFY: "it is moved to a share or a priority at which it is left alone",
    WhenRetriesRunOut.RESUBMIT: "somebody submits it again",
    WhenRetriesRunOut.OTHER_CAPACITY: "it runs elsewhere",
}


def contract_sentences(contract: InterruptionContract) -> Iterator[str]:
    """Yield what *contract* says, one sentence at a time, in Markdown."""
    yield from _resuming(contract) if contract.can_resume else ["A stopped job starts again from nothing."]
    if contract.evidence is not None:
        link = f", see {prose(contract.evidence.link)}" if contract.evidence.link else ""
        yield f"Resuming was tried on {contract.evidence.tried_on}{link}."
    elif contract.can_resume:
        yield "Nobody has shown yet that resuming works."
    if contract.recovery_owner:
        yield f"If a job does not resume as it should: {prose(contract.recovery_owner)}."
    if contract.preemption_retries is None:
        yield "A job may be preempted without end."
    else:
        yield f"A job may be preempted {plural(contract.preemption_retries, 'time')}; the next time it fails."
        if contract.when_retries_run_out is not None:
            yield f"Then {_AFTERWARDS[contract.when_retries_run_out]}."
    if contract.escalate_to:
        yield f"Told of it: {prose(contract.escalate_to)}."
    if contract.assumes_continuous_access:
        yield "Completion times that people were given count on never being interrupted."


def _resuming(contract: InterruptionContract) -> Iterator[str]:
    yield "A stopped job goes on from saved work."
    if contract.checkpoint_interval_seconds is None:
        yield "It makes no checkpoints while it runs."
    else:
        cost = contract.checkpoint_cost_seconds
        yield (
            f"It makes a checkpoint after every {_seconds(contract.checkpoint_interval_seconds)} of work"
            f"{f', which takes {_seconds(cost)}' if cost else ''}; what it did since is lost."
        )
    if contract.upload_lag_seconds:
        yield f"A checkpoint counts once its copy is in S3, {_seconds(contract.upload_lag_seconds)} later."
    if contract.restore_seconds:
        yield f"Loading what was saved takes {_seconds(contract.restore_seconds)}."
    if contract.saves_on_sigterm:
        needed = contract.save_on_sigterm_seconds
        takes = "" if needed is None else f", which takes {_seconds(needed)}"
        late = needed is not None and needed > SIGTERM_WINDOW_SECONDS
        yield (
            f"Told to stop, it saves its work{takes}; the service waits {SIGTERM_WINDOW_SECONDS} s"
            f"{', so that does not count' if late else ''}."
        )


def _seconds(seconds: float) -> str:
    return f"{seconds:,.3f}".rstrip("0").rstrip(".") + " s"
