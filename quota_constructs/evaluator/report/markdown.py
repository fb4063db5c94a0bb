"""
Markdown for a comment on a forge, in which what comes from outside stays text.

Whatever must not be read as markup, as a person who is to be told, or as a reference to an issue or commit, stands in
a code span: there GitHub and GitLab look for none of them, and no escape works as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quota_constructs.printable import printable, shortened

MOST = 65_000
"""The most that a comment may measure; GitHub takes 65,536, and whoever posts it may add a line."""

_LONGEST_NAME = 80

# A code span ends at a backtick and a cell at a bar, whatever stands before it: renderers differ on backslashes.
_NOT_IN_CODE = str.maketrans({"`": r"\x60", "|": r"\x7c"})

_PLAIN = re.compile(
    r"""
    [('"]*
    (?: [A-Za-z0-9]+ (?: [.,/'-] [A-Za-z0-9]+ )*    # a word, a number, a path, a name
      | [0-9]+ (?: : [0-9]{2} ){1,2}                # a time
      | [-+=%] )
    [)'"%]* [.,;:]?
    """,
    re.VERBOSE,
)
_REFERENCE = re.compile(
    r"""
    [A-Za-z]-[0-9]          # GH-1, and what a repository may let stand for its tickets
    | [0-9a-f]{7}           # a commit
    | www\.
    """,
    re.VERBOSE | re.IGNORECASE,
)


def marker(command: str) -> str:
    """Return the hidden line by which whoever posts comments finds the one to update."""
    return f"<!-- quota-constructs:{command} -->"


def size(text: str) -> int:
    """Return how long a forge takes *text* to be: in UTF-16 units, which never are fewer than characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def code(text: str, *, length: int = _LONGEST_NAME) -> str:
    """Return *text* as code, without its middle if it is longer than *length*."""
    return _span(shortened(text, length=length)) if text.strip() else "`''`"


def prose(text: str, *, length: int | None = None) -> str:
    """Return *text* with every word as code that a forge might take for more than a word."""
    shown = printable(text) if length is None else shortened(text, length=length)
    pieces: list[str] = []
    held: list[str] = []
    for word in [*shown.split(), ""]:
        if word and not _is_plain(word):
            held.append(word)
            continue
        if held:
            words = " ".join(held)
            said = words.rstrip(".,;:") or words
            pieces.append(f"{_span(said)}{words[len(said) :]}")
            held.clear()
        pieces.append(word)
    return " ".join(pieces).rstrip()


def _is_plain(word: str) -> bool:
    return bool(_PLAIN.fullmatch(word)) and not _REFERENCE.search(word)


def _span(shown: str) -> str:
    return f"`{shown.translate(_NOT_IN_CODE)}`"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are Markdown already."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def fold(title: str, body: str) -> str:
    """Return *body* behind *title*, which is our own text, folded up."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a comment, in versions that say ever less; the last must be short, and may be empty."""

    versions: tuple[str, ...]


def folded(title: str, *versions: str) -> Part:
    """Return a part that is folded in its first version, and in shorter ones says that they are not all there is."""
    left_out = "There is no room in a comment for all of this. Any other format has it, such as `--output json=FILE`."
    shorter = [fold(title, f"{left_out}\n\n{version}") for version in versions[1:]]
    return Part(versions=(fold(title, versions[0]), *shorter, f"{title}: left out, as a comment has no room for it."))


def fit(parts: Sequence[Part], *, most: int = MOST) -> str:
    """
    Return *parts* below each other, each in its longest version that leaves room for the shortest of the others.

    What stands first chooses first. The shortest versions together must fit.
    """
    room = most - sum(size(part.versions[-1]) + 2 for part in parts)
    chosen: list[str] = []
    for part in parts:
        least = size(part.versions[-1])
        version = next(each for each in part.versions if size(each) - least <= max(room, 0))
        room -= size(version) - least
        chosen.append(version)
    return "\n\n".join(version for version in chosen if version) + "\n"
