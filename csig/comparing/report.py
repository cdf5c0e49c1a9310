"""Results of single calls as documents: tests and intervals that know no files.

They know the systems by the names of their comparison, "A" and "B" where it has no others, and show
A - B, as the functions that gave them do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from csig._version import __version__
from csig.base import wording
from csig.base.errors import InputError
from csig.base.wording import Figures
from csig.comparing import signature, sizes, verdict
from csig.probability.corrections import Corrected
from csig.report.document import Cell, Document, Scalar, Table
from csig.report.forms import ALPHA, Names, Text, of_one, picked, recorded, table
from csig.report.shown import document_of
from csig.results.randomization import BootstrapResult, Interval, RandomizationResult, Results

_FOUND = "metric a=names.0 b=names.1 score_a score_b difference=statistic pvalue alternative"
_MADE = "method unit n_units n_resamples n_hits"


def row_of(result: RandomizationResult) -> dict[str, Scalar]:
    word = {"verdict": verdict.verdict(result, ALPHA)}
    return picked(result, _FOUND) | word | picked(result, _MADE)


def scores_of(
    result: RandomizationResult | BootstrapResult, numbers: sizes.Numbers, figures: Figures
) -> list[Cell]:
    """B's score, A's, and the difference."""
    scores = numbers.scores((result.score_b, result.score_a), figures)
    return [*scores, numbers.difference(result.statistic, figures)]


def verdict_cell(result: RandomizationResult, word: str) -> Cell:
    if word == "undecided":
        return Cell(word, "verdict", "quiet")
    better = verdict.better_system(result, result.names) if word == "significant" else None
    return Names(reversed(result.names)).better(better, result.names[0])


def compared(
    name: str,
    names: tuple[str, str],
    last: Sequence[str],
    rows: Iterable[Sequence[Text]],
    numbers: sizes.Numbers,
    title: str = "",
) -> Table:
    """Scores and p-values, a row for each metric or part of the data; `last` are p and verdict."""
    called = Names(reversed(names))
    headers = ["", *sizes.headers_of(called, numbers), *last]
    return table(name, "n###pv"[: len(headers)], headers, rows, title, called)


@document_of.register
def of_randomization(*results: RandomizationResult) -> Document:
    """Results of one comparison, one a metric."""
    names, numbers = results[0].names, sizes.Numbers.of(own.in_percent for own in results)
    rows: list[list[Text]] = [
        [
            wording.metric_title(own.metric),
            *scores_of(own, numbers, verdict.figures(own)),
            verdict.pvalue_text(own, ALPHA),
            verdict_cell(own, verdict.verdict(own, ALPHA)),
        ]
        for own in results
    ]
    # How the p-values were found; every certified one has bounds of its own.
    certified = [own for own in results if own.method == "certified"]
    others = [own for own in results if own.method != "certified"]
    how = [f"{own.how[:1].upper()}{own.how[1:]}." for own in others[:1]]
    if certified:
        how.append(verdict.certified(certified))
    several = [verdict.ONE_BY_ONE] if len(results) > 1 else []
    return Document(
        title=" and ".join(names),
        tables=[compared("results", names, ("p", ""), rows, numbers)],
        notes=[" ".join(how), *verdict.not_studentized(results), *several],
        explanation=[verdict.sentence(own, ALPHA, own.names) for own in results],
        signature=signature.of_results(results, __version__),
        rows=list(map(row_of, results)),
        record=recorded(results),
    )


@document_of.register
def _of_bootstrap(*results: BootstrapResult) -> Document:
    first, numbers = results[0], sizes.Numbers.of(own.in_percent for own in results)
    rows: list[list[Text]] = [
        [
            wording.metric_title(own.metric),
            *scores_of(own, numbers, verdict.figures(own)),
            wording.pvalue(own.pvalue),
        ]
        for own in results
    ]
    return Document(
        title=" and ".join(first.names),
        tables=[compared("results", first.names, ("p",), rows, numbers)],
        notes=[
            f"Bootstrap test ({first.method}, {first.alternative}) with "
            f"{wording.count(first.n_resamples)} resamples of "
            f"{wording.counted(first.n_units, first.unit)}."
        ],
        explanation=[f"Null hypothesis: {first.null}", f"Hits: {first.inequality}"],
        rows=[picked(own, f"{_FOUND} {_MADE}") for own in results],
        record=recorded(results),
    )


@document_of.register
def _of_intervals(*intervals: Interval) -> Document:
    first = intervals[0]
    level = f"{wording.decimal(100 * first.confidence_level)}%"
    rows, numbers = [], sizes.Numbers.of(own.in_percent for own in intervals)
    for own in intervals:
        figures = verdict.figures(own)
        sign = own.what == "difference"
        unit = (" points" if sign else "%") * (own.in_percent and numbers.mixed)
        estimate, low, high = (figures.score(x, sign) for x in (own.estimate, own.low, own.high))
        error = "" if own.standard_error is None else figures.difference(own.standard_error)
        title = wording.metric_title(own.metric)
        rows.append([title, estimate + unit, f"{low} to {high}{unit}", error])
    unit = numbers.of_differences if first.what == "difference" else numbers.of_scores
    headers = ("", f"{first.of}{unit}", f"{level} interval{unit}", "standard error")
    units = wording.counted(first.n_units, first.unit)
    runs = "" if first.n_runs is None else f" and {wording.counted(first.n_runs, 'run')} of each"
    drawn = ""
    if first.n_resamples is not None:
        drawn = f" from {wording.count(first.n_resamples)} resamples"
    names = (
        "metric of what estimate low high standard_error confidence_level method unit n_units "
        "n_resamples n_runs"
    )
    return Document(
        title=f"{level} intervals for {first.of}",
        tables=[table("intervals", "n#i#", headers, rows)],
        notes=[f"Method {first.method}, {units}{runs}{drawn}."],
        rows=[picked(own, names) for own in intervals],
        record=recorded(intervals),
    )


@document_of.register
def _(row: Corrected) -> Document:  # type: ignore[type-arg]
    rows = [
        ("p", wording.pvalue(row.pvalue, row.log_pvalue)),
        ("p after Holm's correction", wording.pvalue(row.adjusted_pvalue, row.log_adjusted_pvalue)),
        ("verdict", row.verdict),
    ]
    return of_one(row, str(row.name), rows)


@document_of.register
def _(results: Results) -> Document:  # type: ignore[type-arg]
    if not results:
        raise InputError("there are no results")
    own = list(results.values())
    if not isinstance(own[0], (RandomizationResult, Interval, BootstrapResult)):
        raise InputError(f"there is no report of several {type(own[0]).__name__}s")
    found: Document = document_of.dispatch(type(own[0]))(*own)
    return found
