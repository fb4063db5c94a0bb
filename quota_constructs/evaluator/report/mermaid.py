"""The contested hours of a run as a Mermaid Gantt chart, which forges draw in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from quota_constructs.evaluator.contested_hours import Bar, ContestedHours
from quota_constructs.evaluator.numbers import as_clock
from quota_constructs.evaluator.report.markdown import code
from quota_constructs.printable import shortened

_LONGEST_NAME = 40
_SECOND_MS = 1000
_DAY = "2001-01-01"
"""Some day without a change of the clocks: the chart knows only days, and shows hours from the window's start."""


def contested_charts(runs: Iterable[ContestedHours]) -> list[str]:
    """Return the charts of *runs*, those with the most stops first."""
    return [contested_chart(each) for each in sorted(runs, key=lambda each: -each.stops)]


def contested_chart(contested: ContestedHours) -> str:
    """Return *contested* as Markdown: a line that says what is drawn, and the chart."""
    left_out = f"; {contested.left_out:,} more attempts are left out" if contested.left_out else ""
    return (
        f"Trace {code(contested.trace)} on queue {code(contested.queue)}, from {as_clock(contested.start_ms)} of its "
        f"clock: what ran, on the share's own instances or on borrowed ones, and what was stopped{left_out}.\n\n"
        f"```mermaid\n{_gantt(contested)}```"
    )


def _gantt(contested: ContestedHours) -> str:
    lines = ["gantt", "    dateFormat YYYY-MM-DD HH:mm:ss", "    axisFormat %H:%M", "    todayMarker off"]
    for share, bars in groupby(contested.bars, key=lambda bar: bar.share):
        lines.append(f"    section share {_name(share)}")
        lines += [f"    {_bar(bar)}" for bar in bars]
    return "".join(f"{line}\n" for line in lines)


def _bar(bar: Bar) -> str:
    """Return a task; its text begins with a word of ours, as some words at its place are commands."""
    whose, look = ("borrowed", "done") if bar.borrowed else ("own", "active")
    end_ms = max(bar.end_ms, bar.start_ms + _SECOND_MS)  # shorter ones would be drawn as nothing
    text = f"{whose} {_name(bar.job)}{' stopped' if bar.stopped else ''}"
    return f"{text} :{'crit, ' if bar.stopped else ''}{look}, {_time(bar.start_ms)}, {_time(end_ms)}"


def _name(name: str) -> str:
    """Return *name* in characters that mean nothing to Mermaid, with `?` for any other."""
    return re.sub(r"[^A-Za-z0-9._-]", "?", shortened(name, length=_LONGEST_NAME))


def _time(ms: int) -> str:
    seconds = ms // _SECOND_MS
    return f"{_DAY} {seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
