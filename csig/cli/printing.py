"""Documents on standard output, in the format that was asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO, TypeVar

import click

from csig.cli.help import Choice
from csig.cli.sink import Failures, OutputFile, write_stdout
from csig.report.document import Document
from csig.report.rendering import FORMATS, Format, Rendering, render
from csig.wording import clean

__all__ = [
    "PIPED_WIDTH",
    "colourful",
    "format_option",
    "print_and_write",
    "print_document",
    "said_beside",
    "width_of",
]

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")

#: Columns when the output goes to a file or a pipe and nobody said how many.
PIPED_WIDTH = 100

#: A terminal that says it has fewer columns does not know.
_FEWEST = 20


def format_option(help: str = "What is printed.", *more: str) -> Callable[[_F], _F]:
    """The option ``-f``, as ``output_format``, with `more` names."""
    return click.option(
        "-f",
        "--output-format",
        *more,
        "output_format",
        type=Choice(FORMATS),
        default=FORMATS[0],
        show_default=True,
        help=help,
    )


def width_of(file: TextIO) -> int:
    """The columns of a terminal, 100 for a file or a pipe; COLUMNS decides for both."""
    given = os.environ.get("COLUMNS", "")
    if not file.isatty() and not given.isdigit():
        return PIPED_WIDTH
    try:
        found = int(given) if given.isdigit() else os.get_terminal_size(file.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a stream that stands for a terminal
        found = 80
    return found if found >= _FEWEST else 80


def colourful(file: TextIO) -> bool:
    """Whether a stream shows colours: a terminal, unless NO_COLOR is set or TERM is dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return file.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def said_beside(cautions: Iterable[str], notes: Iterable[str]) -> None:
    """What a table has no place for, on standard error: one line each."""
    for word, lines in (("caution", cautions), ("note", notes)):
        for line in lines:
            click.echo(f"csig: {word}: {clean(line)}", err=True)


def print_document(
    document: Document, format: Format = "text", *, explain: bool = False, cite: bool = False
) -> None:
    """Print a document; nothing where standard output is closed.

    With CSV, which is a table alone, the doubts and notes go to standard error.

    Parameters
    ----------
    document : Document
        What to print.
    format : Format
        What as. Text is as wide as the terminal, with colours if it has some; everything else is
        UTF-8, the same wherever it goes.
    explain, cite : bool
        Whether with the explanation; with the references.
    """
    file = sys.stdout
    if file is None:
        return
    if format != "text":
        options = Rendering(explain=explain, cite=cite)
        write_stdout(render(document, format, options).encode("utf-8", "replace"))
        if format == "csv":
            said_beside(document.doubts, document.notes)
        return
    colour = colourful(file)
    options = Rendering(width=width_of(file), colour=colour, explain=explain, cite=cite)
    click.echo(render(document, "text", options), nl=False, color=colour)


def print_and_write(
    make: Callable[[], tuple[_T, Document]],
    json_path: str | None,
    inputs: Iterable[str],
    format: Format = "text",
    *,
    explain: bool = False,
    cite: bool = False,
) -> tuple[_T, Document]:
    """Make a document, print it, and write its record where that goes to a file.

    Parameters
    ----------
    make : callable
        What takes long: gives a result and its document. Where they go is checked before.
    json_path : str, optional
        A file for the record; "-" prints the record and nothing else.
    inputs : iterable of str
        Files that are read, which are not written over.
    format, explain, cite
        As for :func:`print_document`.

    Returns
    -------
    tuple
        The result and its document.
    """
    if sys.stdout is None and json_path in (None, "-"):
        raise click.UsageError("standard output is closed; give --json FILE")
    if json_path is None or json_path == "-":
        found, document = make()
        form = format if json_path is None else "json"
        print_document(document, form, explain=explain, cite=cite)
        return found, document
    with OutputFile(json_path, inputs) as file:
        found, document = make()
        failures = Failures()
        with failures:  # a disk that is full now does not take the results along
            file.write(render(document, "json").encode())
        print_document(document, format, explain=explain, cite=cite)
        failures.end()
    return found, document
