"""``csig datasets``: which of several systems differ over many data sets?"""

from __future__ import annotations

from typing import Any

import click

from csig.cli import completion
from csig.cli.help import Choice, Command
from csig.cli.lazily import imported
from csig.cli.options import (
    LOWER_IS_BETTER,
    PROGRESS,
    STRICT,
    TABLES,
    decorated,
    end,
    json_option,
    metric_names,
    seeded,
    share_option,
    whole,
)
from csig.cli.picture import picture_at, plot_option
from csig.cli.printing import format_option, print_and_write
from csig.cli.sink import distinct
from csig.defaults import (
    DATASET_CORRECTIONS,
    DATASET_TESTS,
    YEH_RESAMPLES,
    ZERO_METHODS,
)
from csig.readers.request import Request
from csig.report.rendering import Format
from csig.wording import first_few, perhaps

__all__ = ["datasets"]

_READ = [
    click.option(
        "--dataset",
        shell_complete=completion.columns,
        metavar="COLUMN",
        help="One row per unit instead: the column with the unit's data set.",
    ),
    click.option(
        "--id",
        shell_complete=completion.columns,
        metavar="COLUMN",
        help="The column with the names of the data sets (with --dataset, the ids of the units).  "
        "[default: one called dataset, corpus, task or the like, else the first of texts]",
    ),
    click.option(
        "--system",
        shell_complete=completion.columns,
        multiple=True,
        metavar="NAME",
        help="System (column) to compare; repeatable.  [default: all of the table]",
    ),
    click.option(
        "--baseline",
        shell_complete=completion.columns,
        metavar="NAME",
        help="Compare the others with this system only, which is fewer tests.",
    ),
]

_TEST = [
    click.option("--metric", "metrics", multiple=True, metavar="NAME",
                 help="One of several columns of scores that files of one system each share."),
    LOWER_IS_BETTER,
    click.option(
        "--pairs",
        type=Choice(DATASET_TESTS),
        default=DATASET_TESTS[0],
        show_default=True,
        help="How two systems are compared; within swaps the units of every data set.",
    ),
    click.option(
        "--correction",
        type=Choice(DATASET_CORRECTIONS),
        default=DATASET_CORRECTIONS[0],
        show_default=True,
        help="How p-values are adjusted for the number of pairs; nemenyi goes with --pairs ranks, "
        "tukey and dunnett (beside a baseline) with --pairs anova.",
    ),
    click.option(
        "--zero-method",
        type=Choice(ZERO_METHODS),
        default=ZERO_METHODS[0],
        show_default=True,
        help="What wilcoxon does with data sets without a difference: share their ranks, rank and "
        "then drop them, or drop them first.",
    ),
    share_option("--alpha", 0.05, help="Significance level of all claims together."),
    click.option(
        "--resamples",
        type=whole(1, 2**40),
        metavar="N",
        help="Shuffles of randomization tests that cannot be exact.  "
        f"[default: {YEH_RESAMPLES:,}]",
    ),
    *seeded(),
]  # fmt: skip

_OUTPUT = [
    format_option("What the report is printed as."),
    click.option(
        "--all-tests",
        is_flag=True,
        help="Add the adjusted p-values of all pairs by every procedure; doubtful ones are marked.",
    ),
    click.option(
        "--explain",
        is_flag=True,
        help="Say as well which test to trust, and why, with sources.",
    ),
    plot_option(
        "the average ranks, with bars over systems that do not differ (a critical-difference "
        "diagram)"
    ),
    click.option(
        "--plot-by",
        metavar="PROCEDURE",
        help="What makes the bars: nemenyi draws the critical difference, bonferroni-dunn the band "
        "beside a baseline.  [default: the verdicts]",
    ),
    json_option("Write everything"),
]


@click.command(
    cls=Command,
    short_help="Test whether systems differ over many data sets.",
    epilog="""\b
Examples:
  csig datasets scores.csv
  csig datasets scores.csv --baseline base
  csig datasets scores.csv --plot ranks.pdf --plot-by nemenyi
  csig datasets correct.csv --dataset task
  csig datasets scores.csv --all-tests --explain -f html""",
)
@decorated(TABLES, _READ, _TEST, PROGRESS, STRICT, _OUTPUT)
def datasets(
    dataset: str | None,
    metrics: tuple[str, ...],
    strict: bool,
    output_format: Format,
    explain: bool,
    json_path: str | None,
    plot_path: str | None,
    plot_by: str | None,
    resamples: int | None,
    seed: int | None,
    **options: Any,
) -> None:
    """Compare systems over many data sets: average ranks, and adjusted p-values of all pairs.

    TABLE has one row per data set, with its name, and one column of scores per system; with
    --dataset it has one row per unit, and a data set's score is the mean of its units. With
    --baseline the others are compared with one system only.

    By default pairs are compared by Wilcoxon's signed-rank test, exactly, with Holm's
    correction. A pair without a significant difference is not shown to be equal.
    """
    names = metric_names(metrics)
    if len(names) > 1:
        raise click.UsageError("--metric: give one metric; data sets are ranked by one at a time")
    request = Request.taken(options)
    if not request.files:
        raise click.UsageError("no input file: give a TABLE with one row per data set")
    distinct({"--json": json_path, "--plot": plot_path})
    if plot_by is not None and plot_path is None:
        raise click.UsageError("--plot-by goes with --plot FILE")
    over_datasets = imported("csig.report.over", "over_datasets")
    test = {**options, "n_resamples": resamples, "rng": seed, "metrics": names}

    def run() -> Any:
        found = over_datasets(request, dataset, **test)
        known = list(found[0].pairs[0].adjusted_by)
        if plot_by is not None and plot_by not in known:  # before anything is printed
            raise click.UsageError(
                f"--plot-by: no procedure {plot_by!r}{perhaps(plot_by, known)}; there are "
                f"{first_few(known, 20)}"
            )
        return found

    def figure_of(result: Any) -> Any:
        critical_difference = imported("csig.report.plots.critical", "critical_difference")
        return critical_difference(result, by=plot_by).figure

    with picture_at(plot_path, request.paths, figure_of) as draw:
        result, found = print_and_write(
            run, json_path, request.paths, output_format, explain=explain
        )
        draw(result)
    end(strict, found.doubts)
