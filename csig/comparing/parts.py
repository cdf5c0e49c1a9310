"""Results by part of the data and by unit, effects and runs as documents.

Units are those that raise a difference most and those that lower it most: ``docs/units.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from csig.base import wording
from csig.base.errors import InputError
from csig.comparing import verdict
from csig.comparing.breakdowns import Breakdown, Sensitivity
from csig.comparing.effects import Effect, UnitContributions, label
from csig.comparing.report import compared, row_of, scores_of, verdict_cell
from csig.comparing.runs import RunVariance
from csig.comparing.sizes import Numbers
from csig.comparing.summary import Summary
from csig.data.repeats import AnswerVariance
from csig.report.document import Document, Scalar, Table, Tone
from csig.report.forms import ALPHA, Text, head, of_one, picked, recorded, table
from csig.report.shown import document_of
from csig.results.randomization import RandomizationResult


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
