"""The operations of AWS Batch that read, on an account in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tests.live.account import DISPATCHED, Account, Record
from tests.live.failures import Failure
from tests.live.paging import Place, page

MOST_ON_A_PAGE = 100
SUMMARY = (
    "latestAttempt",
    "capacityUsage",
    "createdAt",
    "jobArn",
    "jobId",
    "jobName",
    "scheduledAt",
    "serviceJobType",
    "quotaShareName",
    "status",
    "statusReason",
    "startedAt",
    "stoppedAt",
    "isTerminated",
)
"""What a listing shows of a job: neither its priority, nor its attempts, nor its payload."""


def describe_job_queues(account: Account, request: Record) -> Record:
    """Return the queues named, or all of them; one that does not exist is left out."""
    named = _named(account.queues.values(), request.get("jobQueues"), ("jobQueueName", "jobQueueArn"))
    return _paged("jobQueues", named, request, lambda queue: [queue["jobQueueName"]])


def describe_service_environments(account: Account, request: Record) -> Record:
    """Return the environments named, or all of them; one that does not exist is left out."""
    members = ("serviceEnvironmentName", "serviceEnvironmentArn")
    named = _named(account.environments.values(), request.get("serviceEnvironments"), members)
    return _paged("serviceEnvironments", named, request, lambda environment: [environment["serviceEnvironmentName"]])


def describe_scheduling_policies(account: Account, request: Record) -> Record:
    """Return the policies named by ARN; one that does not exist is left out."""
    if len(request["arns"]) > MOST_ON_A_PAGE:
        raise Failure("ClientException", "arns cannot have more than 100 entries")
    return {"schedulingPolicies": [account.policies[arn] for arn in request["arns"] if arn in account.policies]}


def list_quota_shares(account: Account, request: Record) -> Record:
    """Return the shares of a queue, by name."""
    queue = _queue(account, request["jobQueue"])
    shares = [share for share in account.shares.values() if share["jobQueueArn"] == queue["jobQueueArn"]]
    return _paged("quotaShares", shares, request, lambda share: [share["quotaShareName"]])


def describe_quota_share(account: Account, request: Record) -> Record:
    """Return one share."""
    arn = request["quotaShareArn"]
    if arn not in account.shares:
        raise Failure("ClientException", f"Quota share {arn} does not exist")
    return account.shares[arn]


def list_service_jobs(account: Account, request: Record) -> Record:
    """Return the jobs of a queue that are in a status, or that a filter chooses, the newest first."""
    if "jobQueue" not in request:
        raise Failure("ClientException", "jobQueue must be specified")
    queue = _queue(account, request["jobQueue"])["jobQueueArn"]
    chosen = _chosen(request)
    jobs = [job for job in account.jobs.values() if job["jobQueue"] == queue and chosen(job)]
    answer = _paged("jobSummaryList", jobs, request, lambda job: [-job["createdAt"], job["jobId"]])
    answer["jobSummaryList"] = [
        {member: job[member] for member in SUMMARY if member in job} for job in answer["jobSummaryList"]
    ]
    return answer


def describe_service_job(account: Account, request: Record) -> Record:
    """Return one job, by its id or ARN."""
    job_id = request["jobId"].rpartition("/")[2]
    if job_id not in account.jobs:
        raise Failure("ClientException", f"Service job {job_id} does not exist")
    return account.jobs[job_id]


def get_job_queue_snapshot(account: Account, request: Record) -> Record:
    """Return what is in use on a queue, and what waits at the front of it and of each of its shares."""
    queue = _queue(account, request["jobQueue"])
    jobs = [job for job in account.jobs.values() if job["jobQueue"] == queue["jobQueueArn"]]
    dispatched = [job for job in jobs if job["status"] in DISPATCHED]
    waiting = sorted((job for job in jobs if job["status"] == "RUNNABLE"), key=lambda job: job["createdAt"])
    now = max((job["createdAt"] for job in jobs), default=0)
    snapshot: Record = {
        "frontOfQueue": {"jobs": [_at_front(job) for job in waiting[:100]], "lastUpdatedAt": now},
        "queueUtilization": {"totalCapacityUsage": _usage(dispatched), "lastUpdatedAt": now},
    }
    if "quotaSharePolicy" in account.policies.get(queue.get("schedulingPolicyArn", ""), {}):
        shares = sorted(
            share["quotaShareName"] for share in account.shares.values() if share["jobQueueArn"] == queue["jobQueueArn"]
        )
        fronts = {share: [job for job in waiting if job.get("quotaShareName") == share][:1] for share in shares}
        used = {share: _usage(job for job in dispatched if job.get("quotaShareName") == share) for share in shares}
        snapshot["frontOfQuotaShares"] = {
            "quotaShares": {share: [_at_front(job) for job in front] for share, front in fronts.items()},
            "lastUpdatedAt": now,
        }
        snapshot["queueUtilization"]["quotaShareUtilization"] = {
            "topCapacityUtilization": [
                {"quotaShareName": share, "capacityUsage": usage} for share, usage in used.items() if usage
            ]
        }
    return snapshot


OPERATIONS: dict[str, Callable[[Account, Record], Record]] = {
    "DescribeJobQueues": describe_job_queues,
    "DescribeQuotaShare": describe_quota_share,
    "DescribeSchedulingPolicies": describe_scheduling_policies,
    "DescribeServiceEnvironments": describe_service_environments,
    "DescribeServiceJob": describe_service_job,
    "GetJobQueueSnapshot": get_job_queue_snapshot,
    "ListQuotaShares": list_quota_shares,
    "ListServiceJobs": list_service_jobs,
}


def _queue(account: Account, name_or_arn: str) -> Record:
    for queue in account.queues.values():
        if name_or_arn in (queue["jobQueueName"], queue["jobQueueArn"]):
            return queue
    raise Failure("ClientException", f"JobQueue {name_or_arn} does not exist")


def _named(records: Iterable[Record], names: Sequence[str] | None, members: tuple[str, str]) -> list[Record]:
    return [record for record in records if not names or any(record[member] in names for member in members)]


def _paged(result: str, records: list[Record], request: Record, place: Callable[[Record], Place]) -> Record:
    size = request.get("maxResults", MOST_ON_A_PAGE)
    if not 1 <= size <= MOST_ON_A_PAGE:
        raise Failure("ClientException", f"maxResults must be between 1 and 100, got {size}")
    shown, token = page(sorted(records, key=place), request, place=place, token_name="nextToken", size=size)  # noqa: S106 - the name of a member
    return {result: list(shown)} | ({} if token is None else {"nextToken": token})


def _chosen(request: Record) -> Callable[[Record], bool]:
    """Return whether a job is listed: one filter at most, and a status unless the filter is not about shares."""
    filters = request.get("filters", [])
    status = request.get("jobStatus", "RUNNING")
    if len(filters) > 1:
        raise Failure("ClientException", "Only one filter can be used at a time")
    if not filters:
        return lambda job: job["status"] == status
    name, values = filters[0].get("name"), filters[0].get("values", [])
    if len(values) != 1:
        raise Failure("ClientException", f"Filter {name} takes one value")
    value = values[0]
    match name:
        case "QUOTA_SHARE_NAME":
            return lambda job: job["status"] == status and job.get("quotaShareName") == value
        case "SHARE_IDENTIFIER":
            return lambda job: job["status"] == status and job.get("shareIdentifier") == value
        case "BEFORE_CREATED_AT":
            return lambda job: job["createdAt"] < int(value)
        case "AFTER_CREATED_AT":
            return lambda job: job["createdAt"] > int(value)
        case "JOB_NAME":
            wanted = value.lower()
            return lambda job: (
                job["jobName"].lower().startswith(wanted[:-1])
                if wanted.endswith("*")
                else job["jobName"].lower() == wanted
            )
        case _:
            raise Failure("ClientException", f"Unknown filter {name}")


def _at_front(job: Record) -> Record:
    return {"jobArn": job["jobArn"], "earliestTimeAtPosition": job["createdAt"]}


def _usage(jobs: Iterable[Record]) -> list[Record]:
    used: Counter[str] = Counter()
    for job in jobs:
        for usage in job["capacityUsage"]:
            used[usage["capacityUnit"]] += usage["quantity"]
    return [{"capacityUnit": unit, "quantity": float(quantity)} for unit, quantity in sorted(used.items())]
