"""The bottom line of a comparison: one sentence for each other arrangement, which names who pays."""

from __future__ import annotations

from quota_constructs.evaluator.balance import Balance, Contrast
from quota_constructs.evaluator.numbers import as_clock
from quota_constructs.printable import plural, shortened


def verdict(contrast: Contrast) -> str:
    """
    Return what the declared arrangement does against another, in completion time, in one sentence.

    The share that loses most is in it however much the others gain, and so are jobs that succeed on one side only.
    """
    total = contrast.total
    if not total.differs:
        return f"Against {contrast.against}: no difference in when jobs succeed."
    clauses = [_whole(total), _paying(contrast), _forgone(contrast)]
    if total.gained:
        clauses.append(f"{plural(total.gained, 'job')} {_succeed(total.gained)} only here")
    return f"Against {contrast.against}: {'; '.join(clause for clause in clauses if clause)}."


def on_balance(balance: Balance) -> str:
    """Return how much sooner or later the jobs finish, added up: `0:20:00 later`, or that it evens out."""
    if not balance.change_ms:
        return "even"
    return f"{as_clock(abs(balance.change_ms))} {'sooner' if balance.change_ms < 0 else 'later'}"


def _whole(total: Balance) -> str:
    if not total.compared:
        return "no job succeeds under both"
    counts = f"{total.sooner:,} sooner, {total.later:,} later, {total.same:,} at the same time"
    if not total.change_ms:
        return f"jobs that succeed under both come out even in all ({counts})"
    return f"jobs that succeed under both finish {on_balance(total)} in all ({counts})"


def _forgone(contrast: Contrast) -> str:
    total, most = contrast.total, contrast.forgoes_most
    if most is None:
        return ""
    if most.forgone == total.forgone:
        return f"{plural(total.forgone, 'job')} of share {_name(most)} {_succeed(total.forgone)} only there"
    return (
        f"{total.forgone:,} jobs succeed only there, {most.forgone:,} of them of share {_name(most)}, which loses most"
    )


def _paying(contrast: Contrast) -> str:
    payer = contrast.pays_most
    if payer is None:
        return "no job finishes later" if contrast.total.compared else ""
    later = f"{payer.later:,} of {plural(payer.compared, 'job')} later"
    if payer.change_ms > 0:
        return f"share {_name(payer)} pays most, {on_balance(payer)} on balance, {later}"
    return f"no share pays on balance, but share {_name(payer)} has {later}, by {as_clock(payer.later_ms)} in all"


def _name(balance: Balance) -> str:
    return f"'{shortened(balance.share or '')}'"


def _succeed(count: int) -> str:
    return "succeeds" if count == 1 else "succeed"
