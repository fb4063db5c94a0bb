"""Findings in a comment: those that matter most in a table, all of them folded, and ever shorter if there are many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.report.markdown import Part, code, fit, fold, marker, prose, table
from quota_constructs.printable import plural

MOST_ROWS = 10
"""Rows of the table that is not folded."""

SUPPRESSED = "suppressed"
"""What a finding is, instead of its severity, that is accepted for a reason."""

_LONGEST_CELL = 300
_LONGEST_LINE = 160
_LONGEST_LIST = 20

_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


_MOST_NAMED = 5
_MOST_CHARTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What was looked at."""

    queues: Sequence[str]
    traces: Sequence[str]
    """Every trace and scenario that was run."""

    def __str__(self) -> str:
        """Return it in one sentence of Markdown."""
        queues = f"Queue{'' if len(self.queues) == 1 else 's'} {_listed(self.queues)}"
        return f"{queues}; {plural(len(self.traces), 'trace')}{': ' if self.traces else ''}{_listed(self.traces)}."


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(code(name) for name in names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else shown


def findings_markdown(findings: Sequence[Finding], basis: Basis, *, charts: Sequence[str] = ()) -> str:
    """
    Return *findings* as a comment on a pull request; *charts* are folded below them.

    Where a comment has no room for all, it says what it leaves out, and still says for each rule how often it is
    found and, as far as there is room, of which shares.
    """
    fails = any(each.fails for each in findings)
    verdict = f"**Quota check{' fails' if fails else ''}: {counted(findings)}.** {basis}"
    head = Part(versions=(f"{marker('check')}\n{verdict}",))
    if not findings:
        return fit([head])
    return fit([head, Part(versions=(worst_findings(findings),)), all_findings(findings), folded_charts(charts)])


def folded_charts(charts: Sequence[str]) -> Part:
    """Return *charts*, folded: the first ones, as many as there is room for."""

    def first(count: int) -> str:
        left_out = f"There is no room in a comment for the charts of {plural(len(charts) - count, 'more trace')}."
        return fold("Contested hours", "\n\n".join([*charts[:count], *([left_out] if count < len(charts) else [])]))

    return Part(versions=(*(first(count) for count in range(min(len(charts), _MOST_CHARTS), 0, -1)), ""))


def counted(findings: Iterable[Finding]) -> str:
    """Return how many of *findings* there are of each severity, and how many more: `2 errors, 1 suppressed`."""
    kinds = [kind_of(finding) for finding in findings]
    counts = [plural(kinds.count(severity), severity) for severity in Severity if severity in kinds]
    if SUPPRESSED in kinds:
        counts.append(f"{kinds.count(SUPPRESSED):,} {SUPPRESSED}")
    return ", ".join(counts) or "no findings"


def kind_of(finding: Finding) -> str:
    """Return the severity of *finding*, or that it is suppressed."""
    return SUPPRESSED if finding.suppressed_because is not None else finding.severity


def worst_findings(findings: Sequence[Finding], *, most: int = MOST_ROWS) -> str:
    """Return a table of the findings not suppressed, *most* of them, the worst first; nothing if there are none."""
    open_ones = sorted((each for each in findings if kind_of(each) != SUPPRESSED), key=_rank)
    if not open_ones:
        return ""
    label = _labels(findings)
    shown = table(
        ["", "rule", "share", "on", "what is wrong"],
        (
            (
                each.severity,
                each.rule_id,
                label(each),
                "" if each.trace is None else code(each.trace, length=40),
                prose(each.message, length=_LONGEST_CELL),
            )
            for each in open_ones[:most]
        ),
    )
    more = len(open_ones) - most
    return f"{shown}\n\nand {more:,} more below." if more > 0 else shown


def all_findings(findings: Sequence[Finding], *, title: str = "All findings") -> Part:
    """Return all findings behind *title*, folded: as much of each as there is room for, at least how many there are."""
    if not findings:
        return Part(versions=("",))
    ordered = sorted(findings, key=lambda each: (each.rule_id, _rank(each)))
    title = f"{title} ({counted(findings)})"
    return Part(
        versions=(
            fold(title, _in_full(ordered)),
            _shortened(title, "fixes, places and the ends of long messages", _in_short(ordered)),
            _shortened(title, "messages, fixes and places", _by_share(ordered, most=None)),
            _shortened(title, "messages, fixes, places and some shares", _by_share(ordered, most=_LONGEST_LIST)),
            _shortened(title, "all but how many findings each rule has", _by_share(ordered, most=0)),
        )
    )


def _shortened(title: str, left_out: str, body: str) -> str:
    notice = (
        f"There is no room in a comment for {left_out}. The same run gives all of it in any other format, such as "
        "with `--output json=FILE`."
    )
    return fold(title, f"{notice}\n\n{body}")


def _in_full(findings: Sequence[Finding]) -> str:
    label = _labels(findings)
    return "\n\n".join(
        "\n".join([f"**{rule_id} {RULES[rule_id].title}**\n", *(_whole(each, label) for each in group)])
        for rule_id, group in groupby(findings, key=_rule)
    )


def _whole(finding: Finding, label: Callable[[Finding], str]) -> str:
    source = finding.source
    suppressed = "" if finding.suppressed_because is None else "suppressed "
    lines = [f"- {suppressed}{finding.severity}, {_about(finding, label)}: {prose(finding.message)}"]
    if finding.suppressed_because is not None:
        lines.append(f"  - suppressed because: {prose(finding.suppressed_because)}")
    if finding.robustness is not None:
        lines.append(f"  - {prose(finding.robustness.text)}")
    lines.append(f"  - fix: {prose(finding.fix)}")
    lines.append(
        f"  - at: {code(source.logical_id)} {code(finding.property_path)} in {code(source.template, length=200)}"
    )
    return "\n".join(lines)


def _in_short(findings: Sequence[Finding]) -> str:
    label = _labels(findings)
    return "\n".join(
        f"- {kind_of(each)} {each.rule_id}, {_about(each, label)}: {prose(each.message, length=_LONGEST_LINE)}"
        for each in findings
    )


def _by_share(findings: Sequence[Finding], *, most: int | None) -> str:
    """Return a line a rule, with its shares and how often each is found; of the shares at most *most*, if given."""
    label = _labels(findings)
    lines: list[str] = []
    for rule_id, group in groupby(findings, key=_rule):
        of_rule = list(group)
        counts: dict[str, int] = {}
        for each in of_rule:
            counts[label(each)] = counts.get(label(each), 0) + 1
        named = [f"{name} {count:,}" if count > 1 else name for name, count in list(counts.items())[:most]]
        if len(named) < len(counts):
            named.append(f"{len(counts) - len(named):,} {'more' if named else 'shares or queues'}")
        lines.append(f"- {rule_id} ({counted(of_rule)}): {', '.join(named)}")
    return "\n".join(lines)


def _about(finding: Finding, label: Callable[[Finding], str]) -> str:
    return label(finding) if finding.trace is None else f"{label(finding)} on {code(finding.trace)}"


def _labels(findings: Iterable[Finding]) -> Callable[[Finding], str]:
    """Return how a finding's share or queue is called: with its queue only where there are several."""
    several = len({each.queue for each in findings}) > 1

    def label(finding: Finding) -> str:
        if finding.share is None:
            return f"queue {code(finding.queue)}"
        return f"{code(finding.queue)} {code(finding.share)}" if several else code(finding.share)

    return label


def _rule(finding: Finding) -> str:
    return finding.rule_id


def _rank(finding: Finding) -> int:
    return len(_RANKS) if finding.suppressed_because is not None else _RANKS[finding.severity]
