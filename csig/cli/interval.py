"""``csig interval``: how well are the scores and their differences known?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from csig.cli.help import Choice, Command
from csig.cli.lazily import imported
from csig.cli.options import (
    BASELINE,
    CITE,
    INPUT,
    METRICS,
    PROGRESS,
    RUNS,
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
from csig.cli.printing import format_option, print_and_write
from csig.defaults import INTERVALS, RESAMPLES, UNDRAWN_INTERVALS
from csig.readers.request import Request
from csig.report.document import Document
from csig.report.options import Options
from csig.report.rendering import Format

if TYPE_CHECKING:
    from csig.report.estimates import Estimates

__all__ = ["interval"]

_UNIT = [
    unit_option(
        "What the test data are a sample of: responses, sentences, documents, ..."
        "  [default: the largest known]"
    )
]

_METHOD = [
    click.option(
        "--method",
        type=Choice(INTERVALS),
        default=INTERVALS[0],
        show_default=True,
        help="For differences of means of scores the shifts that the randomization test does not "
        "reject (inverted), for the rest from the standard error over units (linearized): auto. "
        "These have no seed; the others are by the bootstrap.",
    ),
    share_option(
        "--level",
        0.95,
        help="Nominal coverage: the share of test sets whose interval contains the true value.",
    ),
    click.option(
        "--resamples",
        type=whole(1, 2**32),
        metavar="N",
        help=f"Resamples of the bootstrap.  [default: {RESAMPLES:,}]",
    ),
]

_OUTPUT = [format_option(), CITE, json_option("Write everything")]


@click.command(
    cls=Command,
    short_help="Intervals of every system's score and of the differences.",
    epilog="""\b
Examples:
  csig interval gold.tsv method1.tsv method2.tsv
  csig interval scores.csv --cluster task --level 0.9
  csig interval gold.conll a.conll b.conll --metric f1 --method bca --seed 1
  csig interval --counts yeh.toml -f latex""",
)
@decorated(
    INPUT, BASELINE, _UNIT, METRICS[:2], _METHOD, RUNS, shuffles()[1:], PROGRESS, STRICT, _OUTPUT
)
def interval(
    unit: str | None,
    metrics: tuple[str, ...],
    lower_is_better: bool | None,
    method: str,
    level: float,
    paired_runs: bool,
    resamples: int | None,
    seed: int | None,
    bit_generator: str | None,
    threads: int | None,
    zero_division: str,
    strict: bool,
    output_format: Format,
    cite: bool,
    json_path: str | None,
    baseline: str | None,
    **inputs: Any,
) -> None:
    """Give intervals for the scores of the systems and for their differences.

    An interval says how far the value may be from the printed one on other test data of this
    kind: on other documents, questions, clusters. GOLD, A and B, or FILE, are as for csig compare;
    a difference is the score of a system minus that of the first one, the baseline.
    """
    if method in UNDRAWN_INTERVALS:
        _check_undrawn(method, resamples=resamples, seed=seed, bit_generator=bit_generator)
    request = Request.taken(inputs)
    options = Options(
        metrics=metric_names(metrics),
        alternative="two-sided",
        method="auto",
        n_resamples=resamples or RESAMPLES,
        seed=seed,
        bit_generator=bit_generator,
        threads=threads,
        zero_division=int(zero_division),
        confidence_level=level,
        alpha=1 - level,
        unit=unit,
        lower_is_better=lower_is_better,
        interval=method,
        interval_level=level,
        paired_runs=paired_runs,
        baseline=baseline,
    )
    estimated = imported("csig.report.estimates", "estimated")
    document_of_estimates = imported("csig.report.estimated", "document_of_estimates")

    def made() -> tuple[Estimates, Document]:
        found: Estimates = estimated(request, options, resamples)
        return found, document_of_estimates(found)

    found, _ = print_and_write(made, json_path, request.paths, output_format, cite=cite)
    end(strict, found.cautions)


def _check_undrawn(method: str, **given: object) -> None:
    """Refuse what is for resamples, where none are drawn."""
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(
                f"--{name.replace('_', '-')}: method {method} draws nothing; choose another "
                "--method"
            )
