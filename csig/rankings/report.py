"""Ranking methods as documents: the n best, many samples, and several methods with their pairs."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig._version import __version__
from csig.base import wording
from csig.base.wording import count, counted, percent, points, pvalue
from csig.comparing import signature
from csig.comparing.options import digits_of, record_of_seed
from csig.probability.binomial import least_pvalue
from csig.rankings.methods import MethodPair, RankedMethods, RankingRegion, where, widest
from csig.rankings.nbest import NBestResult
from csig.rankings.samples import BinomialValidation, SamplePair, SamplePrecision, sizes_text
from csig.report.document import (
    Block,
    Cell,
    Citation,
    Document,
    LazyRows,
    Names,
    Row,
    Section,
    Table,
    Text,
    head,
    paired,
    picked,
    plain,
    record,
    record_of_doubts,
    table,
)  # fmt: skip
from csig.report.shown import document_of, picture_of

#: Lengths of lists that are printed one by one; of more 10, 20, 50, 100, 200, ... are.
MOST_LENGTHS = 20

#: If fewer of these are among the lengths, some at equal distances are printed instead.
FEWEST_LENGTHS = 4

#: Ranges of lengths that a sentence or a cell has; of more the widest.
MOST_RANGES = 3

#: Pairs that are printed; programs get all of them.
MOST_PAIRS = 45

#: Lengths side by side, and methods that a sentence names.
BESIDE, NAMED = 6, 12

#: Rows of pairs at every length that --explain prints.
MOST_ROWS = 400

#: What is done with ties at the cut, in words.
TIES = {
    "expected": "Ties at the cut: the mean over all orders of the tied candidates.",
    "first": "Ties at the cut: the candidates that come first in the table.",
    "all": "Ties at the cut: all tied candidates are taken, so lists can be longer than n.",
}

#: The same of the lists of samples.
TIES_OF_SAMPLES = {
    "first": "of candidates tied at the cut those that come first in the table are taken",
    "all": "all candidates tied at the cut are taken",
}

#: What follows from samples that vary more than the model says.
TOO_MUCH = " Tests that assume independent candidates reject too often."

#: The arrays of a curve, in the order of CSV.
ARRAYS = (
    "n", "size", "true_positives", "precision", "recall", "low", "high", "band_low", "band_high",
    "tied", "lowest", "highest",
)  # fmt: skip

Headers = list[str | tuple[str, str]]


def _level(result: NBestResult | BinomialValidation | SamplePrecision) -> str:
    return f"{wording.decimal(100 * result.confidence_level)}%"


def _ends(pair: Sequence[float]) -> str:
    """Both ends of an interval."""
    return f"{percent(pair[0])} to {percent(pair[1])}"


# ---- the n best --------------------------------------------------------------------------------


def _places(n: Sequence[int]) -> list[int]:
    """Which of the lengths are printed."""
    if len(n) <= MOST_LENGTHS:
        return list(range(len(n)))
    wanted = {m * 10**k for m in (1, 2, 5) for k in range(1, 19)} | {n[-1]}
    round_ones = [i for i, own in enumerate(n) if own in wanted]
    if len(round_ones) >= FEWEST_LENGTHS:
        return round_ones
    return [i * (len(n) - 1) // (MOST_LENGTHS // 2 - 1) for i in range(MOST_LENGTHS // 2)]


@document_of.register
def _(result: NBestResult) -> Document:
    level, candidates = _level(result), counted(result.n_candidates, "candidate")
    n = result.curves[0].n.tolist()
    notes = [
        f"{candidates}, {count(result.n_true)} true.",
        TIES[result.ties],
        f"Intervals are for other samples of the same kind: {result.interval.title()} for every n "
        "by itself; all n of a method hold at once. Both assume that candidates are independent of "
        "each other.",
    ]
    if len(_places(n)) < len(n):
        notes.append(f"All {count(len(n))} lengths are in CSV, JSON and data frames.")
    tables = []
    for place, own in enumerate(result.curves, 1):
        rows = []
        for i in _places(n):
            size = f" ({count(int(own.size[i]))})" if own.size[i] > own.n[i] else ""
            tied = int(own.tied[i])
            rows.append([
                f"{count(int(own.n[i]))}{size}", f"{own.true_positives[i]:.6g}",
                percent(own.precision[i]), _ends((own.low[i], own.high[i])),
                _ends((own.band_low[i], own.band_high[i])), percent(own.recall[i]),
                count(tied) if tied else "-",
            ])  # fmt: skip
        title = f"{own.name}: average precision {percent(own.average_precision)}%"
        headers: Headers = [
            "n", "True", ("Precision, %", "prec."), (f"{level}, this n", level),
            (f"{level}, all n", "all n"), ("Recall, %", "recall"), "Tied",
        ]  # fmt: skip
        label = f"curve {place}" if place > 1 else "curve"  # labels in LaTeX differ
        tables.append(table(label, "n##ii##", headers, rows, title))
    methods = wording.few([wording.clean(own.name) for own in result.curves], MOST_LENGTHS)
    alt = f"Precision of the n best over n, up to {count(n[-1])}: {methods}."
    return Document(
        title=f"The n best of {candidates}",
        tables=tables,
        notes=notes,
        explanation=picture_of(result, "precision", alt),
        rows=LazyRows(
            lambda: [
                {"method": own.name, **dict(zip(ARRAYS, values, strict=True))}
                for own in result.curves
                for values in zip(*(getattr(own, name).tolist() for name in ARRAYS), strict=True)
            ]
        ),
        record=lambda: record(
            "NBestResult",
            **picked(result, "n_candidates n_true ties interval confidence_level"),
            curves=[
                picked(own, "name average_precision")
                | {array: getattr(own, array).tolist() for array in ARRAYS}
                for own in result.curves
            ],
        ),
    )


# ---- samples -----------------------------------------------------------------------------------


#: What CSV and JSON have of samples beside intervals and arrays; of those of a method fewer.
NUMBERS = (
    "precision truth given mean_size expected_sd observed_sd ratio ratio_bound pooled_ratio "
    "dispersion dispersion_pvalue kolmogorov kolmogorov_pvalue misses misses_pvalue pvalue "
    "corrected_pvalue confidence_level"
)
OF_METHOD = (
    "precision mean_size expected_sd observed_sd ratio ratio_bound dispersion dispersion_pvalue "
    "kolmogorov kolmogorov_pvalue misses misses_pvalue"
)


def _intervals(own: BinomialValidation) -> dict[str, Any]:
    return paired(picked(own, "interval corrected_interval ratio_interval"), ("low", "high"))


@document_of.register
def _(result: BinomialValidation) -> Document:
    level, alpha = _level(result), 1 - result.confidence_level
    samples = counted(len(result.sizes), "sample")

    def p(value: float) -> str:
        return pvalue(value, None, alpha)

    low, high = result.ratio_interval
    ratio = (
        f"{result.ratio:.3f} times the expected one, {low:.3f} to {high:.3f}, and at least "
        f"{result.ratio_bound:.3f} one-sided"
    )
    start = "No significant sign that the samples vary more than"
    if result.overdispersed:
        start = "The samples vary significantly more than"
    verdict = (
        f"{start} the binomial model says: the standard deviation is {ratio} "
        f"(p = {p(result.dispersion_pvalue)}).{TOO_MUCH * result.overdispersed}"
    )
    all_samples = [
        ("Precision, %", percent(result.precision)),
        (f"{level} interval, binomial", _ends(result.interval)),
        (f"{level} interval, corrected", _ends(result.corrected_interval)),
        ("Standard deviation, expected, %", percent(result.expected_sd)),
        ("Standard deviation, observed, %", percent(result.observed_sd)),
    ]
    missed = f"{count(result.misses)} of {count(len(result.sizes))}"
    tests = [
        ("Dispersion, chi-square", f"{result.dispersion:.2f}", p(result.dispersion_pvalue)),
        ("Kolmogorov's D", f"{result.kolmogorov:.4f}", p(result.kolmogorov_pvalue)),
        (f"{level} intervals that miss", missed, p(result.misses_pvalue)),
    ]
    if result.given:
        given = f"Precision is {percent(result.truth)}%"
        tests += [
            (f"{given}, binomial", "", p(result.pvalue)),
            (f"{given}, corrected", "", p(result.corrected_pvalue)),
        ]
    numbers = plain(
        {"samples": len(result.sizes), "candidates": sum(result.sizes.tolist())}
        | picked(result, NUMBERS)
        | _intervals(result)
    )
    size = sizes_text(result.sizes)
    truth = "the precision that was given" if result.given else "the pooled precision"
    alt = f"Histogram of the precision of {samples}. {verdict}"
    arrays = ("true_positives", "sizes", "low", "high", "edges", "counts", "expected_counts")
    return Document(
        title=f"The binomial model in {samples}",
        doubts=result.doubts,
        verdict=[verdict],
        tables=[
            table("samples", "n#", ["", "All samples"], all_samples),
            table("tests", "n#p", ["Test", "Found", "p"], tests),
        ],
        notes=[
            f"{samples} of {size} candidates, independent of each other; Clopper-Pearson "
            f"intervals. Kolmogorov's test and the misses are about {truth}.",
            "Dispersion and misses are tested one-sided. No significant sign is not evidence that "
            "the model is right.",
            "Corrected: from the observed variation of the samples, if it is above the expected "
            "one, with Student's distribution.",
        ],
        explanation=picture_of(result, "histogram", alt),
        rows=[numbers],
        record=lambda: record(
            "BinomialValidation",
            **numbers,
            **{name: getattr(result, name).tolist() for name in arrays},
            doubts=result.doubts,
        ),
    )


def _rule(result: SamplePrecision | RankedMethods, n: int | None, total: int | None) -> str:
    """What is accepted."""
    ties = TIES_OF_SAMPLES[result.ties]
    if n is not None:
        return f"Accepted: the {count(n)} best of every sample; {ties}."
    if total is not None:
        return (
            f"Accepted: of every sample those among the {count(total)} best of the whole table; "
            f"{ties}."
        )
    limits = zip(result.names, result.thresholds or (), strict=True)
    said = ", ".join(f"{name} {wording.decimal(own)}" for name, own in limits)
    return f"Accepted: candidates with these scores or better: {said}."


def _sample_rows(result: SamplePrecision) -> list[Row]:
    rows: list[Row] = []
    counts = zip(result.accepted.tolist(), result.true_positives.tolist(), strict=True)
    for name, own, numbers in zip(result.names, result.validations, counts, strict=True):
        limits = zip(own.low.tolist(), own.high.tolist(), strict=True)
        for sample, size, right in zip(result.samples, *numbers, strict=True):
            row: Row = {"method": name, "sample": sample, "accepted": size, "true_positives": right}
            low, high = next(limits) if size else (None, None)
            precision = right / size if size else None
            rows.append(row | {"precision": precision, "low": low, "high": high})
    return rows


@document_of.register
def _(result: SamplePrecision) -> Document:
    level, alpha = _level(result), 1 - result.confidence_level
    methods = list(zip(result.names, result.validations, strict=True))
    more = [name for name, own in methods if own.overdispersed]
    verdict = (
        "No significant sign that precision varies more between samples than the binomial model "
        "says."
    )
    if more:
        verdict = (
            "Precision varies significantly more between samples than the binomial model says: "
            f"{', '.join(more)}.{TOO_MUCH}"
        )
    rows = [
        (
            name, percent(own.precision), _ends(own.corrected_interval), percent(own.expected_sd),
            percent(own.observed_sd), f"{own.ratio:.2f}",
            f"{own.ratio_interval[0]:.2f} to {own.ratio_interval[1]:.2f}",
            f"{own.ratio_bound:.2f}", pvalue(own.dispersion_pvalue, None, alpha),
            f"{count(own.misses)} of {count(len(own.sizes))}",
        )
        for name, own in methods
    ]  # fmt: skip
    headers: Headers = [
        "Method", ("Precision, %", "prec."), (f"{level}, corrected", level),
        ("sd expected, %", "sd exp."), ("sd observed, %", "sd obs."), "Ratio",
        (f"{level} of the ratio", level), ("At least, one-sided", "at least"), "p", "Misses",
    ]  # fmt: skip
    return Document(
        title=f"Precision in {counted(len(result.samples), 'sample')}",
        doubts=result.doubts,
        verdict=[verdict],
        tables=[table("methods", "n#i###i#p#", headers, rows)],
        notes=[
            _rule(result, result.n, result.total),
            "Ratio: the standard deviation of a sample's precision, observed by expected; p is of "
            "more variation than the binomial model has, one-sided, not adjusted for the number of "
            "methods. Misses: intervals of single samples without the pooled precision.",
            "Samples are assumed to be independent of each other.",
        ],
        rows=LazyRows(lambda: _sample_rows(result)),
        record=lambda: record(
            "SamplePrecision",
            **picked(result, "n total thresholds ties confidence_level samples"),
            methods=[
                {"name": name, "n_samples": len(own.sizes)}
                | picked(own, OF_METHOD)
                | _intervals(own)
                | {"accepted": accepted.tolist(), "true_positives": right.tolist()}
                for (name, own), accepted, right in zip(
                    methods, result.accepted, result.true_positives, strict=True
                )
            ],
            doubts=result.doubts,
        ),
    )


# ---- several methods: the verdict --------------------------------------------------------------


def _at(result: RankedMethods) -> str:
    alpha, many = wording.decimal(result.alpha), len(result.pairs) > 1
    if result.test != "flips":
        by = "Fisher's exact test" if result.test == "fisher" else "whole samples swapped"
        return f"({alpha}, {by}{', Holm-adjusted' * many})"
    return f"({alpha}, all {'pairs and lengths' if many else 'lengths'} together)"


def _where(result: RankedMethods) -> str:
    n = result.n.tolist()
    if len(n) == 1:
        return where(result.accepted, n[0])
    return f"at any of {len(n):,} lengths from {count(n[0])} to {count(n[-1])}"


def _where_better(result: RankedMethods, pair: MethodPair, name: str) -> str:
    """At which of the lengths a method is better, of many ranges the widest; else nothing."""
    regions = [own for own in pair.regions if own.better == name]
    if not regions or result.accepted != "n":
        return where(result.accepted, int(result.n[0])) if regions else ""
    shown, others = widest(regions, result.n, MOST_RANGES)
    said = [f"{'from' if own.last > own.first else 'at'} n = {_range(own)}" for own in shown]
    if others:
        said.append(f"in {counted(others, 'more range')}")
    steps = result.n.tolist()
    gaps = any(
        own.last - own.first > steps.index(own.last) - steps.index(own.first) for own in shown
    )
    return wording.listed(said) + " of the lengths tested" * gaps


def _names(names: Sequence[str], word: str = "and") -> str:
    cleaned = [wording.clean(name) for name in names]
    return wording.listed(cleaned, word) if len(names) <= NAMED else wording.few(cleaned, NAMED)


def _others(result: RankedMethods, name: str) -> dict[str, list[str]]:
    """The other methods: those that are better somewhere, worse, both, and neither."""
    others: dict[str, list[str]] = {"better": [], "worse": [], "both": [], "neither": []}
    for pair in result.pairs:
        if name not in pair.names:
            continue
        other = pair.names[pair.names[0] == name]
        word = "neither"
        if pair.regions:
            word = {other: "better", name: "worse", None: "both"}[pair.better]
        others[word].append(other)
    return others


def _verdict(result: RankedMethods) -> list[str]:
    best = result.precision.curves[result.order[0]]
    name = wording.clean(best.name)
    average = f"{percent(best.average_precision)}%"
    if not result.pairs:
        share = result.precision.n_true / result.precision.n_candidates
        return [
            f"{name} has an average precision of {average}; {percent(share)}% of all candidates "
            "are true."
        ]
    if len(result.pairs) == 1:
        (pair,) = result.pairs
        a, b = (wording.clean(name) for name in pair.names)
        if not pair.regions:
            p = pvalue(pair.pvalue, None, result.alpha)
            return [
                f"No significant difference between {a} and {b} {_where(result)}: p = {p} "
                f"{_at(result)}."
            ]
        places = [_where_better(result, pair, name) for name in pair.names]
        clauses = [
            f"{better} is significantly better than {other} {place}"
            for (better, other), place in zip([(a, b), (b, a)], places, strict=True)
            if place
        ]
        return [f"{'; '.join(clauses)} {_at(result)}."]
    if result.baseline is not None:
        others, base = _others(result, result.baseline), wording.clean(result.baseline)
        words = {"better": "better", "worse": "worse", "both": "both better and worse"}
        clauses = [
            f"{_names(others[word])} {'is' if len(others[word]) == 1 else 'are'} significantly "
            f"{how}"
            for word, how in words.items()
            if others[word]
        ]
        if not clauses:
            return [f"No method differs significantly from {base} {_where(result)} {_at(result)}."]
        somewhere = " at some n" * (len(result.n) > 1)
        return [f"{'; '.join(clauses)} than {base}{somewhere} {_at(result)}."]
    number = sum(bool(pair.regions) for pair in result.pairs)
    at = _where(result).replace("at any of", "at some of")
    first = (
        f"{name} has the best average precision, {average}, of {len(result.names):,} methods; "
        f"{count(number)} of {counted(len(result.pairs), 'pair')} "
        f"{'differs' if number == 1 else 'differ'} significantly {at} {_at(result)}."
    )
    others = _others(result, best.name)
    clauses, somewhere = [], " at some n" * (len(result.n) > 1)
    if others["worse"]:
        clauses.append(f"better than {_names(others['worse'])}{somewhere}")
    if others["both"]:
        clauses.append(f"better or worse than {_names(others['both'])}, depending on n")
    if others["better"]:
        clauses.append(f"worse than {_names(others['better'])}{somewhere}")
    if not clauses:
        return [first]
    if others["neither"]:
        clauses.append(f"not shown to differ from {_names(others['neither'], 'or')}")
    return [first, f"{name} is significantly {'; '.join(clauses)}."]


# ---- several methods: tables -------------------------------------------------------------------


def _shown(result: RankedMethods) -> list[int]:
    """The lengths that stand side by side."""
    places = _places(result.n.tolist())
    if len(places) > BESIDE:
        places = [places[i * (len(places) - 1) // (BESIDE - 1)] for i in range(BESIDE)]
    return places


def _called(result: RankedMethods) -> Names:
    return Names(result.precision.curves[i].name for i in result.order)


def _precision(result: RankedMethods) -> Table:
    """One row per method; of one length with its interval."""
    shown, one = _shown(result), len(result.n) == 1
    headers: Headers = ["Method", ("Av. precision, %", "av. prec.")]
    if one:
        at, n = "Precision, %", count(int(result.n[0]))
        first = (f"Precision, n = {n}", f"n = {n}") if result.accepted == "n" else (at, "prec.")
        headers += [first, f"{_level(result.precision)} interval", "True", ("Recall, %", "recall")]
    else:
        headers += [f"n = {count(int(result.n[shown[0]]))}"]
        headers += [count(int(result.n[i])) for i in shown[1:]]
    names, rows = _called(result), []
    for i in result.order:
        own = result.precision.curves[i]
        best = i == result.order[0]
        cells: list[Text] = [names.cell("{}", own.name, tone="strong" if best else "plain")]
        cells.append(percent(own.average_precision))
        if one:
            long = result.accepted != "n" or own.size[0] > own.n[0]
            longer = f" of {count(int(own.size[0]))}" if long else ""
            cells += [
                percent(own.precision[0]), _ends((own.low[0], own.high[0])),
                f"{own.true_positives[0]:.0f}{longer}", percent(own.recall[0]),
            ]  # fmt: skip
        else:
            cells += [percent(own.precision[k]) for k in shown]
        rows.append(cells)
    kinds = "n##i##" if one else "n#" + "#" * len(shown)
    title = "" if one else "Precision of the n best, %"
    return table("precision", kinds, headers, rows, title, names)


def _widest(result: RankedMethods, pair: MethodPair) -> tuple[list[RankingRegion], int]:
    """Where a pair differs: all ranges of a few, else the widest and how many others there are."""
    shown: list[RankingRegion] = []
    others = 0
    most = MOST_RANGES if pair.better is not None else MOST_RANGES - 1  # of each method
    for name in pair.names:
        own = [region for region in pair.regions if region.better == name]
        kept, left = widest(own, result.n, most)
        shown, others = [*shown, *kept], others + left
    return sorted(shown, key=lambda own: own.first), others


def _range(region: RankingRegion) -> str:
    first, last = count(region.first), count(region.last)
    return first if first == last else f"{first} to {last}"


def _at_length(result: RankedMethods, pair: MethodPair, i: int) -> list[Text]:
    """What both tables have of a pair at one length."""
    return [
        *(f"{own[i][0]}/{own[i].sum()}" for own in (pair.only_a, pair.only_b)),
        points(float(pair.difference[i]), sign=True),
        pvalue(float(pair.pvalues[i])),
        pvalue(float(pair.adjusted_pvalues[i]), None, result.alpha),
    ]


#: The headers of these.
_AT_LENGTH: Headers = [
    ("Only first, true", "only 1st"), ("Only second, true", "only 2nd"),
    ("Difference, points", "diff."), "p", ("Adjusted p", "adj. p"),
]  # fmt: skip


def _pairs(result: RankedMethods) -> Table:
    names, rows = _called(result), []
    for pair in result.pairs:
        verdict = names.better(pair.better, pair.names[0])
        if pair.regions and pair.better is None:
            verdict = Cell("* depends on n", "verdict", "doubt")
        name = names.cell("{} - {}", *pair.names)
        if len(result.n) == 1:
            rows.append([name, *_at_length(result, pair, 0), verdict])
            continue
        shown, others = _widest(result, pair)
        said = [_range(own) + f" ({own.better})" * (pair.better is None) for own in shown]
        at = "; ".join([*said, *([f"{count(others)} more"] if others else [])])
        rows.append([name, pvalue(pair.pvalue, None, result.alpha), verdict, at or "-"])
    if len(result.n) == 1:
        return table("pairs", "nTT#ppv", ["Pair", *_AT_LENGTH, "Verdict"], rows, names=names)
    headers: Headers = ["Pair", ("Least adjusted p", "adj. p"), "Verdict", ("At n tested", "at n")]
    return table("pairs", "npvt", headers, rows, names=names)


# ---- several methods: words --------------------------------------------------------------------


def _notes(result: RankedMethods) -> list[str]:
    precision, many = result.precision, len(result.pairs)
    first = f"{counted(precision.n_candidates, 'candidate')}, {count(precision.n_true)} true."
    if result.accepted == "n":
        notes = [f"{first} {TIES[result.ties]}"]
    else:
        n, of = int(result.n[0]), result.accepted
        notes = [first, _rule(result, n if of == "sample" else None, n if of == "total" else None)]
    if result.lower_is_better:
        notes.append(f"Lower is better: {_names(result.lower_is_better)}.")
    if not many:
        return notes
    pairs = counted(many, "pair")
    if result.alternative != "two-sided":
        notes.append(f"{result.alternative.capitalize()}, one-sided: first minus second.")
    if result.test == "fisher":
        notes.append(
            "Fisher's exact test of the true ones among the candidates that only one of the two "
            f"accepts{f'; Holm-adjusted for {pairs}' * (many > 1)}."
        )
    elif result.test == "samples":
        drawn = ""
        if result.seed is not None:
            drawn = (
                f", {count(result.n_resamples or 0)} shuffles, "
                f"seed {', '.join(digits_of(result.seed))}"
            )
        notes += [
            f"Whole samples are swapped, {count(len(result.samples))} of them{drawn}"
            f"{f'; Holm-adjusted for {pairs}' * (many > 1)}. Candidates of a sample may depend on "
            "each other; samples are assumed to be independent."
        ]
    elif result.seed is not None:
        notes.append(
            f"Adjusted p: for {counted(len(result.n), 'length')}"
            f"{f' and {pairs} together' * (many > 1)}; {count(result.n_resamples or 0)} "
            f"flips{' of every pair' * (many > 1)}, seed {', '.join(digits_of(result.seed))}."
        )
        if len(result.n) > len(_shown(result)):
            there = f"All {count(len(result.n))} lengths are in CSV and JSON output."
            notes.append(wording.Line(there))
        if any(_widest(result, pair)[1] for pair in result.pairs):
            widest = "At n: the widest ranges"
            notes.append(wording.Line(f"{widest}; JSON output has all.", f"{widest}."))
    least: dict[str, list[str]] = {}
    for pair in result.pairs:
        smallest, given = _smallest(result, pair)
        if 0 < pair.adjusted_lengths.min() <= smallest < 1:
            least.setdefault(given, []).append(wording.clean(" - ".join(pair.names)))
    for given, names in least.items():
        which = f": {wording.few(names, MOST_RANGES, 'pair')}" * (many > 1)
        notes.append(f"p is the smallest that {given} can give{which}.")
    if many > MOST_PAIRS:
        notes.append(wording.Line(f"All {pairs} are in CSV and JSON output."))
    equal = "A pair without a significant difference is not shown to be equal."
    if result.test != "samples":
        equal = f"Candidates are assumed to be independent. {equal}"
    return [*notes, equal]


def _smallest(result: RankedMethods, pair: MethodPair) -> tuple[float, str]:
    """The smallest p that a pair's test can have with these data, and what it is that limits it."""
    if pair.by_sample is not None:
        if pair.by_sample.test.n_resamples is not None:
            n = pair.by_sample.test.n_resamples
            return 1 / (1 + n), counted(n, "shuffle")
        sides = 2 if result.alternative == "two-sided" else 1
        return sides / 2**pair.by_sample.swapped, "these samples"
    if result.n_resamples is not None:
        return 1 / (1 + result.n_resamples), counted(result.n_resamples, "flip")
    # The margins are given; rounding may tell apart the two ends of a symmetric distribution.
    a, b = (tuple(own[0].tolist()) for own in (pair.only_a, pair.only_b))
    return least_pvalue(a, b, result.alternative) * (1 + 1e-9), "these candidates"


