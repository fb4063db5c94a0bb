"""What a deployment would delete, and its jobs with it, even if another share comes after the one that is gone."""

from __future__ import annotations

from quota_constructs.evaluator.findings.finding import Severity
from quota_constructs.evaluator.findings.rule import Rule

DELETE_SHARE = "https://docs.aws.amazon.com/batch/latest/APIReference/API_DeleteQuotaShare.html"

SHARE_REPLACED = Rule(
    id="QC501",
    title="A share is replaced",
    severity=Severity.ERROR,
    what="`review` only: the head has a share of the base under another name (same logical id or construct path), or "
    "in another queue. Neither can be changed in place, so CloudFormation makes a new share and deletes the old one.",
    why=f"Deleting a share terminates its jobs ({DELETE_SHARE}), running and waiting, and jobs submitted under the "
    "old name are refused.",
    fix="Keep the name and the queue. If the share has to change them, add the new share beside the old one, move the "
    "submissions, let the old jobs end, and remove it in a later deployment.",
    example="The share `research` becomes `science`: its 12 running jobs end as the stack is deployed.",
)

QUEUE_REPLACED = Rule(
    id="QC502",
    title="A queue is replaced",
    severity=Severity.ERROR,
    what="`review` only: the head has a queue of the base under another name. The name cannot be changed in place, so "
    "CloudFormation makes a new queue, with new shares, and deletes the old ones.",
    why=f"Deleting the old shares terminates the jobs in all of them ({DELETE_SHARE}).",
    fix="Keep the queue's name; where CloudFormation gave it one, keep the logical id. Else run both queues side by "
    "side until the jobs of the old one have ended.",
    example="A construct moves into another scope and so gets another logical id; the queue, which has no name of its "
    "own, is made anew.",
)

DELETED = Rule(
    id="QC503",
    title="A share or queue is deleted",
    severity=Severity.WARNING,
    what="`review` only: the base has a share, or a queue with its shares, that the head has nowhere.",
    why=f"Deleting a share terminates its jobs ({DELETE_SHARE}), and further jobs that name it are refused.",
    fix="Disable the share first (`enabled=False`), which lets its jobs end, and remove it in a later deployment.",
    example="A team is dissolved, and its share removed from the template while two of its jobs run.",
)

OTHER_LOGICAL_ID = Rule(
    id="QC504",
    title="A share or queue keeps its name under another logical id",
    severity=Severity.WARNING,
    what="`review` only: a resource of the base stands in the head under another logical id, and under the same name.",
    why="To CloudFormation it is another resource: it makes the new one before it deletes the old one, and a name "
    "that is still taken makes the deployment fail.",
    fix="Keep the logical id (`override_logical_id`), or move the resource with a stack refactoring first.",
    example="A share is declared by another construct, so that `QueueResearch4A1B` becomes `TeamsResearch77C0`.",
)
