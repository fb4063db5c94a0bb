"""A template in the place where it is deployed, and the resources it declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.system import Source
from quota_constructs.evaluator.template.declarations import NO_DECLARATIONS, Declarations
from quota_constructs.evaluator.template.values import Node
from quota_constructs.policies.share_policy import METADATA_KEY
from quota_constructs.printable import printable, shortened

_MAX_LOGICAL_ID = 255
_MAX_METADATA = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stack is deployed, as far as the template says: names and exports are unique within it."""

    stage: str = ""
    """Directory of the nested cloud assembly that holds the stack."""

    account: str | None = None
    region: str | None = None

    def may_be(self, other: Place) -> bool:
        """Whether both can be the same account and Region."""
        return _agree(self.account, other.account) and _agree(self.region, other.region)


@dataclass(slots=True, eq=False)
class Stack:
    """One deployment of a template; a template that two nested stacks use is two of these."""

    template: str
    """The file as the user would open it."""

    key: str
    """Tells it from every other stack that was read."""

    body: Mapping[str, Node]
    place: Place = Place()
    name: str | None = None
    """None for a nested stack, whose name CloudFormation makes up."""

    supplied: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parameter values from outside all templates."""

    parent: Stack | None = None
    passed: Mapping[str, Node] = field(default_factory=dict[str, Node])
    """What the parent gives for parameters, in the parent's terms."""

    nested: dict[str, Stack] = field(default_factory=dict[str, "Stack"])
    """The nested stacks that were read, by the logical id they have here."""

    declarations: Declarations = NO_DECLARATIONS
    """The lines of Python that declare its resources, those of nested stacks included."""

    def section(self, name: str) -> Mapping[str, Node]:
        """Return a top-level section such as `Parameters`, empty where there is none."""
        section = self.body.get(name)
        if section is None:
            return {}
        if not isinstance(section, dict):
            raise TemplateError(f"{self.template}: '{name}' must be an object")
        return section

    def declaration(self, section: str, name: str) -> Mapping[str, Node] | None:
        """Return what *section* declares under *name*, None where it declares nothing."""
        declared = self.section(section).get(name)
        if declared is None:
            return None
        if not isinstance(declared, dict):
            raise TemplateError(f"{self.template}: {section}/{shortened(name)} must be an object")
        return declared

    def resources(self) -> Iterator[Resource]:
        """Yield the declared resources, whether or not their conditions hold."""
        for logical_id, body in self.section("Resources").items():
            # Loops of the language extensions are not resources.
            if not logical_id.startswith("Fn::"):
                yield self._resource(logical_id, body)

    def resource(self, logical_id: str) -> Resource | None:
        """Return the resource called *logical_id*, None where there is none."""
        body = self.section("Resources").get(logical_id)
        return None if body is None else self._resource(logical_id, body)

    def _resource(self, logical_id: str, body: Node) -> Resource:
        kind = body.get("Type") if isinstance(body, dict) else None
        if not isinstance(body, dict) or not isinstance(kind, str):
            raise TemplateError(f"{self.template}: resource '{shortened(logical_id)}' must be an object with a Type")
        return Resource(self, logical_id, kind, body)


@dataclass(slots=True, frozen=True, eq=False)
class Resource:
    """One declared resource."""

    stack: Stack
    logical_id: str
    kind: str
    body: Mapping[str, Node]

    @property
    def key(self) -> str:
        """Tells it from every other resource that was read."""
        return f"{self.stack.key} {self.logical_id}"

    @property
    def shown(self) -> str:
        """How messages call it."""
        return f"{self.stack.template}: resource '{shortened(self.logical_id)}'"

    @property
    def properties(self) -> Node:
        """Its properties as written."""
        return self.body.get("Properties")

    @property
    def source(self) -> Source:
        """Where it was declared, in a form that is safe to print."""
        path = self._metadata("aws:cdk:path")
        declaration = self.stack.declarations.of(path, self.logical_id)
        return Source(
            template=printable(self.stack.template),
            logical_id=shortened(self.logical_id, length=_MAX_LOGICAL_ID),
            construct_path=path,
            declared_at=None if declaration is None else declaration.file,
            declared_line=None if declaration is None else declaration.line,
        )

    @property
    def asset_path(self) -> str | None:
        """The local file that a nested stack's template comes from, as the CDK notes it."""
        return self._metadata("aws:asset:path")

    @property
    def policy(self) -> Node:
        """What is agreed on it, as written; None where nothing is."""
        metadata = self.body.get("Metadata")
        return metadata.get(METADATA_KEY) if isinstance(metadata, dict) else None

    def _metadata(self, name: str) -> str | None:
        metadata = self.body.get("Metadata")
        value = metadata.get(name) if isinstance(metadata, dict) else None
        return shortened(value, length=_MAX_METADATA) if isinstance(value, str) else None


def _agree(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other
