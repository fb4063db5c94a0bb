"""What becomes of one row: whose job it is, on what it runs, and how much it matters."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, TypeVar

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.traces.importers.importer import Importer
from quota_constructs.evaluator.traces.importers.options import ANY, Options
from quota_constructs.evaluator.traces.importers.row import Row
from quota_constructs.evaluator.traces.importers.spool import Spooled
from quota_constructs.evaluator.traces.refusal import Refused, listed, shown
from quota_constructs.evaluator.traces.schema import MAX_COUNT, MAX_NAME_LENGTH, MAX_PRIORITY, MAX_SECONDS

_T = TypeVar("_T")

NO_TEAM: Final = "unknown"
FILE: Final = "file"
"""The label that every row has: the name of its file."""

SHORTEST_MS: Final = 1000
"""What a job counts that was too short to be measured."""

NUMBERED: Final = "has no id of its own: named by its number"
REPEATED: Final = "has the id of another job: its number added"
UNOWNED: Final = f"names no team: given to '{NO_TEAM}'"
TOO_SHORT: Final = "ran for 0 s, which is less than was measured: counted as 1 s"
NO_DURATION: Final = "no run time is recorded"
NEGATIVE_DURATION: Final = "the run time is negative"


class Decisions:
    """The options of one import, applied to its rows one by one."""

    def __init__(self, importer: Importer, options: Options) -> None:
        self._importer = importer
        self._options = options
        self._teams = (options.team,) if options.team else importer.teams
        self._used: set[tuple[str, str]] = set()
        labels = {*importer.labels, FILE}
        for option, label in (("--team", options.team), ("--priority", options.priority)):
            if label and importer.labels and label not in labels:
                raise UsageError(f"{option} must be one of {listed(sorted(labels))}, got {shown(label)}")

    def drop(self, row: Row) -> str | None:
        """Return why *row* cannot be a job, if it cannot."""
        if row.milli_units <= 0:
            return f"holds no {self._importer.unit}"
        if row.duration_ms is None:
            return NO_DURATION
        return NEGATIVE_DURATION if row.duration_ms < 0 else None

    def job(self, row: Row, number: int, altered: list[str]) -> Spooled:
        """Return the job that *row* is, the *number*-th of the import, and add to *altered* what it is not as."""
        altered += row.altered
        name = row.id or str(number)
        if not row.id:
            altered.append(NUMBERED)
        if row.milli_units % 1000:
            altered.append(f"holds a fraction of a {self._importer.unit}: counted as whole ones")
        if not row.duration_ms:
            altered.append(TOO_SHORT)
        return Spooled(
            number,
            checked_name("id", name),
            checked_name("share", self._team(row.labels, altered)),
            _instant(row.submit_ms),
            _length(row.duration_ms or SHORTEST_MS, self._options.duration_scale),
            _count(row.milli_units),
            self._priority(row.labels),
            self._instance_type(row.labels),
        )

    def is_sampled(self, job: Spooled) -> bool:
        """Say whether *job* is in the sample: the same jobs for the same seed, whatever else is in the files."""
        if self._options.sample == 1:
            return True
        drawn = hashlib.blake2b(f"{self._options.seed}:{job.id}".encode(), digest_size=8).digest()
        return Fraction(int.from_bytes(drawn), 1 << 64) < self._options.sample

    def refuse_unused(self) -> None:
        """Refuse what the options say of names that no row has: they are misspelt."""
        options = self._options
        given = [("--team", options.team)] if options.team else []
        given += [("--priority", options.priority)] if options.priority else []
        given += [("--share", name) for name in options.shares]
        given += [("--priority-of", name) for name in options.priorities]
        given += [("--instance-type", name) for name in options.instance_types if name != ANY]
        for option, name in given:
            if (option, name) not in self._used:
                raise UsageError(f"{option}: no row has {shown(name)}; correct or remove it")

    def _team(self, labels: Mapping[str, str], altered: list[str]) -> str:
        for label in self._teams:
            if team := labels.get(label):
                self._used.add(("--team", label))
                return self._mapped("--share", self._options.shares, team) or team
        altered.append(UNOWNED)
        return NO_TEAM

    def _priority(self, labels: Mapping[str, str]) -> int:
        label = self._options.priority or self._importer.priority
        text = labels.get(label) if label else None
        if not label or not text:
            return 0
        self._used.add(("--priority", label))
        mapped = self._mapped("--priority-of", self._options.priorities, text)
        if mapped is not None:
            return mapped
        whole = text.removesuffix(".0")
        if not (whole.isascii() and whole.isdigit() and len(whole) <= 4):  # noqa: PLR2004 - digits of MAX_PRIORITY
            raise Refused(
                f"{shown(label)} must be a whole number from 0 to {MAX_PRIORITY} to be a priority, got {shown(text)}; "
                f"say what it stands for with --priority-of {shown(text)}=NUMBER"
            )
        return int(whole)

    def _instance_type(self, labels: Mapping[str, str]) -> str | None:
        types = self._options.instance_types
        machine = labels.get(self._importer.instance_type or "", "")
        if not types:
            return checked_name("instance type", machine) if machine and self._importer.states_instance_type else None
        mapped = self._mapped("--instance-type", types, machine) or types.get(ANY)
        if mapped is None:
            raise Refused(
                f"{shown(machine)} is no kind of machine that an instance type is given for; "
                f"add --instance-type {shown(machine or ANY)}=TYPE"
            )
        return checked_name("instance type", mapped)

    def _mapped(self, option: str, mapping: Mapping[str, _T], name: str) -> _T | None:
        if name not in mapping:
            return None
        self._used.add((option, name))
        return mapping[name]


def checked_name(field: str, name: str) -> str:
    """Return *name*, or refuse it if a trace could not hold it."""
    if len(name) > MAX_NAME_LENGTH:
        raise Refused(f"'{field}' must have at most {MAX_NAME_LENGTH} characters, got {len(name)}: {shown(name)}")
    if not name.isascii():
        try:
            name.encode()
        except UnicodeEncodeError:
            raise Refused(f"'{field}' must be UTF-8, and {shown(name)} holds half a character") from None
    return name


def _instant(submit_ms: int) -> int:
    if abs(submit_ms) > MAX_SECONDS * 1000:
        raise Refused(f"the time of submission must be at most {MAX_SECONDS:,} s, got {submit_ms // 1000:,} s")
    return submit_ms


def _length(duration_ms: int, scale: Fraction) -> int:
    scaled = duration_ms if scale == 1 else max(1, round(duration_ms * scale))
    if scaled > MAX_SECONDS * 1000:
        raise Refused(f"the run time must be at most {MAX_SECONDS:,} s, got {scaled // 1000:,} s")
    return scaled


def _count(milli_units: int) -> int:
    if milli_units > MAX_COUNT * 1000:
        raise Refused(f"a job must hold at most {MAX_COUNT:,}, got {milli_units // 1000:,}")
    return milli_units
