"""What ``csig compare`` says, as a document: doubts, the answer, its numbers, and the test.

The explanation that goes with it is in :mod:`csig.report.explained`, the rows for programs in
:mod:`csig.report.rows`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.comparison import Comparison
from csig.probability.corrections import holm
from csig.readers.source import Input
from csig.report import citation, conclusions, sizes, tasks, tested, verdict
from csig.report.cells import (
    Numbers,
    difference_column,
    direction,
    metric_column,
    score_column,
    verdict_cell,
    verdict_column,
)
from csig.report.compared import read_as
from csig.report.conclusions import Finer, Outcome, outcome
from csig.report.document import Cell, Column, Document, Table, Tone
from csig.report.explained import explanation, explanation_of_systems
from csig.report.rows import rows, rows_of_systems
from csig.report.summary import Summary
from csig.report.systems import Row, Systems
from csig.results import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown
    from csig.report.options import Options

__all__ = ["all_pairs", "document", "outcomes", "results_table"]

#: Where an explanation is to be had.
HINT = "--explain says what this means."

#: Files that a command is printed with.
FILES = 6

#: What would settle p-values that are undecided.
SETTLED = "more shuffles (--resamples) or --method exact would settle it."


def document(found: Summary | Systems, hint: str = "") -> Document:
    """What is said of a comparison.

    Parameters
    ----------
    found : Summary or Systems
        Of two systems, or of more.
    hint : str
        Where the explanation is, for readers who do not see it.
    """
    return _of_systems(found, hint) if isinstance(found, Systems) else _of_two(found, hint)


def _record(found: Summary | Systems) -> dict[str, Any]:
    from csig.report.records import as_dict, systems_as_dict  # for those who want one

    return systems_as_dict(found) if isinstance(found, Systems) else as_dict(found)


def _share(result: RandomizationResult) -> bool:
    return wording.in_percent(result.score_a, result.score_b, result.metric)


def _sided(options: Options) -> str:
    return "" if options.alternative == "two-sided" else "\none-sided"


def _joined(*parts: str) -> list[str]:
    line = " ".join(part for part in parts if part)
    return [line] if line else []


def _with_hint(notes: list[str], hint: str) -> list[str]:
    """The hint is no line of its own."""
    return [*notes[:-1], " ".join(filter(None, [*notes[-1:], hint]))] if notes or hint else []


# ---- two systems -------------------------------------------------------------------------


def outcomes(results: Mapping[str, RandomizationResult], alpha: float) -> dict[str, Outcome]:
    """What the tests found, by metric."""
    return {
        name: outcome(result, verdict.verdict(result, alpha), alpha)
        for name, result in results.items()
    }


def results_table(
    names: Sequence[str],
    results: Mapping[str, RandomizationResult],
    intervals: Mapping[str, Interval | str],
    options: Options,
) -> Table:
    """One row a metric: the first system's score, the second's, and all about the difference.

    Parameters
    ----------
    names : pair of str
        A's and B's; B is shown first.
    results : mapping {metric: RandomizationResult}
        Of A and B.
    intervals : mapping {metric: Interval or str}
        Of their differences, or why there is none; without any the table has no column of them.
    options : Options
        What was asked for.
    """
    short = wording.short_names(names)
    shares = [_share(result) for result in results.values()]
    numbers = Numbers.of(shares)
    directions = [direction(name, own.greater_is_better) for name, own in results.items()]
    mixed = len(set(directions)) > 1
    columns = [
        metric_column(directions),
        score_column(names[1], short[1], numbers),
        score_column(names[0], short[0], numbers),
        difference_column(names, short, numbers),
    ]
    if intervals:
        columns.append(Column(f"{sizes.level(options)} interval{numbers.of_differences}"))
    columns += [Column(f"p{_sided(options)}"), verdict_column(options.alpha, named=True)]
    found = []
    for (name, own), share in zip(outcomes(results, options.alpha).items(), shares, strict=True):
        result = results[name]
        title = wording.metric_title(name)
        if mixed and (said := direction(name, result.greater_is_better)):
            title += f" ({said})"
        row = [
            Cell(title, "name", "strong"),
            *numbers.scores((result.score_b, result.score_a), share),
            numbers.difference(result.statistic, share),
        ]
        if intervals:
            row.append(numbers.interval(intervals.get(name), share))
        row.append(Cell(verdict.pvalue_text(result, options.alpha), "pvalue"))
        found.append([*row, verdict_cell(own, names, short)])
    return Table(name="results", columns=columns, rows=found)


def _finer(summary: Summary, few: Sequence[str]) -> Finer | None:
    """What the largest smaller unit says that can tell, of those that were tested, too."""
    units, alpha = list(summary.sensitivity), summary.options.alpha
    own = summary.comparison.unit
    for unit in reversed(units[: units.index(own)] if own in units else []):
        results = {name: summary.sensitivity[unit][name] for name in few}
        found = outcomes(results, alpha)
        if "few" in found.values() or not all(result.n_units for result in results.values()):
            continue
        over = [summary.comparisons.get(name, summary.comparison).at(unit) for name in few]
        return Finer(_all_units(over), found, results)
    return None


def _all_units(comparisons: Sequence[Comparison]) -> str:
    """How many units there are, those without a difference too."""
    totals = [own.n_units if own.units is None else own.units.n_total for own in comparisons]
    unique = "unique " if comparisons[0].units is None else ""
    return f"{tested.ranged(totals)} {unique}{wording.noun(comparisons[0].unit, max(totals))}"


def _answer(summary: Summary, results: Mapping[str, RandomizationResult]) -> str:
    """The answer by the results that have a row."""
    found = outcomes(results, summary.options.alpha)
    few = [name for name, own in found.items() if own == "few" and name in summary.results]
    known = {own.result.metric: own.comparison for own in summary.over_tasks.values()}
    known |= summary.comparisons
    units = {name: known.get(name, summary.comparison).units for name in results}
    return conclusions.of_two(
        found,
        results,
        summary.comparison.names,
        summary.options.alpha,
        {name: None if own is None else own.n_total for name, own in units.items()},
        _finer(summary, few) if few else None,
    )


def _checks(summary: Summary) -> list[Table]:
    """The checks of Yeh (2000): two runs, and recall against the sign test."""
    checked = [(r, r.checks) for r in summary.results.values() if r.checks is not None]
    if not checked:
        return []

    def row(title: str, first: str, second: str, agreement: float) -> list[Cell]:
        tone: Tone = "worse" if agreement < verdict.CHECK_LEVEL else "plain"
        return [
            Cell(title, "name"),
            Cell(first, "number"),
            Cell(second, "number"),
            Cell(wording.pvalue(agreement), "pvalue", tone),
        ]

    found = [
        row(
            f"{wording.metric_title(result.metric)}: run 1 and run 2",
            f"{wording.count(result.n_hits or 0)} hits",
            f"{wording.count(checks.second_run.n_hits)} hits",
            checks.second_run.agreement_pvalue,
        )
        for result, checks in checked
    ]
    sign = checked[0][1].sign_test
    found.append(
        row(
            "Recall: shuffles and sign test",
            f"p = {wording.pvalue(sign.pvalue)}",
            f"p = {wording.pvalue(sign.sign_pvalue)}",
            sign.agreement_pvalue,
        )
    )
    columns = [
        Column("Checks of Yeh (2000)", "left"),
        Column("First"),
        Column("Second"),
        Column("p if they agree"),
    ]
    return [Table(name="checks", columns=columns, rows=found)]


def _parts(summary: Summary, breakdown: Breakdown, metric: str) -> Table:
    """One row a part of the data, by one metric."""
    options, names = summary.options, summary.comparison.names
    short = wording.short_names(names)
    corrected = breakdown.corrected(metric, options.alpha)
    share = all(_share(row.result) for row in corrected)
    numbers = Numbers.of([share])
    columns = [
        Column(wording.clean(options.by or ""), "left"),
        score_column(names[1], short[1], numbers),
        score_column(names[0], short[0], numbers),
        difference_column(names, short, numbers),
        Column(f"p (Holm){_sided(options)}"),
        verdict_column(options.alpha, named=True),
    ]
    found = []
    for row in corrected:
        result = row.result
        adjusted = wording.pvalue(row.adjusted, row.log_adjusted, options.alpha)
        found.append(
            [
                Cell(str(row.name), "name", "strong"),
                *numbers.scores((result.score_b, result.score_a), share),
                numbers.difference(result.statistic, share),
                Cell(adjusted, "pvalue"),
                verdict_cell(outcome(result, row.verdict), names, short),
            ]
        )
    title = f"{wording.metric_title(metric)} by {wording.clean(options.by or '')}"
    return Table(name=f"parts_{metric}", title=title, columns=columns, rows=found)


def _of_parts(summary: Summary) -> tuple[list[str], list[Table], str]:
    """The answers for the parts, their tables, and what was done for their number."""
    breakdown = summary.breakdown
    if breakdown is None:
        return [], [], ""
    by, alpha = summary.options.by or "", summary.options.alpha
    found = {
        metric: [
            (str(row.name), outcome(row.result, row.verdict))
            for row in breakdown.corrected(metric, alpha)
        ]
        for metric in breakdown.metrics
    }
    said = conclusions.of_parts(found, summary.results, summary.comparison.names, by)
    tables = [_parts(summary, breakdown, metric) for metric in breakdown.metrics]
    part = conclusions.part_noun(by)
    unsure = any(own == "undecided" for rows in found.values() for _, own in rows)
    number = wording.counted(len(breakdown.parts), part)
    each = ", separately for each metric" if len(breakdown.metrics) > 1 else ""
    settled = f" Undecided {wording.noun(part, 2)}: {SETTLED}" if unsure else ""
    return said, tables, f"p (Holm) is adjusted for {number}{each}.{settled}"


def _undecided(results: Iterable[RandomizationResult], alpha: float) -> list[str]:
    return [
        tested.undecided(result, alpha)
        for result in results
        if verdict.verdict(result, alpha) == "undecided"
    ]


def _units(summaries: Sequence[Summary]) -> tuple[list[Table], list[str]]:
    """Which units make the differences, where somebody asked, and what is to be said of that."""
    if not any(summary.units for summary in summaries):
        return [], []
    from csig.report import worst  # for those who asked

    return [own for summary in summaries for own in worst.tables(summary)], worst.said(summaries)


def _all_tests(summary: Summary) -> tuple[list[Table], list[str]]:
    """All tests of every metric, where somebody asked, and what is to be said of them."""
    if not summary.tests:
        return [], []
    from csig.report.advised import not_applying, notes_of_tests, table_of_tests  # who asked

    tables = [
        table_of_tests(own, f"tests_{name}", f"All tests of {wording.metric_name(name)}")
        for name, own in summary.tests.items()
    ]
    said = notes_of_tests(summary.tests)
    for own in summary.tests.values():
        which = f"{wording.metric_title(own.metric)}: " if len(summary.tests) > 1 else ""
        said += _joined(which + not_applying(own))
    return tables, said


def _lower(results: Sequence[RandomizationResult]) -> str:
    less = [wording.metric_name(own.metric) for own in results if not own.greater_is_better]
    return f"Lower is better: {wording.listed(less)}." if less else ""


def _of_two(summary: Summary, hint: str) -> Document:
    names, alpha = summary.comparison.names, summary.options.alpha
    results = {name: summary.every[name] for name in tasks.shown(summary)}
    whole = list(summary.results.values())
    said, tables, corrected = _of_parts(summary)
    units, every = _units([summary]), _all_tests(summary)
    intervals = {k: own for k, own in summary.every_interval.items() if k in results}
    n = sum(result.n_units > 0 for result in whole)  # of nothing there is no test
    notes = [
        *_joined(
            tested.tested([summary], results),
            verdict.certified(results.values()),
            tested.pvalue_intervals(results.values(), alpha),
            tested.other_units(summary),
            tasks.said(summary),
        ),
        *summary.input.notes,
        *_undecided(results.values(), alpha),
        *sizes.gaps(intervals, results, summary.options),
        *units[1],
        *every[1],
        *_joined(read_as(summary.input), _lower(whole), tested.not_corrected(n), corrected),
    ]
    return Document(
        title=f"{wording.clean(names[0])} compared with {wording.clean(names[1])}",
        doubts=summary.cautions,
        verdict=[_answer(summary, results), *tested.volumes(summary, results), *said],
        tables=[
            results_table(names, results, intervals, summary.options),
            *every[0],
            *_checks(summary),
            *tables,
            *units[0],
        ],
        notes=_with_hint(notes, hint),
        explanation=explanation(summary, notes),
        signature=summary.signature,
        citation=citation.of_systems([summary]),
        rows=rows(summary),
        record=partial(_record, summary),
    )


# ---- several systems ---------------------------------------------------------------------


def _systems_results(systems: Systems, metric: str) -> Table:
    """A metric's scores: the baseline, and below it every system beside it."""
    corrected, options = systems.rows(metric), systems.options
    share = all(_share(row.result) for row in corrected)
    numbers = Numbers.of([share])
    base = wording.clean(systems.baseline)
    intervals = [summary.every_interval.get(metric) for summary in systems.summaries]
    below = numbers.of_differences
    said = direction(metric, corrected[0].result.greater_is_better)
    better = f"\n{said}" if said else ""
    difference = Column(f"system - {base}{below}", short=f"difference{below}")
    columns = [
        Column("System", "left"),
        Column(f"{wording.metric_title(metric)}{numbers.of_scores}{better}"),
        difference,
    ]
    if any(own is not None for own in intervals):
        columns.append(Column(f"{sizes.level(options)} interval{below}"))
    columns += [Column(f"p (Holm){_sided(options)}"), verdict_column(options.alpha)]
    values = [corrected[0].result.score_b, *(row.result.score_a for row in corrected)]
    of_base, *scores = numbers.scores(values, share)
    first = [Cell(base, "name", "strong"), of_base]
    found = [[*first, *(Cell("") for _ in columns[3:]), Cell("baseline", "text", "quiet")]]
    for row, score, interval in zip(corrected, scores, intervals, strict=True):
        result = row.result
        cells = [
            Cell(wording.clean(str(row.name)), "name", "strong"),
            score,
            numbers.difference(result.statistic, share),
        ]
        if len(columns) == 6:
            cells.append(numbers.interval(interval, share))
        adjusted = wording.pvalue(row.adjusted, row.log_adjusted, options.alpha)
        own = verdict_cell(outcome(result, row.verdict))
        found.append([*cells, Cell(adjusted, "pvalue"), own])
    return Table(name=f"results_{metric}", columns=columns, rows=found)


