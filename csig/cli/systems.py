"""``csig systems``: which of many systems can be told apart, and what rank may each have?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from csig.cli.help import Choice, Command
from csig.cli.lazily import imported
from csig.cli.options import (
    BASELINE_OF_PAIRS,
    CITE,
    EXPLAIN,
    INPUT,
    LOWER_IS_BETTER,
    PROGRESS,
    STRICT,
    decorated,
    end,
    json_option,
    metric_names,
    share_option,
    shuffles,
    unit_option,
    whole,
)
from csig.cli.picture import picture_at, plot_option
from csig.cli.printing import format_option, print_and_write
from csig.cli.sink import distinct
from csig.cli.workers import SCHEDULER, executor_at
from csig.defaults import CORRECTIONS, FLIPS, STATISTICS, YEH_RESAMPLES
from csig.readers.request import Request
from csig.report.rendering import Format

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from csig.report.document import Document
    from csig.systems import SystemsResult

__all__ = ["systems"]

_TEST = [
    click.option("--metric", "metrics", multiple=True, metavar="NAME", help="One that the data "
                 "have; by default the accuracy or the mean of scores, F1 of responses."),
    LOWER_IS_BETTER,
    unit_option("What is swapped: units or clusters of a table, sentences, documents.  [default: "
                "the largest known]"),
    click.option(
        "--correction",
        type=Choice(CORRECTIONS),
        default=CORRECTIONS[0],
        show_default=True,
        help="How p-values are adjusted for the number of pairs; bh and by bound the share of "
        "false claims, the others the probability of any.",
    ),
    click.option(
        "--statistic",
        type=Choice(STATISTICS),
        help="What flips compare with --correction flips, and the test of a pair in ratios such as "
        f"precision: see csig compare.  [default: {STATISTICS[0]}]",
    ),
    click.option(
        "--resamples",
        type=whole(1, 2**40),
        metavar="N",
        help="Flips of --correction flips, or shuffles of pairs that can be neither exact nor "
        f"certified.  [default: {FLIPS:,} flips; {YEH_RESAMPLES:,} shuffles]",
    ),
    share_option("--alpha", 0.05, help="Significance level of all claims together."),
]  # fmt: skip

_OUTPUT = [
    format_option("What the report is printed as."),
    EXPLAIN,
    CITE,
    click.option(
        "--letters",
        is_flag=True,
        help="Add compact letters: systems that share one have no significant difference.",
    ),
    json_option("Write everything"),
    plot_option("the systems with the ranks that each may have"),
]


@click.command(
    cls=Command,
    short_help="Rank many systems, and test all pairs.",
    epilog="""\b
Examples:
  csig systems scores.csv
  csig systems scores.csv --baseline base
  csig systems scores.csv --correction flips --seed 1
  csig systems scores.csv --cluster task --letters -f latex
  csig systems scores.csv --plot leaderboard.pdf
  csig systems gold.conll tagger1.conll tagger2.conll tagger3.conll --metric f1""",
)
@decorated(INPUT, BASELINE_OF_PAIRS, _TEST, shuffles()[1:], SCHEDULER, PROGRESS, STRICT, _OUTPUT)
def systems(
    metrics: tuple[str, ...],
    unit: str | None,
    letters: bool,
    strict: bool,
    output_format: Format,
    explain: bool,
    cite: bool,
    json_path: str | None,
    plot_path: str | None,
    resamples: int | None,
    seed: int | None,
    zero_division: str,
    scheduler: str | None,
    **options: Any,
) -> None:
    """Compare many systems: the ranks that each may have, and adjusted p-values of all pairs.

    FILE is a table with one row per unit and one column per system, or each system has a FILE of
    its own, as for csig compare. With --baseline the others are compared with one system only.

    The p-values of pairs are those of csig compare: exact, or the upper one of two proven bounds,
    unless all pairs would take more than about a minute; then they are from flips that all pairs
    share, and a doubt says so. The intervals of the ranks hold jointly, with a probability of at
    least 1 - alpha. A pair without a significant difference is not shown to be equal.
    """
    names = metric_names(metrics)
    if len(names) > 1:
        raise click.UsageError("--metric: give one metric; systems are ranked by one at a time")
    request = Request.taken(options)
    ranked = imported("csig.report.ranking", "ranked")
    test = {**options, "n_resamples": resamples, "rng": seed, "zero_division": int(zero_division)}

    distinct({"--json": json_path, "--plot": plot_path})
    with picture_at(plot_path, request.paths, _leaderboard) as draw:

        def found() -> tuple[SystemsResult, Document]:
            with executor_at(scheduler) as executor:
                own: tuple[SystemsResult, Document] = ranked(
                    request, names, unit, letters=letters, executor=executor, **test
                )
            return own

        result, document = print_and_write(
            found, json_path, request.paths, output_format, explain=explain, cite=cite
        )
        draw(result)
    end(strict, document.doubts)


def _leaderboard(found: SystemsResult) -> Figure:
    from csig.report.plots.rows import leaderboard  # for those who draw

    figure: Any = leaderboard(found).figure
    return figure  # type: ignore[no-any-return]
