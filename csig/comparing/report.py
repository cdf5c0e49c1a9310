"""Results of single calls as documents: tests and intervals that know no files.

They know the systems by the names of their comparison, "A" and "B" where it has no others, and show
A - B, as the functions that gave them do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from csig._version import __version__
from csig.base import wording
from csig.base.errors import InputError
from csig.base.wording import Figures
from csig.comparing import signature, sizes, verdict
from csig.comparing.breakdowns import Breakdown, Sensitivity
from csig.comparing.effects import Effect, UnitContributions, label
from csig.comparing.runs import RunVariance
from csig.comparing.sizes import Numbers
from csig.comparing.summary import Summary
from csig.data.repeats import AnswerVariance
from csig.probability.corrections import Corrected
from csig.report.document import (
    ALPHA,
    Cell,
    Document,
    Names,
    Scalar,
    Table,
    Text,
    Tone,
    head,
    of_one,
    picked,
    recorded,
    table,
)
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


@document_of.register
def _(breakdown: Breakdown) -> Document:
    tables, rows = [], list[Mapping[str, Scalar]]()
    for metric in breakdown.metrics:
        corrected = breakdown.corrected(metric, ALPHA)
        figures = verdict.figures(*(row.result for row in corrected))
        numbers = Numbers.of([figures.percents])
        shown: list[list[Text]] = [
            [
                str(row.name),
                *scores_of(row.result, numbers, figures),
                wording.pvalue(row.adjusted_pvalue, row.log_adjusted_pvalue, ALPHA),
                verdict_cell(row.result, row.verdict),
            ]
            for row in corrected
        ]
        names = breakdown.parts[0].results[metric].names
        title = wording.metric_title(metric)
        tables.append(compared(metric, names, ("p (Holm)", ""), shown, numbers, title))
        for part, row in zip(breakdown.parts, corrected, strict=True):
            found: dict[str, Scalar] = {
                "adjusted_pvalue": row.adjusted_pvalue,
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


@document_of.register
def _(result: AnswerVariance) -> Document:
    found = (
        ("standard error", result.standard_error),
        ("of which the answers", result.error_answers),
        ("between questions", result.between),
        ("between answers", result.within),
    )
    rows = [(what, f"{value:.4g}") for what, value in found]
    of = "the difference of the means" if result.difference else "the mean"
    return of_one(result, f"Variation of {of}", rows, [result.sentences])


#: Units each way where nobody says how many.
FEW = 10


def table_of_units(found: UnitContributions, n: int = FEW) -> Table:
    """The units that raise the difference most, and those that lower it most."""
    a, b = map(wording.clean, found.names)
    shares = found.in_percent
    raising, lowering = found.largest()
    shown = [*raising[:n], *reversed(lowering[:n])]
    of_units = [x for own in (found.scores_a, found.scores_b) for x in own[shown].tolist()]
    known = wording.figures(of_units, shares), verdict.figures(found)
    figures = min(known, key=lambda own: own.decimals)  # never more than their mean has
    parts = found.values[shown].tolist()
    added = wording.figures(parts, shares, [max(map(abs, parts), default=0.0) / 2])
    unit = wording.noun(found.unit)
    percent, points = ("\n%", "\npoints") if shares else ("", "")
    clusters = found.clusters
    headers = [f"{unit[:1].upper()}{unit[1:]}", *["in"] * (clusters is not None)]
    headers += [f"{b}{percent}", f"{a}{percent}", f"adds to {a} - {b}{points}"]
    rows: list[list[Text]] = []
    for i in shown:
        value = float(found.values[i])
        tone: Tone = "better" if (value > 0) == found.greater_is_better else "worse"
        scores = (float(found.scores_b[i]), float(found.scores_a[i]))
        rows.append(
            [
                label(found.ids[i]),
                *([label(clusters[i])] if clusters is not None else []),
                *("-" if own != own else figures.score(own) for own in scores),
                (added.difference(value, sign=True), tone),
            ]
        )

    def counted(places: list[int], word: str) -> str:
        """So many of so many units that raise it, or lower it."""
        many = wording.counted(len(places), found.unit)
        if not places:
            return f"no {unit} {word}s it"
        if len(places) <= n:
            return f"{many} {word}{'s' * (len(places) == 1)} it"
        sizes = abs(found.values[places])
        equal = int((sizes >= sizes[n - 1]).sum())  # no fewer than n
        if sizes[0] == sizes[-1]:
            return f"{n} of the {many} that {word} it, all alike"
        if equal > n:
            return f"{n} of the {wording.count(equal)} that {word} it most, of {many}"
        return f"the {n if n > 1 else 'one'} of {many} that {word}{'s' * (n == 1)} it most"

    title = f"{wording.metric_title(found.metric)}, {a} - {b}: "
    title += f"{counted(raising, 'raise')}; {counted(lowering, 'lower')}."
    kinds = "n###" if clusters is None else "nn###"
    return table("units", kinds, headers, rows, title)


def notes_of_units(found: UnitContributions, of: str = "") -> list[str]:
    """What the last column is, and what the first where ids are numbers from 0."""
    begin = f"{of}: the units'" if of else "The units'"
    said = (
        f"{begin} parts sum to the difference; swapping one unit changes it by about twice its "
        "part."
    )
    if not found.additive:
        said = (
            f"{begin} parts are half of what the difference loses when one unit alone is swapped; "
            "they need not sum to the difference."
        )
    numbered = 0 in found.ids and all(type(own) is int for own in found.ids)
    name = wording.noun(found.unit, 2)
    return [said, *[f"{name[:1].upper()}{name[1:]} are numbered from 0."] * numbered]


def tables_of_units(summary: Summary) -> list[Table]:
    return [table_of_units(own, summary.options.worst or FEW) for own in summary.units.values()]


def said_of_units(summaries: Sequence[Summary]) -> list[str]:
    units = [own for summary in summaries for own in summary.units.values()]
    kinds = verdict.gathered((own.additive, wording.metric_title(own.metric)) for own in units)
    lines: dict[str, None] = {}
    for own in units:
        of = wording.listed(list(dict.fromkeys(kinds[own.additive]))) if len(kinds) > 1 else ""
        lines |= dict.fromkeys(notes_of_units(own, of))
    return list(lines)


def record_of_units(found: UnitContributions, n: int | None = None) -> dict[str, Any]:
    """The units for JSON, as `UnitContributions.rows` has them; ids are texts."""
    return {
        **picked(found, "metric system=names.0 baseline=names.1 unit difference additive"),
        "columns": list(found.columns),
        "units": [
            {
                "id": label(row["id"]),
                "cluster": label(row["cluster"]) if "cluster" in row else None,
                "statistics": [row[f"{column}_a"] for column in found.columns],
                "baseline_statistics": [row[f"{column}_b"] for column in found.columns],
                "score": row["score_a"],
                "baseline_score": row["score_b"],
                "contribution": row["contribution"],
                "differs": row["differs"],
            }
            for row in found.rows(n)
        ],
    }


@document_of.register
def _(result: UnitContributions) -> Document:
    def whole() -> Mapping[str, Any]:
        return head("csig.units") | record_of_units(result)

    ids = ("id", "cluster")
    return Document(
        title=f"What units add to {result.names[0]} - {result.names[1]}",
        tables=[table_of_units(result)],
        notes=notes_of_units(result),
        rows=[
            {**row, **{name: label(row[name]) for name in ids if name in row}}
            for row in result.rows()
        ],
        record=whole,
    )
