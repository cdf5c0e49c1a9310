"""Results of single calls as documents: tests and intervals that know no files.

They know the systems by the names of their comparison, "A" and "B" where it has no others, and show
A - B, as the functions that gave them do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import singledispatch
from typing import Any

from csig import wording
from csig._version import __version__
from csig.errors import InputError
from csig.report import signature, verdict
from csig.report.document import Cell, Column, Document, Scalar, Table, Tone
from csig.report.shown import document_of
from csig.results import BootstrapResult, Interval, RandomizationResult, Results

__all__ = [
    "ALPHA",
    "columns_of",
    "of_randomization",
    "plain",
    "recorded",
    "row_of",
    "together",
    "verdict_cell",
]

#: The level of verdicts where nobody gave one.
ALPHA = 0.05

Row = Mapping[str, Scalar]


def plain(value: object) -> Any:
    """What JSON can hold: lists for tuples, text for integers that many readers round.

    What is not defined or infinite is null.
    """
    if type(value) is float:  # most of them: a million candidates have twelve times as many
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(own) for key, own in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(own) for own in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def fields_of(result: Any) -> dict[str, Any]:
    """All public fields of a result, as JSON can hold them."""
    own = {f.name: getattr(result, f.name) for f in fields(result) if not f.name.startswith("_")}
    inner = {
        name: fields_of(value)
        for name, value in own.items()
        if is_dataclass(value) and not isinstance(value, type)
    }
    interval = getattr(result, "pvalue_interval", None)
    found: dict[str, Any] = plain(own | inner | ({"pvalue_interval": interval} if interval else {}))
    return found


def recorded(results: Iterable[Any]) -> Callable[[], Mapping[str, Any]]:
    """What makes the record of results of one kind."""
    return lambda: {
        "schema": "csig.results",
        "schema_version": 1,
        "csig_version": __version__,
        "results": [{"kind": type(own).__name__, **fields_of(own)} for own in results],
    }


def row_of(result: RandomizationResult) -> Row:
    """A result as a flat row."""
    return {
        "metric": result.metric,
        "a": result.names[0],
        "b": result.names[1],
        "score_a": result.score_a,
        "score_b": result.score_b,
        "difference": result.statistic,
        "pvalue": result.pvalue,
        "alternative": result.alternative,
        "verdict": verdict.verdict(result, ALPHA),
        "method": result.method,
        "unit": result.unit,
        "n_units": result.n_units,
        "n_resamples": result.n_resamples,
        "n_hits": result.n_hits,
    }


def verdict_cell(result: RandomizationResult, word: str) -> Cell:
    """A star where a difference is significant, and which system is better."""
    if word != "significant":
        return Cell("undecided" if word == "undecided" else "no evidence", "verdict", "quiet")
    up = (result.statistic > 0) == result.greater_is_better
    tone: Tone = "better" if up else "worse"
    return Cell(f"* {result.names[0 if up else 1]} better", "verdict", tone)


def columns_of(names: tuple[str, str]) -> list[Column]:
    """B's score, A's, and the difference."""
    (a, b), (short_a, short_b) = names, wording.short_names(names)
    return [
        Column(b, short=short_b),
        Column(a, short=short_a),
        Column(f"{a} - {b}", short=f"{short_a} - {short_b}"),
    ]


def scores_of(result: RandomizationResult | BootstrapResult, shares: bool) -> list[Cell]:
    """The baseline's, and the system's."""
    texts = wording.scores((result.score_b, result.score_a), shares)
    return [Cell(text, "number") for text in texts]


def how(results: Sequence[RandomizationResult]) -> str:
    """How the p-values were found; every certified one has bounds of its own."""
    certified = [own for own in results if own.method == "certified"]
    if not certified:
        return f"{results[0].how[:1].upper()}{results[0].how[1:]}."
    others = [own for own in results if own.method != "certified"]
    first = [f"{others[0].how[:1].upper()}{others[0].how[1:]}."] if others else []
    return " ".join([*first, verdict.certified(certified)])


def of_randomization(results: Sequence[RandomizationResult]) -> Document:
    """Results of one comparison, one a metric."""
    first = results[0]
    a, b = first.names
    columns = [Column("", "left"), *columns_of(first.names), Column("p"), Column("", "left")]
    rows = []
    for own in results:
        shares = wording.in_percent(own.score_a, own.score_b, own.metric)
        rows.append([
            Cell(wording.metric_title(own.metric), "name"),
            *scores_of(own, shares),
            Cell(wording.score_difference(own.statistic, shares, sign=True), "number"),
            Cell(verdict.pvalue_text(own, ALPHA), "pvalue"),
            verdict_cell(own, verdict.verdict(own, ALPHA)),
        ])  # fmt: skip
    several = [verdict.ONE_BY_ONE] if len(results) > 1 else []
    return Document(
        title=f"{a} and {b}",
        tables=[Table(name="results", columns=columns, rows=rows)],
        notes=[how(results), *verdict.not_studentized(results), *several],
        explanation=[verdict.sentence(own, ALPHA, own.names) for own in results],
        signature=signature.of_results(results, __version__),
        rows=[row_of(own) for own in results],
        record=recorded(results),
    )


@document_of.register
def _(result: RandomizationResult) -> Document:
    return of_randomization([result])


def _number(value: float, sign: bool = False) -> Cell:
    """A number as it is: what is known of a score on its own does not say whether it is a share."""
    return Cell(f"{value:{'+' if sign and value else ''}.4g}", "number")


def of_intervals(intervals: Sequence[Interval]) -> Document:
    """Intervals, one a row."""
    first = intervals[0]
    level = wording.decimal(100 * first.confidence_level)
    headers = (first.of, f"{level}% interval", "standard error")
    rows = []
    for own in intervals:
        sign = own.what == "difference"
        low, high = (_number(end, sign).text for end in (own.low, own.high))
        error = own.standard_error
        rows.append([
            Cell(wording.metric_title(own.metric), "name"),
            _number(own.estimate, sign),
            Cell(f"{low} to {high}", "interval"),
            Cell("") if error is None else _number(error),
        ])  # fmt: skip
    units = wording.counted(first.n_units, first.unit)
    drawn = ""
    if first.n_resamples is not None:
        drawn = f" from {wording.count(first.n_resamples)} resamples"
    runs = "" if first.n_runs is None else f" and {wording.counted(first.n_runs, 'run')} of each"
    return Document(
        title=f"{level}% intervals for {first.of}",
        tables=[
            Table(
                name="intervals",
                columns=[Column("", "left"), *map(Column, headers)],
                rows=rows,
            )
        ],
        notes=[f"Method {first.method}, {units}{runs}{drawn}."],
        rows=[
            {
                "metric": own.metric,
                "of": own.of,
                "what": own.what,
                "estimate": own.estimate,
                "low": own.low,
                "high": own.high,
                "standard_error": own.standard_error,
                "confidence_level": own.confidence_level,
                "method": own.method,
                "unit": own.unit,
                "n_units": own.n_units,
                "n_resamples": own.n_resamples,
                "n_runs": own.n_runs,
            }
            for own in intervals
        ],
        record=recorded(intervals),
    )


def of_bootstrap(results: Sequence[BootstrapResult]) -> Document:
    """Bootstrap tests, one a row."""
    first = results[0]
    a, b = first.names
    rows = []
    for own in results:
        shares = wording.in_percent(own.score_a, own.score_b, own.metric)
        rows.append([
            Cell(wording.metric_title(own.metric), "name"),
            *scores_of(own, shares),
            Cell(wording.score_difference(own.statistic, shares, sign=True), "number"),
            Cell(wording.pvalue(own.pvalue), "pvalue"),
        ])  # fmt: skip
    units = wording.counted(first.n_units, first.unit)
    return Document(
        title=f"{a} and {b}",
        tables=[
            Table(
                name="results",
                columns=[Column("", "left"), *columns_of(first.names), Column("p")],
                rows=rows,
            )
        ],
        notes=[
            f"Bootstrap test ({first.method}, {first.alternative}) with "
            f"{wording.count(first.n_resamples)} resamples of {units}."
        ],
        explanation=[f"Null hypothesis: {first.null}", f"Hits: {first.inequality}"],
        rows=[
            {
                "metric": own.metric,
                "a": a,
                "b": b,
                "score_a": own.score_a,
                "score_b": own.score_b,
                "difference": own.statistic,
                "pvalue": own.pvalue,
                "alternative": own.alternative,
                "method": own.method,
                "unit": own.unit,
                "n_units": own.n_units,
                "n_resamples": own.n_resamples,
                "n_hits": own.n_hits,
            }
            for own in results
        ],
        record=recorded(results),
    )


@singledispatch
def together(first: object, results: Mapping[str, Any]) -> Document:
    """Results of several metrics as a document; `first` is one of them."""
    raise InputError(f"there is no report of several {type(first).__name__}s")


@together.register
def _(first: RandomizationResult, results: Mapping[str, Any]) -> Document:
    return of_randomization(list(results.values()))


@together.register
def _(first: Interval, results: Mapping[str, Any]) -> Document:
    return of_intervals(list(results.values()))


@together.register
def _(first: BootstrapResult, results: Mapping[str, Any]) -> Document:
    return of_bootstrap(list(results.values()))


@document_of.register
def _(result: Interval) -> Document:
    return of_intervals([result])


@document_of.register
def _(result: BootstrapResult) -> Document:
    return of_bootstrap([result])


@document_of.register
def _(results: Results) -> Document:  # type: ignore[type-arg]
    if not results:
        raise InputError("there are no results")
    return together(next(iter(results.values())), results)