def _of_samples(result: RankedMethods) -> Table:
    """What the samples say of every difference."""
    names, rows = _called(result), list[list[Text]]()
    for pair in result.pairs:
        own = pair.by_sample
        assert own is not None
        low, high = (points(end, sign=True) for end in own.interval)
        rows.append([
            names.cell("{} - {}", *pair.names),
            points(own.difference, sign=True), f"{low} to {high}",
            "-" if own.ratio != own.ratio else f"{own.ratio:.2f}", count(own.swapped),
            *("-" if p != p else pvalue(p, None, result.alpha)
              for p in (own.fisher_pvalue, own.corrected_pvalue)),
        ])  # fmt: skip
    level = _level(result.precision)
    headers: Headers = [
        "Pair", ("Difference, points", "diff."), (f"{level} interval", level), "sd ratio",
        "Swapped", ("Fisher's p", "Fisher"), ("Fisher's p, corrected", "corrected"),
    ]  # fmt: skip
    title = "From the variation between samples, not adjusted for the number of pairs"
    return table("differences", "n#i##pp", headers, rows, title * (len(rows) > 1), names)


def _explanation(result: RankedMethods) -> list[Block]:
    own = document_of(result.precision)
    sections: list[Block] = [
        Section(
            name="precision",
            title="The n best of every method, with intervals",
            blocks=[*own.tables, *own.notes[2:]],
        )
    ]
    if not result.pairs:
        return sections
    blocks: list[Block] = [
        "Candidates that both methods of a pair accept, or neither, say nothing about the "
        "difference; only those that one method alone accepts count.",
        {
            "fisher": "p is the probability, if accepting such a candidate says nothing about "
            "whether it is true, of shares of true ones that differ as much or more (Fisher's "
            "exact test).",
            "flips": "A flip trades the ranks that the two methods give a candidate, by a fair "
            "coin, at all lengths. p is the share of flips with a difference at least as large at "
            "this length; adjusted for lengths, at any of them. Every pair begins with the same "
            "seed, so its result does not depend on the other methods.",
            "samples": "A fair coin for every sample trades all that the two methods accept in it. "
            "p is the share of swaps with a difference between the shares of true ones at least as "
            "large. Fisher's p assumes that all candidates are independent; it is corrected by the "
            "ratio of this difference's standard deviation, as the samples show it, to that of "
            "independent candidates.",
        }[result.test],
    ]
    if len(result.pairs) > 1:
        families = (
            ", with the lengths of a pair as a family: the factor falls where a pair differs at "
            "all lengths"
        )
        blocks.append(
            f"The correction for {counted(len(result.pairs), 'pair')} is Holm's"
            f"{families * (len(result.n) > 1)}. With a probability of about "
            f"{wording.decimal(100 * (1 - result.alpha))}% no claim is false."
        )
    names = _called(result)
    ranges = [
        (names.cell("{} - {}", *pair.names), _range(region), names.cell("{} better", region.better))
        for pair in result.pairs
        if _widest(result, pair)[1]  # not all are named beside the verdict
        for region in pair.regions
    ]
    if ranges:
        headers: Headers = ["Pair", ("At n tested", "at n"), "Verdict"]
        blocks.append(table("ranges", "ntt", headers, ranges, "All ranges of lengths", names))
    if len(result.n) > 1 and len(result.pairs) * len(result.n) <= MOST_ROWS:
        rows = [
            [names.cell("{} - {}", *pair.names), count(n), *_at_length(result, pair, i)]
            for pair in result.pairs
            for i, n in enumerate(pair.n.tolist())
        ]
        blocks.append(
            table("every length", "n#TT#pp", ["Pair", "n", *_AT_LENGTH], rows, names=names)
        )
    return [Section(name="tests", title="What was tested", blocks=blocks), *sections]


