"""A console, and what every report on it is made of."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from functools import update_wrapper
from textwrap import wrap
from typing import Concatenate, ParamSpec, TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig.wording import clean

__all__ = [
    "GAP",
    "PIPED_WIDTH",
    "STYLES",
    "WIDE",
    "make_console",
    "name_headers",
    "named",
    "new_grid",
    "new_table",
    "paragraphs",
    "plain_table",
    "print_cautions",
    "print_words",
    "printer",
    "widest",
]


P = ParamSpec("P")

#: What prints on a console.
Shows = Callable[Concatenate[Console, P], None]

#: Columns when the output goes to a file or a pipe and nobody said how many.
PIPED_WIDTH = 100

#: From this width on the method is spelt out in every row.
WIDE = 100

#: Between two columns of a table.
GAP = 2

#: The line under the headers where the output may end up in any file or mail.
_PLAIN = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)

STYLES = {"significant": "bold green", "not significant": "", "undecided": "bold yellow"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the program what its status is when the reader has gone; rich says 1."""
        raise


def make_console(file: TextIO) -> Console:
    """A console for a stream: as wide as the terminal, 100 columns for a file or pipe."""
    terminal = file.isatty()
    given = os.environ.get("COLUMNS", "").isdigit()
    console = _Console(
        file=file,
        width=None if terminal or given else PIPED_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if console.width < 20:  # COLUMNS=0 and the like
        console.width = 80
    return console


def named(name: str) -> Text:
    return Text(clean(name))


def new_grid() -> Table:
    grid = Table.grid(padding=(0, GAP, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def name_headers(names: Iterable[str], room: int) -> list[str]:
    """The systems' names over their columns, or A and B where both together have no room."""
    cleaned = [clean(name) for name in names]
    if sum(max(6, cell_len(name)) for name in cleaned) <= room:
        return cleaned
    # A name may take two lines: the width it needs is that of its longest word.
    needed = [max(cell_len(name) / 2, *map(cell_len, name.split())) for name in cleaned]
    if sum(max(6, width) for width in needed) > room:
        return ["A", "B"]
    return [
        "\n".join(wrap(name, max(6, math.ceil(width)), break_long_words=False)) or name
        for name, width in zip(cleaned, needed, strict=True)
    ]


def widest(lines: Iterable[str]) -> int:
    return max(len(part) for line in lines for part in line.split("\n"))


def plain_table() -> Table:
    """A table that may end up in any file or mail."""
    return Table(box=_PLAIN, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def new_table(console: Console) -> Table:
    plain = not console.is_terminal or console.options.ascii_only
    style = _PLAIN if plain else box.SIMPLE_HEAD
    return Table(box=style, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def paragraphs(console: Console, bullet: str, lines: Iterable[str], style: str = "") -> None:
    """Lines that are folded beside their bullet."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(Text(bullet, style=style), Text(line))
    if grid.row_count:
        console.print(grid)


def print_cautions(cautions: Sequence[str], console: Console) -> None:
    """Print what is doubtful: before everything else, so that nobody reads a number without it.

    Parameters
    ----------
    cautions : sequence of str
        One paragraph each; without any nothing is printed.
    console : rich.console.Console
        Where to.
    """
    paragraphs(console, "Caution:", cautions, "bold yellow")
    if cautions:
        console.print()


def printer(show: Shows[P]) -> Shows[P]:
    """What shows a report, without spaces at the ends of lines where it goes to a file."""

    def trimmed(console: Console, /, *found: P.args, **more: P.kwargs) -> None:
        if console.is_terminal:
            show(console, *found, **more)
            return
        # rich fills lines up with spaces, which nobody wants in a file.
        with console.capture() as captured:
            show(console, *found, **more)
        console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))

    update_wrapper(trimmed, show)
    return trimmed


def print_words(
    sentences: Iterable[str], notes: Sequence[str], signature: str, console: Console
) -> None:
    """Print what results mean, what is special about them, and what repeats the test."""
    console.print()
    paragraphs(console, "-", sentences)
    if notes:
        console.print()
    paragraphs(console, "Note:", notes)
    console.print()
    # One line however long: it is there to be copied.
    console.print(Text(signature), soft_wrap=True)
