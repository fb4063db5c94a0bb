"""The endpoint is only worth as much as it is like the services, so it is held to them itself."""

from __future__ import annotations

import http.client
import importlib
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from tests.live.account import SECRET, START_MS, UNIT, Record
from tests.live.endpoint import Endpoint
from tests.live.failures import Failure

exceptions: Any = importlib.import_module("botocore.exceptions")  # ships no types

Connect = Callable[..., Any]


def post(endpoint: Endpoint, path: str, request: Record, *, signed_for: str = "batch", **headers: str) -> int:
    """Send a request as no client of boto3 would, and return the status of the answer."""
    connection = http.client.HTTPConnection(endpoint.url.removeprefix("http://"), timeout=5)
    scope = f"AKIDEXAMPLE/20260101/eu-west-1/{signed_for}/aws4_request"
    authorization = {"Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0"}
    connection.request("POST", path, json.dumps(request), authorization | headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def pages(list_jobs: Callable[..., Record], **request: object) -> list[list[str]]:
    """Return the names of jobs, page by page."""
    found: list[list[str]] = []
    token: Record = {}
    while token or not found:
        answer = list_jobs(**request, **token)
        found.append([job["jobName"] for job in answer["jobSummaryList"]])
        token = {"nextToken": answer["nextToken"]} if "nextToken" in answer else {}
    return found


def test_what_is_deployed_is_described(endpoint: Endpoint, connect: Connect) -> None:
    queue = endpoint.account.add_queue(capacity=8)
    share = endpoint.account.add_share("research", 4, "LEND_AND_BORROW", borrow_limit=50)
    batch = connect("batch")

    described = batch.describe_job_queues(jobQueues=["training", "other"])["jobQueues"]
    environments = batch.describe_service_environments()["serviceEnvironments"]
    policies = batch.describe_scheduling_policies(arns=[queue["schedulingPolicyArn"]])["schedulingPolicies"]
    shares = batch.list_quota_shares(jobQueue=queue["jobQueueArn"])["quotaShares"]

    assert described == [queue]
    assert environments[0]["capacityLimits"] == [{"maxCapacity": 8, "capacityUnit": UNIT}]
    assert policies[0]["quotaSharePolicy"] == {"idleResourceAssignmentStrategy": "FIFO"}
    assert shares == [share]
    assert share.items() <= batch.describe_quota_share(quotaShareArn=share["quotaShareArn"]).items()


def test_a_listing_of_jobs_is_of_one_status_and_the_newest_come_first(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    for name, share, status in (("a", "x", "RUNNING"), ("b", "x", "FAILED"), ("c", "y", "RUNNING")):
        endpoint.account.add_job(share, status, name=name)
    list_jobs = connect("batch").list_service_jobs
    of_x = [{"name": "QUOTA_SHARE_NAME", "values": ["x"]}]
    after_a = [{"name": "AFTER_CREATED_AT", "values": [str(START_MS + 60_000)]}]

    assert pages(list_jobs, jobQueue="training") == [["c", "a"]]
    assert pages(list_jobs, jobQueue="training", jobStatus="FAILED") == [["b"]]
    assert pages(list_jobs, jobQueue="training", filters=of_x) == [["a"]]
    assert pages(list_jobs, jobQueue="training", filters=of_x, jobStatus="FAILED") == [["b"]]
    assert pages(list_jobs, jobQueue="training", filters=after_a) == [["c", "b"]]


def test_pages_follow_each_other_though_jobs_come_and_go_between_them(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    jobs = [endpoint.account.add_job("x", name=f"{number}") for number in range(5)]
    endpoint.faults.change(lambda account: account.add_job("x", name="new"), "ListServiceJobs", at=2)
    endpoint.faults.change(lambda account: account.jobs.pop(jobs[3]["jobId"]), "ListServiceJobs", at=2)

    found = pages(connect("batch").list_service_jobs, jobQueue="training", jobStatus="SUCCEEDED", maxResults=2)

    assert found == [["4", "3"], ["2", "1"], ["0"]]


def test_fails_on_a_token_that_was_given_for_another_listing(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    for _ in range(2):
        endpoint.account.add_job("x")
    batch = connect("batch")
    token = batch.list_service_jobs(jobQueue="training", jobStatus="SUCCEEDED", maxResults=1)["nextToken"]

    with pytest.raises(exceptions.ClientError, match="with other parameters"):
        batch.list_service_jobs(jobQueue="training", jobStatus="FAILED", maxResults=1, nextToken=token)


def test_a_job_is_described_with_its_attempts_and_its_preemptions(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    job = endpoint.account.add_job(
        "x",
        ran_ms=[(START_MS + 900_000, START_MS + 960_000)],
        preempted_ms=[(START_MS + 100_000, START_MS + 160_000)],
        priority=7,
        checkpoints=True,
    )

    described = connect("batch").describe_service_job(jobId=job["jobArn"])
    stopped = described["preemptionSummary"]["recentPreemptedAttempts"][0]["serviceResourceId"]["value"]
    training_job = connect("sagemaker").describe_training_job(TrainingJobName=stopped.rpartition("/")[2])

    assert described["schedulingPriority"] == 7
    assert [attempt["stoppedAt"] for attempt in described["attempts"]] == [START_MS + 960_000]
    assert SECRET in described["serviceRequestPayload"]
    assert training_job["TrainingJobStatus"] == "Stopped"
    assert training_job["TrainingStartTime"].timestamp() * 1000 == START_MS + 100_000


def test_a_snapshot_counts_what_is_dispatched_and_shows_who_is_in_front(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    endpoint.account.add_share("x", 2)
    endpoint.account.add_share("y", 2)
    endpoint.account.add_job("x", "RUNNING", instances=2)
    endpoint.account.add_job("x", "SCHEDULED")
    waiting = endpoint.account.add_job("y", "RUNNABLE")
    endpoint.account.add_job("y", "RUNNABLE")

    snapshot = connect("batch").get_job_queue_snapshot(jobQueue="training")

    used = [{"capacityUnit": UNIT, "quantity": 3.0}]
    front = {"jobArn": waiting["jobArn"], "earliestTimeAtPosition": waiting["createdAt"]}
    assert snapshot["queueUtilization"]["quotaShareUtilization"] == {
        "topCapacityUtilization": [{"quotaShareName": "x", "capacityUsage": used}]
    }
    assert snapshot["frontOfQuotaShares"]["quotaShares"] == {"x": [], "y": [front]}


def test_quotas_are_those_that_were_changed_and_apart_from_them_the_defaults(
    endpoint: Endpoint, connect: Connect
) -> None:
    changed = endpoint.account.add_training_quota("ml.g5.xlarge", 4)
    default = endpoint.account.add_training_quota("ml.p4d.24xlarge", 0, applied=False)
    quotas = connect("service-quotas")

    assert quotas.list_service_quotas(ServiceCode="sagemaker")["Quotas"] == [changed]
    assert quotas.list_aws_default_service_quotas(ServiceCode="sagemaker")["Quotas"] == [default]
    with pytest.raises(exceptions.ClientError, match="NoSuchResourceException"):
        quotas.get_service_quota(ServiceCode="sagemaker", QuotaCode=default["QuotaCode"])


@pytest.mark.parametrize(
    ("service", "operation", "request_", "message"),
    [
        ("batch", "list_service_jobs", {"jobQueue": "none"}, "ClientException.*JobQueue none does not exist"),
        ("batch", "describe_service_job", {"jobId": "none"}, "ClientException.*none does not exist"),
        ("batch", "describe_quota_share", {"quotaShareArn": "none"}, "ClientException.*none does not exist"),
        ("batch", "list_quota_shares", {"jobQueue": "none"}, "ClientException.*JobQueue none does not exist"),
        ("sagemaker", "describe_training_job", {"TrainingJobName": "none"}, "ValidationException.*not found"),
    ],
)
def test_fails_on_what_does_not_exist(
    connect: Connect, service: str, operation: str, request_: Record, message: str
) -> None:
    with pytest.raises(exceptions.ClientError, match=message):
        getattr(connect(service), operation)(**request_)


@pytest.mark.parametrize(
    ("path", "request_", "headers", "message"),
    [
        pytest.param("/v1/listservicejobs", {"queue": "a"}, {}, "Unknown parameter", id="unknown member"),
        pytest.param("/v1/describeservicejob", {}, {}, "Missing required parameter", id="missing member"),
        pytest.param("/v1/describeservicejob", {"jobId": 7}, {}, "Invalid type", id="wrong type"),
        pytest.param("/v1/listservicejobs", {"jobStatus": "DONE"}, {}, "which is none of", id="unknown choice"),
        pytest.param("/v1/nothing", {}, {}, "no service has an operation", id="unknown operation"),
        pytest.param("/v1/describejobqueues", {}, {"signed_for": "sagemaker"}, "was not signed", id="wrong signature"),
        pytest.param("/", {}, {"X-Amz-Target": "SageMaker.DescribeTrainingJob"}, "was sent to", id="wrong content"),
    ],
)
def test_what_no_service_would_understand_is_held_against_the_test(
    path: str, request_: Record, headers: dict[str, str], message: str
) -> None:
    with Endpoint() as endpoint:
        status = post(endpoint, path, request_, **headers)

    assert status == 400
    assert len(endpoint.violations) == 1
    assert message in endpoint.violations[0]


def test_what_no_service_would_answer_is_held_against_the_test() -> None:
    with Endpoint() as endpoint:
        endpoint.account.add_queue()["state"] = "BROKEN"
        status = post(endpoint, "/v1/describejobqueues", {})

    assert status == 500
    assert "which is none of ENABLED, DISABLED" in endpoint.violations[0]


@pytest.mark.parametrize(
    ("service", "code"),
    [
        ("batch", "TooManyRequestsException"),
        ("sagemaker", "ThrottlingException"),
        ("service-quotas", "TooManyRequestsException"),
    ],
)
def test_a_throttled_client_is_served_once_it_has_tried_again(
    endpoint: Endpoint, connect: Connect, service: str, code: str
) -> None:
    endpoint.account.add_queue()
    endpoint.account.add_training_quota(UNIT, 1)
    job = endpoint.account.add_job("x")
    training_job = job["latestAttempt"]["serviceResourceId"]["value"].rpartition("/")[2]
    calls: dict[str, tuple[str, Record]] = {
        "batch": ("describe_job_queues", {}),
        "sagemaker": ("describe_training_job", {"TrainingJobName": training_job}),
        "service-quotas": ("list_service_quotas", {"ServiceCode": "sagemaker"}),
    }
    operation, request = calls[service]
    endpoint.faults.throttle(first=2)

    with pytest.raises(exceptions.ClientError, match=code):
        getattr(connect(service, attempts=1), operation)(**request)
    answer = getattr(connect(service, attempts=2), operation)(**request)

    assert answer["ResponseMetadata"]["RetryAttempts"] == 1
    assert len(endpoint.calls) == 3


def test_a_fault_can_strike_every_so_many_th_call(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.faults.throttle("DescribeJobQueues", every=3)
    batch = connect("batch")

    struck = [_fails(batch.describe_job_queues, exceptions.ClientError) for _ in range(6)]

    assert struck == [False, False, True, False, False, True]


def test_a_connection_can_be_dropped(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    endpoint.faults.drop("DescribeJobQueues", first=1)
    batch = connect("batch")

    assert _fails(batch.describe_job_queues, exceptions.ConnectionClosedError)
    assert len(batch.describe_job_queues()["jobQueues"]) == 1


def test_an_answer_can_be_so_late_that_a_client_gives_up(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    endpoint.faults.delay(60, "DescribeJobQueues", first=1)

    assert _fails(connect("batch", timeout_s=0.1).describe_job_queues, exceptions.ReadTimeoutError)
    assert len(connect("batch").describe_job_queues()["jobQueues"]) == 1


def test_an_answer_that_is_cut_short_is_an_empty_one_to_boto3(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.account.add_queue()
    endpoint.faults.cut_short("DescribeJobQueues", first=1)
    batch = connect("batch")

    cut, whole = batch.describe_job_queues(), batch.describe_job_queues()

    assert "jobQueues" not in cut
    assert len(whole["jobQueues"]) == 1


def test_a_call_can_be_denied_or_fail_in_any_way(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.faults.deny("DescribeJobQueues")
    endpoint.faults.deny("ListServiceQuotas")
    endpoint.faults.fail(Failure("ServerException", "Internal error", 500), "DescribeServiceEnvironments")

    with pytest.raises(
        exceptions.ClientError, match=r"AccessDenied.*not authorized to perform: batch:DescribeJobQueues"
    ):
        connect("batch").describe_job_queues()
    with pytest.raises(exceptions.ClientError, match=r"AccessDenied.*perform: servicequotas:ListServiceQuotas"):
        connect("service-quotas").list_service_quotas(ServiceCode="sagemaker")
    with pytest.raises(exceptions.ClientError, match="ServerException"):
        connect("batch").describe_service_environments()
    assert endpoint.actions == {
        "batch:DescribeJobQueues",
        "batch:DescribeServiceEnvironments",
        "servicequotas:ListServiceQuotas",
    }


def _fails(act: Callable[[], object], expected: type[Exception]) -> bool:
    try:
        act()
    except expected:
        return True
    return False


def test_a_request_that_breaks_off_is_none(endpoint: Endpoint) -> None:
    host, port = endpoint.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(b"POST /v1/describeservicejob HTTP/1.1\r\nHost: it\r\nContent-Length: 40\r\n\r\n{")
        connection.shutdown(socket.SHUT_WR)

        answer = connection.recv(1024)

    assert (answer, endpoint.violations) == (b"", [])
