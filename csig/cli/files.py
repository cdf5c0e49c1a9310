"""``csig describe``: what files hold; ``convert`` writes a table; ``demo`` brings files along."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any

import click

from csig.base.errors import InputError, Refusal, pasteable
from csig.base.wording import clean, counted, noun
from csig.cli.options import INPUT, command, end
from csig.cli.output import Output, OutputFile, print_document, said_beside, write_stdout
from csig.readers.request import Request
from csig.report.document import Document

if TYPE_CHECKING:
    from csig.readers.describe import Description


@command(
    "--system --gold-column --id --cluster --ignore --format --output-format --json --strict",
    f"{INPUT}--lower-is-better --caption --label",
)
def describe(lower_is_better: bool | None, **given: Any) -> None:
    """Say how csig compare reads files: form, columns, roles, units, labels.

    One system is enough. Where the files are refused, the columns are shown all the same, and below
    them the commands that read them.

    Examples:
      csig describe scores.csv
      csig describe gold.conll tagger1.conll tagger2.conll
    """
    from csig.comparing.described import columns_table, document_of_description, doubts_of_pairs
    from csig.readers.describe import columns_of, sheet_in
    from csig.readers.describe import describe as described
    from csig.readers.forms import read

    output, request = Output.taken(given), Request.taken(given)
    try:
        data = read(request)
        data.by_metric((), lower_is_better)  # asks which are better, where nothing says it
    except InputError as error:
        sheet = sheet_in(request)
        if sheet is not None:
            rows, wide = counted(len(sheet), "row"), counted(len(sheet.names), "column")
            size = f"{sheet.path}: {sheet.form}, {rows}, {wide}."
            table = columns_table(columns_of(sheet, {}))
            shown = Document(title="Columns", verdict=[size], tables=[table])
            print_document(shown, output.output_format)
        if not isinstance(error, Refusal):
            raise
        remedies = [replace(own, verb=own.verb or "compare") for own in error.remedies]
        raise Refusal(error.found, *remedies) from None

    def made() -> tuple[Description, Document]:
        found = described(data, request, lower_is_better)
        doubts = dict.fromkeys([*found.suspicious, *doubts_of_pairs(data, lower_is_better)])
        found = replace(found, suspicious=tuple(doubts))
        verb = "compare" if len(data.names) > 1 else "describe"
        words = ["csig", verb, *request.words(), *found.options]  # given, and found declared
        if lower_is_better is not None:
            words.append("--lower-is-better" if lower_is_better else "--higher-is-better")
        command = "" if "-" in request.files else shlex.join(words)
        return found, document_of_description(found, command)

    output.give(made, request.paths)


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
    from csig.comparing.described import source_line
    from csig.readers.data import TableData
    from csig.readers.forms import read
    from csig.readers.statistics import encoded

    request = Request.taken(inputs)
    data = read(request, () if metrics is None else (metrics,))
    columns = data.columns(unit, lower_is_better)
    table = encoded(output, columns)
    if output == "-":
        write_stdout(table)
    else:
        with OutputFile(output, request.paths, "table") as file:
            file.write(table)
        finest = data.called[0] if isinstance(data, TableData) else "response"
        number, read_from = len(next(iter(columns.values()))), source_line(data.source)
        rows = f"{counted(number, 'row')}, one per {noun(finest if unit is None else unit)}"
        systems = counted(len(data.names), "system")
        click.echo(f"Wrote {clean(output)}: {rows}, of {systems}, read from {read_from}.")
    said_beside(data.source.cautions, data.source.notes)  # standard output may be the table
    end(strict, data.source.cautions)


#: The gold and the two systems: which of 899 images show an 8.
FILES = "gold.tsv", "nearest-centroid.tsv", "logistic-regression.tsv"


@command("")
def demo(folder: str | None) -> None:
    """Compare two systems on bundled files, and draw the comparison.

    Two classifiers say which of 899 images show an 8. Their answers, and the right ones, are
    written to FOLDER as files to look at and to try other commands on. What is there already is
    kept; a file with other contents is never overwritten.

    Examples:
      csig demo
      csig demo /tmp/digits
    """
    folder = folder or "csig-demo"
    if folder.startswith("-"):  # which is an option to the command below
        folder = os.path.join(".", folder)
    paths = [os.path.join(folder, name) for name in FILES]
    inside = resources.files("csig.cli") / "demo_files"
    drawn = os.path.join(folder, "comparison.svg")
    if os.path.lexists(drawn) and not all(map(os.path.lexists, paths)):
        raise InputError(f"{drawn}: is another file already; name another folder")
    try:
        os.makedirs(folder, exist_ok=True)
        for name, path in zip(FILES, paths, strict=True):
            data = (inside / name).read_bytes()
            if os.path.lexists(path):
                with open(path, "rb") as there:
                    if there.read() != data:
                        raise InputError(f"{path}: is another file already; name another folder")
            else:
                with open(path, "xb") as file:
                    file.write(data)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    picture = ["--plot", drawn]
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        picture = []
    words = ["compare", *paths, *picture]
    click.echo(f"$ {pasteable(['csig', *words])}\n")
    from csig.cli.app import program  # which imports commands

    program.main(words, standalone_mode=False)
    if picture:
        click.echo(f"\nThe picture is {picture[1]}.")
    else:
        click.echo('\nWith matplotlib (pip install "csig-stats[plot]") csig demo draws it, too.')
