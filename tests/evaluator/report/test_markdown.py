from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from quota_constructs.evaluator.report.markdown import MOST, Part, code, fit, fold, prose, size, table
from tests.hostile import HOSTILE

each_hostile = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)


def parse(text: str) -> list[Token]:
    """Return the tokens of *text* as GitHub reads it: with HTML, tables, struck text and bare links."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def inlines(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


def in_code_and_out(text: str) -> tuple[str, str]:
    """Return what of *text* stands in code, and what outside, where forges look for people and references."""
    tokens = inlines(parse(text))
    assert {token.type for token in tokens} <= {"text", "code_inline"}, tokens
    inside = [token.content for token in tokens if token.type == "code_inline"]
    outside = [token.content for token in tokens if token.type == "text"]
    return "".join(inside), " ".join(outside)


REFERENCES = re.compile(r"[@#<>&|`*_~\[\]$!\\{}]|\w-\d|[0-9a-f]{7}|://|www\.|:\w+:|\n", re.IGNORECASE)


@each_hostile
def test_code_is_one_span_and_nothing_else(text: str) -> None:
    [paragraph] = [token for token in parse(f"x {code(text)} y") if token.type == "inline"]

    assert [child.type for child in paragraph.children or ()] == ["text", "code_inline", "text"]


@each_hostile
def test_prose_leaves_nothing_outside_code_that_a_forge_reads_as_more_than_a_word(text: str) -> None:
    _, outside = in_code_and_out(f"It says: {prose(text)}")

    assert not REFERENCES.search(outside)


@each_hostile
def test_a_text_stays_in_its_cell(text: str) -> None:
    written = table(["name", "message", "end"], [[code(text), prose(text), "last"]])

    cells = [token for token in parse(written) if token.type == "inline"]
    assert len(cells) == 6
    assert cells[-1].content == "last"


@each_hostile
def test_nothing_invisible_and_no_direction_mark_is_left(text: str) -> None:
    assert (code(text) + prose(text)).isprintable()


def test_an_ordinary_sentence_stays_as_it_is() -> None:
    sentence = "the shares' 6 of ml.g5.xlarge (half) take 1:05:09, 12.5 % and 1,577 jobs: 'main' has 5."

    assert prose(sentence) == sentence


def test_words_that_mean_more_are_shown_together_as_code() -> None:
    assert prose("share 'team_a @b' of #1, done") == "share `'team_a @b'` of `#1`, done"


def test_long_names_lose_their_middle() -> None:
    assert size(code("n" * 128)) == 82
    assert prose("word " * 100, length=20) == "word `wor...ord` word"


def test_a_fold_holds_its_body() -> None:
    tokens = parse(fold("Title", table(["a"], [[code("</details>")]])))

    assert [token.content.strip() for token in tokens if token.type == "html_block"] == [
        "<details><summary>Title</summary>",
        "</details>",
    ]


def test_parts_are_as_long_as_there_is_room_for() -> None:
    parts = [Part(versions=("a" * 60, "a" * 20)), Part(versions=("b" * 60, "b" * 5, ""))]

    assert fit(parts, most=200) == f"{'a' * 60}\n\n{'b' * 60}\n"
    assert fit(parts, most=100) == f"{'a' * 60}\n\n{'b' * 5}\n"
    assert fit(parts, most=66) == f"{'a' * 60}\n"
    assert fit(parts, most=50) == f"{'a' * 20}\n\n{'b' * 5}\n"


def test_size_is_what_forges_count() -> None:
    assert (size("a"), size("é"), size("\U0001f600")) == (1, 1, 2)
    assert MOST < 65_536
