"""Importers: logs of real jobs, each format in a file of its own, made into traces by one pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.options import Options
from quota_constructs.evaluator.traces.importers.pipeline import import_trace
from quota_constructs.evaluator.traces.importers.report import Report
from quota_constructs.evaluator.traces.importers.swf import SWF

IMPORTERS: Final[Mapping[str, Importer]] = {
    "swf": SWF,
}
"""Every format that can be imported, by the name that the command line has for it."""

__all__ = ["IMPORTERS", "Choices", "Importer", "Options", "Report", "import_trace"]
