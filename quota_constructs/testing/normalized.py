"""A template without what changes from one synthesis to the next although nobody declared anything else."""

from __future__ import annotations

import re

from quota_constructs.evaluator.template.values import Node

ASSET = "<asset>"
"""Stands for the hash of an asset, which changes with every byte of its files and with the tool that packs them."""

_HASH = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])")
_TOOL_METADATA = ("aws:cdk:", "aws:asset:")
"""Metadata of the CDK's own, which depends on how it was started, as construct paths do."""

_TOOL_ENTRIES = {
    ("Parameters", "BootstrapVersion"),
    ("Rules", "CheckBootstrapVersion"),
    ("Resources", "CDKMetadata"),
    ("Conditions", "CDKMetadataAvailable"),
}
"""What the CDK adds for itself: its bootstrap check and its analytics, which change with its version."""


def normalized(template: dict[str, Node]) -> dict[str, Node]:
    """
    Return *template* without the CDK's own metadata, analytics and bootstrap check, and without hashes of assets.

    Everything that was declared stays, agreements included; a section that is left empty goes.
    """
    sections = {name: _section(name, content) for name, content in template.items()}
    return {name: content for name, content in sections.items() if content != {}}


def _section(name: str, content: Node) -> Node:
    if not isinstance(content, dict):
        return _plain(content)
    if name == "Metadata":
        return _plain(_without_tool_metadata(content))
    return {
        key: _resource(entry) if name == "Resources" else _plain(entry)
        for key, entry in content.items()
        if (name, key) not in _TOOL_ENTRIES
    }


def _resource(resource: Node) -> Node:
    if not isinstance(resource, dict):
        return _plain(resource)
    rest = dict(resource)
    metadata = rest.pop("Metadata", None)
    kept = _without_tool_metadata(metadata) if isinstance(metadata, dict) else metadata
    return _plain({**rest, "Metadata": kept} if kept else rest)


def _without_tool_metadata(metadata: dict[str, Node]) -> dict[str, Node]:
    return {key: entry for key, entry in metadata.items() if not key.startswith(_TOOL_METADATA)}


def _plain(node: Node) -> Node:
    """Return *node* with a placeholder for each hash of an asset."""
    match node:
        case str():
            return _HASH.sub(ASSET, node)
        case dict():
            return {key: _plain(child) for key, child in node.items()}
        case list():
            return [_plain(child) for child in node]
        case _:
            return node
