"""Review a pull request: read its base and its head, run the same jobs on both, and say what changes for whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from quota_constructs.errors import InputError, TemplateError, UsageError
from quota_constructs.evaluator.contested_hours import contested_hours
from quota_constructs.evaluator.evaluation import evaluate, judge
from quota_constructs.evaluator.findings.finding import Finding
from quota_constructs.evaluator.findings.rules.agreements import dated
from quota_constructs.evaluator.findings.suppression import suppress
from quota_constructs.evaluator.findings.unused import Coverage, check_suppressions
from quota_constructs.evaluator.inputs import choose_scenarios
from quota_constructs.evaluator.objectives_file import agreed_in
from quota_constructs.evaluator.outcome import Evaluation
from quota_constructs.evaluator.recorded import read_recorded
from quota_constructs.evaluator.review.changes import find_changes
from quota_constructs.evaluator.review.matching import QueuePair, match
from quota_constructs.evaluator.review.moments import HALFWAY, PERCENTS
from quota_constructs.evaluator.review.people import compare_people
from quota_constructs.evaluator.review.regression import tell_apart
from quota_constructs.evaluator.review.replacements import find_replacements
from quota_constructs.evaluator.review.review import OnTrace, Review
from quota_constructs.evaluator.review.running import deploy
from quota_constructs.evaluator.shared_load import Load, traces_of
from quota_constructs.evaluator.suppressions_file import read_suppressions
from quota_constructs.evaluator.system import Source, System
from quota_constructs.evaluator.template import read_systems
from quota_constructs.evaluator.trace import Trace
from quota_constructs.printable import plural, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How both sides are read."""

    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    """Each must be declared by the head; of these, those that the base declares count there."""

    queue: str | None = None
    """The one to look at, by its name or logical id on either side; None for all."""

    objectives: Path | None = None
    """A file that says more of what was agreed on; it holds for both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What findings are judged by."""

    suppressions: Path | None = None
    today: date | None = None
    sensitivity: bool = False
    """Whether each finding on a trace is tried under what else could be assumed."""


