"""Results by part of the data, and by unit, as documents."""

from __future__ import annotations

from collections.abc import Mapping

from csig.base import wording
from csig.base.errors import InputError
from csig.comparing import verdict
from csig.comparing.breakdowns import Breakdown
from csig.comparing.report import compared, recorded, row_of, scores_of, verdict_cell
from csig.comparing.sensitivities import Sensitivity
from csig.report.document import Document, Scalar
from csig.report.forms import ALPHA, Text, table
from csig.report.shown import document_of
from csig.results.randomization import RandomizationResult

__all__: list[str] = []


@document_of.register
def _(breakdown: Breakdown) -> Document:
    tables, rows = [], list[Mapping[str, Scalar]]()
    for metric in breakdown.metrics:
        corrected = breakdown.corrected(metric, ALPHA)
        shown: list[list[Text]] = [
            [
                str(row.name),
                *scores_of(row.result),
                wording.pvalue(row.adjusted, row.log_adjusted, ALPHA),
                verdict_cell(row.result, row.verdict),
            ]
            for row in corrected
        ]
        names = breakdown.parts[0].results[metric].names
        title = wording.metric_title(metric)
        tables.append(compared(metric, names, ("p (Holm)", ""), shown, title))
        for part, row in zip(breakdown.parts, corrected, strict=True):
            found: dict[str, Scalar] = {
                "adjusted_pvalue": row.adjusted,
                "verdict": row.verdict,
                "r12": None if part.r12 != part.r12 else part.r12,
            }
            rows.append({"part": str(part.label), **row_of(row.result), **found})
    results = [result for part in breakdown.parts for result in part.results.values()]
    n = wording.counted(len(breakdown), "part")
    each = ", separately for each metric" if len(breakdown.metrics) > 1 else ""
    return Document(
        title=f"Results on {n}",
        tables=tables,
        notes=[f"p (Holm) is adjusted for {n}{each}.", *verdict.not_studentized(results)],
        rows=rows,
        record=recorded(results),
    )


@document_of.register
def _(found: Sensitivity) -> Document:  # type: ignore[type-arg]
    if not found:
        raise InputError("there are no results")
    by_unit: dict[str, Mapping[str, RandomizationResult]] = {
        unit: own if isinstance(own, Mapping) else {own.metric: own} for unit, own in found.items()
    }
    metrics = list(next(iter(by_unit.values())))
    results = [result for own in by_unit.values() for result in own.values()]
    rows = [
        [
            wording.noun(unit, 2),
            wording.count(max(result.n_units for result in own.values())),
            *(verdict.pvalue_text(own[metric], ALPHA) for metric in metrics),
        ]
        for unit, own in by_unit.items()
    ]
    headers = ["", "differ", *(f"p {wording.metric_title(metric)}" for metric in metrics)]
    return Document(
        title="p by the unit that is swapped",
        tables=[table("sensitivity", "n#" + "p" * len(metrics), headers, rows)],
        notes=[
            "The test assumes that the units it swaps are independent; report the largest that is "
            "known."
        ],
        rows=list(map(row_of, results)),
        record=recorded(results),
    )
