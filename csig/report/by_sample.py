"""Ranking methods in many samples, and the difference of two, as documents."""

from __future__ import annotations

import math
from typing import Any

from csig import wording
from csig._version import __version__
from csig.ranking import opposed
from csig.ranking_by_sample import SampleComparison, SamplePrecision
from csig.report.document import Cell, Column, Document, Scalar, Table
from csig.report.forms import ALPHA, plain
from csig.report.ranked import LazyRows
from csig.report.shown import document_of

__all__: list[str] = []

#: What JSON has of every method's validation, beside the pairs.
_NUMBERS = (
    "precision", "mean_size", "expected_sd", "observed_sd", "ratio", "ratio_bound", "dispersion",
    "dispersion_pvalue", "kolmogorov", "kolmogorov_pvalue", "misses", "misses_pvalue",
)  # fmt: skip

_TIES = {
    "first": "of candidates tied at the cut those that come first in the table are taken",
    "all": "all candidates tied at the cut are taken",
}


def _record(kind: str, **own: Any) -> dict[str, Any]:
    return {
        "schema": "csig.results",
        "schema_version": 1,
        "csig_version": __version__,
        "results": [{"kind": kind, **plain(own)}],
    }


def _rule(result: SamplePrecision | SampleComparison) -> str:
    """What is accepted."""
    if result.n is not None:
        return (
            f"Accepted: the {wording.count(result.n)} best of every sample; {_TIES[result.ties]}."
        )
    if result.total is not None:
        return (
            f"Accepted: of every sample those among the {wording.count(result.total)} best of the "
            f"whole table; {_TIES[result.ties]}."
        )
    limits = zip(result.names, result.thresholds or (), strict=True)
    said = ", ".join(f"{name} {wording.decimal(own)}" for name, own in limits)
    return f"Accepted: candidates with these scores or better: {said}."


def _rows(result: SamplePrecision) -> list[dict[str, Scalar]]:
    rows: list[dict[str, Scalar]] = []
    for i, name in enumerate(result.names):
        own = result.validations[i]
        limits = iter(zip(own.low.tolist(), own.high.tolist(), strict=True))
        for k, sample in enumerate(result.samples):
            size, right = int(result.accepted[i, k]), int(result.true_positives[i, k])
            low, high = next(limits) if size else (None, None)
            rows.append(
                {
                    "method": name, "sample": sample, "accepted": size, "true_positives": right,
                    "precision": right / size if size else None, "low": low, "high": high,
                }
            )  # fmt: skip
    return rows


def _validations(result: SamplePrecision) -> list[dict[str, Any]]:
    found = []
    for name, own in zip(result.names, result.validations, strict=True):
        numbers: dict[str, Any] = {"name": name, "n_samples": len(own.sizes)}
        numbers |= {key: getattr(own, key) for key in _NUMBERS}
        for key in ("interval", "corrected_interval", "ratio_interval"):
            low, high = getattr(own, key)
            numbers |= {f"{key}_low": low, f"{key}_high": high}
        found.append(numbers)
    return found


def _table(result: SamplePrecision, level: str) -> Table:
    percent, alpha = wording.percent, 1 - result.confidence_level
    rows = []
    for name, own in zip(result.names, result.validations, strict=True):
        low, high = own.corrected_interval
        least, most = own.ratio_interval
        rows.append([
            Cell(name, "name"),
            Cell(percent(own.precision), "number"),
            Cell(f"{percent(low)} to {percent(high)}", "interval"),
            Cell(percent(own.expected_sd), "number"),
            Cell(percent(own.observed_sd), "number"),
            Cell(f"{own.ratio:.2f}", "number"),
            Cell(f"{least:.2f} to {most:.2f}", "interval"),
            Cell(f"{own.ratio_bound:.2f}", "number"),
            Cell(wording.pvalue(own.dispersion_pvalue, None, alpha), "pvalue"),
            Cell(f"{wording.count(own.misses)} of {wording.count(len(own.sizes))}", "number"),
        ])  # fmt: skip
    return Table(
        name="methods",
        columns=[
            Column("Method", "left"), Column("Precision, %", short="prec."),
            Column(f"{level}, corrected", short=level), Column("sd expected, %", short="sd exp."),
            Column("sd observed, %", short="sd obs."), Column("Ratio"),
            Column(f"{level} of the ratio", short=level),
            Column("At least, one-sided", short="at least"), Column("p"), Column("Misses"),
        ],
        rows=rows,
    )  # fmt: skip


@document_of.register
def _(result: SamplePrecision) -> Document:
    level = f"{wording.decimal(100 * result.confidence_level)}%"
    samples = wording.counted(len(result.samples), "sample")
    more = [
        name
        for name, own in zip(result.names, result.validations, strict=True)
        if own.overdispersed
    ]
    said = (
        f"Precision varies significantly more between samples than the binomial model says: "
        f"{', '.join(more)}. Tests that assume independent candidates find too much."
        if more
        else "No significant sign that precision varies more between samples than the binomial "
        "model says."
    )
    return Document(
        title=f"Precision in {samples}",
        doubts=result.doubts,
        verdict=[said],
        tables=[_table(result, level)],
        notes=[
            _rule(result),
            "Ratio: the standard deviation of a sample's precision, observed by expected; p is of "
            "more variation than the binomial model has, one-sided, not adjusted for the number of "
            "methods. Misses: intervals of single samples without the pooled precision.",
            "Samples are assumed to be independent of each other.",
        ],
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: _record(
            "SamplePrecision",
            n=result.n,
            total=result.total,
            thresholds=list(result.thresholds or ()) or None,
            ties=result.ties,
            confidence_level=result.confidence_level,
            samples=list(result.samples),
            methods=[
                {
                    **own,
                    "accepted": result.accepted[i].tolist(),
                    "true_positives": result.true_positives[i].tolist(),
                }
                for i, own in enumerate(_validations(result))
            ],
            doubts=list(result.doubts),
        ),
    )


