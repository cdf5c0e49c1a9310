"""Documents on standard output, in the format that was asked for; their records and pictures."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from csig.base.wording import clean
from csig.cli.options import end, metric_names
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.comparing.options import Options
from csig.report.document import Document
from csig.report.rendering import Format, Rendering, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_T = TypeVar("_T")

#: Columns when the output goes to a file or a pipe and nobody said how many.
PIPED_WIDTH = 100

#: A terminal that says it has fewer columns does not know.
_FEWEST = 20


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

    Text is as wide as the terminal, with colours if it has some; everything else is UTF-8, the same
    wherever it goes. With CSV, which is a table alone, doubts and notes go to standard error.
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


def options_of(options: dict[str, Any], **own: Any) -> Options:
    """What was asked of a test or an interval, taken out of a command's options."""
    given = {f.name: options.pop(f.name) for f in fields(Options) if f.name in options}
    given["metrics"] = metric_names(given["metrics"])
    given["zero_division"] = int(given["zero_division"])
    return Options(**{"alternative": "two-sided", "method": "auto"} | given | own)


@dataclass(frozen=True, kw_only=True)
class Output:
    """What is printed, written and drawn."""

    output_format: Format = "text"
    explain: bool = False
    cite: bool = False
    json_path: str | None = None
    plot_path: str | None = None
    strict: bool = False

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Output:
        """From a command's options, which are taken out of them."""
        return cls(**{f.name: options.pop(f.name) for f in fields(cls) if f.name in options})

    def give(
        self,
        make: Callable[[], tuple[_T, Document]],
        inputs: Iterable[str],
        figure_of: Callable[[_T], Figure] | None = None,
    ) -> None:
        """Make a result and its document; print, write and draw them; end with a status of doubts.

        Where they go is checked before the work: that files can be written, over no input.
        """
        distinct({"--json": self.json_path, "--plot": self.plot_path})
        with ExitStack() as stack:
            picture = record = None
            if self.plot_path is not None and figure_of is not None:
                from csig.report.style import bytes_of, kind_of, need_matplotlib

                kind = kind_of(self.plot_path)
                need_matplotlib()
                picture = stack.enter_context(OutputFile(self.plot_path, inputs, "picture"))
            if sys.stdout is None and self.json_path in (None, "-"):
                raise click.UsageError("standard output is closed; give --json FILE")
            if self.json_path not in (None, "-"):
                record = stack.enter_context(OutputFile(self.json_path, inputs))
            found, document = make()
            failures = Failures()
            if record is not None:
                with failures:  # a disk that is full now does not take the results along
                    record.write(render(document, "json").encode())
            form = "json" if self.json_path == "-" else self.output_format
            print_document(document, form, explain=self.explain, cite=self.cite)
            failures.end()
            if picture is not None and figure_of is not None:
                picture.write(bytes_of(figure_of(found), kind))
        end(self.strict, document.doubts)
