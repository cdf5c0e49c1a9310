"""``csig train``: how much do scores depend on chance in the training data?"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import click

from csig.base.progress import ProgressBar
from csig.cli.options import command
from csig.cli.output import (
    PIPED_WIDTH,
    Failures,
    OutputFile,
    distinct,
    picture_of,
    print_document,
    write_stdout,
)
from csig.report.rendering import Format, of_latex, render


@command(
    "--method --replicate-column --system-column --test-set-column --item-column --score-column "
    "--quoting --decimal --max-size --a --b --baseline --confidence-level --progress "
    "--output-format --caption --label --output --plot --json"
)
def train(
    table: str,
    confidence_level: float,
    output_format: Format,
    caption: str | None,
    label: str | None,
    output: str | None,
    plot_path: str | None,
    json_path: str | None,
    a: str | None,
    b: str | None,
    baseline: str | None,
    **columns: Any,
) -> None:
    """Compare systems that were trained on the same samples of a corpus (Krymolowski 2001).

    TABLE has one row per training sample (replicate), system and test set, with the score; or one
    row per replicate, system, test set and item. csig.training.training_distribution in Python
    trains and scores, and writes such a table.

    It prints means and standard deviations, how often one system is ahead of another, and
    correlations of systems and across test sets. They do not say what another test set would give:
    csig compare tests that.

    Examples:
      csig train scores.csv --method bootstrap
      csig train scores.csv --method bootstrap --a new --b base -f latex
      csig train scores.csv --method kfold --plot scores.svg
    """
    paths = {
        "--output": output or (None if json_path == "-" else "-"),
        "--plot": plot_path,
        "--json": json_path,
    }
    if sys.stdout is None and "-" in paths.values():
        raise click.UsageError("standard output is closed; give --output FILE")
    if plot_path is not None:
        from csig.report.style import kind_of, need_matplotlib

        kind = "svg" if plot_path == "-" else kind_of(plot_path)
        need_matplotlib()
    distinct(paths)
    named = of_latex(output_format, caption, label)
    from csig.training.distribution import TrainingDistribution
    from csig.training.report import document_of_training

    chosen = {"a": a, "b": b, "baseline": baseline}
    with ProgressBar("Summarizing") as bar:
        bar(0, 3)
        options = {name.removesuffix("_column"): value for name, value in columns.items()}
        found = TrainingDistribution.from_table(table, **options)
        bar(1, 3)
        document = document_of_training(
            found, confidence_level=confidence_level, table=table, **chosen
        )
        record = render(document, "json")
        bar(2, 3)
        shown = render(document, output_format, replace(named, width=PIPED_WIDTH))
    contents = {"table": shown.encode(), "picture": None, "JSON record": record.encode()}
    if plot_path is not None:
        contents["picture"] = picture_of(found.plot("page", **chosen).figure, kind)
    failures = Failures()  # what fails is said at the end
    for path, (what, content) in zip(paths.values(), contents.items(), strict=True):
        if path is None or content is None:
            continue
        if path == "-" and what == "table":
            print_document(document, output_format, named)
        elif path == "-":
            write_stdout(content)
        else:
            with failures, OutputFile(path, [table], what) as file:
                file.write(content)
    failures.end()
