"""What a snapshot leaves out, and what it must not."""

from __future__ import annotations

import pytest

from quota_constructs.evaluator.template.values import Node
from quota_constructs.policies.share_policy import METADATA_KEY
from quota_constructs.testing.normalized import normalized

HASH = "0e316dc14cdfbce25646364ff0d04d72089cb606326f406d0e30310bc0775aea"


def share(**more: Node) -> dict[str, Node]:
    return {"Type": "AWS::Batch::QuotaShare", "Properties": {"QuotaShareName": "research"}, **more}


@pytest.mark.parametrize(
    "template",
    [
        pytest.param({"Resources": {"CDKMetadata": {"Type": "AWS::CDK::Metadata"}}}, id="analytics"),
        pytest.param({"Conditions": {"CDKMetadataAvailable": {"Fn::Or": []}}}, id="where analytics are sent"),
        pytest.param({"Parameters": {"BootstrapVersion": {"Type": "String"}}}, id="the bootstrap version"),
        pytest.param({"Rules": {"CheckBootstrapVersion": {"Assertions": []}}}, id="the bootstrap check"),
        pytest.param({"Metadata": {"aws:cdk:anything": True}}, id="the tool's metadata of a whole template"),
    ],
)
def test_what_the_cdk_adds_for_itself_is_left_out(template: dict[str, Node]) -> None:
    assert normalized({"Description": "kept", **template}) == {"Description": "kept"}


def test_construct_paths_are_left_out_as_they_depend_on_how_the_cdk_was_started() -> None:
    template: dict[str, Node] = {"Resources": {"Share": share(Metadata={"aws:cdk:path": "Stack/Share/Resource"})}}

    assert normalized(template) == {"Resources": {"Share": share()}}


def test_what_was_agreed_on_a_share_stays() -> None:
    agreed: Node = {METADATA_KEY: {"agreement": {"owner": "Research"}}, "aws:asset:path": "x"}

    kept = normalized({"Resources": {"Share": share(Metadata=agreed)}})

    assert kept == {"Resources": {"Share": share(Metadata={METADATA_KEY: {"agreement": {"owner": "Research"}}})}}


def test_hashes_of_assets_are_all_the_same_wherever_they_stand() -> None:
    template: dict[str, Node] = {"Outputs": {"Url": {"Value": {"Fn::Join": ["", ["s3://bucket/", f"{HASH}.zip"]]}}}}

    assert normalized(template) == {"Outputs": {"Url": {"Value": {"Fn::Join": ["", ["s3://bucket/", "<asset>.zip"]]}}}}


@pytest.mark.parametrize("text", [HASH[:-1], f"{HASH}0", HASH.upper(), "research"])
def test_other_text_stays_as_it_is(text: str) -> None:
    template: dict[str, Node] = {"Description": text, "Outputs": {"Text": {"Value": text}}}

    assert normalized(template) == template


@pytest.mark.parametrize("node", [None, "text", [1, 2.5, True], {"Metadata": "not an object"}])
def test_what_is_no_resource_is_kept_too(node: Node) -> None:
    template: dict[str, Node] = {"Resources": {"Odd": node}, "Metadata": "odd too"}

    assert normalized(template) == template
