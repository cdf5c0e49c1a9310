"""Results by part of the data, and by unit, as documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csig import wording
from csig.breakdowns import Breakdown
from csig.errors import InputError
from csig.report import verdict
from csig.report.document import Cell, Column, Document, Scalar, Table
from csig.report.shown import document_of
from csig.report.single import ALPHA, columns_of, recorded, row_of, scores_of, verdict_cell
from csig.results import RandomizationResult
from csig.sensitivities import Sensitivity

__all__: list[str] = []


def _of_metric(breakdown: Breakdown, metric: str) -> Table:
    first = breakdown.parts[0].results[metric]
    rows = []
    for row in breakdown.corrected(metric, ALPHA):
        own = row.result
        shares = wording.in_percent(own.score_a, own.score_b, own.metric)
        rows.append([
            Cell(str(row.name), "name"),
            *scores_of(own, shares),
            Cell(wording.score_difference(own.statistic, shares, sign=True), "number"),
            Cell(wording.pvalue(row.adjusted, row.log_adjusted, ALPHA), "pvalue"),
            verdict_cell(own, row.verdict),
        ])  # fmt: skip
    columns = [Column("", "left"), *columns_of(first.names), Column("p (Holm)"), Column("", "left")]
    return Table(name=metric, columns=columns, rows=rows, title=wording.metric_title(metric))


@document_of.register
def _(breakdown: Breakdown) -> Document:
    rows: list[Mapping[str, Scalar]] = []
    for metric in breakdown.metrics:
        corrected = breakdown.corrected(metric, ALPHA)
        for part, row in zip(breakdown.parts, corrected, strict=True):
            own = {
                "part": str(part.label),
                **row_of(row.result),
                "adjusted_pvalue": row.adjusted,
                "verdict": row.verdict,
                "r12": None if part.r12 != part.r12 else part.r12,
            }
            rows.append(own)
    results = [result for part in breakdown.parts for result in part.results.values()]
    n = wording.counted(len(breakdown), "part")
    each = ", separately for each metric" if len(breakdown.metrics) > 1 else ""
    return Document(
        title=f"Results on {n}",
        tables=[_of_metric(breakdown, metric) for metric in breakdown.metrics],
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
    table_rows: list[list[Cell]] = []
    rows: list[Mapping[str, Scalar]] = []
    results: list[Any] = []
    for unit, own in by_unit.items():
        n = max(result.n_units for result in own.values())
        cells = [Cell(verdict.pvalue_text(own[metric], ALPHA), "pvalue") for metric in metrics]
        table_rows.append([Cell(wording.noun(unit, 2), "name"), Cell(wording.count(n), "number")])
        table_rows[-1] += cells
        rows += [row_of(result) for result in own.values()]
        results += own.values()
    columns = [Column("", "left"), Column("differ")]
    columns += [Column(f"p {wording.metric_title(metric)}") for metric in metrics]
    return Document(
        title="p by the unit that is swapped",
        tables=[Table(name="sensitivity", columns=columns, rows=table_rows)],
        notes=[
            "The test assumes that the units it swaps are independent; report the largest that is "
            "known."
        ],
        rows=rows,
        record=recorded(results),
    )
