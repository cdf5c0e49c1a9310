"""Tests on matched pairs and on folds as documents."""

from __future__ import annotations

from csig import wording
from csig.folds import FoldTestResult
from csig.paired import McNemarResult, PairedTTestResult, SignTestResult
from csig.report.document import Document
from csig.report.measures import of_one
from csig.report.shown import document_of
from csig.signed_ranks import WilcoxonResult

__all__ = ["ZEROS"]

#: What became of units without a difference.
ZEROS = {
    "wilcox": "Units without a difference are left out.",
    "pratt": "Units without a difference are ranked, and their ranks are left out.",
    "zsplit": "Units without a difference are ranked, and each system has half of their ranks.",
}


def _interval(pair: tuple[float, float] | None, level: float | None) -> list[tuple[str, str]]:
    if pair is None or level is None:
        return []
    low, high = pair
    return [(f"{wording.decimal(100 * level)}% interval", f"{low:.4g} to {high:.4g}")]


@document_of.register
def _(result: SignTestResult) -> Document:
    a, b = result.names
    many = wording.noun(result.unit, 2)
    rows = [
        (f"{many} in which {a} is better", wording.count(result.n_a)),
        (f"{many} in which {b} is better", wording.count(result.n_b)),
        (f"p ({result.alternative})", wording.pvalue(result.pvalue)),
    ]
    title = f"Sign test of {wording.metric_title(result.metric)}"
    return of_one(result, title, rows, ["Exact; ties do not count.", result.assumes])


@document_of.register
def _(result: PairedTTestResult) -> Document:
    a, b = result.names
    rows = [
        (f"{a} - {b}", f"{result.difference:+.4g}"),
        ("standard error", f"{result.standard_error:.4g}"),
        *_interval(result.interval, result.confidence_level),
        ("t", f"{result.statistic:.4g}"),
        ("degrees of freedom", wording.count(result.df)),
        (f"p ({result.alternative})", wording.pvalue(result.pvalue)),
    ]
    units = wording.counted(result.n_units, result.unit)
    title = f"Paired t test of {wording.metric_title(result.metric)}: {units}"
    return of_one(result, title, rows, [result.assumes])


@document_of.register
def _(result: WilcoxonResult) -> Document:
    a, b = result.names
    many = wording.noun(result.unit, 2)
    rows = [
        (f"rank sum, {a} greater", f"{result.rank_sum_a:.12g}"),
        (f"rank sum, {b} greater", f"{result.rank_sum_b:.12g}"),
        (f"{many} without a difference", wording.count(result.n_zero)),
        ("z", f"{result.z:.4g}"),
        (f"p ({result.alternative})", wording.pvalue(result.pvalue, result.log_pvalue)),
    ]
    if result.method != "asymptotic":
        how = {"exact": "Exact", "mid-p": "Mid-p, exact"}[result.method]
        how += ", given the ranks, ties included." if result.ties else "."
    else:
        how = "From the normal distribution" + (
            ", corrected for continuity." if result.correction else "."
        )
    notes = [how, *([ZEROS[result.zero_method]] if result.n_zero else []), result.assumes]
    units = wording.counted(result.n_units, result.unit)
    title = f"Wilcoxon test of {wording.metric_title(result.metric)}: {units}"
    return of_one(result, title, rows, notes)


@document_of.register
def _(result: McNemarResult) -> Document:
    a, b = result.names
    rows = [
        (f"only {a}", wording.count(result.n_a)),
        (f"only {b}", wording.count(result.n_b)),
        *([("chi-square", f"{result.statistic:.4g}")] if result.method == "asymptotic" else []),
        (f"p ({result.alternative})", wording.pvalue(result.pvalue)),
    ]
    how = {"exact": "Exact.", "mid-p": "Mid-p."}.get(
        result.method,
        "From chi-square" + (", corrected for continuity." if result.correction else "."),
    )
    units = wording.counted(result.n_units, result.unit)
    title = f"McNemar test of {wording.metric_title(result.metric)}: {units}"
    return of_one(result, title, rows, [how, result.assumes])


@document_of.register
def _(result: FoldTestResult) -> Document:
    a, b = result.names
    error = result.standard_error
    rows = [
        (f"mean of {a} - {b}", f"{result.difference:+.4g}"),
        *([("standard error", f"{error:.4g}")] if error is not None else []),
        *_interval(result.interval, result.confidence_level),
        (result.test[-1], f"{result.statistic:.4g}"),
        ("degrees of freedom", wording.listed([wording.count(n) for n in result.df])),
        (f"p ({result.alternative})", wording.pvalue(result.pvalue)),
    ]
    name = result.test[:1].upper() + result.test[1:]
    title = f"{name} test: {wording.counted(result.n_folds, 'fold')}"
    return of_one(result, title, rows, [result.assumes])
