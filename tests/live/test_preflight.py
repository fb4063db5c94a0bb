"""`quota-constructs live preflight`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.exits import FOUND_ERRORS, GOOD
from quota_constructs.live.operations import OPERATIONS, Command
from tests.live.account import START_MS, UNIT
from tests.live.endpoint import Endpoint
from tests.templates import queue, write_template

Live = Callable[..., Any]


@pytest.fixture
def deployed(endpoint: Endpoint) -> Endpoint:
    """Deploy two shares of four, and a quota of SageMaker that is large enough for them."""
    endpoint.account.add_queue("main", 8)
    endpoint.account.environments["main"]["serviceEnvironmentName"] = "main-environment"
    endpoint.account.add_share("guest", 4, "LEND_AND_BORROW", queue="main")
    endpoint.account.add_share("owner", 4, "LEND", queue="main")
    endpoint.account.add_training_quota(UNIT, 8)
    return endpoint


def template(tmp_path: Path, *, name: str = "main", **limits: int) -> str:
    """Declare shares that lend, and one called guest that borrows too, with these limits."""
    shares = {share: (limit, "LEND_AND_BORROW" if share == "guest" else "LEND") for share, limit in limits.items()}
    return str(write_template(tmp_path / "t.json", queue(name, shares, capacity=8)))


def test_a_deployment_that_changes_nothing_hits_nothing(deployed: Endpoint, tmp_path: Path, live: Live) -> None:
    deployed.account.add_job("owner", "RUNNING", queue="main", instances=4)

    ran = live("preflight", template(tmp_path, guest=4, owner=4))

    assert (ran.code, ran.err) == (GOOD, "")
    assert "Deploying to queue main hits nothing that is there." in ran.out
    assert deployed.actions == {operation.action for operation in OPERATIONS[Command.PREFLIGHT]}


def test_the_jobs_that_a_lower_limit_leaves_without_room_are_named(
    deployed: Endpoint, tmp_path: Path, live: Live
) -> None:
    account = deployed.account
    jobs = [
        account.add_job("owner", status, queue="main", created_ms=START_MS + number * 60_000)
        for number, status in enumerate(("RUNNING", "STARTING", "RUNNING", "SCHEDULED"))
    ]
    account.add_job("owner", "RUNNABLE", queue="main")
    account.add_job("owner", "SUCCEEDED", queue="main")

    ran = live("preflight", template(tmp_path, guest=4, owner=2), "--format", "json")

    shares = {each["share"]: each for each in ran.json["shares"]}
    assert ran.code == FOUND_ERRORS
    assert shares["owner"]["eligible"] == [job["jobId"] for job in jobs[2:]]
    assert (shares["owner"]["dispatched"], shares["guest"]["eligible"]) == (4, [])


def test_a_job_that_stood_above_the_old_limit_already_is_not_held_against_the_new_one(
    deployed: Endpoint, tmp_path: Path, live: Live
) -> None:
    deployed.account.add_job("guest", "RUNNING", queue="main", instances=4, created_ms=START_MS)
    deployed.account.add_job("guest", "RUNNING", queue="main", instances=2, created_ms=START_MS + 60_000)

    ran = live("preflight", template(tmp_path, guest=4, owner=4), "--format", "json")

    assert ran.code == GOOD
    assert [each["eligible"] for each in ran.json["shares"]] == [[], []]


def test_a_job_that_changes_its_state_while_it_is_looked_for_counts_once(
    deployed: Endpoint, tmp_path: Path, live: Live
) -> None:
    job = deployed.account.add_job("owner", "STARTING", queue="main", instances=4)
    listings_of_guest = 3

    def start(_: object) -> None:
        job["status"] = "RUNNING"

    deployed.faults.change(start, "ListServiceJobs", at=listings_of_guest + 3)

    ran = live("preflight", template(tmp_path, guest=4, owner=2), "--format", "json")

    [owner] = [each for each in ran.json["shares"] if each["share"] == "owner"]
    assert (owner["dispatched"], owner["eligible"]) == (1, [job["jobId"]])


def test_jobs_beyond_the_first_page_count(deployed: Endpoint, tmp_path: Path, live: Live) -> None:
    for _ in range(250):
        deployed.account.add_job("owner", "RUNNING", queue="main")

    ran = live("preflight", template(tmp_path, guest=4, owner=3), "--format", "json")

    [owner] = [each for each in ran.json["shares"] if each["share"] == "owner"]
    assert (owner["dispatched"], len(owner["eligible"])) == (250, 1)


def test_a_share_that_is_declared_no_more_takes_its_jobs_with_it(
    deployed: Endpoint, tmp_path: Path, live: Live
) -> None:
    deployed.account.add_job("owner", "RUNNING", queue="main")
    deployed.account.add_job("owner", "RUNNABLE", queue="main")

    ran = live("preflight", template(tmp_path, guest=4, lender=4))

    assert ran.code == FOUND_ERRORS
    assert "deleted: 1 dispatched job and 1 waiting are terminated" in " ".join(ran.out.split())


def test_a_queue_that_gets_another_name_takes_all_jobs_with_it(deployed: Endpoint, tmp_path: Path, live: Live) -> None:
    deployed.account.add_job("owner", "RUNNING", queue="main")

    ran = live("preflight", template(tmp_path, name="new", guest=4, owner=4), "--deployed", "main", "--format", "json")

    assert ran.code == FOUND_ERRORS
    assert [each["deleted"] for each in ran.json["shares"]] == [True, True]
    assert {"resource": "AWS::Batch::JobQueue", "before": "main", "after": "new"} in ran.json["replacements"]


def test_a_queue_that_is_not_deployed_yet_has_no_jobs_to_lose(endpoint: Endpoint, tmp_path: Path, live: Live) -> None:
    endpoint.account.add_training_quota(UNIT, 8)

    ran = live("preflight", template(tmp_path, guest=4, owner=4))

    assert ran.code == GOOD
    assert "is not deployed" in ran.out


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((None, 8), (GOOD, 8), id="the default is enough"),
        pytest.param((None, 7), (FOUND_ERRORS, 7), id="the default is too small"),
        pytest.param((8, 0), (GOOD, 8), id="a raised quota counts, not the default"),
        pytest.param((7, 8), (FOUND_ERRORS, 7), id="a lowered quota counts, not the default"),
        pytest.param((None, None), (GOOD, None), id="a type that is not listed is unknown"),
    ],
)
def test_the_environment_is_held_to_the_training_quota_of_sagemaker(
    deployed: Endpoint,
    tmp_path: Path,
    live: Live,
    values: tuple[int | None, int | None],
    expected: tuple[int, int | None],
) -> None:
    account = deployed.account
    account.applied_quotas.clear()
    for usage in ("spot training job", "training warm pool"):
        account.add_training_quota(UNIT, 1)["QuotaName"] = f"{UNIT} for {usage} usage"
        account.applied_quotas[usage] = account.applied_quotas.popitem()[1] | {"QuotaCode": f"L-{len(usage)}"}
    for value, applied in zip(values, (True, False), strict=True):
        if value is not None:
            account.add_training_quota(UNIT, value, applied=applied)

    ran = live("preflight", template(tmp_path, guest=4, owner=4), "--format", "json")

    [quota] = ran.json["quotas"]
    assert (ran.code, quota["quota"]) == expected
    assert quota["capacity"] == 8
