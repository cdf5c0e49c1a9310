"""Tests of independent samples, effects and runs as documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from csig import wording
from csig.dependence import CorrelationInterval
from csig.effects import Effect
from csig.independent import IndependentTestResult
from csig.probability.holm import Corrected
from csig.report.document import Cell, Column, Document, Table
from csig.report.shown import document_of
from csig.report.single import recorded
from csig.runs import RunVariance

__all__ = ["of_one"]


def of_one(
    result: Any, title: str, rows: Sequence[tuple[str, str]], notes: Sequence[str] = ()
) -> Document:
    """One result as a table of what and how much; its fields are a row for programs."""
    own = {f.name: getattr(result, f.name) for f in fields(result)}
    flat = {
        name: value
        for name, value in own.items()
        if value is None or isinstance(value, (str, int, float, bool))
    }
    table = Table(
        name="result",
        columns=[Column(title, "left"), Column("")],
        rows=[[Cell(what, "name"), Cell(number, "number")] for what, number in rows],
    )
    return Document(
        title=title, tables=[table], notes=notes, rows=[flat], record=recorded([result])
    )


@document_of.register
def _(result: IndependentTestResult) -> Document:
    name = {"t": "t", "proportions": "z"}.get(result.test, result.test)
    undefined = result.pvalue != result.pvalue
    rows = [
        (name, "undefined" if undefined else f"{result.statistic:.4g}"),
        *([("degrees of freedom", _degrees(result.df))] if result.df is not None else []),
        (
            f"p ({result.alternative})",
            "undefined" if undefined else wording.pvalue(result.pvalue),
        ),
    ]
    if result.r12 is not None:
        rows.append(("r12", "undefined" if result.r12 != result.r12 else f"{result.r12:.4g}"))
    form = {"Welch": "Welch's t", "unpooled": "unpooled proportions"}.get(
        result.variant, result.test
    )
    title = f"{wording.metric_title(result.metric)}: {form} test of independent samples"
    corrected = ["Corrected for continuity (Yates)."] if result.variant == "Yates" else []
    return of_one(result, title, rows, [*corrected, result.assumes, result.dependence])


def _degrees(df: float) -> str:
    return wording.count(df) if isinstance(df, int) else f"{df:.2f}"


#: How an interval for r12 was made.
_CORRELATIONS = {
    "phi": "Fisher's z with the spread of the 2 x 2 table, half an item added to every cell.",
    "fisher": "Fisher's z with the spread of the items' own results.",
    "none": "The items say nothing about r12: a system has the same result on all of them, or "
    "there are fewer than four.",
}


@document_of.register
def _(result: CorrelationInterval) -> Document:
    known = "undefined" if result.estimate != result.estimate else f"{result.estimate:.4g}"
    level = f"{wording.decimal(100 * result.confidence_level)}% interval"
    rows = [("r12", known), (level, f"{result.low:.4g} to {result.high:.4g}")]
    items = wording.counted(result.n_items, "item")
    title = f"Correlation of the results ({wording.metric_name(result.metric)}): {items}"
    return of_one(result, title, rows, [_CORRELATIONS[result.method]])


@document_of.register
def _(result: Effect) -> Document:
    a, b = result.names
    rows = [
        (f"{a} better", f"{wording.count(result.a_better)} ({100 * result.share_a_better:.1f}%)"),
        (f"{b} better", f"{wording.count(result.b_better)} ({100 * result.share_b_better:.1f}%)"),
        ("neither", wording.count(result.ties)),
    ]
    if result.flips is not None:
        flips = result.flips
        rows += [
            ("both right", wording.count(flips.both)),
            (f"only {a} right", wording.count(flips.only_a)),
            (f"only {b} right", wording.count(flips.only_b)),
            ("neither right", wording.count(flips.neither)),
        ]
    title = f"{wording.metric_title(result.metric)}: {wording.counted(result.n_units, result.unit)}"
    return of_one(result, title, rows)


@document_of.register
def _(result: RunVariance) -> Document:
    a, b = result.names
    unit = wording.noun(result.unit, 2)
    rows = []
    for i, name in enumerate((a, b)):
        if result.between_runs is not None:
            rows.append((f"{name}: between runs", f"{result.between_runs[i]:.4g}"))
        rows.append((f"{name}: between {unit}", f"{result.between_units[i]:.4g}"))
    rows.append((f"difference: other {unit}", f"{result.error_units:.4g}"))
    if result.error_runs is not None:
        rows.append(("difference: other runs", f"{result.error_runs:.4g}"))
    rows += [
        ("difference: both", f"{result.standard_error:.4g}"),
        ("degrees of freedom", f"{result.degrees_of_freedom:.4g}"),
    ]
    title = f"Standard errors of {wording.metric_title(result.metric)}"
    units = wording.counted(result.n_units, result.unit)
    runs = wording.counted(result.n_runs, "run")
    notes = [f"{units}, {runs} of each system{', in pairs' if result.paired else ''}."]
    return of_one(result, title, rows, notes)


@document_of.register
def _(row: Corrected) -> Document:  # type: ignore[type-arg]
    rows = [
        ("p", wording.pvalue(row.pvalue, row.log_pvalue)),
        ("p after Holm's correction", wording.pvalue(row.adjusted, row.log_adjusted)),
        ("verdict", row.verdict),
    ]
    return of_one(row, str(row.name), rows)