def _outcomes_of_systems(rows: Sequence[Row], alpha: float) -> list[tuple[str, Outcome]]:
    """What was found of every system; those with too few units for any rejection marked.

    The least p-values that their units allow are corrected together: lower ones reject no fewer.
    """
    least = holm([verdict.least_pvalue(row.result) for row in rows], alpha)
    found = [outcome(row.result, row.verdict) for row in rows]
    return [
        (str(row.name), "few" if own == "none" and not most.significant else own)
        for row, own, most in zip(rows, found, least, strict=True)
    ]


def _too_few(
    rows: Sequence[Row], found: Sequence[tuple[str, Outcome]], alpha: float, total: int | None
) -> str:
    """That some systems have too few units that differ."""
    single = [verdict.least_pvalue(row.result) for row in rows]
    adjusted = [own.adjusted for own in holm(single, alpha)]
    few = [i for i, (_, own) in enumerate(found) if own == "few"]
    only_holm = min(single[i] for i in few) <= alpha
    least = min(adjusted[i] for i in few) if only_holm else None
    return conclusions.too_few([rows[i].result for i in few], alpha, total, least)


def _said_of_systems(systems: Systems, shown: Sequence[str]) -> list[str]:
    alpha, first = systems.options.alpha, systems.summaries[0]
    found = {metric: _outcomes_of_systems(systems.rows(metric), alpha) for metric in shown}
    few = {}
    for metric, own in found.items():
        if any(said == "few" for _, said in own):
            units = first.comparisons.get(metric, first.comparison).units
            total = None if units is None else units.n_total
            few[metric] = _too_few(systems.rows(metric), own, alpha, total)
    finer = None
    if all(said == "few" for own in found.values() for _, said in own):
        finer = _finer_of_systems(systems)
    return conclusions.of_systems(found, first.every, systems.baseline, few, finer)


