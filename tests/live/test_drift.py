"""`quota-constructs live drift`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quota_constructs.cli.exits import BAD_INPUT, FOUND_ERRORS, GOOD
from quota_constructs.live.operations import OPERATIONS, Command
from tests.live.account import UNIT, Record, batch_arn
from tests.live.endpoint import Endpoint
from tests.templates import queue, write_template

Live = Callable[..., Any]


@pytest.fixture
def template(tmp_path: Path) -> str:
    """Declare a guest that borrows and an owner that lends."""
    shares = {"guest": (4, "LEND_AND_BORROW"), "owner": (6, "LEND")}
    return str(write_template(tmp_path / "t.json", queue("main", shares, capacity=10)))


@pytest.fixture
def deployed(endpoint: Endpoint) -> Endpoint:
    """Deploy what the template declares."""
    endpoint.account.add_queue("main", 10)
    endpoint.account.environments["main"]["serviceEnvironmentName"] = "main-environment"
    endpoint.account.add_share("guest", 4, "LEND_AND_BORROW", queue="main")
    endpoint.account.add_share("owner", 6, "LEND", queue="main")
    return endpoint


def share(endpoint: Endpoint, name: str) -> Record:
    """Return what is deployed as a share."""
    return endpoint.account.shares[batch_arn(f"job-queue/main/quota-share/{name}")]


def test_what_is_deployed_as_declared_has_no_drift(deployed: Endpoint, template: str, live: Live) -> None:
    ran = live("drift", template)

    assert (ran.code, ran.out, ran.err) == (GOOD, "Queue main is deployed as it is declared.\n", "")
    assert deployed.actions == {operation.action for operation in OPERATIONS[Command.DRIFT]}


def lower_the_limit(endpoint: Endpoint) -> None:
    share(endpoint, "owner")["capacityLimits"][0]["maxCapacity"] = 5


def let_the_owner_borrow(endpoint: Endpoint) -> None:
    share(endpoint, "owner")["resourceSharingConfiguration"] = {"strategy": "LEND_AND_BORROW", "borrowLimit": -1}


def limit_what_the_guest_borrows(endpoint: Endpoint) -> None:
    share(endpoint, "guest")["resourceSharingConfiguration"]["borrowLimit"] = 0


def let_jobs_stop_their_own(endpoint: Endpoint) -> None:
    share(endpoint, "guest")["preemptionConfiguration"]["inSharePreemption"] = "ENABLED"


def disable_the_share(endpoint: Endpoint) -> None:
    share(endpoint, "guest")["state"] = "DISABLED"


def add_an_instance_type(endpoint: Endpoint) -> None:
    share(endpoint, "guest")["capacityLimits"].append({"maxCapacity": 1, "capacityUnit": "ml.p4d.24xlarge"})


def shrink_the_environment(endpoint: Endpoint) -> None:
    endpoint.account.environments["main"]["capacityLimits"][0]["maxCapacity"] = 9


def disable_the_environment(endpoint: Endpoint) -> None:
    endpoint.account.environments["main"]["state"] = "DISABLED"


def disable_the_queue(endpoint: Endpoint) -> None:
    endpoint.account.queues["main"]["state"] = "DISABLED"


def end_blocking_jobs(endpoint: Endpoint) -> None:
    endpoint.account.queues["main"]["jobStateTimeLimitActions"] = [
        {"action": "TERMINATE", "maxTimeSeconds": 600, "reason": "CAPACITY:INSUFFICIENT", "state": "RUNNABLE"}
    ]


def add_a_share(endpoint: Endpoint) -> None:
    endpoint.account.add_share("extra", queue="main")


def delete_a_share(endpoint: Endpoint) -> None:
    del endpoint.account.shares[batch_arn("job-queue/main/quota-share/owner")]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lower_the_limit, ("QuotaShare owner", f"CapacityLimits/{UNIT}", "6", "5")),
        (
            limit_what_the_guest_borrows,
            ("QuotaShare guest", "ResourceSharingConfiguration/BorrowLimit", "-1 (unlimited)", "0"),
        ),
        (
            let_jobs_stop_their_own,
            ("QuotaShare guest", "PreemptionConfiguration/InSharePreemption", "DISABLED", "ENABLED"),
        ),
        (disable_the_share, ("QuotaShare guest", "State", "ENABLED", "DISABLED")),
        (add_an_instance_type, ("QuotaShare guest", "CapacityLimits/ml.p4d.24xlarge", "absent", "1")),
        (shrink_the_environment, ("ServiceEnvironment main-environment", f"CapacityLimits/{UNIT}", "10", "9")),
        (disable_the_environment, ("ServiceEnvironment main-environment", "State", "ENABLED", "DISABLED")),
        (disable_the_queue, ("JobQueue main", "State", "ENABLED", "DISABLED")),
        (
            end_blocking_jobs,
            ("JobQueue main", "JobStateTimeLimitActions/CAPACITY:INSUFFICIENT", "absent", "TERMINATE after 600 s"),
        ),
        (add_a_share, ("QuotaShare extra", "", "absent", "present")),
        (delete_a_share, ("QuotaShare owner", "", "present", "absent")),
    ],
)
def test_each_property_that_was_changed_is_named_with_both_values(
    deployed: Endpoint,
    template: str,
    live: Live,
    change: Callable[[Endpoint], None],
    expected: tuple[str, str, str, str],
) -> None:
    change(deployed)

    ran = live("drift", template, "--format", "json")

    [drift] = ran.json["drift"]
    resource, property_, declared, there = expected
    assert ran.code == FOUND_ERRORS
    assert drift == {
        "resource": f"AWS::Batch::{resource}",
        "property": property_,
        "declared": declared,
        "deployed": there,
    }


def test_a_share_that_borrows_now_differs_in_its_strategy_and_in_what_it_borrows(
    deployed: Endpoint, template: str, live: Live
) -> None:
    let_the_owner_borrow(deployed)

    ran = live("drift", template)

    assert ran.code == FOUND_ERRORS
    assert "Queue main: 2 differences" in ran.out
    assert "ResourceSharingConfiguration/Strategy" in ran.out


def test_fails_if_the_queue_is_not_deployed(endpoint: Endpoint, template: str, live: Live) -> None:
    endpoint.account.add_queue("other")

    ran = live("drift", template)

    assert (ran.code, ran.out) == (BAD_INPUT, "")
    assert "there is no queue 'main' in this account and Region" in ran.err


def test_a_queue_of_another_name_is_compared_if_it_is_named(deployed: Endpoint, template: str, live: Live) -> None:
    deployed.account.add_queue("blue", 10)
    deployed.account.environments["blue"]["serviceEnvironmentName"] = "main-environment"
    deployed.account.add_share("guest", 4, "LEND_AND_BORROW", queue="blue")
    deployed.account.add_share("owner", 6, "LEND", queue="blue")

    ran = live("drift", template, "--deployed", "blue", "--format", "json")

    assert [drift["property"] for drift in ran.json["drift"]] == ["JobQueueName"]