# ---- several methods: for programs -------------------------------------------------------------


def _only(pair: MethodPair) -> dict[str, Any]:
    """True and false candidates of one method only, by length."""
    sides = {"only_a": pair.only_a.T.tolist(), "only_b": pair.only_b.T.tolist()}
    return paired(sides, ("true", "false"))


def _rows(result: RankedMethods) -> list[Row]:
    if not result.pairs:
        return [dict(row) for row in document_of(result.precision).rows]
    rows: list[Row] = []
    for pair in result.pairs:
        a, b = pair.names
        columns: dict[str, list[Any]] = {"n": pair.n.tolist()}
        for which, curve in (("a", result.precision[a]), ("b", result.precision[b])):
            arrays = picked(curve, "size true_positives precision low high")
            arrays["true_positives"] = arrays["true_positives"].astype(int)
            columns |= {f"{name}_{which}": own.tolist() for name, own in arrays.items()}
            columns[f"average_precision_{which}"] = [curve.average_precision] * len(pair.n)
        signs = zip(pair.a_better, pair.b_better, strict=True)
        columns |= {
            "difference": pair.difference.tolist(),
            **_only(pair),
            "pvalue": pair.pvalues.tolist(),
            "adjusted_pvalue": pair.adjusted_pvalues.tolist(),
            "alpha": [result.alpha] * len(pair.n),
            "better": [a if first else b if second else None for first, second in signs],
        }
        more = {} if pair.by_sample is None else plain(_numbers_of(pair.by_sample))
        rows += [
            {"a": a, "b": b, **dict(zip(columns, values, strict=True)), **more}
            for values in zip(*columns.values(), strict=True)
        ]
    return rows


