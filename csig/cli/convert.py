"""``csig convert``: what was read as a table of statistics."""

from __future__ import annotations

from typing import Any

import click

from csig.cli.options import INPUT, command, end
from csig.cli.printing import said_beside
from csig.cli.sink import OutputFile, write_stdout
from csig.readers.request import Request


@command(
    "--output --unit --system --gold-column --id --cluster --strict",
    f"{INPUT}--metric --lower-is-better",
)
def convert(
    output: str | None,
    unit: str | None,
    metrics: str | None,
    lower_is_better: bool | None,
    strict: bool,
    **inputs: Any,
) -> None:
    """Read what csig compare reads, and write it as a table of statistics.

    The table has one row per response or unit, and for every system what adds up:
    tp_NAME and predicted_NAME, score_NAME, ...; csig compare --statistics makes the same
    comparison of it, to the last bit. Cautions and notes go to standard error.

    Examples:
      csig convert gold.conll tagger1.conll tagger2.conll --output statistics.csv
      csig compare --statistics statistics.csv
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
    from csig.readers.forms import read
    from csig.readers.statistics import encoded

    request = Request.taken(inputs)
    data = read(request, () if metrics is None else (metrics,))
    table = encoded(output, data.columns(unit, lower_is_better))
    if output == "-":
        write_stdout(table)
    else:
        with OutputFile(output, request.paths, "table") as file:
            file.write(table)
    said_beside(data.source.cautions, data.source.notes)  # standard output may be the table
    end(strict, data.source.cautions)
