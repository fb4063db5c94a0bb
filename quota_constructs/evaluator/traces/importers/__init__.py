"""Importers: logs of real jobs, each format in a file of its own, made into traces by one pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quota_constructs.evaluator.traces.importers.acme import ACME
from quota_constructs.evaluator.traces.importers.alibaba_pai import ALIBABA_PAI
from quota_constructs.evaluator.traces.importers.alibaba_spot import ALIBABA_SPOT
from quota_constructs.evaluator.traces.importers.columns import CSV
from quota_constructs.evaluator.traces.importers.helios import HELIOS
from quota_constructs.evaluator.traces.importers.importer import Choices, Importer
from quota_constructs.evaluator.traces.importers.itp import ITP
from quota_constructs.evaluator.traces.importers.openb import OPENB
from quota_constructs.evaluator.traces.importers.options import Options
from quota_constructs.evaluator.traces.importers.philly import PHILLY
from quota_constructs.evaluator.traces.importers.philly_tables import PHILLY_TABLES
from quota_constructs.evaluator.traces.importers.pipeline import import_trace
from quota_constructs.evaluator.traces.importers.report import Report
from quota_constructs.evaluator.traces.importers.slurm import SLURM
from quota_constructs.evaluator.traces.importers.swf import SWF

IMPORTERS: Final[Mapping[str, Importer]] = {
    "swf": SWF,
    "slurm": SLURM,
    "csv": CSV,
    "philly": PHILLY,
    "philly-4vc": PHILLY_TABLES,
    "helios": HELIOS,
    "itp": ITP,
    "alibaba-pai-2020": ALIBABA_PAI,
    "alibaba-spot-2026": ALIBABA_SPOT,
    "openb": OPENB,
    "acme": ACME,
}
"""Every format that can be imported, by the name that the command line has for it."""

__all__ = ["IMPORTERS", "Choices", "Importer", "Options", "Report", "import_trace"]
