from __future__ import annotations

from dataclasses import replace

from quota_constructs.evaluator.review.matching import match
from quota_constructs.evaluator.review.replacements import find_replacements
from quota_constructs.evaluator.system import System
from tests.builders import share, source, system

BASE = system(share("a", 1), share("b", 1))


def found(base: list[System], head: list[System]) -> list[tuple[str, str, str | None, str]]:
    return [(each.rule_id, each.severity, each.share, each.message) for each in find_replacements(match(base, head))]


def test_what_keeps_its_names_and_logical_ids_is_not_replaced() -> None:
    assert found([BASE], [system(share("a", 5), share("b", 1), share("new", 1))]) == []


def test_a_renamed_share_is_an_error_that_names_both() -> None:
    renamed = system(replace(share("z", 1), source=source("a")), share("b", 1))

    [(rule, severity, of, message)] = found([BASE], [renamed])

    assert (rule, severity, of) == ("QC501", "error", "z")
    assert "share 'a' gets another name" in message
    assert "made anew as 'z', and its jobs are terminated" in message


def test_a_renamed_queue_is_one_error_for_all_its_shares() -> None:
    [(rule, severity, of, message)] = found([BASE], [replace(BASE, name="other")])

    assert (rule, severity, of) == ("QC502", "error", None)
    assert "queue 'queue' becomes 'other'" in message
    assert "the jobs in its 2 shares are terminated" in message


def test_a_share_that_moves_to_another_queue_is_an_error_there_and_nothing_where_it_was() -> None:
    def second(*shares: str) -> System:
        return replace(system(*(share(name, 1) for name in shares)), name="second", source=source("Second"))

    [(rule, _, of, message)] = found([BASE, second("c")], [system(share("b", 1)), second("a", "c")])

    assert (rule, of) == ("QC501", "a")
    assert "share 'a' moves here from queue 'queue'" in message


def test_a_share_or_queue_that_is_gone_is_a_warning() -> None:
    assert [each[:3] for each in found([BASE], [system(share("a", 1))])] == [("QC503", "warning", "b")]
    assert [each[:3] for each in found([BASE], [])] == [("QC503", "warning", None)]


def test_the_same_name_under_another_logical_id_is_a_warning() -> None:
    other_ids = replace(
        system(replace(share("a", 1), source=source("Other")), share("b", 1)), source=source("OtherQueue")
    )

    assert [each[:3] for each in found([BASE], [other_ids])] == [
        ("QC504", "warning", None),
        ("QC504", "warning", "a"),
    ]