def _numbers_of(own: SamplePair) -> dict[str, Any]:
    """What programs have of the samples of a pair."""
    return picked(
        own,
        "interval_low=interval.0 interval_high=interval.1 ratio ratio_a=ratios.0 ratio_b=ratios.1 "
        "swapped fisher_pvalue corrected_pvalue randomization_method=test.method",
    )


def _sample_record(samples: SamplePrecision) -> dict[str, Any]:
    names = (
        "precision expected_sd observed_sd ratio ratio_bound dispersion_pvalue kolmogorov_pvalue "
        "misses misses_pvalue interval corrected_interval ratio_interval"
    )
    methods = [
        {"name": name}
        | picked(own, names)
        | {"accepted": accepted.tolist(), "true_positives": right.tolist()}
        for name, own, accepted, right in zip(
            samples.names,
            samples.validations,
            samples.accepted,
            samples.true_positives,
            strict=True,
        )
    ]
    return {**picked(samples, "n total names=samples"), "methods": methods}


def as_record(
    result: RankedMethods,
    source: Mapping[str, Any] | None = None,
    samples: SamplePrecision | None = None,
    doubts: Sequence[str] = (),
) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields. `source` is what was read."""
    curves = [result.precision.curves[i] for i in result.order]
    body = {
        "input": source,
        **picked(result.precision, "n_candidates n_true"),
        "lengths": result.n.tolist(),
        "ties": result.ties,
        **picked(result.precision, "interval confidence_level"),
        "baseline": result.baseline,
        "test": result.test if result.pairs else None,
        **picked(result, "alpha n_resamples"),
        "seed": record_of_seed(result.seed),
        "methods": [
            {
                "name": own.name,
                "lower_is_better": own.name in result.lower_is_better,
                "average_precision": own.average_precision,
                **{name: getattr(own, name).tolist() for name in ARRAYS if name != "n"},
            }
            for own in curves
        ],
        "pairs": [
            picked(pair, "a=names.0 b=names.1 adjusted_pvalue=pvalue better")
            | {"regions": [vars(own) for own in pair.regions], **_only(pair)}
            | {
                name: own.tolist()
                for name, own in picked(
                    pair, "difference pvalues adjusted_lengths adjusted_pvalues"
                ).items()
            }
            for pair in result.pairs
        ],
        "samples": None if samples is None else _sample_record(samples),
        "doubts": record_of_doubts(
            (*doubts, *result.doubts, *(() if samples is None else samples.doubts))
        ),
        "signature": _signature(result, samples),
        "digest": result.digest,
    }
    if _signature(result):
        return head("csig.rank", 3) | body
    for own, pair in zip(body["pairs"], result.pairs, strict=True):
        if pair.by_sample is not None:
            own |= _numbers_of(pair.by_sample)
            sides = (pair.by_sample.own_a.tolist(), pair.by_sample.own_b.tolist())
            own |= paired({"only_by_sample": sides})
    body["samples"] = result.samples
    more = picked(result, "accepted thresholds alternative")
    return record("RankedMethods", **more, **body)


def _signature(result: RankedMethods, samples: SamplePrecision | None = None) -> str:
    """The line that identifies the result; none of what ``csig rank`` does not have."""
    if result.accepted != "n" or result.test == "samples" or result.alternative != "two-sided":
        return ""
    n = result.n.tolist()
    steps = {b - a for a, b in itertools.pairwise(n)}
    lengths = tuple(map(str, n))
    if len(n) > 2 and len(steps) == 1:  # the first, the last and the step
        lengths = (f"{n[0]}-{n[-1]}", str(steps.pop()))
    elif len(n) > signature.DIGITS:  # those that the data tell
        lengths = (f"{n[0]}-{n[-1]}", f"{len(n)}*")
    sampled: signature.Fields = {}
    if samples is not None:
        counts = sorted(
            own.astype("<i8").tobytes()
            for own in np.stack([samples.accepted, samples.true_positives], axis=1)
        )
        digest = hashlib.sha256(b"".join(counts)).hexdigest()[: signature.DIGITS]
        rule = f"n={samples.n}" if samples.n is not None else f"total={samples.total}"
        sampled = {"samples": (str(len(samples.samples)), rule, digest)}
    precision = result.precision
    flips = {"flips": (str(result.n_resamples),)} if result.test == "flips" else {}
    tested: signature.Fields = {}
    if result.pairs:
        tested = {
            "method": ("exact" if result.test == "fisher" else "approximate",),
            "alpha": (repr(result.alpha),),
            **flips,
            **signature.of_seeds([result.seed]),
        }
    fields: signature.Fields = {
        "v": (__version__,),
        "test": ("rank",),
        "unit": ("candidate",),
        "n": (str(precision.n_candidates),),
        "methods": (str(len(result.names)), "all" if result.baseline is None else "baseline"),
        "lengths": lengths,
        "ties": (result.ties,),
        **tested,
        **sampled,
        "interval": (precision.interval, repr(precision.confidence_level)),
        "data": (result.digest[: signature.DIGITS],),
    }
    return signature.line(fields)


def _citation(result: RankedMethods) -> Citation:
    """How to cite the comparison of ranking methods."""
    methods = signature.Methods()
    lengths = [wording.count(n) for n in result.n.tolist()]
    at = f"n = {wording.listed(lengths)}"
    if len(lengths) > 6:
        at = f"{len(lengths):,} values of n from {lengths[0]} to {lengths[-1]}"
    kind = result.precision.interval.title()
    by = methods.cited("clopper1934") if kind == "Clopper-Pearson" else ""
    candidates = wording.counted(result.precision.n_candidates, "candidate")
    methods.sentences.append(
        f"The precision of the n best of {candidates} was computed for {at}, with {kind} "
        f"intervals{by} at {_level(result.precision)}."
    )
    if not result.pairs:
        return methods.end()
    which = f"All {wording.counted(len(result.pairs), 'pair')} of methods were"
    if len(result.names) == 2:
        which = f"{signature.titles(result.pairs[0].names)} were"
    elif result.baseline is not None:
        which = f"All other methods were compared with {wording.clean(result.baseline)},"
    which += "" if result.baseline is not None and len(result.names) > 2 else " compared"
    several = len(result.pairs) > 1
    if result.test == "fisher":
        adjusted = f", with Holm-adjusted p-values{methods.cited('holm1979')}" if several else ""
        methods.sentences.append(
            f"{which} by Fisher's exact test of the candidates that only one of two methods accepts"
            f"{methods.cited('evert2004')}{adjusted}."
        )
        return methods.end()
    over = (
        f", and by Holm's correction over the pairs{methods.cited('holm1979')}, each a family of "
        "lengths that is done where all differ"
        if several
        else ""
    )
    methods.sentences.append(
        f"{which} on the candidates that only one of two methods accepts"
        f"{methods.cited('evert2004')} by {wording.count(result.n_resamples or 0)} flips that all "
        f"lengths share{methods.generator(result.seed)}; p-values are adjusted for the lengths by "
        f"step-down maxT{methods.cited('romano2005')}{over}."
    )
    return methods.end()


@document_of.register
def document_of_methods(
    result: RankedMethods,
    *,
    doubts: Sequence[str] = (),
    notes: Sequence[str] = (),
    source: Mapping[str, Any] | None = None,
    samples: SamplePrecision | None = None,
) -> Document:
    """The precision of the n best, and the pairs if they are few."""
    tables = [_precision(result)]
    if 0 < len(result.pairs) <= MOST_PAIRS:
        tables.append(_pairs(result))
        if result.test == "samples":
            tables.append(_of_samples(result))
    verdict, said, doubted = _verdict(result), _notes(result), [*doubts, *result.doubts]
    if samples is not None:
        own = document_of(samples)
        verdict += own.verdict
        tables += [replace(one, name="samples", title=own.title) for one in own.tables]
        said += own.notes
        doubted += own.doubts
    line = _signature(result, samples)
    return Document(
        title=f"The n best of {counted(len(result.names), 'ranking method')}",
        doubts=doubted,
        verdict=verdict,
        tables=tables,
        notes=[*said, *notes],
        explanation=_explanation(result),
        signature=line,
        citation=_citation(result) if line else None,
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: plain(as_record(result, source, samples, doubts)),
    )
