"""What was agreed on a share, in the template and in its tags."""

from datetime import date
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Template
from hypothesis import given, settings
from hypothesis import strategies as st

from quota_constructs import (
    Agreement,
    InterruptionContract,
    Objective,
    Objectives,
    PromiseSeverity,
    QuotaManagedJobQueue,
    ServiceEnvironment,
)
from quota_constructs.errors import ConfigurationError
from quota_constructs.evaluator.inputs import read_queue
from quota_constructs.policies.share_policy import METADATA_KEY, SharePolicy, policy_from_metadata
from tests.policies.policies import share_policies

CAPACITY = {"ml.g5.xlarge": 1}
AGREEMENT = Agreement(owner="Research", review_by=date(2031, 5, 1))


def body_of(stack: cdk.Stack) -> dict[str, Any]:
    """Return the only share of *stack* as its template declares it."""
    (body,) = Template.from_stack(stack).find_resources("AWS::Batch::QuotaShare").values()
    return dict(body)


def test_what_is_agreed_stands_in_the_metadata_of_the_share(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    contract = InterruptionContract(can_resume=True, checkpoint_interval_seconds=900)
    objectives = Objectives(wait_p95_seconds=Objective(bound=60.5, severity=PromiseSeverity.WARNING))

    queue.add_quota_share(
        "research", capacity=CAPACITY, agreement=AGREEMENT, interruption_contract=contract, objectives=objectives
    )

    assert body_of(stack)["Metadata"] == {
        METADATA_KEY: {
            "version": 1,
            "agreement": {"owner": "Research", "review_by": "2031-05-01"},
            "interruption": {"can_resume": True, "checkpoint_interval_seconds": 900},
            "objectives": {"wait_p95_seconds": {"bound": 60.5, "severity": "warning"}},
        }
    }
    assert policy_from_metadata(body_of(stack)["Metadata"][METADATA_KEY]) == SharePolicy(
        agreement=AGREEMENT, interruption=contract, objectives=objectives
    )


def test_a_share_on_which_nothing_is_agreed_has_neither_metadata_nor_tags(
    stack: cdk.Stack, queue: QuotaManagedJobQueue
) -> None:
    queue.add_quota_share("research", capacity=CAPACITY)

    body = body_of(stack)
    assert "Metadata" not in body
    assert "Tags" not in body["Properties"]


def test_owner_and_review_date_are_tags_too(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    queue.add_quota_share("research", capacity=CAPACITY, agreement=AGREEMENT, tags={"team": "research"})

    assert body_of(stack)["Properties"]["Tags"] == {
        "quota-share:owner": "Research",
        "quota-share:review-by": "2031-05-01",
        "team": "research",
    }


def test_a_tag_that_is_given_outright_wins(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    queue.add_quota_share("research", capacity=CAPACITY, agreement=AGREEMENT, tags={"quota-share:owner": "r"})

    assert body_of(stack)["Properties"]["Tags"]["quota-share:owner"] == "r"


@pytest.mark.parametrize(
    ("owner", "tag"),
    [
        pytest.param("Ünïcode 研究 4", "Ünïcode 研究 4", id="letters and digits of any script"),
        pytest.param("a+b-c=d._e:/@", "a+b-c=d._e:/@", id="the marks that a tag may hold"),
        pytest.param("R&D <b>|`x`", "R_D _b___x_", id="other marks"),
        pytest.param("a\n\u202eb\t", "a__b_", id="controls and direction marks"),
        pytest.param("x" * 256, "x" * 256, id="as long as a tag may be"),
    ],
)
def test_the_owner_s_tag_holds_only_what_a_tag_may_hold(
    stack: cdk.Stack, queue: QuotaManagedJobQueue, owner: str, tag: str
) -> None:
    queue.add_quota_share("research", capacity=CAPACITY, agreement=Agreement(owner=owner))

    body = body_of(stack)
    assert body["Properties"]["Tags"] == {"quota-share:owner": tag}
    assert body["Metadata"][METADATA_KEY]["agreement"]["owner"] == owner


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param(
            {"agreement": "Research"},
            r"'agreement' must be Agreement\(\.\.\.\), got 'Research'",
            id="another type",
        ),
        pytest.param(
            {"agreement": Agreement(owner="")},
            r"'agreement\.owner' must be text of length >= 1, got ''",
            id="no owner",
        ),
        pytest.param(
            {"agreement": Agreement(owner="x" * 257)},
            r"'agreement\.owner' must be text of length <= 256, got 'x+\.\.\.x+'",
            id="an owner longer than a tag",
        ),
        pytest.param(
            {"agreement": Agreement(owner="a\ud800")},
            "what is agreed must be text that can be written in UTF-8, got half a character",
            id="half a character",
        ),
        pytest.param(
            {"interruption_contract": InterruptionContract(can_resume=True, preemption_retries=-1)},
            r"'interruption\.preemption_retries' must be a whole number >= 0, got -1",
            id="less than nothing",
        ),
        pytest.param(
            {"objectives": Objectives(wait_max_seconds=Objective(bound=float("nan")))},
            r"'objectives\.wait_max_seconds\.bound' must be a number >= 0\.0, got NaN",
            id="no number",
        ),
    ],
)
def test_fails_for_what_nobody_can_agree_on(queue: QuotaManagedJobQueue, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^Stack/Queue/research: {message}"):
        queue.add_quota_share("research", capacity=CAPACITY, **given)


def test_fails_for_a_token(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    with pytest.raises(ConfigurationError, match="Stack/Queue/research: what is agreed must be known when the app"):
        queue.add_quota_share("research", capacity=CAPACITY, agreement=Agreement(owner=stack.region))


def test_values_as_a_file_would_give_them_are_read_alike(stack: cdk.Stack, queue: QuotaManagedJobQueue) -> None:
    agreement = Agreement(owner="Research", review_by="2031-05-01")  # type: ignore[arg-type]  # what a config file holds

    queue.add_quota_share("research", capacity=CAPACITY, agreement=agreement)

    assert body_of(stack)["Properties"]["Tags"]["quota-share:review-by"] == "2031-05-01"


@settings(max_examples=10, deadline=None)
@given(policies=st.lists(share_policies, min_size=1, max_size=20))
def test_every_policy_comes_back_from_a_synthesized_app(
    tmp_path_factory: pytest.TempPathFactory, policies: list[SharePolicy]
) -> None:
    app = cdk.App(outdir=str(tmp_path_factory.mktemp("agreed")))
    environment = ServiceEnvironment(stack := cdk.Stack(app, "Stack"), "Environment", capacity={"ml.g5.xlarge": 20})
    queue = QuotaManagedJobQueue(stack, "Queue", service_environment=environment)
    for number, policy in enumerate(policies):
        queue.add_quota_share(
            f"share-{number:02}",
            capacity=CAPACITY,
            agreement=policy.agreement,
            interruption_contract=policy.interruption,
            objectives=policy.objectives,
        )

    system = read_queue(Path(app.synth().directory))

    assert [share.policy for share in system.shares] == policies
