"""``csig describe``: what files hold, and as what csig reads them."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import click

from csig.cli.help import Command
from csig.cli.lazily import imported
from csig.cli.options import INPUT, LOWER_IS_BETTER, STRICT, decorated, end, json_option
from csig.cli.printing import format_option, print_and_write, print_document
from csig.errors import InputError, Refusal
from csig.readers.request import Request
from csig.report.document import Document
from csig.report.rendering import Format
from csig.wording import counted

__all__ = ["describe"]


@click.command(
    cls=Command,
    short_help="Say what files hold, and as what csig reads them.",
    epilog="""\b
Examples:
  csig describe scores.csv
  csig describe gold.conll tagger1.conll tagger2.conll""",
)
@decorated(
    INPUT,
    [LOWER_IS_BETTER, format_option("What is printed."), json_option("Write everything")],
    STRICT,
)
def describe(
    lower_is_better: bool | None,
    output_format: Format,
    json_path: str | None,
    strict: bool,
    **inputs: Any,
) -> None:
    """Read what csig compare reads, and say as what: form, columns, roles, units, labels.

    One system is enough. Where the files are refused, the columns are shown all the same, and below
    them the commands that read them.
    """
    request = Request.taken(inputs)
    read = imported("csig.readers.describe", "describe")
    try:
        data = imported("csig.readers.forms", "read")(request)
        data.by_metric((), lower_is_better)  # asks which are better, where nothing says it
    except InputError as error:
        _show_columns(request, output_format)
        if not isinstance(error, Refusal):
            raise
        remedies = [replace(own, verb=own.verb or "compare") for own in error.remedies]
        raise Refusal(error.found, *remedies) from None

    def run() -> tuple[Any, Document]:
        found = read(data, request, lower_is_better)
        verb = "compare" if len(data.names) > 1 else "describe"
        words = [verb, *_words(request, lower_is_better, found.options)]
        command = "" if "-" in request.files else f"csig {shlex.join(words)}"
        document = imported("csig.report.described", "document_of_description")(found, command)
        return found, document

    found, _ = print_and_write(run, json_path, request.paths, output_format)
    end(strict, found.suspicious)


def _words(request: Request, lower_is_better: bool | None, declared: list[str]) -> list[str]:
    """What reads the same: what was given, and what was found declared."""
    words = [*request.words(), *declared]
    if lower_is_better is not None:
        words.append("--lower-is-better" if lower_is_better else "--higher-is-better")
    return words


def _show_columns(request: Request, output_format: Format) -> None:
    """The columns of a table that is refused."""
    sheet = imported("csig.readers.describe", "sheet_in")(request)
    if sheet is None:
        return
    columns = imported("csig.readers.describe", "columns_of")(sheet, {})
    table = imported("csig.report.described", "columns_table")(columns)
    rows, wide = counted(len(sheet), "row"), counted(len(sheet.names), "column")
    size = f"{sheet.path}: {sheet.form}, {rows}, {wide}"
    print_document(Document(title="Columns", verdict=[f"{size}."], tables=[table]), output_format)
