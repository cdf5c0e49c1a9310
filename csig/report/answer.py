"""What ``csig compare`` says, as a document: doubts, the answer, its numbers, and the test.

The explanation that goes with it is in :mod:`csig.report.explained`, the rows for programs in
:mod:`csig.report.rows`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.comparison import Comparison
from csig.readers.source import Input
from csig.report import citation, conclusions, sizes, tested, verdict
from csig.report.cells import (
    Numbers,
    difference_column,
    score_column,
    verdict_cell,
    verdict_column,
)
from csig.report.compared import read_as
from csig.report.conclusions import Outcome, outcome
from csig.report.document import Cell, Column, Document, Table, Tone
from csig.report.explained import explanation, explanation_of_systems
from csig.report.rows import rows, rows_of_systems
from csig.report.summary import Summary
from csig.report.systems import Systems
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
        name: outcome(result, verdict.verdict(result, alpha)) for name, result in results.items()
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
    columns = [
        Column("Metric", "left"),
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
        row = [
            Cell(wording.metric_title(name), "name", "strong"),
            *numbers.scores((result.score_b, result.score_a), share),
            numbers.difference(result.statistic, share),
        ]
        if intervals:
            row.append(numbers.interval(intervals.get(name), share))
        row.append(Cell(verdict.pvalue_text(result, options.alpha), "pvalue"))
        found.append([*row, verdict_cell(own, names, short)])
    return Table(name="results", columns=columns, rows=found)


def _results(summary: Summary) -> Table:
    names, options = summary.comparison.names, summary.options
    return results_table(names, summary.results, summary.intervals, options)


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


def _undecided(summary: Summary) -> list[str]:
    alpha = summary.options.alpha
    return [
        tested.undecided(result, alpha)
        for result in summary.results.values()
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
    names, results = summary.comparison.names, list(summary.results.values())
    said, tables, corrected = _of_parts(summary)
    units, every = _units([summary]), _all_tests(summary)
    intervals = tested.pvalue_intervals(results, summary.options.alpha)
    said_by_metric = outcomes(summary.results, summary.options.alpha)
    n = sum(result.n_units > 0 for result in results)  # of nothing there is no test
    notes = [
        *_joined(
            tested.tested([summary]),
            verdict.certified(results),
            intervals,
            tested.other_units(summary),
        ),
        *summary.input.notes,
        *_undecided(summary),
        *sizes.gaps(summary.intervals, summary.results, summary.options),
        *units[1],
        *every[1],
        *_joined(read_as(summary.input), _lower(results), tested.not_corrected(n), corrected),
    ]
    return Document(
        title=f"{wording.clean(names[0])} compared with {wording.clean(names[1])}",
        doubts=summary.cautions,
        verdict=[conclusions.of_two(said_by_metric, summary.results, names), *said],
        tables=[_results(summary), *every[0], *_checks(summary), *tables, *units[0]],
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
    intervals = [summary.intervals.get(metric) for summary in systems.summaries]
    below = numbers.of_differences
    difference = Column(f"system - {base}{below}", short=f"difference{below}")
    columns = [
        Column("System", "left"),
        Column(f"{wording.metric_title(metric)}{numbers.of_scores}"),
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


def _said_of_systems(systems: Systems) -> list[str]:
    found = {
        metric: [(str(row.name), outcome(row.result, row.verdict)) for row in systems.rows(metric)]
        for metric in systems.metrics
    }
    return conclusions.of_systems(found, systems.summaries[0].results, systems.baseline)


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
    metrics = systems.metrics
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
        *_joined(tested.tested(systems.summaries), tested.other_units_of_systems(systems)),
        *systems.input.notes,
        *[f"Undecided: {SETTLED}"] * ("undecided" in verdicts),
        *systems.gaps,
        *units[1],
        *_joined(read_as(systems.input), _lower(results), f"{holm}."),
    ]
    return Document(
        title=f"{wording.counted(n, 'system')} compared with {base}",
        doubts=systems.cautions,
        verdict=_said_of_systems(systems),
        tables=[
            *(_systems_results(systems, metric) for metric in metrics),
            *units[0],
        ],
        notes=_with_hint(notes, hint),
        explanation=explanation_of_systems(systems, notes),
        signature=systems.signature,
        citation=citation.of_systems(systems.summaries),
        rows=rows_of_systems(systems),
        record=partial(_record, systems),
    )
