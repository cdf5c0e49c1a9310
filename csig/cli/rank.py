"""``csig rank``: how good are the n best of ranking methods, and which methods differ?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from csig.cli.options import CELLS, SEEDED, command
from csig.cli.output import Output, asked_to_draw
from csig.readers.request import Request

if TYPE_CHECKING:
    from csig.rankings.command import Ranked
    from csig.report.document import Document


@command(
    "--true --methods --lower --sample --n --baseline --ties --alpha --seed --output-format "
    "--explain --plot --json --strict",
    f"{CELLS}{SEEDED}--sample-n --interval --confidence-level --resamples --progress --cite "
    "--signature --plot-kind --caption --label",
)
def rank(
    table: str,
    true: str | None,
    methods: tuple[str, ...],
    n: list[int] | None,
    resamples: int | None,
    seed: int | None,
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
    asked = asked_to_draw(seed=seed, bit_generator=given["bit_generator"], resamples=resamples)

    def made() -> tuple[Ranked, Document]:
        from csig.rankings.command import ranked_from

        test: dict[str, Any] = {"n_resamples": resamples, "rng": seed}
        test["picture"] = output.plot_kind or "precision"
        found = ranked_from(request, true, methods, n, **test, **given)
        document = found.document
        if asked and found.result.seed is None:
            from csig.comparing.options import unneeded  # for those who asked in vain

            document = replace(document, notes=(*document.notes, unneeded(asked)))
        return found, document

    output.give(made, request.paths, lambda found: found.figure())
