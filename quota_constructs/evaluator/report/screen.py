"""How text is laid out: for how wide a screen, with colour or without, and nothing from outside taken as markup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO

from rich import box
from rich.console import Console, RenderableType
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from quota_constructs.printable import printable

_RULE_BELOW_HEAD = box.Box(
    "    \n    \n -- \n    \n    \n    \n    \n    \n",
    ascii=True,  # so that it can be written in any encoding
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What the text is laid out for."""

    width: int = 120
    colour: bool = False


def draw(blocks: Iterable[RenderableType], screen: Screen) -> str:
    """Return *blocks*, with an empty line between any two, as text for *screen*."""
    text = StringIO()
    console = Console(
        file=text,
        width=screen.width,
        force_terminal=screen.colour,
        color_system="standard" if screen.colour else None,
        force_interactive=False,
        force_jupyter=False,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
    )
    for number, block in enumerate(blocks):
        if number:
            console.print()
        console.print(block)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def new_table(title: str, *columns: str, words: int) -> Table:
    """Return a table whose first *words* columns hold words, and the others numbers."""
    table = Table(
        title=Text(title, style="bold"),
        title_justify="left",
        title_style="",
        box=_RULE_BELOW_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    for number, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if number < words else "right", overflow="fold")
    return table


def safe(text: str, *, style: StyleType = "") -> Text:
    """Return *text*, which may come from outside, as rich text without any markup or control character."""
    return Text(printable(text), style=style)
