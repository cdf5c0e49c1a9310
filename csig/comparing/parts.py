"""Results by part of the data and by unit, effects and runs as documents."""

from __future__ import annotations

from collections.abc import Mapping

from csig.base import wording
from csig.base.errors import InputError
from csig.comparing import verdict
from csig.comparing.breakdowns import Breakdown
from csig.comparing.effects import Effect
from csig.comparing.report import compared, row_of, scores_of, verdict_cell
from csig.comparing.runs import RunVariance
from csig.comparing.sensitivities import Sensitivity
from csig.report.document import Document, Scalar
from csig.report.forms import ALPHA, Text, of_one, picked, recorded, table
from csig.report.shown import document_of
from csig.results.randomization import RandomizationResult


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


@document_of.register
def _(result: Effect) -> Document:
    a, b = result.names
    rows = [
        (f"{a} better", f"{wording.count(result.a_better)} ({100 * result.share_a_better:.1f}%)"),
        (f"{b} better", f"{wording.count(result.b_better)} ({100 * result.share_b_better:.1f}%)"),
        ("neither", wording.count(result.ties)),
    ]
    if result.flips is not None:
        names = ("both right", f"only {a} right", f"only {b} right", "neither right")
        counts = picked(result.flips, "both only_a only_b neither").values()
        rows += zip(names, map(wording.count, counts), strict=True)
    title = f"{wording.metric_title(result.metric)}: {wording.counted(result.n_units, result.unit)}"
    return of_one(result, title, rows)


@document_of.register
def _(result: RunVariance) -> Document:
    unit = wording.noun(result.unit, 2)
    found: list[tuple[str, float | None]] = []
    for i, name in enumerate(result.names):
        if result.between_runs is not None:
            found.append((f"{name}: between runs", result.between_runs[i]))
        found.append((f"{name}: between {unit}", result.between_units[i]))
    found += [
        (f"difference: other {unit}", result.error_units),
        ("difference: other runs", result.error_runs),
        ("difference: both", result.standard_error),
        ("degrees of freedom", result.degrees_of_freedom),
    ]
    title = f"Standard errors of {wording.metric_title(result.metric)}"
    units = wording.counted(result.n_units, result.unit)
    runs = wording.counted(result.n_runs, "run")
    notes = [f"{units}, {runs} of each system{', in pairs' if result.paired else ''}."]
    rows = [(what, f"{value:.4g}") for what, value in found if value is not None]
    return of_one(result, title, rows, notes)
