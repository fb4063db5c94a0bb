"""What the expressions of templates come to, across nested stacks and exports; only what is needed is looked at."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template import conditions, strings
from quota_constructs.evaluator.template.conditions import Verdict
from quota_constructs.evaluator.template.exports import Exports
from quota_constructs.evaluator.template.identity import ARN_ATTRIBUTES, NAME_PROPERTIES, arn
from quota_constructs.evaluator.template.stack import Resource, Stack
from quota_constructs.evaluator.template.values import NO_VALUE, Node, NoValue, Text, Unknown, Value, as_text, unknown
from quota_constructs.printable import shortened

_MAX_DEPTH = 60
_MAX_STEPS = 1_000_000
_PER_STACK = frozenset({"AWS::StackName", "AWS::StackId"})
PSEUDO_PARAMETERS = frozenset(
    {"AWS::AccountId", "AWS::NotificationARNs", "AWS::Partition", "AWS::Region", "AWS::URLSuffix", *_PER_STACK}
)


class Evaluator:
    """Answers what an expression of one of *stacks* comes to."""

    def __init__(self, stacks: Sequence[Stack]) -> None:
        self._exports = Exports(stacks, self.value, self.holds)
        self._steps = 0
        self._trail: list[tuple[Stack, str]] = []
        self._verdicts: dict[tuple[Stack, str], Verdict] = {}
        self._functions: Mapping[str, Callable[[Node, Stack], Value]] = {
            "Ref": self._ref,
            "Fn::FindInMap": self._find_in_map,
            "Fn::GetAtt": self._get_att,
            "Fn::GetStackOutput": lambda node, stack: self._output(
                self._exports.of_stack(self.value(node, stack), stack)
            ),
            "Fn::If": self._if,
            "Fn::ImportValue": lambda node, stack: self._output(self._exports.imported(self.value(node, stack), stack)),
            "Fn::Join": lambda node, stack: strings.join_list(self.value(node, stack)),
            "Fn::Select": lambda node, stack: strings.select(self.value(node, stack)),
            "Fn::Split": lambda node, stack: strings.split_text(self.value(node, stack)),
            "Fn::Sub": self._sub,
        }

    def value(self, node: Node, stack: Stack) -> Value:
        """Return what *node* comes to in *stack*: a value, or text with unknown parts that say why they are unknown."""
        if isinstance(node, str):
            if "{{resolve:" in node:
                return unknown(node, f"'{shortened(node)}' is looked up at deployment; write the value itself")
            return node
        if not isinstance(node, dict | list):
            return node
        with self._within(stack, None) as trouble:
            return Text((trouble,)) if trouble else self._compound(node, stack)

    def holds(self, condition: Node, stack: Stack) -> Verdict:
        """Return whether *condition*, a name or an expression, holds in *stack*; None is no condition, and holds."""
        match condition:
            case None:
                return True
            case str(name) | {"Condition": str(name)}:
                return self._named_condition(name, stack)
            case _:
                return self._expression(condition, stack)

    def exists(self, resource: Resource) -> Verdict:
        """Return whether the condition of *resource*, if it has one, holds."""
        return self.holds(resource.body.get("Condition"), resource.stack)

    def name(self, resource: Resource) -> str | Text:
        """Return the name that *resource* has in its service."""
        given = resource.properties
        written = given.get(NAME_PROPERTIES[resource.kind]) if isinstance(given, dict) else None
        with self._within(resource.stack, f"the name of '{shortened(resource.logical_id)}'") as trouble:
            name = Text((trouble,)) if trouble else as_text(self.value(written, resource.stack))
        if name is None:
            why = f"CloudFormation makes up the name of '{shortened(resource.logical_id)}'"
            return unknown(f"name of {resource.key}", why)
        return name

    def _compound(self, node: list[Node] | dict[str, Node], stack: Stack) -> Value:
        if isinstance(node, list):
            items = [self.value(item, stack) for item in node]
            return [item for item in items if not isinstance(item, NoValue)]
        if len(node) == 1:
            function, argument = next(iter(node.items()))
            if function in self._functions:
                return self._functions[function](argument, stack)
            if function.startswith("Fn::"):
                return unknown(function, f"{shortened(function)} is not evaluated here; write the value itself")
        values = {key: self.value(child, stack) for key, child in node.items()}
        return {key: value for key, value in values.items() if not isinstance(value, NoValue)}

    def _pseudo_parameter(self, name: str, stack: Stack) -> str | Text:
        """Return what the stack says, else what was supplied under the same name."""
        said = {"AWS::Region": stack.place.region, "AWS::AccountId": stack.place.account, "AWS::StackName": stack.name}
        value = said.get(name) or stack.supplied.get(name)
        if value is not None:
            return value
        owner = stack.key if name in _PER_STACK else str(stack.place)
        return unknown(f"{name} of {owner}", f"{name} is not known here; supply it with --parameter {name}=VALUE")

    def _ref(self, name: Node, stack: Stack) -> Value:
        if not isinstance(name, str):
            return strings.malformed("Ref", "a name")
        if name == "AWS::NoValue":
            return NO_VALUE
        if name in PSEUDO_PARAMETERS:
            return self._pseudo_parameter(name, stack)
        declared = stack.declaration("Parameters", name)
        if declared is not None:
            return self._parameter(name, declared, stack)
        return self._resource_id(name, stack)

    def _resource_id(self, name: str, stack: Stack) -> Value:
        resource = stack.resource(name)
        if resource is None:
            why = f"'{shortened(name)}' is neither a parameter nor a resource of the template"
            return unknown(f"{name} of {stack.key}", why)
        if resource.kind in NAME_PROPERTIES:
            return self._arn(resource)
        return _after_deployment(resource, "id")

    def _parameter(self, name: str, declared: Mapping[str, Node], stack: Stack) -> Value:
        kind = str(declared.get("Type", "String"))
        value: Value = None
        if name in stack.passed and stack.parent is not None:
            with self._within(stack, f"parameter '{shortened(name)}'") as trouble:
                value = Text((trouble,)) if trouble else self.value(stack.passed[name], stack.parent)
        elif name in stack.supplied:
            value = stack.supplied[name]
        elif not kind.startswith("AWS::SSM::"):
            # The default of an SSM parameter is the name of a parameter in Systems Manager, not its value.
            value = as_text(self.value(declared.get("Default"), stack))
        if value is None or isinstance(value, NoValue):
            shown = shortened(name)
            why = f"parameter '{shown}' has no value; supply it with --parameter {shown}=VALUE"
            return unknown(f"parameter {name} of {stack.key}", why)
        if isinstance(value, str) and ("List<" in kind or kind == "CommaDelimitedList"):
            return [item.strip() for item in value.split(",")]
        return value

    def _get_att(self, argument: Node, stack: Stack) -> Value:
        match argument.split(".", 1) if isinstance(argument, str) else argument:
            case [str(logical_id), named]:
                attribute = self.value(named, stack)
                resource = stack.resource(logical_id)
                if resource is None:
                    why = f"'{shortened(logical_id)}' is not a resource of the template"
                    return unknown(f"{logical_id} of {stack.key}", why)
                return self._attribute(resource, attribute) if isinstance(attribute, str) else attribute
            case _:
                return strings.malformed("Fn::GetAtt", "[resource, attribute]")

    def _attribute(self, resource: Resource, attribute: str) -> Value:
        if attribute.startswith("Outputs."):
            return self._output(_nested_output(resource, attribute.removeprefix("Outputs.")))
        if ARN_ATTRIBUTES.get(resource.kind) == attribute:
            return self._arn(resource)
        return _after_deployment(resource, f"attribute '{shortened(attribute)}'")

    def _arn(self, resource: Resource) -> str | Text:
        partition, region, account = (
            self._pseudo_parameter(f"AWS::{name}", resource.stack) for name in ("Partition", "Region", "AccountId")
        )
        return arn(resource.kind, self.name(resource), partition, region, account)

    def _output(self, found: tuple[Stack, str] | Text) -> Value:
        """Return the value of an output, in the terms of the stack that has it."""
        if isinstance(found, Text):
            return found
        stack, name = found
        declared = stack.declaration("Outputs", name)
        if declared is None:
            return unknown(f"output {name} of {stack.key}", f"{stack.template} has no output '{shortened(name)}'")
        with self._within(stack, f"output '{shortened(name)}'") as trouble:
            return Text((trouble,)) if trouble else self.value(declared.get("Value"), stack)

    def _sub(self, argument: Node, stack: Stack) -> Value:
        match argument:
            case str(template) | [str(template)]:
                variables: dict[str, Node] = {}
            case [str(template), dict(variables)]:
                pass
            case _:
                return strings.malformed("Fn::Sub", "text or [text, {name: value}]")

        def value_of(name: str) -> Value:
            if name in variables:
                return self.value(variables[name], stack)
            return self.value({"Fn::GetAtt" if "." in name else "Ref": name}, stack)

        return strings.substitute(template, value_of)

    def _if(self, argument: Node, stack: Stack) -> Value:
        match argument:
            case [condition, if_true, if_false]:
                verdict = self.holds(condition, stack)
                if isinstance(verdict, Unknown):
                    return Text((verdict,))
                return self.value(if_true if verdict else if_false, stack)
            case _:
                return strings.malformed("Fn::If", "[condition, value if true, value if false]")

    def _find_in_map(self, argument: Node, stack: Stack) -> Value:
        keys = self.value(argument, stack)
        found = strings.find_in_map(keys, stack.section("Mappings"))
        if isinstance(found, Text):
            match keys:
                case [_, _, _, {"DefaultValue": default}]:
                    return default
                case _:
                    return found
        return self.value(found, stack)

    def _named_condition(self, name: str, stack: Stack) -> Verdict:
        if (stack, name) not in self._verdicts:
            expression = stack.section("Conditions").get(name)
            if expression is None:
                why = f"the template declares no condition '{shortened(name)}'"
                return Unknown(f"condition {name} of {stack.key}", why)
            with self._within(stack, f"condition '{shortened(name)}'") as trouble:
                if trouble:
                    return trouble
                self._verdicts[stack, name] = self.holds(expression, stack)
        return self._verdicts[stack, name]

    def _expression(self, condition: Node, stack: Stack) -> Verdict:
        match condition:
            case {"Fn::Equals": [one, other]}:
                return conditions.equals(self.value(one, stack), self.value(other, stack))
            case {"Fn::And": list(operands)}:
                return conditions.all_of(self._judge(operands, stack))
            case {"Fn::Or": list(operands)}:
                return conditions.any_of(self._judge(operands, stack))
            case {"Fn::Not": [operand]}:
                return conditions.opposite(next(self._judge([operand], stack)))
            case _:
                return Unknown("a condition", "a condition it depends on is of a kind that is not evaluated here")

    def _judge(self, operands: Sequence[Node], stack: Stack) -> Iterator[Verdict]:
        for operand in operands:
            with self._within(stack, None) as trouble:
                verdict = trouble or self.holds(operand, stack)
            yield verdict

    @contextmanager
    def _within(self, stack: Stack, what: str | None) -> Generator[Unknown | None]:
        """
        Step into *what*, or into an expression that has no name, and yield what is wrong with doing so.

        That is: being in it already, or too deep. Raises where expressions refer to each other without bound.
        """
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise TemplateError(
                f"{stack.template}: takes more than {_MAX_STEPS:,} steps to evaluate, the most that are taken"
            )
        trouble = None
        if len(self._trail) >= _MAX_DEPTH:
            trouble = Unknown("too deep", f"its expressions are nested more than {_MAX_DEPTH} deep")
        elif what is not None and (stack, what) in self._trail:
            circle = [step for _, step in self._trail[self._trail.index((stack, what)) :] if step]
            trouble = Unknown(
                f"{what} of {stack.key}", f"it refers to itself in a circle: {' -> '.join([*circle, what])}"
            )
        self._trail.append((stack, what or ""))
        try:
            yield trouble
        finally:
            self._trail.pop()


def _nested_output(resource: Resource, output: str) -> tuple[Stack, str] | Text:
    nested = resource.stack.nested.get(resource.logical_id)
    if nested is not None:
        return nested, output
    shown = shortened(resource.logical_id)
    why = f"the template of nested stack '{shown}' is not in what was read; give the whole cloud assembly"
    return unknown(f"output {output} of {resource.key}", why, is_outside=True)


def _after_deployment(resource: Resource, what: str) -> Text:
    kind, shown = shortened(resource.kind), shortened(resource.logical_id)
    return unknown(
        f"{what} of {resource.key}",
        f"the {what} of '{shown}' ({kind}) is known only after deployment; write the value itself",
    )
