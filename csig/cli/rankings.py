"""``csig systems``, ``csig datasets`` and ``csig rank``: which of many differ, and by how much?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from csig.base.wording import first_few, perhaps
from csig.cli.options import CELLS, INPUT, SEEDED, TABLES, command, one_metric
from csig.cli.output import Output, executor_at
from csig.readers.request import OptionError, Request

if TYPE_CHECKING:
    from csig.rankings.command import Ranked
    from csig.report.document import Document
    from csig.systems.ranking import SystemsResult


@command(
    "--system --baseline --id --cluster --metric --unit --correction --seed --alpha "
    "--output-format --letters --json --strict",
    f"{INPUT}{SEEDED}--lower-is-better --statistic --resamples --zero-division --scheduler "
    "--progress --explain --cite --plot",
)
def systems(
    metrics: tuple[str, ...],
    unit: str | None,
    resamples: int | None,
    seed: int | None,
    zero_division: str,
    scheduler: str | None,
    **given: Any,
) -> None:
    """Compare many systems: the ranks that each may have, and adjusted p-values of all pairs.

    FILE is a table with one row per unit and one column per system, or each system has a FILE of
    its own, as for csig compare. With --baseline the others are compared with one system only.

    The p-values of pairs are those of csig compare: exact, or the upper one of two proven bounds,
    unless all pairs would take more than about a minute; then they are from flips that all pairs
    share, and a doubt says so. The intervals of the ranks hold jointly, with a probability of at
    least 1 - alpha. A pair without a significant difference is not shown to be equal.

    Examples:
      csig systems scores.csv
      csig systems scores.csv --baseline base
      csig systems scores.csv --correction flips --seed 1
      csig systems scores.csv --cluster task --letters -f latex
      csig systems scores.csv --plot leaderboard.pdf
      csig systems gold.conll tagger1.conll tagger2.conll tagger3.conll --metric f1
    """
    names = one_metric(metrics, "systems are ranked by one at a time")
    output, request = Output.taken(given), Request.taken(given)

    def made() -> tuple[SystemsResult, Document]:
        from csig.systems.report import ranked

        test: dict[str, Any] = {"n_resamples": resamples, "rng": seed}
        test["zero_division"] = int(zero_division)
        with executor_at(scheduler) as executor:
            return ranked(request, names, unit, executor=executor, **test, **given)

    def figure_of(found: SystemsResult) -> Any:
        from csig.systems.pictures import leaderboard  # for those who draw

        return leaderboard(found).figure

    output.give(made, request.paths, figure_of)


@command(
    "--dataset --id --system --baseline --pairs --correction --alpha --lower-is-better "
    "--output-format --all-tests --explain --plot --json --strict",
    f"{TABLES}{SEEDED}--metric --zero-method --resamples --progress --plot-by",
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


@command(
    "--true --methods --lower --sample --n --baseline --ties --alpha --seed --output-format "
    "--explain --plot --json --strict",
    f"{CELLS}{SEEDED}--sample-n --interval --confidence-level --resamples --progress --cite "
    "--plot-kind",
)
def rank(
    table: str,
    true: str | None,
    methods: tuple[str, ...],
    n: list[int] | None,
    resamples: int | None,
    seed: int | None,
    plot_kind: str | None,
    **given: Any,
) -> None:
    """Compare ranking methods: the precision of their n best, and which pairs differ.

    TABLE has one row per candidate, with a column that says whether it is true and a column of
    scores for every method; large scores are the best. A method accepts its n best candidates.

    Pairs are compared on the candidates that only one of the two accepts: by Fisher's exact test
    for a single n, by flips that all n share for several. p-values are adjusted for all pairs and
    n together. A pair without a significant difference is not shown to be equal.

    Examples:
      csig rank pairs.csv --true is_colloc --methods MI,log_like,freq
      csig rank pairs.csv --true is_colloc --methods MI,log_like,freq --n 500
      csig rank pairs.csv --true is_colloc --methods MI,freq --n 100:2000:10 --seed 1
      csig rank pairs.csv --true is_colloc --methods MI,pvalue --lower pvalue
      csig rank pairs.csv --true is_colloc --methods MI,freq --plot curves.pdf
      csig rank pairs.csv --true is_colloc --methods MI,freq --plot pair.pdf --plot-kind difference
    """
    request = Request.taken({**given, "files": (table,)})
    output = Output.taken(given)
    for name in ("field", "quoting", "decimal", "delimiter", "header"):
        del given[name]
    if plot_kind is not None and output.plot_path is None:
        raise OptionError("--plot-kind goes with --plot FILE")
    drawn = {"--seed": seed, "--bit-generator": given["bit_generator"], "--resamples": resamples}
    asked = [name for name, value in drawn.items() if value is not None]

    def made() -> tuple[Ranked, Document]:
        from csig.rankings.command import ranked_from

        test: dict[str, Any] = {"n_resamples": resamples, "rng": seed}
        test["picture"] = plot_kind or "precision"
        found = ranked_from(request, true, methods, n, **test, **given)
        document = found.document
        if asked and found.result.seed is None:
            from csig.comparing.options import unneeded  # for those who asked in vain

            document = replace(document, notes=(*document.notes, unneeded(asked)))
        return found, document

    output.give(made, request.paths, lambda found: found.figure())
