"""The pages of the documentation, taken apart: fenced blocks, headings, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt  # comes with rich, which the package needs
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block. Its info string is a language and, if the text is to be found in a file, the file's name."""

    page: Path
    line: int
    language: str
    file: str | None
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of *page*, from top to bottom."""
    for token in _tokens_of(page):
        if token.type == "fence" and token.map:
            language, _, file = token.info.partition(" ")
            yield Block(page=page, line=token.map[0] + 1, language=language, file=file or None, text=token.content)


def anchors_of(page: Path) -> set[str]:
    """Return the names that links into *page* may end with, made from its headings as GitHub makes them."""
    tokens = _tokens_of(page)
    titles = [inline.content for each, inline in pairwise(tokens) if each.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links_of(page: Path) -> Iterator[str]:
    """Yield where the links of *page* lead to."""
    for token in _tokens_of(page):
        for child in token.children or ():
            if child.type == "link_open":
                yield str(child.attrs["href"])


def _tokens_of(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
