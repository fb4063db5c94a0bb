from __future__ import annotations

import pytest

from quota_constructs.printable import plural, printable, shortened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("team-a_1", "team-a_1", id="an ordinary name"),
        pytest.param("équipe 日本", "équipe 日本", id="letters of any script"),
        pytest.param("\x1b[31mred", r"\x1b[31mred", id="an escape sequence"),
        pytest.param("a\nb\r\tc", r"a\nb\r\tc", id="line breaks and tabs"),
        pytest.param("\u202e\u200f\ufeff", r"\u202e\u200f\ufeff", id="marks that turn or hide text"),
        pytest.param("\x9b2J\x7f", r"\x9b2J\x7f", id="controls above ASCII, and delete"),
        pytest.param("\u2028\u2029", r"\u2028\u2029", id="line and paragraph separators"),
        pytest.param("\ud800", r"\ud800", id="half a character"),
    ],
)
def test_what_could_steer_a_terminal_is_escaped(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_a_long_text_loses_its_middle() -> None:
    short = shortened("a" * 200 + "b" * 200, length=21)

    assert short == "aaaaaaaaa...bbbbbbbbb"


def test_a_text_that_fits_stays_whole() -> None:
    assert shortened("a" * 21, length=21) == "a" * 21


@pytest.mark.parametrize(("count", "expected"), [(0, "0 jobs"), (1, "1 job"), (2, "2 jobs"), (1577, "1,577 jobs")])
def test_a_noun_follows_its_number(count: int, expected: str) -> None:
    assert plural(count, "job") == expected
