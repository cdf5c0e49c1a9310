"""``csig convert``: what was read as a table of statistics."""

from __future__ import annotations

from typing import Any

import click

from csig.cli.help import Command
from csig.cli.lazily import imported
from csig.cli.options import (
    INPUT,
    LOWER_IS_BETTER,
    STRICT,
    decorated,
    end,
    output_option,
    unit_option,
)
from csig.cli.printing import said_beside
from csig.cli.sink import OutputFile, write_stdout
from csig.readers.request import Request

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
]


@click.command(
    cls=Command,
    short_help="Write the statistics of units as a table.",
    epilog="""\b
Examples:
  csig convert gold.conll tagger1.conll tagger2.conll --output statistics.csv
  csig compare --statistics statistics.csv""",
)
@decorated(INPUT, _OUTPUT, STRICT)
def convert(
    output: str | None,
    unit: str | None,
    metric: str | None,
    lower_is_better: bool | None,
    strict: bool,
    **inputs: Any,
) -> None:
    """Read what csig compare reads, and write it as a table of statistics.

    The table has one row per response or unit, and for every system what adds up:
    tp_NAME and predicted_NAME, score_NAME, ...; csig compare --statistics makes the same
    comparison of it, to the last bit. Cautions and notes go to standard error.
    """
    if output is None:
        raise click.UsageError(
            "nothing to do: give --output FILE; csig describe says what files hold"
        )
    plain = output.removesuffix(".gz")
    if plain != "-" and not plain.endswith((".csv", ".tsv", ".tab", ".txt", ".parquet")):
        raise click.UsageError(f"--output {output}: expected a name in .csv, .tsv or .parquet")
    if output.endswith(".parquet.gz"):
        raise click.UsageError(f"--output {output}: Parquet is packed already")
    request = Request.taken(inputs)
    data = imported("csig.readers.forms", "read")(request, () if metric is None else (metric,))
    table = imported("csig.readers.writing", "encoded")(output, data.columns(unit, lower_is_better))
    if output == "-":
        write_stdout(table)
    else:
        with OutputFile(output, request.paths, "table") as file:
            file.write(table)
    said_beside(data.source.cautions, data.source.notes)  # standard output may be the table
    end(strict, data.source.cautions)
