"""``csig datasets``: many systems over many data sets."""

from __future__ import annotations

from typing import Any

import click

from csig.base.wording import first_few, perhaps
from csig.cli.options import SEEDED, TABLES, command, one_metric
from csig.cli.output import Output
from csig.readers.request import Request


@command(
    "--dataset --id --system --baseline --pairs --correction --alpha --lower-is-better "
    "--output-format --all-tests --explain --signature --plot --json --strict",
    f"{TABLES}{SEEDED}--metric --zero-method --resamples --progress --plot-by --caption --label",
)
def datasets(
    dataset: str | None,
    metrics: tuple[str, ...],
    plot_by: str | None,
    resamples: int | None,
    seed: int | None,
    **given: Any,
) -> None:
    """Compare systems over many data sets: average ranks, and adjusted p-values of all pairs.

    TABLE has one row per data set, with its name, and one column of scores per system; with
    --dataset it has one row per unit, and a data set's score is the mean of its units. With
    --baseline the others are compared with one system only.

    By default pairs are compared by Wilcoxon's signed-rank test, exactly, with Holm's
    correction. A pair without a significant difference is not shown to be equal.

    Examples:
      csig datasets scores.csv
      csig datasets scores.csv --baseline base
      csig datasets scores.csv --plot ranks.pdf --plot-by nemenyi
      csig datasets correct.csv --dataset task
      csig datasets scores.csv --all-tests --explain -f html
    """
    names = one_metric(metrics, "data sets are ranked by one at a time")
    output, request = Output.taken(given), Request.taken(given)
    if not request.files:
        raise click.UsageError("no input file: give a TABLE with one row per data set")
    if plot_by is not None and output.plot_path is None:
        raise click.UsageError("--plot-by goes with --plot FILE")

    def made() -> Any:
        from csig.datasets.report import over_datasets

        test: dict[str, Any] = {"n_resamples": resamples, "rng": seed, "metrics": names}
        found = over_datasets(request, dataset, **test, **given)
        known = list(found[0].pairs[0].adjusted_by)
        if plot_by is not None and plot_by not in known:  # before anything is printed
            raise click.UsageError(
                f"--plot-by: no procedure {plot_by!r}{perhaps(plot_by, known)}; there are "
                f"{first_few(known, 20)}"
            )
        return found

    def figure_of(result: Any) -> Any:
        from csig.datasets.pictures import critical_difference

        return critical_difference(result, by=plot_by).figure

    output.give(made, request.paths, figure_of)
