"""What a job holds: from its line, from the header's defaults, or the one unit of its share."""

from __future__ import annotations

from msgspec import UNSET

from quota_constructs.evaluator.trace import Instances
from quota_constructs.evaluator.traces.refusal import Refused, listed
from quota_constructs.evaluator.traces.schema import Defaults


class Holdings:
    """Resolve what jobs hold; equal holdings are one object, however many jobs have them."""

    def __init__(self, defaults: Defaults) -> None:
        """Refuse *defaults* that contradict themselves."""
        _refuse_both(defaults)
        self._defaults = defaults
        self._default_count = 1 if defaults.instance_count is UNSET else defaults.instance_count
        self._of_type: dict[tuple[str, int], Instances] = {}
        self._of_several: dict[Instances, Instances] = {}

    def of(self, line: Defaults, units: tuple[str, ...] | None) -> Instances:
        """
        Return what the job of *line* holds, its share having *units*: the first of these that is given.

        1. the line's `instances`, or its `instance_type` with its or the default count
        2. the default `instances`, or the default `instance_type` with the line's or the default count
        3. the share's only unit, with the line's or the default count; nothing if the share is not known
        """
        given, default = line.instance_type, self._defaults
        if given is UNSET:
            if line.instances is not UNSET:
                _refuse_both(line)
                return self._several(line.instances)
            if default.instances is not UNSET:
                if line.instance_count is not UNSET:
                    raise Refused(
                        "'instance_count' counts one instance type, but the header's defaults give 'instances'; "
                        "write 'instance_type' beside it"
                    )
                return self._several(default.instances)
            given = default.instance_type
            if given is UNSET:
                if units is None:
                    return ()
                given = _only(units)
        elif line.instances is not UNSET:
            _refuse_both(line)
        count = self._default_count if line.instance_count is UNSET else line.instance_count
        held = self._of_type.get((given, count))
        if held is None:
            held = self._of_type[given, count] = self._several({given: count})
        return held

    def _several(self, counts: dict[str, int]) -> Instances:
        held = tuple(sorted(counts.items()))
        return self._of_several.setdefault(held, held)


def _refuse_both(fields: Defaults) -> None:
    """Refuse `instances` beside what it takes the place of."""
    if fields.instances is UNSET:
        return
    for name, value in (("instance_type", fields.instance_type), ("instance_count", fields.instance_count)):
        if value is not UNSET:
            raise Refused(f"'instances' and '{name}' are both given; keep one of them")


def _only(units: tuple[str, ...]) -> str:
    """Return the only one of *units*, or refuse to choose."""
    if len(units) != 1:
        raise Refused(
            f"'instance_type' is missing, and its share has {len(units)} to choose from"
            f"{': ' * bool(units)}{listed(units)}; write 'instance_type' or 'instances'"
        )
    return units[0]
