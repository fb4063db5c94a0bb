"""Every Batch resource that was read, and which of them a reference means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quota_constructs.evaluator.template.evaluator import Evaluator
from quota_constructs.evaluator.template.fields import Field
from quota_constructs.evaluator.template.identity import NAME_PROPERTIES, identify, nearest
from quota_constructs.evaluator.template.stack import Resource, Stack
from quota_constructs.evaluator.template.values import Text, Unknown
from quota_constructs.printable import shortened


class Inventory:
    """The resources of *stacks*, by kind and by name."""

    def __init__(self, stacks: Sequence[Stack], evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._by_kind: dict[str, list[Resource]] = {}
        self._by_name: dict[str, dict[str | Text, list[Resource]]] = {}
        for stack in stacks:
            for resource in stack.resources():
                self._by_kind.setdefault(resource.kind, []).append(resource)

    def existing(self, kind: str) -> Iterator[Resource]:
        """Yield the resources of *kind* whose conditions are not known to be false."""
        return filter(self._may_exist, self._by_kind.get(kind, []))

    def require_existence(self, resource: Resource) -> None:
        """Refuse a resource whose condition cannot be told."""
        verdict = self._evaluator.exists(resource)
        if isinstance(verdict, Unknown):
            raise Field(resource, "Condition", None).unresolved(verdict)

    def fields(self, resource: Resource) -> Field:
        """Return the evaluated properties of *resource*."""
        return Field(resource, "Properties", self._evaluator.value(resource.properties, resource.stack))

    def find(self, reference: Field, kind: str) -> Resource | None:
        """Return the resource of *kind* that the name or ARN at *reference* means, None if it was not read."""
        found = self._meant(reference, kind, self._may_exist)
        if len(found) > 1:
            both = " and ".join(f"'{resource.source.logical_id}' ({resource.source.template})" for resource in found)
            raise reference.error(f"means more than one resource: {both}; give them different names")
        return found[0] if found else None

    def why_not_found(self, reference: Field, kind: str) -> Unknown | str:
        """Return why *reference* means nothing that was read: what is unknown about it, or a clause."""
        if absent := self._meant(reference, kind, lambda resource: not self._may_exist(resource)):
            return f"the condition of '{absent[0].source.logical_id}' is false"
        identity = identify(reference.reference(), kind)
        if isinstance(identity.name, Text):
            return identity.name.unknown
        return f"{_shown(reference)} is not in what was read"

    def _may_exist(self, resource: Resource) -> bool:
        return self._evaluator.exists(resource) is not False

    def _meant(self, reference: Field, kind: str, is_candidate: Callable[[Resource], bool]) -> list[Resource]:
        identity = identify(reference.reference(), kind)
        candidates = filter(is_candidate, self._called(identity.name, kind))
        somewhere = [(resource.stack, resource) for resource in candidates if identity.may_be_in(resource.stack.place)]
        return [resource for _, resource in nearest(somewhere, reference.resource.stack)]

    def _called(self, name: str | Text, kind: str) -> list[Resource]:
        if kind not in self._by_name:
            by_name = self._by_name.setdefault(kind, {})
            for resource in self._by_kind.get(kind, []):
                by_name.setdefault(self._name(resource), []).append(resource)
        return self._by_name[kind].get(name, [])

    def _name(self, resource: Resource) -> str | Text:
        """Return the name of *resource*; one that the service does not allow would not be found again in an ARN."""
        name = self._evaluator.name(resource)
        place = f"Properties/{NAME_PROPERTIES[resource.kind]}"
        return name if isinstance(name, Text) else Field(resource, place, name).name()


def _shown(reference: Field) -> str:
    """Return the name or ARN at *reference* for a message, with a star for what is unknown."""
    value = reference.reference()
    parts = (value,) if isinstance(value, str) else value.parts
    text = shortened("".join(part if isinstance(part, str) else "*" for part in parts))
    return f"'{text}'"
