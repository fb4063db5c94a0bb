"""One JSON or YAML document on disk, read within bounds."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template.values import Node
from quota_constructs.printable import printable, shortened

MAX_BYTES = 10_000_000
"""Ten times what CloudFormation takes (1 MB), because the CDK indents what it writes."""

MAX_DEPTH = 64

_MAX_DIGITS = 18

SUFFIXES = (".json", ".yaml", ".yml", ".template")


def read_document(path: Path) -> tuple[dict[str, Node], int]:
    """Return the object in the file *path* and how many bytes it took."""
    content = _read_bytes(path)
    text = _decode(content, path)
    if not text.strip():
        raise TemplateError(f"{path}: is empty; expected a CloudFormation template")
    root = _parse_json(text, path) if _is_json(path, text) else _parse_yaml(text, path)
    if not isinstance(root, dict):
        raise TemplateError(f"{path}: holds no object at its top; expected a CloudFormation template")
    return root, len(content)


def is_file(path: Path) -> bool:
    """Whether *path* is a file; no where that cannot be told."""
    try:
        return path.is_file()
    except OSError:
        return False


def _read_bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise TemplateError(f"{path}: is not a file" if path.exists() else f"{path}: no such file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TemplateError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    if len(content) > MAX_BYTES:
        raise TemplateError(f"{path}: is larger than {MAX_BYTES:,} bytes, the most that is read")
    return content


def _decode(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: is not UTF-8 text (byte {error.start})") from error


def _is_json(path: Path, text: str) -> bool:
    if path.suffix.lower() not in SUFFIXES:
        raise TemplateError(f"{path}: must end in one of {', '.join(SUFFIXES)}, or be a cloud assembly directory")
    return path.suffix.lower() == ".json" or (path.suffix.lower() == ".template" and text.lstrip().startswith("{"))


def _parse_yaml(text: str, path: Path) -> Node:
    # Loaded on demand: reading what the CDK writes, which is JSON, needs no PyYAML.
    from quota_constructs.evaluator.template.yaml_document import parse_yaml  # noqa: PLC0415 - see above

    return parse_yaml(text, shown=str(path), max_depth=MAX_DEPTH)


def _parse_json(text: str, path: Path) -> Node:
    try:
        root: Node = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        raise TemplateError(f"{path}: line {error.lineno}: is not JSON: {printable(error.msg)}") from error
    except ValueError as error:
        raise TemplateError(f"{path}: is not acceptable JSON: {error}") from error
    except RecursionError as error:
        raise _too_deep(path) from error
    _check_depth(root, path)
    return root


def _object(pairs: list[tuple[str, Node]]) -> dict[str, Node]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = sorted(key for key, _ in pairs)
        repeated = next(key for key, following in pairwise(keys) if key == following)
        raise ValueError(f"the key '{shortened(repeated)}' appears twice in one object")
    return result


def _integer(literal: str) -> Node:
    # Nothing in a template needs more digits, and int() takes quadratic time for very many.
    return int(literal) if len(literal) <= _MAX_DIGITS else literal


def _decimal(literal: str) -> Node:
    return float(literal) if len(literal) <= 4 * _MAX_DIGITS else literal


def _constant(literal: str) -> Node:
    raise ValueError(f"{literal} is not a JSON number")


def _check_depth(root: Node, path: Path) -> None:
    layer: list[Node] = [root]
    for _ in range(MAX_DEPTH):
        layer = [child for node in layer for child in _children(node)]
        if not layer:
            return
    raise _too_deep(path)


def _children(node: Node) -> list[Node]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _too_deep(path: Path) -> TemplateError:
    return TemplateError(f"{path}: is nested more than {MAX_DEPTH} levels deep")
