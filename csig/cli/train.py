"""``csig train``: how much do scores depend on chance in the training data?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csig.base.progress import ProgressBar
from csig.cli.options import command
from csig.cli.output import Output

if TYPE_CHECKING:
    from csig.report.document import Document
    from csig.training import TrainingDistribution


@command(
    "--method --replicate-column --system-column --test-set-column --item-column --score-column "
    "--quoting --decimal --max-size --a --b --baseline --confidence-level --progress "
    "--output-format --caption --label --plot --json"
)
def train(
    table: str,
    confidence_level: float,
    a: str | None,
    b: str | None,
    baseline: str | None,
    **given: Any,
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
    output, pair = Output.taken(given), {"a": a, "b": b, "baseline": baseline}
    columns = {name.removesuffix("_column"): value for name, value in given.items()}

    def made() -> tuple[TrainingDistribution, Document]:
        from csig.training import TrainingDistribution
        from csig.training.report import document_of_training

        with ProgressBar("Summarizing") as bar:
            bar(0, 2)
            found = TrainingDistribution.from_table(table, **columns)
            bar(1, 2)
            return found, document_of_training(
                found, confidence_level=confidence_level, table=table, **pair
            )

    output.give(made, [table], lambda found: found.plot("page", **pair).figure)
