"""A resource's properties, read one by one: each is what is due, or an error that names its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template.stack import Resource
from quota_constructs.evaluator.template.values import NoValue, Text, Unknown, Value, as_text
from quota_constructs.printable import shortened

MAX_INTEGER = 2**31 - 1

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_UNIT = re.compile(r"[A-Za-z0-9._-]{1,128}")


@dataclass(frozen=True, slots=True)
class Field:
    """The value at one place in a resource."""

    resource: Resource
    path: str
    value: Value

    @property
    def is_absent(self) -> bool:
        """Whether nothing is written there."""
        return self.value is None or isinstance(self.value, NoValue)

    def __getitem__(self, name: str) -> Field:
        """Return the property called *name* of the object here, absent if this is."""
        self._refuse_unknown()
        if self.is_absent:
            return Field(self.resource, f"{self.path}/{name}", None)
        if not isinstance(self.value, dict):
            raise self.error(f"must be an object, got {self._shown()}")
        return Field(self.resource, f"{self.path}/{name}", self.value.get(name))

    def items(self) -> list[Field]:
        """Return the items of the list here, none if it is absent."""
        self._refuse_unknown()
        if self.is_absent:
            return []
        if not isinstance(self.value, list):
            raise self.error(f"must be a list, got {self._shown()}")
        return [Field(self.resource, f"{self.path}/{index}", item) for index, item in enumerate(self.value)]

    def text(self) -> str:
        """Return the text here."""
        self._refuse_absent("text")
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.error(f"must be text, got {self._shown()}")
        return str(self.value)

    def reference(self) -> str | Text:
        """Return the name or ARN here, which may be partly unknown."""
        return self.value if isinstance(self.value, Text) else self.text()

    def name(self) -> str:
        """Return the name here, in the characters that the service allows."""
        return self._matching(_NAME, "1 to 128 of letters, digits, '-' and '_'")

    def unit(self) -> str:
        """Return the capacity unit here."""
        if self.text().upper() == "NUM_INSTANCES":
            raise self.error(
                "must be an instance type like 'ml.g5.xlarge', as quota management counts by type, got 'NUM_INSTANCES'"
            )
        return self._matching(_UNIT, "an instance type such as 'ml.g5.xlarge'")

    def integer(self, minimum: int, maximum: int = MAX_INTEGER) -> int:
        """Return the whole number here, which may be written as text."""
        what = f"a whole number from {minimum} to {maximum}"
        self._refuse_absent(what)
        number = _whole(self.value)
        if number is None or not minimum <= number <= maximum:
            raise self.error(f"must be {what}, got {self._shown()}")
        return number

    def choice(self, options: Iterable[str]) -> str:
        """Return which of *options* is written here, in any letter case."""
        allowed = sorted(options)
        what = f"one of {', '.join(allowed)}" if len(allowed) > 1 else allowed[0]
        self._refuse_absent(what)
        written = self.value.upper() if isinstance(self.value, str) else None
        if written not in allowed:
            raise self.error(f"must be {what}, got {self._shown()}")
        return written

    def says(self, option: str) -> bool:
        """Whether the text here is *option*, in any letter case; no if it is absent or unknown."""
        return isinstance(self.value, str) and self.value.upper() == option

    def unresolved(self, reason: Unknown) -> TemplateError:
        """Return the error for a value that is needed here and unknown for *reason*."""
        return self.error(f"cannot be resolved: {reason.why}")

    def error(self, problem: str) -> TemplateError:
        """Return an error about this place."""
        return TemplateError(f"{self.resource.shown}, {self.path}: {problem}")

    def _matching(self, pattern: re.Pattern[str], what: str) -> str:
        text = self.text()
        if not pattern.fullmatch(text):
            raise self.error(f"must be {what}, got {self._shown()}")
        return text

    def _refuse_absent(self, what: str) -> None:
        self._refuse_unknown()
        if self.is_absent:
            raise self.error(f"is missing; it must be {what}")

    def _refuse_unknown(self) -> None:
        if isinstance(self.value, Text):
            raise self.unresolved(self.value.unknown)

    def _shown(self) -> str:
        if isinstance(self.value, dict | list):
            return "an object" if isinstance(self.value, dict) else "a list"
        return f"'{shortened(self.value)}'" if isinstance(self.value, str) else str(as_text(self.value))


def _whole(value: Value) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None
