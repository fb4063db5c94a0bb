"""What an import did with what it read, by reason and count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from quota_constructs.printable import plural, shortened

MAX_REASONS = 200
MORE = "other reasons"


@dataclass(slots=True, kw_only=True)
class Report:
    """The books of one import; nothing leaves it or changes in it without an entry here."""

    rows: int = 0
    kept: int = 0
    shares: int = 0
    dropped: Counter[str] = field(default_factory=Counter[str])
    """Rows that the data did not allow to become jobs."""

    altered: Counter[str] = field(default_factory=Counter[str])
    """Jobs that are not as their rows say."""

    asked: Counter[str] = field(default_factory=Counter[str])
    """Jobs that options leave out, put together or change."""

    remarks: Counter[str] = field(default_factory=Counter[str])
    """Jobs that are as recorded, with what should be known of them."""

    notes: list[str] = field(default_factory=list[str])
    """What holds for the import as a whole."""

    def lines(self) -> Iterator[str]:
        """Yield the report for people, a sentence a line."""
        yield f"{plural(self.rows, 'row')} read, {plural(self.kept, 'job')} of {plural(self.shares, 'share')} written"
        for what, counts in self._parts():
            for reason, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
                yield f"{count:,} {what}: {shortened(reason, length=400)}"
        yield from (shortened(note, length=400) for note in self.notes)

    def _parts(self) -> list[tuple[str, Counter[str]]]:
        return [
            ("dropped", self.dropped),
            ("altered", self.altered),
            ("as asked", self.asked),
            ("as recorded", self.remarks),
        ]


def count(counts: Counter[str], reason: str) -> None:
    """Add one to *reason*; a hostile file with endless reasons is counted, and not listed, from some point on."""
    counts[reason if reason in counts or len(counts) < MAX_REASONS else MORE] += 1
