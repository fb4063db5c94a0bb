"""What the options of `trace import` come to."""

from __future__ import annotations

import re

from quota_constructs.cli import quantities
from quota_constructs.errors import UsageError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow `--help` down
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import tzinfo
    from fractions import Fraction

    from quota_constructs.evaluator.traces.importers import Choices, Importer, Options


def understood(args: argparse.Namespace, importer: Importer) -> Options:
    """Return what the options say, or refuse what makes no sense together or means nothing to the format."""
    from fractions import Fraction

    from quota_constructs.evaluator.traces.importers import Options

    if args.others is not None and args.top is None:
        raise UsageError("--others says what is beyond --top N; add it")
    if args.warm_up_ms and not args.from_ms:
        raise UsageError("--warm-up comes before --from TIME; add it")
    if args.to_ms is not None and args.to_ms <= (args.from_ms or 0):
        raise UsageError("--to must be later than --from")
    sample: Fraction = Fraction(1) if args.sample is None else args.sample
    if sample > 1:
        raise UsageError(f"--sample must be above 0 and at most 1, got {float(sample)}")
    return Options(
        choices=_choices(args, importer),
        team=args.team,
        shares=_mapping("--share", args.shares),
        top=args.top,
        others=args.others or "others",
        units_per_instance=args.gpus_per_instance or 1,
        instance_types=_mapping("--instance-type", args.instance_types),
        priority=args.priority,
        priorities={
            text: _priority(text, number) for text, number in _mapping("--priority-of", args.priorities).items()
        },
        from_ms=args.from_ms,
        to_ms=args.to_ms,
        warm_up_ms=args.warm_up_ms or 0,
        sample=sample,
        seed=args.seed,
        submit_scale=args.scale_submit or Fraction(1),
        duration_scale=args.scale_duration or Fraction(1),
        rebase=args.rebase,
        long_jobs=args.long_jobs,
        strict=args.strict,
    )


def _choices(args: argparse.Namespace, importer: Importer) -> Choices:
    """Return what the reader of the format is told; an option that means nothing to it is refused."""
    from datetime import UTC

    from quota_constructs.evaluator.traces.importers import Choices

    for option, given, taken in (
        ("--map", bool(args.columns), importer.takes_columns),
        ("--time-unit", args.time_unit is not None, importer.takes_columns),
        ("--zone", args.zone is not None, importer.takes_zone),
        ("--duration", args.duration is not None, bool(importer.durations)),
    ):
        if given and not taken:
            raise UsageError(f"{option} means nothing to the format {args.format}; leave it out")
    if args.duration is not None and args.duration not in importer.durations:
        raise UsageError(f"--duration must be one of {', '.join(importer.durations)}, got {args.duration!r}")
    return Choices(
        duration=args.duration,
        zone=UTC if args.zone is None else _zone(args.zone),
        columns=_mapping("--map", args.columns),
        number_ms=quantities.UNITS_MS[args.time_unit or "s"],
    )


def _mapping(option: str, pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    given: dict[str, str] = {}
    for name, value in pairs:
        if given.setdefault(name, value) != value:
            raise UsageError(f"{option} {name} is given twice, as '{given[name]}' and as '{value}'; give it once")
    return given


def _priority(text: str, number: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", number):
        raise UsageError(f"--priority-of {text} must be a whole number from 0 to 9999, got {number!r}")
    return int(number)


def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise UsageError(f"--zone must be a zone such as America/Los_Angeles, got {name!r}") from None
