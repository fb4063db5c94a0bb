"""
CloudFormation's YAML, built from parser events.

Events come one after another, so neither depth nor aliases can exhaust anything, and no tag can make an object.
CloudFormation itself takes no aliases and no merge keys:
https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-formats.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol, cast

import yaml

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template.values import Node
from quota_constructs.printable import shortened

_Loader = cast("type[yaml.SafeLoader]", getattr(yaml, "CSafeLoader", yaml.SafeLoader))

_PLAIN_KEYS = frozenset({"Ref", "Condition"})
_FUNCTIONS = frozenset(
    [
        "And",
        "Base64",
        "Cidr",
        "Contains",
        "EachMemberEquals",
        "EachMemberIn",
        "Equals",
        "FindInMap",
        "GetAtt",
        "GetAZs",
        "GetStackOutput",
        "If",
        "ImportValue",
        "Join",
        "Length",
        "Not",
        "Or",
        "RefAll",
        "Select",
        "Split",
        "Sub",
        "ToJsonString",
        "Transform",
        "ValueOf",
        "ValueOfAll",
    ]
)
_STANDARD = "tag:yaml.org,2002:"
_COLLECTIONS = frozenset({f"{_STANDARD}map", f"{_STANDARD}seq"})
_IMPLICIT = frozenset(_STANDARD + kind for kind in ("int", "float", "bool", "null"))

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{0,18}")
_WORDS: dict[str, Node] = {"": None, "~": None, "null": None, "true": True, "false": False}


class _Mark(Protocol):
    @property
    def line(self) -> int: ...


@dataclass(slots=True)
class _Open:
    """A sequence or mapping whose end has not come yet."""

    tag: str | None
    items: list[Node] | None = None
    entries: dict[str, Node] | None = None
    key: str | None = None


def parse_yaml(text: str, *, shown: str, max_depth: int) -> Node:
    """Return what the YAML *text* says, with short tags in their long form; *shown* names the file in errors."""
    builder = _Builder(shown, max_depth)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise TemplateError(f"{shown}: {line}is not YAML: {shortened(str(error.problem))}") from error
    except yaml.YAMLError as error:
        raise TemplateError(f"{shown}: is not YAML: {shortened(str(error))}") from error
    return builder.root


class _Builder:
    """Puts a document together, one event at a time."""

    def __init__(self, shown: str, max_depth: int) -> None:
        self.root: Node = None
        self._shown = shown
        self._max_depth = max_depth
        self._open: list[_Open] = []
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """Add what *event* says."""
        mark = cast("_Mark", event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            raise self._error("uses an alias, which CloudFormation does not support; write the value out", mark)
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._error("begins a second document; expected one template", mark)
        elif isinstance(event, yaml.ScalarEvent):
            self._add(self._scalar(event, mark), mark)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin(_Open(self._tag(event, mark), items=[]), mark)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin(_Open(self._tag(event, mark), entries={}), mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self._open.pop()
            self._add(_wrapped(closed.tag, closed.items if closed.items is not None else closed.entries), mark)

    def _begin(self, collection: _Open, mark: _Mark) -> None:
        if len(self._open) >= self._max_depth:
            raise self._error(f"is nested more than {self._max_depth} levels deep", mark)
        self._open.append(collection)

    def _add(self, node: Node, mark: _Mark) -> None:
        if not self._open:
            self.root = node
            return
        into = self._open[-1]
        if into.items is not None:
            into.items.append(node)
        elif into.entries is not None and into.key is not None:
            into.entries[into.key] = node
            into.key = None
        elif into.entries is not None:
            into.key = self._key(node, into.entries, mark)

    def _key(self, node: Node, entries: dict[str, Node], mark: _Mark) -> str:
        if isinstance(node, list | dict):
            raise self._error("uses a list or object as a key", mark)
        key = node if isinstance(node, str) else str(node)
        if key == "<<":
            raise self._error("uses a merge key, which CloudFormation does not support; write the values out", mark)
        if key in entries:
            raise self._error(f"the key '{shortened(key)}' appears twice in one object", mark)
        return key

    def _scalar(self, event: yaml.ScalarEvent, mark: _Mark) -> Node:
        tag = self._tag(event, mark)
        value = event.value
        if tag is not None:
            return _wrapped(tag, value)
        is_plain = event.implicit[0] or event.tag in _IMPLICIT
        return _plain(value) if is_plain else value

    def _tag(self, event: yaml.NodeEvent, mark: _Mark) -> str | None:
        """Return the intrinsic function that a short tag stands for, None for the tags YAML has of its own."""
        tag = cast("str | None", getattr(event, "tag", None))
        if tag is None or tag == "!" or tag in _IMPLICIT or tag in _COLLECTIONS or tag == f"{_STANDARD}str":
            return None
        name = tag.removeprefix("!")
        if tag.startswith("!") and (name in _PLAIN_KEYS or name in _FUNCTIONS):
            return name
        raise self._error(f"the tag '{shortened(tag)}' is no intrinsic function of CloudFormation", mark)

    def _error(self, problem: str, mark: _Mark) -> TemplateError:
        return TemplateError(f"{self._shown}: line {mark.line + 1}: {problem}")


def _wrapped(tag: str | None, value: Node) -> Node:
    if tag is None:
        return value
    return {tag if tag in _PLAIN_KEYS else f"Fn::{tag}": value}


def _plain(value: str) -> Node:
    """Read an unquoted scalar; what is not plainly a number or a truth value, such as 0123 or a date, is text."""
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    if _INTEGER.fullmatch(value):
        return int(value)
    return float(value) if _DECIMAL.fullmatch(value) else value