def _finer_of_systems(systems: Systems) -> tuple[str, dict[str, list[tuple[str, Outcome]]]] | None:
    """What the largest smaller unit says of several systems, all of which have too few units."""
    first, alpha = systems.summaries[0], systems.options.alpha
    units, own = list(first.sensitivity), first.comparison.unit
    for unit in reversed(units[: units.index(own)] if own in units else []):
        found = {}
        for metric in systems.metrics:
            rows = holm([summary.sensitivity[unit][metric] for summary in systems.summaries], alpha)
            names = [summary.comparison.names[0] for summary in systems.summaries]
            named = [replace(row, name=name) for row, name in zip(rows, names, strict=True)]
            found[metric] = _outcomes_of_systems(named, alpha)
        if not any(said == "few" for own_found in found.values() for _, said in own_found):
            known = [result for summary in systems.summaries for result in summary.results.values()]
            units_here = first.comparison.units
            total = None if units_here is None else units_here.n_total
            over = _all_units([first.comparison.at(unit)])
            return f"{conclusions.cannot_tell(known, total)}; over {over}", found
    return None


def all_pairs(source: Input, comparison: Comparison) -> str:
    """The command that tests all pairs, where there is one.

    Parameters
    ----------
    source : Input
        What was read.
    comparison : Comparison
        Two of the systems.

    Examples
    --------
    >>> from csig.readers.source import TableInput
    >>> two = Comparison.from_scores([1, 0], [0, 1])
    >>> source = Input("scores", {}, table=TableInput(("my scores.csv",), ("a", "b"), 2))
    >>> all_pairs(source, two)
    "; csig systems 'my scores.csv' ranks all systems and tests all pairs"
    """
    single = comparison.unit in ("response", "conflict") or source.format == "statistics"
    if single or comparison.runs is not None:
        return ""
    if source.table is not None:
        files = list(source.table.files)
    else:
        files = list(dict.fromkeys([*source.files.values(), *source.systems]))
    if not files:
        return "; csig.compare_systems ranks all systems and tests all pairs"
    given = shlex.join(files) if len(files) <= FILES else "with the same files"
    return f"; csig systems {wording.clean(given)} ranks all systems and tests all pairs"


