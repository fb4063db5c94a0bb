"""Which lines of Python declare the resources of a stack, by the metadata of its cloud assembly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from quota_constructs.evaluator.template.values import Node
from quota_constructs.policies.declaration import DECLARATION_KEY, Declaration, declaration_from_metadata

_LOGICAL_ID = "aws:cdk:logicalId"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """The declarations of a stack's resources, and of those of the stacks nested in it."""

    by_path: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    by_logical_id: Mapping[str, Declaration | None] = field(default_factory=dict[str, "Declaration | None"])
    """None for an id that a stack and one nested in it share."""

    def of(self, construct_path: str | None, logical_id: str) -> Declaration | None:
        """Return the declaration of a resource; only the CDK's command writes its path into the template."""
        if construct_path is not None:
            return self.by_path.get(construct_path)
        return self.by_logical_id.get(logical_id)


NO_DECLARATIONS = Declarations()


def declarations_in(metadata: Node) -> Declarations:
    """
    Return the declarations in *metadata*, which has a list of entries for each construct path.

    It says so much of so many things that what is not understood is passed over, as the CDK's own tools do.
    """
    by_path: dict[str, Declaration] = {}
    by_logical_id: dict[str, Declaration | None] = {}
    for path, entries in metadata.items() if isinstance(metadata, dict) else ():
        declared = map(declaration_from_metadata, _data(entries, DECLARATION_KEY))
        declaration = next(filter(None, declared), None)
        if declaration is not None:
            by_path[path.removeprefix("/")] = declaration
        for logical_id in _data(entries, _LOGICAL_ID):
            if isinstance(logical_id, str):
                by_logical_id[logical_id] = None if logical_id in by_logical_id else declaration
    return Declarations(by_path=by_path, by_logical_id=by_logical_id)


def _data(entries: Node, kind: str) -> Iterator[Node]:
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("type") == kind:
            yield entry.get("data")