def review_paths(
    base: Path,
    head: Path,
    *,
    reading: Reading = Reading(),
    load: Load = Load(),  # noqa: B008 - frozen
    judging: Judging = Judging(),
    base_called: str | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> Review:
    """
    Return what the template or cloud assembly at *head* changes of the one at *base*.

    Either may be without quota-managed queues, but not both. Traces need a single queue to run on. *base_called* is
    what the base is called where its path says nothing, as that of a copy.
    """
    called = base_called or str(base)

    def named(text: str) -> str:
        return text.replace(str(base), called)

    try:
        before, after = read_sides(base, head, reading, tell=lambda note: tell(named(note)))
    except TemplateError as error:
        raise TemplateError(named(str(error))) from None
    before = [_relabelled(system, named) for system in before] if base_called else before
    if judging.today is None and (undated := sum(map(dated, after))):
        tell(f"{plural(undated, 'date')} of agreements not judged: no day was given to judge them by")
    return review_systems(before, after, names=(called, str(head)), reading=reading, load=load, judging=judging)


def _relabelled(system: System, named: Callable[[str], str]) -> System:
    """Return *system* with its template called as *named* says."""

    def at(source: Source) -> Source:
        return replace(source, template=named(source.template))

    return replace(
        system,
        source=at(system.source),
        environment=replace(system.environment, source=at(system.environment.source)),
        shares=tuple(replace(share, source=at(share.source)) for share in system.shares),
    )


def review_recorded(base: Path, head: Path, judging: Judging = Judging()) -> Review:
    """
    Return what the result of a check at *head* changes of that at *base*; nothing is run again.

    What is known of the change is what the results say of their arrangements. Suppressions hold beside those that the
    checks were given.
    """
    accepted = () if judging.suppressions is None else read_suppressions(judging.suppressions)
    before, after = read_recorded(base), read_recorded(head)
    known = before.systems is not None and after.systems is not None
    pairs = match(before.systems or (), after.systems or ()) if known else ()
    found = suppress((*after.findings, *find_replacements(pairs)), accepted, judging.today)
    return Review(
        base=str(base),
        head=str(head),
        changes=find_changes(pairs) if known else None,
        findings=tell_apart(before.findings, found, _names_of(pairs)),
        traces=tuple(dict.fromkeys(each.trace for each in (*before.findings, *after.findings) if each.trace)),
    )


def read_sides(
    base: Path, head: Path, reading: Reading, *, tell: Callable[[str], object]
) -> tuple[Sequence[System], Sequence[System]]:
    """Return the queues of both sides; where neither can be read, both reasons are told."""
    refusals: list[str] = []
    sides: list[tuple[System, ...]] = []
    for what, path in (("base", base), ("head", head)):
        try:
            read = read_systems(path, parameters=reading.parameters, allow_undeclared=what == "base")
        except InputError as error:
            refusals.append(f"the {what} cannot be read: {error}")
            continue
        for note in read.notes:
            tell(f"{what}: {note}")
        sides.append(read.systems)
    if refusals:
        raise TemplateError("; ".join(refusals))
    before, after = sides
    if not before and not after:
        raise TemplateError(
            f"neither {base} nor {head} declares a quota-managed job queue; give the templates that declare it"
        )
    if reading.objectives is not None:
        both = agreed_in(reading.objectives, (*before, *after))
        before, after = both[: len(before)], both[len(before) :]
    return before, after


def review_systems(
    base: Sequence[System],
    head: Sequence[System],
    *,
    names: tuple[str, str],
    reading: Reading = Reading(),
    load: Load = Load(),  # noqa: B008 - frozen
    judging: Judging = Judging(),
) -> Review:
    """Return what *head* changes of *base*, which were read of what *names* says."""
    accepted = () if judging.suppressions is None else read_suppressions(judging.suppressions)
    played = choose_scenarios(load.scenarios, besides=load.traces)
    pairs = _chosen(match(base, head), reading.queue)
    if load.traces and len(pairs) > 1:
        queues = ", ".join(shortened(pair.name) for pair in pairs)
        raise UsageError(f"several quota-managed job queues ({queues}); say which one with --queue NAME")
    before: list[Finding] = []
    after: list[Finding] = []
    on_traces: list[OnTrace] = []
    for pair in pairs:
        loads = list(traces_of(pair, load, played, reading.parameters))
        had, has, effects = _run(pair, loads, load, judging)
        before += had
        after += has
        on_traces += effects
    after += find_replacements(pairs)
    traces = (*map(str, load.traces), *(scenario.name for scenario in played))
    if judging.suppressions is not None:
        queue_names = None if reading.queue is None else frozenset(pair.name for pair in pairs)
        coverage = Coverage(queues=queue_names, traces=traces, dates=judging.today is not None, changes=True)
        stale = check_suppressions(
            accepted, after, file=str(judging.suppressions), today=judging.today, coverage=coverage
        )
        after = [*suppress(after, accepted, judging.today), *stale]
    return Review(
        base=names[0],
        head=names[1],
        changes=find_changes(pairs),
        findings=tell_apart(before, after, _names_of(pairs)),
        on_traces=tuple(on_traces),
        traces=traces,
        assumptions=load.assumptions,
    )


def _chosen(pairs: Sequence[QueuePair], queue: str | None) -> Sequence[QueuePair]:
    if queue is None:
        return pairs
    sides = [(pair, side) for pair in pairs for side in (pair.head, pair.base) if side is not None]
    for pair, side in sides:
        if queue in (side.name, side.source.logical_id):
            return [pair]
    known = ", ".join(dict.fromkeys(shortened(side.name) for _, side in sides))
    raise UsageError(f"no queue '{shortened(queue)}' on either side; --queue must be one of {known}")


def _names_of(pairs: Iterable[QueuePair]) -> dict[tuple[str, str | None], tuple[str, str | None]]:
    """Return what (queue, share) of the base are called in the head, where they are called otherwise."""
    names: dict[tuple[str, str | None], tuple[str, str | None]] = {}
    for pair in pairs:
        if pair.base is None or pair.head is None:
            continue
        old, new = pair.base.name, pair.head.name
        names[old, None] = (new, None)
        for share in pair.shares:
            if share.base is not None and share.moved_from is None:
                names[old, share.base.name] = (new, share.base.name if share.head is None else share.head.name)
    return {old: new for old, new in names.items() if old != new}


def _run(
    pair: QueuePair, loads: Iterable[tuple[Trace, Trace]], load: Load, judging: Judging
) -> tuple[list[Finding], list[Finding], list[OnTrace]]:
    """Return what is found of the base and of the head, and what becomes of jobs and people, trace by trace."""
    base, head = pair.base, pair.head
    same = base is not None and head is not None and not find_changes([pair])
    runs = [
        (
            None if base is None or same else evaluate(base, before, load.assumptions),
            None if head is None else evaluate(head, after, load.assumptions),
        )
        for before, after in loads
    ]
    has = [] if head is None else _findings(head, [after for _, after in runs if after], load, judging)
    if same:
        return has, has, []
    had = [] if base is None else _findings(base, [before for before, _ in runs if before], load, judging)
    effects = [
        OnTrace(
            queue=pair.name,
            trace=before.trace.name,
            jobs=len(before.trace.jobs),
            people=compare_people(before, after, pair.new_names),
            running=deploy(pair, before, PERCENTS if number < len(load.traces) else HALFWAY),
            contested=contested_hours(after),
        )
        for number, (before, after) in enumerate(runs)
        if before is not None and after is not None
    ]
    return had, has, effects


def _findings(system: System, evaluations: Sequence[Evaluation], load: Load, judging: Judging) -> list[Finding]:
    return list(
        judge(
            system,
            evaluations,
            load.assumptions,
            given=len(load.traces),
            today=judging.today,
            sensitivity=judging.sensitivity,
        )
    )
