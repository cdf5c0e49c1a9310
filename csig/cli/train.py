"""``csig train``: how much do scores depend on chance in the training data?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import click

from csig.cli.help import Choice, Command
from csig.cli.options import MAX_SIZE, PROGRESS, decorated, json_option, output_option, share_option
from csig.cli.printing import PIPED_WIDTH, format_option, print_document
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.progress import ProgressBar
from csig.readers.request import CHOICES
from csig.report.rendering import Format, Rendering, render
from csig.report.training import document_of_training
from csig.training.distribution import TrainingDistribution
from csig.training.sampling import RESAMPLINGS, Resampling

__all__ = ["train"]


def _column(name: str, what: str) -> object:
    return click.option(f"--{name}-column", metavar="NAME", help=f"Column {what}.")


_TABLE = [
    click.argument("table", metavar="TABLE", type=click.Path()),
    click.option(
        "--method",
        type=Choice(RESAMPLINGS),
        help="How the training samples were drawn; k-fold samples depend on each other, so "
        "P(a > b) has no interval.  [default: not known]",
    ),
    _column("replicate", "that says which training sample"),
    _column("system", "of the systems"),
    _column("test-set", "of the test sets, if there are several"),
    _column("item", "of the items whose scores are averaged, if there are any"),
    _column("score", "of the scores"),
    click.option(
        "--quoting",
        type=Choice(CHOICES["quoting"]),
        help="Quotation marks are text (none), or enclose cells (csv).  [default: csv; for TSV "
        "none]",
    ),
    click.option(
        "--decimal",
        type=Choice(CHOICES["decimal"]),
        default=".",
        show_default=True,
        help="The decimal mark.",
    ),
    MAX_SIZE,
]

_SYSTEMS = [
    click.option("--a", metavar="NAME", help="With --b: compare these two systems only, A - B."),
    click.option("--b", metavar="NAME", help="The other one."),
    click.option(
        "--baseline",
        metavar="NAME",
        help="The system that all others are compared with.  [default: the first]",
    ),
    share_option(
        "--confidence",
        0.95,
        help="Level of the intervals of P(a > b).",
    ),
]

_OUTPUT = [
    format_option("What is printed; LaTeX needs the package booktabs.", "--format"),
    output_option("--output", "-o", help="Where it goes.  [default: -]"),
    output_option("--plot", help="Write histograms and pairs of scores as SVG."),
    json_option("Write everything"),
]


@click.command(
    cls=Command,
    short_help="Show how much scores depend on chance in the training data.",
    epilog="""\b
Examples:
  csig train scores.csv --method bootstrap
  csig train scores.csv --method bootstrap --a new --b base -f latex
  csig train scores.csv --method kfold --plot scores.svg""",
)
@decorated(_TABLE, _SYSTEMS, PROGRESS, _OUTPUT)  # type: ignore[arg-type]
def train(
    table: str,
    method: Resampling | None,
    replicate_column: str | None,
    system_column: str | None,
    test_set_column: str | None,
    item_column: str | None,
    score_column: str | None,
    quoting: Literal["none", "csv"] | None,
    decimal: Literal[".", ","],
    a: str | None,
    b: str | None,
    baseline: str | None,
    confidence: float,
    output_format: Format,
    output: str | None,
    plot: str | None,
    json_path: str | None,
) -> None:
    """Compare systems that were trained on the same samples of a corpus (Krymolowski 2001).

    TABLE has one row per training sample (replicate), system and test set, with the score; or one
    row per replicate, system, test set and item. csig.training_distribution in Python trains and
    scores, and writes such a table.

    Printed are means and standard deviations, how often one system is ahead of another, and
    correlations of systems and across test sets. What another test set would give they do not say:
    csig compare tests that.
    """
    outputs = {
        "--output": output or (None if json_path == "-" else "-"),
        "--plot": plot,
        "--json": json_path,
    }
    if sys.stdout is None and "-" in outputs.values():
        raise click.UsageError("standard output is closed; give --output FILE")
    if plot is not None:
        from csig.pictures import need_matplotlib

        need_matplotlib()
        if plot != "-" and not plot.endswith(".svg"):
            raise click.UsageError(f"--plot {plot}: expected a name in .svg")
    distinct(outputs)
    with ProgressBar("Summarizing") as bar:
        bar(0, 3)
        found = TrainingDistribution.from_table(
            table, method=method, replicate=replicate_column, system=system_column,
            test_set=test_set_column, item=item_column, score=score_column, quoting=quoting,
            decimal=decimal,
        )  # fmt: skip
        bar(1, 3)
        document = document_of_training(
            found, a=a, b=b, baseline=baseline, confidence_level=confidence, table=table
        )
        written = render(document, "json")
        bar(2, 3)
        shown = render(document, output_format, Rendering(width=PIPED_WIDTH))
    contents = {
        "table": shown,
        "picture": None if plot is None else found.svg(a=a, b=b, baseline=baseline),
        "JSON record": written,
    }
    _write(contents, outputs, table, partial(print_document, document, output_format))


def _write(
    contents: Mapping[str, str | None],
    outputs: Mapping[str, str | None],
    table: str,
    print_table: Callable[[], None],
) -> None:
    """Print and write what is asked for; what fails is said at the end."""
    failures = Failures()
    for path, (what, content) in zip(outputs.values(), contents.items(), strict=True):
        if path is None or content is None:
            continue
        if path == "-" and what == "table":
            print_table()
            continue
        if path == "-":
            write_stdout(content.encode())
            continue
        with failures, OutputFile(path, [table], what) as file:
            file.write(content.encode())
    failures.end()