def _pair_verdict(result: SampleComparison) -> str:
    (a, b), (first, second) = result.names, result.shares
    p = wording.pvalue(result.pvalue, None, ALPHA)
    if result.pvalue > ALPHA or math.isnan(first + second) or first == second:
        return f"No significant difference between {a} and {b} (p = {p}, whole samples swapped)."
    if opposed(result.difference, result.only_a, result.only_b):
        return (
            f"Neither is better in both ways (p = {p}, whole samples swapped): own candidates and "
            "whole lists differ in opposite directions."
        )
    better = a if first > second else b
    return f"{better} is significantly better (p = {p}, whole samples swapped)."


def _own_table(result: SampleComparison) -> Table:
    rows = []
    names = (*result.names, *(f"only {name}" for name in result.names))
    sizes = (*result.accepted.sum(axis=1).tolist(), sum(result.only_a), sum(result.only_b))
    right = (*result.true_positives.sum(axis=1).tolist(), result.only_a[0], result.only_b[0])
    ratios = (*(f"{own:.2f}" if own == own else "-" for own in result.ratios), "", "")
    for name, size, true, ratio in zip(names, sizes, right, ratios, strict=True):
        share = wording.percent(true / size) if size else "-"
        cells = (wording.count(size), wording.count(true), share, ratio)
        rows.append([Cell(name, "name"), *(Cell(own, "number") for own in cells)])
    return Table(
        name="lists",
        columns=[
            Column("Accepted by", "left"), Column("Candidates"), Column("True"),
            Column("True, %"), Column("sd ratio"),
        ],
        rows=rows,
    )  # fmt: skip


def _tests(result: SampleComparison) -> Table:
    found = [
        ("Whole samples swapped", result.pvalue),
        ("Fisher's exact test, of independent candidates", result.fisher_pvalue),
        ("Fisher's, corrected for the variation of the difference", result.corrected_pvalue),
    ]
    rows = [
        [Cell(name, "name"), Cell("-" if p != p else wording.pvalue(p, None, ALPHA), "pvalue")]
        for name, p in found
    ]
    return Table(name="tests", columns=[Column("Test", "left"), Column("p")], rows=rows)


def _numbers(result: SampleComparison) -> dict[str, Any]:
    found: dict[str, Any] = {"a": result.names[0], "b": result.names[1]}
    found |= {"n_samples": len(result.samples), "swapped": result.swapped}
    found |= {name: getattr(result, name) for name in ("n", "total", "ties", "alternative")}
    pairs = {
        "threshold": result.thresholds or (None, None),
        "size": result.accepted.sum(axis=1).tolist(),
        "true_positives": result.true_positives.sum(axis=1).tolist(),
        "precision": result.precision,
        "ratio": result.ratios,
        "only_true": (result.only_a[0], result.only_b[0]),
        "only_false": (result.only_a[1], result.only_b[1]),
    }
    found |= {
        f"{name}_{which}": value
        for name, own in pairs.items()
        for which, value in zip("ab", own, strict=True)
    }
    low, high = result.interval
    return found | {
        "difference": result.difference,
        "interval_low": low,
        "interval_high": high,
        "confidence_level": result.confidence_level,
        "ratio": result.ratio,
        "pvalue": result.pvalue,
        "fisher_pvalue": result.fisher_pvalue,
        "corrected_pvalue": result.corrected_pvalue,
        "randomization_method": result.test.method,
    }


@document_of.register
def _(result: SampleComparison) -> Document:
    a, b = result.names
    numbers = plain(_numbers(result))
    samples = wording.counted(len(result.samples), "sample")
    level = f"{wording.decimal(100 * result.confidence_level)}%"
    low, high = (wording.points(own, sign=True) for own in result.interval)
    difference = wording.points(result.difference, sign=True)
    how = f"{result.test.how[:1].upper()}{result.test.how[1:]}"
    ratio = "" if math.isnan(result.ratio) else (
        f" The standard deviation of the difference is {result.ratio:.2f} times that of "
        "independent candidates."
    )  # fmt: skip
    return Document(
        title=f"{a} and {b} in {samples}",
        doubts=result.doubts,
        verdict=[_pair_verdict(result)],
        tables=[_own_table(result), _tests(result)],
        notes=[
            f"{result.alternative[:1].upper()}{result.alternative[1:]}, {a} minus {b}: "
            f"{difference} points of precision, {level} interval {low} to {high}, from the "
            f"variation between samples.{ratio} Of a method's own precision: sd ratio.",
            _rule(result),
            f"Swapped: {how}. Candidates of a sample may depend on each other; samples are assumed "
            "to be independent. No significant difference is not evidence that the methods are "
            "equal.",
        ],
        rows=[numbers],
        record=lambda: _record(
            "SampleComparison",
            **numbers,
            samples=list(result.samples),
            **{
                f"{name}_{which}": own
                for name in ("accepted", "true_positives_by_sample")
                for which, own in zip(
                    "ab",
                    (result.accepted if name == "accepted" else result.true_positives).tolist(),
                    strict=True,
                )
            },
            doubts=list(result.doubts),
        ),
    )
