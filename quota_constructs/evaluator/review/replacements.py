"""What the deployment of a head deletes, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rules.replacement import (
    DELETED,
    OTHER_LOGICAL_ID,
    QUEUE_REPLACED,
    SHARE_REPLACED,
)
from quota_constructs.evaluator.review.matching import QueuePair, SharePair
from quota_constructs.evaluator.system import System
from quota_constructs.printable import plural, shortened


def find_replacements(pairs: Iterable[QueuePair]) -> tuple[Finding, ...]:
    """Return a finding for each queue and share that is replaced, deleted, or another one to CloudFormation."""
    found = [finding for pair in pairs for finding in _of_pair(pair)]
    return tuple(sorted(found, key=lambda finding: finding.rule_id))


def _of_pair(pair: QueuePair) -> Iterator[Finding]:
    base, head = pair.base, pair.head
    if head is None:
        if base is not None:
            yield _queue_deleted(base)
        return
    if base is not None:
        yield from _of_queue(base, head)
    for share in pair.shares:
        yield from _of_share(head, share)


def _of_queue(base: System, head: System) -> Iterator[Finding]:
    before, after = shortened(base.name), shortened(head.name)
    if base.name != head.name:
        yield QUEUE_REPLACED.finding(
            head,
            head.source,
            "Properties/JobQueueName",
            message=f"queue '{before}' becomes '{after}': it is deleted and made anew, and the jobs in its "
            f"{plural(len(base.shares), 'share')} are terminated",
            fix=f"keep the name '{before}', or run both queues until the jobs of the old one have ended",
            figures={"before": base.name, "after": head.name, "shares": len(base.shares)},
        )
    elif base.source.logical_id != head.source.logical_id:
        yield OTHER_LOGICAL_ID.finding(
            head,
            head.source,
            "Properties/JobQueueName",
            message=f"queue '{after}' was '{shortened(base.source.logical_id)}' in the template, and CloudFormation "
            "cannot make a second of that name before it deletes the first",
            fix="keep the logical id, or move the resource with a stack refactoring first",
            figures={"before": base.source.logical_id, "after": head.source.logical_id},
        )


def _queue_deleted(base: System) -> Finding:
    return DELETED.finding(
        base,
        base.source,
        "Properties",
        message=f"queue '{shortened(base.name)}' is not there any more: the jobs in its "
        f"{plural(len(base.shares), 'share')} are terminated",
        fix="disable its shares first, and remove the queue when their jobs have ended",
        figures={"shares": len(base.shares)},
    )


def _of_share(queue: System, pair: SharePair) -> Iterator[Finding]:
    base, head = pair.base, pair.head
    if base is None:
        return
    before = shortened(base.name)
    if head is None:
        if pair.moved_to is None:
            yield DELETED.finding(
                queue,
                base.source,
                "Properties",
                share=base.name,
                message=f"share '{before}' is not there any more: its jobs are terminated, and new ones refused",
                fix="disable the share first, and remove it when its jobs have ended",
                figures={},
            )
    elif pair.is_replaced:
        moved = pair.moved_from is not None
        what = f"moves here from queue '{shortened(pair.moved_from or '')}'" if moved else "gets another name"
        also = f" as '{shortened(head.name)}'" if pair.renamed else ""
        yield SHARE_REPLACED.finding(
            queue,
            head.source,
            "Properties/JobQueue" if moved else "Properties/QuotaShareName",
            share=head.name,
            message=f"share '{before}' {what}: it is deleted and made anew{also}, and its jobs are terminated",
            fix="keep its name and queue, or add the new share first and remove the old one when its jobs have ended",
            figures={"before": base.name, "after": head.name, "queue_before": pair.moved_from or queue.name},
        )
    elif base.source.logical_id != head.source.logical_id:
        yield OTHER_LOGICAL_ID.finding(
            queue,
            head.source,
            "Properties/QuotaShareName",
            share=head.name,
            message=f"share '{before}' was '{shortened(base.source.logical_id)}' in the template, and CloudFormation "
            "cannot make a second of that name before it deletes the first",
            fix="keep the logical id, or move the resource with a stack refactoring first",
            figures={"before": base.source.logical_id, "after": head.source.logical_id},
        )
