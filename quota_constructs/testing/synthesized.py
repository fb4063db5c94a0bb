"""What a test may hand over as a template, as files and as a document."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.template.document import read_document
from quota_constructs.evaluator.template.values import Node

if TYPE_CHECKING:  # a test of templates that lie there already starts no Node
    import aws_cdk as cdk
    from aws_cdk.assertions import Template

Synthesized: TypeAlias = "cdk.Stack | cdk.Stage | Template | Mapping[str, Any] | os.PathLike[str] | str"
"""A stack; an app or another stage; a `Template` of `aws_cdk.assertions`; a document; a file or a `cdk.out`."""


@contextmanager
def on_disk(template: Synthesized) -> Generator[Path]:
    """Yield where *template* lies while it is looked at: the file of a template, or a cloud assembly."""
    if isinstance(template, str | os.PathLike):
        yield Path(template)
    elif (synthesized := _in_assembly(template)) is not None:
        yield synthesized
    else:
        with TemporaryDirectory(prefix="quota-constructs-") as folder:
            path = Path(folder, "Template.template.json")
            path.write_text(json.dumps(_document(template)), encoding="utf-8")
            yield path


def document_of(template: Synthesized) -> dict[str, Node]:
    """Return the document of *template*, which is that of one stack."""
    path = Path(template) if isinstance(template, str | os.PathLike) else _in_assembly(template)
    if path is None:
        return _document(template)
    if path.is_dir():
        raise UsageError(f"{path}: holds a whole app; give one of its stacks, or the file of one template")
    return read_document(path)[0]


def _in_assembly(template: object) -> Path | None:
    """Return where what is declared in an app is synthesized to; None for what is no stack and no stage."""
    if isinstance(template, Mapping):
        return None

    import aws_cdk as cdk  # noqa: PLC0415 - starts Node, which is running where there is a stack

    if isinstance(template, cdk.Stage):
        return Path(template.synth().directory)
    if isinstance(template, cdk.Stack):
        stage = cdk.Stage.of(template)
        if stage is None:
            raise UsageError(
                f"the stack '{template.node.path}' is in no app, so cannot be synthesized; define it in one"
            )
        return Path(stage.synth().directory, template.template_file)
    return None


def _document(template: object) -> dict[str, Node]:
    content: object = template
    if not isinstance(template, Mapping):
        from aws_cdk.assertions import Template  # noqa: PLC0415 - as above

        if not isinstance(template, Template):
            raise UsageError(
                "a template must be given as a stack, an app or stage, a Template of aws_cdk.assertions, a dict or a "
                f"path, got {type(template).__name__}"
            )
        content = template.to_json()
    document: dict[str, Node] = json.loads(json.dumps(content))
    return document