def _of_systems(systems: Systems, hint: str) -> Document:
    n, base = len(systems.summaries), wording.clean(systems.baseline)
    metrics, shown = systems.metrics, tasks.shown(systems)
    verdicts = {row.verdict for metric in metrics for row in systems.rows(metric)}
    units = _units(systems.summaries)
    holm = f"p (Holm) is adjusted for {n} comparisons with {base}"
    if len(metrics) > 1:
        holm += f", not for testing {wording.count(len(metrics))} metrics"
    if any(summary.intervals for summary in systems.summaries):
        holm += "; the intervals are not adjusted"
    where = all_pairs(systems.input, systems.summaries[0].comparison)
    holm += f". Other pairs of systems are not tested{where}"
    results = list(systems.summaries[0].results.values())
    notes = [
        *_joined(
            tested.tested(systems.summaries, shown),
            tested.other_units_of_systems(systems),
            tasks.said(systems),
        ),
        *systems.input.notes,
        *(
            line
            for own in systems.summaries
            for line in tested.volumes(own, shown, f", {wording.clean(own.comparison.names[0])}")
        ),
        *[f"Undecided: {SETTLED}"] * ("undecided" in verdicts),
        *systems.gaps,
        *units[1],
        *_joined(read_as(systems.input), _lower(results), f"{holm}."),
    ]
    return Document(
        title=f"{wording.counted(n, 'system')} compared with {base}",
        doubts=systems.cautions,
        verdict=_said_of_systems(systems, shown),
        tables=[
            *(_systems_results(systems, metric) for metric in shown),
            *units[0],
        ],
        notes=_with_hint(notes, hint),
        explanation=explanation_of_systems(systems, notes),
        signature=systems.signature,
        citation=citation.of_systems(systems.summaries),
        rows=rows_of_systems(systems),
        record=partial(_record, systems),
    )
