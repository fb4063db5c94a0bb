"""Values given for template parameters, checked against what the templates declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.template.evaluator import PSEUDO_PARAMETERS
from quota_constructs.evaluator.template.stack import Stack
from quota_constructs.evaluator.template.values import Node, as_text
from quota_constructs.printable import shortened


def check_parameters(stacks: Sequence[Stack], given: Mapping[str, str], *, allow_undeclared: bool) -> None:
    """Refuse a value for a parameter that no template declares, and one that its declaration does not allow."""
    for name, value in given.items():
        if name.startswith("AWS::") and name not in PSEUDO_PARAMETERS:
            raise UsageError(
                f"parameter '{shortened(name)}' is no pseudo parameter of CloudFormation; "
                f"there are {', '.join(sorted(PSEUDO_PARAMETERS))}"
            )
        declared = [stack for stack in stacks if stack.declaration("Parameters", name) is not None]
        if not declared and not allow_undeclared and not name.startswith("AWS::"):
            names = sorted({shortened(known) for stack in stacks for known in stack.section("Parameters")})
            raise UsageError(
                f"parameter '{shortened(name)}' is declared by none of the templates; "
                + (f"they declare {', '.join(names[:10])}" if names else "they declare no parameters")
            )
        for stack in declared:
            _check_value(name, value, stack)


def _check_value(name: str, value: str, stack: Stack) -> None:
    declaration = stack.declaration("Parameters", name) or {}
    allowed = declaration.get("AllowedValues")
    if declaration.get("Type") == "Number" and not _is_number(value):
        raise UsageError(
            f"parameter '{shortened(name)}' of {stack.template} must be a number, got '{shortened(value)}'"
        )
    if isinstance(allowed, list) and value not in (texts := [_text(item) for item in allowed]):
        raise UsageError(
            f"parameter '{shortened(name)}' of {stack.template} must be one of "
            f"{', '.join(shortened(text) for text in texts[:10])}, got '{shortened(value)}'"
        )


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _text(item: Node) -> str:
    text = as_text(item) if not isinstance(item, list | dict) else None
    return text if isinstance(text, str) else ""
