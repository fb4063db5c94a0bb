"""What `check --format json` wrote, read back: the findings and the arrangements that they are about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from quota_constructs.errors import UsageError
from quota_constructs.evaluator.findings.catalogue import RULES
from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.robustness import Extent, Robustness
from quota_constructs.evaluator.simulation.model import Assumptions, Queueing, VictimOrder
from quota_constructs.evaluator.system import QuotaShare, ServiceEnvironment, Source, System, TimeLimit
from quota_constructs.policies.declaration import declaration_from_metadata
from quota_constructs.policies.share_policy import NOTHING_AGREED, SharePolicy
from quota_constructs.policies.sharing import UNLIMITED, Strategy
from quota_constructs.policies.time_limits import BlockedReason
from quota_constructs.printable import printable, shortened

VERSION = 1
MOST_BYTES = 100_000_000

_BEGINNING = re.compile(rb'\s*\{\s*"check"\s*:')

_LONGEST_STOP_MS = 10**15
_MOST_TRIED = 1_000
"""Sets of assumptions that a finding was tried under."""

Amount = Annotated[int, Meta(ge=-1, le=1_000_000_000)]


class _Assumed(Struct, frozen=True):
    stop_ms: Annotated[int, Meta(ge=0, le=_LONGEST_STOP_MS)]
    victim_order: VictimOrder
    queueing: Queueing


class _Robustness(Struct, frozen=True):
    extent: Extent
    shows_as_assumed: bool
    tried: Annotated[int, Meta(ge=0, le=_MOST_TRIED)]
    assumed: _Assumed | None = None
    """None in results of before it was recorded."""

    exceptions: Annotated[list[_Assumed], Meta(max_length=_MOST_TRIED)] = []
    measured: tuple[float, float] | None = None
    unit: str = ""


class _Finding(Struct, frozen=True):
    rule_id: str
    severity: Severity
    message: str
    fix: str
    queue: str
    template: str
    logical_id: str
    property_path: str
    share: str | None = None
    trace: str | None = None
    construct_path: str | None = None
    declared_at: str | None = None
    declared_line: int | None = None
    figures: dict[str, int | float | str] = {}
    reason: str | None = None
    robustness: _Robustness | None = None


class _Share(Struct, frozen=True):
    share: str
    limits: dict[str, Amount]
    strategy: Strategy
    in_share_preemption: bool
    enabled: bool
    logical_id: str
    borrow_limit_percent: Amount | None = None
    policy: SharePolicy = NOTHING_AGREED
    construct_path: str | None = None


class _Environment(Struct, frozen=True):
    name: str
    capacity: dict[str, Amount]
    logical_id: str


class _TimeLimit(Struct, frozen=True):
    reason: BlockedReason
    max_time_ms: Amount


class _Arrangement(Struct, frozen=True):
    queue: str
    template: str
    logical_id: str
    environment: _Environment
    shares: list[_Share]
    time_limits: list[_TimeLimit]
    construct_path: str | None = None


class _Result(Struct, frozen=True):
    check: int
    findings: list[_Finding]
    suppressed: list[_Finding] = []
    arrangements: list[_Arrangement] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a check found, and of what."""

    findings: tuple[Finding, ...]
    systems: tuple[System, ...] | None
    """None where the result does not say."""


def is_recorded(path: Path) -> bool:
    """Whether *path* is the result of a check, by how it begins; what cannot be read is none."""
    try:
        with path.open("rb") as file:
            return _BEGINNING.match(file.read(100)) is not None
    except OSError:
        return False


def read_recorded(path: Path) -> Recorded:
    """Return what the result of a check at *path* holds; `UsageError` says what is wrong with it."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UsageError(f"{path}: must be at most {MOST_BYTES:,} bytes, the most that is read")
    try:
        result = msgspec.json.decode(content, type=_Result)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: is no result of 'check --format json': {printable(str(error))}") from None
    if result.check != VERSION:
        raise UsageError(f"{path}: 'check' must be {VERSION}, the version that is read here, got {result.check}")
    listed = (*result.findings, *result.suppressed)
    for each in listed:
        if each.rule_id not in RULES:
            raise UsageError(
                f"{path}: rule '{shortened(each.rule_id)}' is not known; make both results with the same version"
            )
    arrangements = result.arrangements
    return Recorded(
        findings=tuple(map(_finding, listed)),
        systems=None if arrangements is None else tuple(map(_system, arrangements)),
    )


def _finding(each: _Finding) -> Finding:
    declaration = declaration_from_metadata({"file": each.declared_at, "line": each.declared_line})
    return Finding(
        rule_id=each.rule_id,
        severity=each.severity,
        source=Source(
            template=each.template,
            logical_id=each.logical_id,
            construct_path=each.construct_path,
            declared_at=None if declaration is None else declaration.file,
            declared_line=None if declaration is None else declaration.line,
        ),
        property_path=each.property_path,
        message=printable(each.message),
        fix=printable(each.fix),
        queue=each.queue,
        share=each.share,
        trace=each.trace,
        figures=each.figures,
        suppressed_because=each.reason,
        robustness=_robustness(each.robustness),
    )


def _robustness(each: _Robustness | None) -> Robustness | None:
    """Return what is said of assumptions: those under which it is as under the chosen ones are known by number only."""
    if each is None or each.assumed is None or not (each.shows_as_assumed or each.exceptions):
        return None

    def assumptions(assumed: _Assumed) -> Assumptions:
        return Assumptions(stop_ms=assumed.stop_ms, victim_order=assumed.victim_order, queueing=assumed.queueing)

    chosen = assumptions(each.assumed)
    exceptions = tuple(map(assumptions, each.exceptions))
    others = (chosen,) * max(each.tried - len(exceptions), 1)
    return Robustness(
        extent=each.extent,
        chosen=chosen,
        shows_under=others if each.shows_as_assumed else exceptions,
        not_under=exceptions if each.shows_as_assumed else others,
        measured=each.measured,
        unit=printable(each.unit),
    )


def _system(each: _Arrangement) -> System:
    def at(logical_id: str, construct_path: str | None = None) -> Source:
        return Source(template=each.template, logical_id=logical_id, construct_path=construct_path)

    environment = each.environment
    shares = [
        QuotaShare(
            name=share.share,
            limits=share.limits,
            strategy=share.strategy,
            borrow_limit_percent=UNLIMITED if share.borrow_limit_percent is None else share.borrow_limit_percent,
            in_share_preemption=share.in_share_preemption,
            enabled=share.enabled,
            policy=share.policy,
            source=at(share.logical_id, share.construct_path),
        )
        for share in each.shares
    ]
    return System(
        name=each.queue,
        source=at(each.logical_id, each.construct_path),
        environment=ServiceEnvironment(
            name=environment.name, capacity=environment.capacity, source=at(environment.logical_id)
        ),
        shares=tuple(sorted(shares, key=lambda share: share.name)),
        time_limits=tuple(TimeLimit(reason=limit.reason, max_time_ms=limit.max_time_ms) for limit in each.time_limits),
    )
