"""The n best of ranking methods, two of them, and many samples of one, as documents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csig import wording
from csig._version import __version__
from csig.ranking import NBestCurve, NBestResult, RankingComparison, opposed
from csig.ranking_curves import RankingCurves, RankingRegion, widest
from csig.ranking_samples import BinomialValidation
from csig.report.document import Cell, Column, Document, Scalar, Table
from csig.report.drawn import picture_of
from csig.report.forms import ALPHA, plain
from csig.report.ranked import LazyRows
from csig.report.shown import document_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ARRAYS", "MOST_LENGTHS", "MOST_RANGES", "TIES", "places", "where_better"]

#: Lengths of lists that are printed one by one; of more 10, 20, 50, 100, 200, ... are.
MOST_LENGTHS = 20

#: If fewer of these are among the lengths, some at equal distances are printed instead.
FEWEST_LENGTHS = 4

#: Ranges of lengths that a sentence or a cell has; of more the widest.
MOST_RANGES = 3

#: What is done with ties at the cut, in words.
TIES = {
    "expected": "Ties at the cut: the mean over all orders of the tied candidates.",
    "first": "Ties at the cut: the candidates that come first in the table.",
    "all": "Ties at the cut: all tied candidates are taken, so lists can be longer than n.",
}


def _record(kind: str, **own: Any) -> Mapping[str, Any]:
    return {
        "schema": "csig.results",
        "schema_version": 1,
        "csig_version": __version__,
        "results": [{"kind": kind, **plain(own)}],
    }


def places(n: Sequence[int]) -> list[int]:
    """Which of the lengths are printed."""
    if len(n) <= MOST_LENGTHS:
        return list(range(len(n)))
    wanted = {m * 10**k for m in (1, 2, 5) for k in range(1, 19)} | {n[-1]}
    found = [i for i, own in enumerate(n) if own in wanted]
    if len(found) >= FEWEST_LENGTHS:
        return found
    return [i * (len(n) - 1) // (MOST_LENGTHS // 2 - 1) for i in range(MOST_LENGTHS // 2)]


def _not_printed(n: Sequence[int]) -> list[str]:
    """Where the other lengths are."""
    if len(places(n)) == len(n):
        return []
    return [f"All {wording.count(len(n))} lengths are in CSV, JSON and data frames."]


def _curve_table(curve: NBestCurve, place: int, level: str) -> Table:
    percent = wording.percent
    columns = [
        Column("n", "left"), Column("True"), Column("Precision, %", short="prec."),
        Column(f"{level}, this n", short=level), Column(f"{level}, all n", short="all n"),
        Column("Recall, %", short="recall"), Column("Tied"),
    ]  # fmt: skip
    rows = []
    for i in places(curve.n.tolist()):
        size = f" ({wording.count(int(curve.size[i]))})" if curve.size[i] > curve.n[i] else ""
        tied = int(curve.tied[i])
        rows.append([
            Cell(f"{wording.count(int(curve.n[i]))}{size}", "name"),
            Cell(f"{curve.true_positives[i]:.6g}", "number"),
            Cell(percent(curve.precision[i]), "number"),
            Cell(f"{percent(curve.low[i])} to {percent(curve.high[i])}", "interval"),
            Cell(f"{percent(curve.band_low[i])} to {percent(curve.band_high[i])}", "interval"),
            Cell(percent(curve.recall[i]), "number"),
            Cell(wording.count(tied) if tied else "-", "number"),
        ])  # fmt: skip
    average = f"average precision {percent(curve.average_precision)}%"
    name = f"curve {place}" if place > 1 else "curve"  # labels in LaTeX differ
    return Table(name=name, title=f"{curve.name}: {average}", columns=columns, rows=rows)


#: The arrays of a curve, in the order of CSV.
ARRAYS = (
    "n", "size", "true_positives", "precision", "recall", "low", "high", "band_low", "band_high",
    "tied", "lowest", "highest",
)  # fmt: skip


def _rows(result: NBestResult) -> list[dict[str, Scalar]]:
    rows: list[dict[str, Scalar]] = []
    for own in result.curves:
        columns = [getattr(own, name).tolist() for name in ARRAYS]
        rows += [
            {"method": own.name, **dict(zip(ARRAYS, values, strict=True))}
            for values in zip(*columns, strict=True)
        ]
    return rows


def _alt(result: NBestResult) -> str:
    """The picture in words."""
    methods = wording.few([wording.clean(own.name) for own in result.curves], MOST_LENGTHS)
    last = wording.count(int(result.curves[0].n[-1]))
    return f"Precision of the n best over n, up to {last}: {methods}."


@document_of.register
def _(result: NBestResult) -> Document:
    level = f"{wording.decimal(100 * result.confidence_level)}%"
    candidates = wording.counted(result.n_candidates, "candidate")
    name = {"clopper-pearson": "Clopper-Pearson", "wilson": "Wilson"}[result.interval]
    notes = [
        f"{candidates}, {wording.count(result.n_true)} true.",
        TIES[result.ties],
        f"Intervals are for other samples of the same kind: {name} for every n by itself; all n of "
        "a method hold at once. Both assume that candidates are independent of each other.",
    ]
    notes += _not_printed(result.curves[0].n.tolist())
    return Document(
        title=f"The n best of {candidates}",
        tables=[_curve_table(own, i, level) for i, own in enumerate(result.curves, 1)],
        notes=notes,
        explanation=picture_of(result, "precision", _alt(result)),
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: _record(
            "NBestResult",
            n_candidates=result.n_candidates,
            n_true=result.n_true,
            ties=result.ties,
            interval=result.interval,
            confidence_level=result.confidence_level,
            curves=[
                {
                    "name": own.name,
                    "average_precision": own.average_precision,
                    **{array: getattr(own, array).tolist() for array in ARRAYS},
                }
                for own in result.curves
            ],
        ),
    )


def _share(own: tuple[int, int]) -> str:
    return f"{wording.percent(own[0] / sum(own))}%" if sum(own) else "none"


def _verdict(result: RankingComparison) -> str:
    a, b = result.names
    p = wording.pvalue(result.pvalue, None, ALPHA)
    first, second = result.shares
    if result.pvalue > ALPHA or first == second or math.isnan(first + second):
        return f"No significant difference between {a} and {b} (p = {p}, Fisher's exact test)."
    better, other = (a, b) if first > second else (b, a)
    high, low = sorted((result.only_a, result.only_b), key=lambda own: -own[0] / sum(own))
    shares = (
        f"of the candidates that only {better} accepts {_share(high)} are true, of those that only "
        f"{other} accepts {_share(low)}"
    )
    if opposed(result.difference, result.only_a, result.only_b):
        return (
            f"Neither is better in both ways: {shares} (p = {p}, Fisher's exact test), but the "
            f"{wording.metric_name(result.metric)} of the whole list is higher for {other}."
        )
    return f"{better} is significantly better (p = {p}, Fisher's exact test): {shares}."


def _lists(result: RankingComparison) -> Table:
    a, b = result.names
    both = (result.both_true, result.both_false)
    rows = []
    for name, (right, wrong) in (
        (a, (result.true_positives[0], result.sizes[0] - result.true_positives[0])),
        (b, (result.true_positives[1], result.sizes[1] - result.true_positives[1])),
        ("both", both),
        (f"only {a}", result.only_a),
        (f"only {b}", result.only_b),
    ):
        share = wording.percent(right / (right + wrong)) if right + wrong else "-"
        cells = (wording.count(right + wrong), wording.count(right), wording.count(wrong), share)
        rows.append([Cell(name, "name"), *(Cell(own, "number") for own in cells)])
    return Table(
        name="lists",
        columns=[
            Column("Accepted by", "left"), Column("Candidates"), Column("True"), Column("False"),
            Column("True, %"),
        ],
        rows=rows,
    )  # fmt: skip


def _tests(result: RankingComparison) -> Table:
    undefined = math.isnan(result.chi_square)
    chi = "undefined" if undefined else wording.pvalue(result.chi_square_pvalue)
    metric = wording.metric_name(result.metric)
    tests = [
        ("Fisher's exact test", wording.pvalue(result.pvalue, None, ALPHA)),
        ("Chi-square test, two-sided", chi),
        (f"Randomization test, {metric}", wording.pvalue(result.test.pvalue, None, ALPHA)),
    ]
    return Table(
        name="tests",
        columns=[Column("Test", "left"), Column("p")],
        rows=[[Cell(name, "name"), Cell(p, "pvalue")] for name, p in tests],
    )


def _numbers(result: RankingComparison) -> dict[str, Any]:
    """All numbers by name."""
    names = ("n", "ties", "alternative", "metric", "difference", "both_true", "both_false")
    pairs = ("thresholds", "tied", "sizes", "true_positives")
    return {
        "a": result.names[0],
        "b": result.names[1],
        **{name: getattr(result, name) for name in names},
        **{
            f"{name}_{which}": value
            for name in pairs
            for which, value in zip("ab", getattr(result, name), strict=True)
        },
        "only_a_true": result.only_a[0],
        "only_a_false": result.only_a[1],
        "only_b_true": result.only_b[0],
        "only_b_false": result.only_b[1],
        "pvalue": result.pvalue,
        "chi_square": result.chi_square,
        "chi_square_pvalue": result.chi_square_pvalue,
        "least_expected": result.least_expected,
        "randomization_pvalue": result.test.pvalue,
        "randomization_method": result.test.method,
    }


@document_of.register
def _(result: RankingComparison) -> Document:
    a, b = result.names
    numbers = plain(_numbers(result))
    how = f"{result.test.how[:1].upper()}{result.test.how[1:]}"
    wanted = f"the {wording.count(result.n)} best" if result.n is not None else "thresholds"
    return Document(
        title=f"{a} and {b}: {wanted}",
        doubts=result.doubts,
        verdict=[_verdict(result)],
        tables=[_lists(result), _tests(result)],
        notes=[
            f"{result.alternative[:1].upper()}{result.alternative[1:]}, {a} minus {b}. Fisher's "
            "test and chi-square compare the candidates that only one method accepts.",
            f"Randomization test of the whole lists: {how}.",
            "All assume that candidates are independent of each other. No significant difference "
            "is not evidence that the methods are equal.",
        ],
        rows=[numbers],
        record=lambda: _record("RankingComparison", **numbers, doubts=list(result.doubts)),
    )


def where_better(regions: Sequence[RankingRegion], name: str, n: NDArray[np.int64]) -> str:
    """At which of the lengths a method is better, of many ranges the widest; else nothing."""
    found = [own for own in regions if own.better == name]
    if not found:
        return ""
    shown, others = widest(found, n, MOST_RANGES)
    ends = [(wording.count(own.first), wording.count(own.last)) for own in shown]
    said = [
        f"from n = {first} to {last}" if first != last else f"at n = {first}"
        for first, last in ends
    ]
    if others:
        said.append(f"in {wording.counted(others, 'more range')}")
    steps = n.tolist()
    gaps = any(
        own.last - own.first > steps.index(own.last) - steps.index(own.first) for own in shown
    )
    return wording.listed(said) + (" of the lengths tested" if gaps else "")


def _curve_cells(result: RankingCurves, i: int) -> list[Cell]:
    a, b = result.names
    cell = Cell("no evidence", "verdict", "quiet")
    if result.a_better[i]:
        cell = Cell(f"* {a} better", "verdict", "better")
    elif result.b_better[i]:
        cell = Cell(f"* {b} better", "verdict", "worse")
    return [
        Cell(wording.count(int(result.n[i])), "name"),
        *(Cell(wording.percent(own[i]), "number") for own in result.precision),
        Cell(wording.points(float(result.difference[i]), sign=True), "number"),
        Cell(wording.pvalue(float(result.pvalues[i])), "pvalue"),
        Cell(wording.pvalue(float(result.adjusted[i]), None, result.alpha), "pvalue"),
        cell,
    ]


#: The arrays of two curves, in the order of CSV.
_CURVES = (
    "n", "size_a", "size_b", "precision_a", "precision_b", "difference", "pvalue",
    "adjusted_pvalue", "a_better", "b_better",
)  # fmt: skip


def _arrays(result: RankingCurves) -> dict[str, list[Any]]:
    found = (
        result.n, *result.sizes, *result.precision, result.difference, result.pvalues,
        result.adjusted, result.a_better, result.b_better,
    )  # fmt: skip
    return {name: own.tolist() for name, own in zip(_CURVES, found, strict=True)}


def _curve_rows(result: RankingCurves) -> list[dict[str, Scalar]]:
    arrays = _arrays(result)
    return [dict(zip(arrays, values, strict=True)) for values in zip(*arrays.values(), strict=True)]


@document_of.register
def _(result: RankingCurves) -> Document:
    a, b = result.names
    said = [
        f"{own} is significantly better {where_better(result.regions, own, result.n)}."
        for own in dict.fromkeys(region.better for region in result.regions)
    ]
    entropy = result.seed.entropy
    seed = entropy if isinstance(entropy, int) else ", ".join(map(str, entropy))
    lengths = wording.counted(len(result.n), "length")
    where = f"any of {lengths}" if len(result.n) > 1 else f"n = {wording.count(int(result.n[0]))}"
    return Document(
        title=f"{a} and {b}: {lengths} of lists",
        doubts=result.doubts,
        verdict=said or [f"No significant difference between {a} and {b} at {where}."],
        tables=[
            Table(
                name="lengths",
                columns=[
                    Column("n", "left"), Column(f"{a}, %"), Column(f"{b}, %"),
                    Column(f"{a} - {b}", short="diff."), Column("p"),
                    Column("Adjusted p", short="adj. p"), Column("Verdict", "left"),
                ],
                rows=[_curve_cells(result, i) for i in places(result.n.tolist())],
            )
        ],
        notes=[
            f"Precision of the n best; {TIES[result.ties][:1].lower()}{TIES[result.ties][1:]}",
            f"Adjusted for {lengths}: no claim is false with a probability of about "
            f"{wording.decimal(100 * (1 - result.alpha))}%, if candidates are independent of each "
            "other. No significant difference is not evidence that the methods are equal.",
            f"Flips: {wording.count(result.n_resamples)} of "
            f"{wording.counted(result.n_candidates, 'candidate')}, seed {seed}.",
            *_not_printed(result.n.tolist()),
        ],
        explanation=picture_of(
            result, "difference", " ".join([f"Precision of {a} minus that of {b} over n.", *said])
        ),
        rows=LazyRows(lambda: _curve_rows(result)),
        record=lambda: _record(
            "RankingCurves",
            a=a,
            b=b,
            alpha=result.alpha,
            ties=result.ties,
            n_candidates=result.n_candidates,
            n_resamples=result.n_resamples,
            seed={
                **vars(result.seed),
                "entropy": list(map(str, (entropy,) if isinstance(entropy, int) else entropy)),
            },
            regions=[vars(own) for own in result.regions],
            doubts=list(result.doubts),
            curves=_arrays(result),
        ),
    )  # fmt: skip


#: What CSV has of samples, beside the pairs and the arrays.
_NUMBERS = (
    "precision", "truth", "given", "mean_size", "expected_sd", "observed_sd", "ratio",
    "ratio_bound", "pooled_ratio", "dispersion", "dispersion_pvalue", "kolmogorov",
    "kolmogorov_pvalue", "misses", "misses_pvalue", "pvalue", "corrected_pvalue",
    "confidence_level",
)  # fmt: skip


def _sample_numbers(result: BinomialValidation) -> dict[str, Any]:
    found = {"samples": len(result.sizes), "candidates": sum(result.sizes.tolist())}
    found |= {name: getattr(result, name) for name in _NUMBERS}
    for name in ("interval", "corrected_interval", "ratio_interval"):
        own = getattr(result, name)
        found |= {f"{name}_low": own[0], f"{name}_high": own[1]}
    return found


def _sample_verdict(result: BinomialValidation) -> str:
    p = wording.pvalue(result.dispersion_pvalue, None, 1 - result.confidence_level)
    low, high = result.ratio_interval
    ratio = (
        f"{result.ratio:.3f} times the expected one, {low:.3f} to {high:.3f}, and at least "
        f"{result.ratio_bound:.3f} one-sided"
    )
    if not result.overdispersed:
        return (
            "No significant sign that the samples vary more than the binomial model says: the "
            f"standard deviation is {ratio} (p = {p})."
        )
    return (
        f"The samples vary significantly more than the binomial model says: the standard deviation "
        f"is {ratio} (p = {p}). Tests that assume independent candidates find too much."
    )


def _sample_tables(result: BinomialValidation, level: str) -> list[Table]:
    percent, p = wording.percent, wording.pvalue
    alpha = 1 - result.confidence_level

    def limits(own: tuple[float, float]) -> str:
        return f"{percent(own[0])} to {percent(own[1])}"

    numbers = [
        ("Precision, %", percent(result.precision)),
        (f"{level} interval, binomial", limits(result.interval)),
        (f"{level} interval, corrected", limits(result.corrected_interval)),
        ("Standard deviation, expected, %", percent(result.expected_sd)),
        ("Standard deviation, observed, %", percent(result.observed_sd)),
    ]
    missed = f"{wording.count(result.misses)} of {wording.count(len(result.sizes))}"
    tests = [
        (
            "Dispersion, chi-square",
            f"{result.dispersion:.2f}",
            p(result.dispersion_pvalue, None, alpha),
        ),
        ("Kolmogorov's D", f"{result.kolmogorov:.4f}", p(result.kolmogorov_pvalue, None, alpha)),
        (f"{level} intervals that miss", missed, p(result.misses_pvalue, None, alpha)),
    ]
    if result.given:
        given = f"Precision is {percent(result.truth)}%"
        tests += [
            (f"{given}, binomial", "", p(result.pvalue, None, alpha)),
            (f"{given}, corrected", "", p(result.corrected_pvalue, None, alpha)),
        ]
    return [
        Table(
            name="samples",
            columns=[Column("", "left"), Column("All samples")],
            rows=[[Cell(name, "name"), Cell(own, "number")] for name, own in numbers],
        ),
        Table(
            name="tests",
            columns=[Column("Test", "left"), Column("Found"), Column("p")],
            rows=[
                [Cell(name, "name"), Cell(own, "number"), Cell(value, "pvalue")]
                for name, own, value in tests
            ],
        ),
    ]


@document_of.register
def _(result: BinomialValidation) -> Document:
    level = f"{wording.decimal(100 * result.confidence_level)}%"
    samples = wording.counted(len(result.sizes), "sample")
    numbers = plain(_sample_numbers(result))
    sizes = int(result.sizes.min()), int(result.sizes.max())
    size = " to ".join(wording.count(own) for own in dict.fromkeys(sizes))
    arrays = ("true_positives", "sizes", "low", "high", "edges", "counts", "expected_counts")
    truth = "the precision that was given" if result.given else "the pooled precision"
    return Document(
        title=f"The binomial model in {samples}",
        doubts=result.doubts,
        verdict=[_sample_verdict(result)],
        tables=_sample_tables(result, level),
        notes=[
            f"{samples} of {size} candidates, independent of each other; Clopper-Pearson "
            f"intervals. Kolmogorov's test and the misses are about {truth}.",
            "Dispersion and misses are tested one-sided. No significant sign is not evidence that "
            "the model is right.",
            "Corrected: from the observed variation of the samples, if it is above the expected "
            "one, with Student's distribution.",
        ],
        explanation=picture_of(
            result,
            "histogram",
            f"Histogram of the precision of {samples}. {_sample_verdict(result)}",
        ),
        rows=[numbers],
        record=lambda: _record(
            "BinomialValidation",
            **numbers,
            **{name: getattr(result, name).tolist() for name in arrays},
            doubts=list(result.doubts),
        ),
    )
