"""Logs for tests of importers, and what they become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quota_constructs.evaluator.traces.importers import IMPORTERS, Choices, Options, Report, import_trace

SHARED = Path(__file__).resolve().parents[2] / "shared" / "traces"
"""Real logs, which are no part of the project; tests that need them are skipped where they are not."""

SAMPLES = SHARED / "format-samples"


def imported(
    name: str, *paths: Path, options: Options | None = None, duration: str | None = None
) -> tuple[list[dict[str, Any]], Report]:
    """Return the jobs that the log of format *name* at *paths* becomes, and the report of the import."""
    if options is None:
        options = Options(choices=Choices(duration=duration))
    report = Report()
    _, *jobs = import_trace(name, IMPORTERS[name], paths, options, report)
    return [json.loads(line) for line in jobs], report


def table(path: Path, columns: str, *rows: str) -> Path:
    """Write a file with a row of names and *rows* to *path*, and return *path*."""
    path.write_text("".join(f"{line}\n" for line in (columns, *rows)), encoding="utf-8")
    return path
