"""Outputs that one stack takes from another: by export, or by the stack's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quota_constructs.evaluator.template.conditions import Verdict
from quota_constructs.evaluator.template.identity import nearest
from quota_constructs.evaluator.template.stack import Stack
from quota_constructs.evaluator.template.strings import malformed
from quota_constructs.evaluator.template.values import Node, Text, Value, as_text, unknown
from quota_constructs.printable import shortened


class Exports:
    """The outputs of all *stacks*, to be found by those that import them."""

    def __init__(
        self,
        stacks: Sequence[Stack],
        value_of: Callable[[Node, Stack], Value],
        holds: Callable[[Node, Stack], Verdict],
    ) -> None:
        self._stacks = stacks
        self._value_of = value_of
        self._holds = holds
        self._by_name: dict[str | Text, list[tuple[Stack, str]]] | None = None

    def imported(self, name: Value, stack: Stack) -> tuple[Stack, str] | Text:
        """Return the stack and output that export *name* to *stack*, or unknown text."""
        if not isinstance(name, str | Text):
            return malformed("Fn::ImportValue", "the name of an export")
        found = nearest(self._index().get(name, []), stack)
        if len(found) == 1:
            return found[0]
        if isinstance(name, Text):
            return unknown(f"export {name} of {stack.place}", name.unknown.why)
        sought = f"export '{shortened(name)}'"
        if found:
            places = " and ".join(f"{at.template} ({shortened(output)})" for at, output in found)
            return unknown(f"{sought} of {stack.place}", f"{sought} is declared more than once: {places}")
        why = f"{sought} is not in what was read; give the cloud assembly that has both stacks"
        return unknown(f"{sought} of {stack.place}", why, is_outside=True)

    def of_stack(self, argument: Value, stack: Stack) -> tuple[Stack, str] | Text:
        """Return the stack and output that an Fn::GetStackOutput in *stack* means, or unknown text."""
        wanted = argument if isinstance(argument, dict) else {}
        name, output, region = wanted.get("StackName"), wanted.get("OutputName"), wanted.get("Region")
        if not isinstance(name, str) or not isinstance(output, str):
            return malformed("Fn::GetStackOutput", "known StackName and OutputName")
        # Unlike an export, an output can be taken from another account and Region.
        named = [at for at in self._stacks if at.name == name]
        in_region = [at for at in named if not isinstance(region, str) or at.place.region in {None, region}]
        found = [at for at in in_region if at.place.stage == stack.place.stage] or in_region
        if len(found) == 1:
            return found[0], output
        why = f"stack '{shortened(name)}' is not in what was read, or more than once; give its cloud assembly"
        return unknown(f"output {output} of stack {name}", why, is_outside=not found)

    def _index(self) -> dict[str | Text, list[tuple[Stack, str]]]:
        if self._by_name is None:
            # Before it is filled, so that an export whose name imports another cannot come back here for ever.
            self._by_name = {}
            for stack in self._stacks:
                for output, declared in stack.section("Outputs").items():
                    export = declared.get("Export") if isinstance(declared, dict) else None
                    if not isinstance(declared, dict) or not isinstance(export, dict):
                        continue
                    if self._holds(declared.get("Condition"), stack) is False:
                        continue
                    name = as_text(self._value_of(export.get("Name"), stack))
                    if name is not None:
                        self._by_name.setdefault(name, []).append((stack, output))
        return self._by_name
