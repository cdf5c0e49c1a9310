"""``csig convert``: what was read as a table of statistics, or in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from csig.cli.help import Command
from csig.cli.lazily import imported
from csig.cli.options import (
    INPUT,
    LOWER_IS_BETTER,
    STRICT,
    decorated,
    end,
    json_option,
    output_option,
    unit_option,
)
from csig.cli.printing import format_option, print_document, said_beside
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.readers.request import Request
from csig.report.rendering import Format, render

if TYPE_CHECKING:
    from csig.readers.description import Description

__all__ = ["convert"]

_OUTPUT = [
    output_option(
        "--output",
        "-o",
        help="Write the table here: .csv or .tsv, also with .gz behind it, or .parquet; - prints "
        "it as CSV.",
    ),
    unit_option(
        "One row per unit: responses or, summed, sentences or documents; units of a "
        "table.  [default: the smallest, from which all others are made]",
    ),
    click.option(
        "--metric",
        "metric",
        metavar="NAME",
        help="Which of the metrics in samples of lm-evaluation-harness, or of the columns of "
        "scores that several files have.",
    ),
    LOWER_IS_BETTER,
    click.option(
        "--describe",
        "described",
        is_flag=True,
        help="Say what was read: units, scores, labels, and what looks wrong.",
    ),
    format_option("With --describe: what is printed."),
    json_option("With --describe: write it"),
]


@click.command(
    cls=Command,
    short_help="Write the statistics of units as a table, or describe the data.",
    epilog="""\b
Examples:
  csig convert --describe gold.conll tagger1.conll tagger2.conll
  csig convert gold.conll tagger1.conll tagger2.conll --output statistics.csv
  csig compare --statistics statistics.csv""",
)
@decorated(INPUT, _OUTPUT, STRICT)
def convert(
    output: str | None,
    unit: str | None,
    metric: str | None,
    lower_is_better: bool,
    described: bool,
    output_format: Format,
    json_path: str | None,
    strict: bool,
    **inputs: Any,
) -> None:
    """Read what csig compare reads, and write it as a table of statistics.

    The table has one row per response or unit, and for every system what adds up:
    tp_NAME and predicted_NAME, score_NAME, ...; csig compare --statistics makes the same
    comparison of it, to the last bit. With --describe nothing is written but what was
    read; one system is enough. Without it cautions and notes go to standard error.
    """
    if output is None and not described:
        raise click.UsageError("nothing to do: give --output FILE, or --describe")
    if json_path is not None and not described:
        raise click.UsageError("--json goes with --describe")
    if output_format != "text" and not described:
        raise click.UsageError("--output-format goes with --describe")
    if output == "-" and described and output_format != "text":
        raise click.UsageError(f"--output - and -f {output_format}: give --output FILE")
    distinct({"--output": output, "--json": json_path})
    plain = (output or "-").removesuffix(".gz")
    if plain != "-" and not plain.endswith((".csv", ".tsv", ".tab", ".txt", ".parquet")):
        raise click.UsageError(f"--output {output}: expected a name in .csv, .tsv or .parquet")
    if (output or "").endswith(".parquet.gz"):
        raise click.UsageError(f"--output {output}: Parquet is packed already")
    request = Request.taken(inputs)
    data = imported("csig.readers.recognise", "read")(request, () if metric is None else (metric,))
    failures = Failures()
    if output is not None:
        table = imported("csig.readers.writing", "encoded")(
            output, data.columns(unit, lower_is_better)
        )
        if output == "-":
            write_stdout(table)
        else:
            with failures, OutputFile(output, request.paths, "table") as file:
                file.write(table)
    cautions: Sequence[str] = data.source.cautions
    if described:
        description = imported("csig.readers.describe", "describe")(data)
        cautions = description.suspicious
        _show(description, output_format, json_path, request, failures)
    else:  # standard output may be the table
        said_beside(cautions, data.source.notes)
    failures.end()
    end(strict, cautions)


def _show(
    description: Description,
    output_format: Format,
    json_path: str | None,
    request: Request,
    failures: Failures,
) -> None:
    document = imported("csig.report.described", "document_of_description")(description)
    if json_path == "-":
        print_document(document, "json")
        return
    if json_path is not None:
        with failures, OutputFile(json_path, request.paths) as file:
            file.write(render(document, "json").encode())
    print_document(document, output_format)
