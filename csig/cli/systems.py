"""``csig systems``: many systems over the same units."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from csig.cli.compare import give_unpaired
from csig.cli.options import INPUT, SEEDED, command, one_metric
from csig.cli.output import Output, described, executor_at
from csig.readers.request import Request

if TYPE_CHECKING:
    from csig.report.document import Document
    from csig.systems.ranking import SystemsResult


@command(
    "--system --baseline --id --cluster --metric --rank-by --unit --correction --seed --alpha "
    "--output-format --letters --json --strict",
    f"{INPUT}{SEEDED}--card --record --lower-is-better --statistic --resamples --zero-division "
    "--unpaired --scheduler --progress --explain --cite --signature --plot --plot-kind --caption "
    "--label",
)
def systems(
    metrics: tuple[str, ...],
    unit: str | None,
    resamples: int | None,
    seed: int | None,
    zero_division: str,
    scheduler: str | None,
    record_path: str | None,
    card: str | None,
    unpaired: bool,
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
      csig systems scores.csv --rank-by borda
      csig systems scores.csv --plot leaderboard.pdf
      csig systems scores.csv --plot scores.pdf --plot-kind scores
      csig systems scores.csv --card card.html --record board.json
      csig systems gold.conll tagger1.conll tagger2.conll tagger3.conll --metric f1
      csig systems --unpaired base.json new.json newer.json --metric median
    """
    if unpaired:
        give_unpaired(resamples, {**given, "metrics": metrics, "seed": seed}, all_pairs=True)
        return
    names = one_metric(metrics, "systems are ranked by one at a time")
    output, request = Output.taken(given), Request.taken(given)

    def made() -> tuple[SystemsResult, Document]:
        from csig.systems.report import systems_document

        test: dict[str, Any] = {"n_resamples": resamples, "rng": seed}
        test["zero_division"] = int(zero_division)
        with executor_at(scheduler) as executor:
            return systems_document(request, names, unit, executor=executor, **test, **given)

    def figure_of(found: SystemsResult) -> Any:
        return found.plot(output.plot_kind).figure

    def record_of(found: SystemsResult) -> str:
        from csig.report.records import canonical
        from csig.systems.report import make_record

        inputs = [described(path) for path in request.paths]
        return canonical(make_record(found, inputs, ["csig", *sys.argv[1:]]))

    def card_of(found: SystemsResult) -> str:
        return report.card(found, suffix)

    if card is not None:
        from csig.systems import report

        suffix = report.check_card(card)
    files = {"--record": (record_path, "record", record_of), "--card": (card, "card", card_of)}
    output.give(made, request.paths, figure_of, files)
