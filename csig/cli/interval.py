"""``csig interval``: how well are the scores and their differences known?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from csig.base.defaults import RESAMPLES, UNDRAWN_INTERVALS
from csig.cli.options import INPUT, SEEDED, command
from csig.cli.printing import Output, options_of
from csig.readers.request import Request

if TYPE_CHECKING:
    from csig.comparing.estimates import Estimates
    from csig.report.document import Document


@command(
    "--system --gold-column --id --cluster --metric --unit --method --confidence-level --seed "
    "--output-format --json --strict",
    f"{INPUT}{SEEDED}--baseline --lower-is-better --resamples --paired-runs --zero-division "
    "--progress --cite",
)
def interval(method: str, confidence_level: float, resamples: int | None, **given: Any) -> None:
    """Give intervals for the scores of the systems and for their differences.

    An interval says how far the value may be from the printed one on other test data of this
    kind: on other documents, questions, clusters. GOLD, A and B, or FILE, are as for csig compare;
    a difference is the score of a system minus that of the first one, the baseline.

    Examples:
      csig interval gold.tsv method1.tsv method2.tsv
      csig interval scores.csv --cluster task --confidence-level 0.9
      csig interval gold.conll a.conll b.conll --metric f1 --method bca --seed 1
      csig interval --counts yeh.toml -f latex
    """
    drawn = {
        "--resamples": resamples,
        "--seed": given["seed"],
        "--bit-generator": given["bit_generator"],
    }
    for name, value in drawn.items():
        if method in UNDRAWN_INTERVALS and value is not None:
            raise click.UsageError(
                f"{name}: method {method} draws nothing; choose another --method"
            )
    output, request = Output.taken(given), Request.taken(given)
    options = options_of(
        given,
        n_resamples=resamples or RESAMPLES,
        pvalue_confidence=confidence_level,
        alpha=1 - confidence_level,
        interval=method,
        confidence_level=confidence_level,
    )

    def made() -> tuple[Estimates, Document]:
        from csig.answers.estimated import document_of_estimates
        from csig.comparing.estimates import estimated

        found = estimated(request, options, resamples)
        return found, document_of_estimates(found)

    output.give(made, request.paths)
