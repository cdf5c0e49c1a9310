"""What ``csig compare`` says, as a document: the answer, doubts, its numbers, and the test.

The explanation that goes with it is in :mod:`csig.comparing.conclusions`, the rows for programs in
:mod:`csig.comparing.summary`.

JSON records are below; ``docs/json.md`` lists every field. Every difference is the score of a
system minus that of the baseline, which is the first system or was asked for; in a comparison the
system is A, the baseline B. Fields that have one value for each are called after what they hold,
the baseline's with ``baseline_`` before it. Records hold codes and numbers, no sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from csig.base import wording
from csig.base.errors import argument
from csig.comparing import conclusions, sizes, verdict
from csig.comparing.conclusions import Finer, explanation, explanation_of_systems
from csig.comparing.described import read_as, source_line
from csig.comparing.estimates import Estimates
from csig.comparing.options import record_of_seed
from csig.comparing.signature import Methods, cited_systems
from csig.comparing.sizes import (
    Numbers,
    headers_of,
    last_headers,
    outcomes,
    results_table,
    verdict_cell,
)
from csig.comparing.summary import (
    Row,
    Summary,
    Systems,
    rows,
    rows_of_systems,
    said_of_tasks,
    with_rows,
)
from csig.comparing.verdict import Outcome, outcome
from csig.data.comparison import Comparison
from csig.probability.corrections import holm
from csig.readers.request import Input
from csig.report.document import (
    Cell,
    Document,
    Header,
    Names,
    Table,
    Text,
    Tone,
    picked,
    plain,
    record_of_doubts,
    table,
)
from csig.results.randomization import Interval, RandomizationResult

#: Where an explanation is to be had.
HINT = "More: --explain. For papers: --cite."


def _settled() -> str:
    """What would settle p-values that are undecided."""
    exact = argument("method", "exact")
    return f"more shuffles ({argument('resamples')}) or {exact} would settle it."


def document(found: Summary | Systems, hint: str = "") -> Document:
    """What is said of a comparison; `hint` is where the explanation is, for who does not see it."""
    return _of_systems(found, hint) if isinstance(found, Systems) else _of_two(found, hint)


def _joined(*parts: str) -> list[str]:
    line = wording.joined(parts)
    return [line] if line else []


def _with_hint(notes: list[str], hint: str) -> list[str]:
    """The hint is no line of its own."""
    return [*notes[:-1], *_joined(*notes[-1:], wording.Line(hint))]


def _finer(summary: Summary, few: Sequence[str]) -> Finer | None:
    """What the largest smaller unit says that can tell, of those that were tested, too."""
    for unit in _smaller_units(summary):
        results = {name: summary.sensitivity[unit][name] for name in few}
        found = outcomes(results, summary.options.alpha)
        if "few" in found.values() or not all(result.n_units for result in results.values()):
            continue
        over = [summary.comparisons.get(name, summary.comparison).at(unit) for name in few]
        return Finer(_all_units(over), found, results)
    return None


def _smaller_units(summary: Summary) -> list[str]:
    """Units that were tested, too, the largest first."""
    units, own = list(summary.sensitivity), summary.comparison.unit
    return units[: units.index(own)][::-1] if own in units else []


def _all_units(comparisons: Sequence[Comparison]) -> str:
    """How many units there are, those without a difference too."""
    totals = [own.n_units if own.units is None else own.units.n_total for own in comparisons]
    unique = "unique " if comparisons[0].units is None else ""
    return f"{wording.ranged(totals)} {unique}{wording.noun(comparisons[0].unit, max(totals))}"


def _checks(summary: Summary) -> list[Table]:
    """The checks of Yeh (2000): two runs, and recall against the sign test."""
    checked = [(r, r.checks) for r in summary.results.values() if r.checks is not None]
    if not checked:
        return []

    def row(title: str, both: Sequence[str], agreement: float) -> list[Text]:
        tone: Tone = "worse" if agreement < verdict.CHECK_LEVEL else "plain"
        return [title, *both, (wording.pvalue(agreement), tone)]

    found = []
    for result, checks in checked:
        title = f"{wording.metric_title(result.metric)}: run 1 and run 2"
        second = checks.second_run
        hits = [f"{wording.count(n)} hits" for n in (result.n_hits or 0, second.n_hits)]
        found.append(row(title, hits, second.agreement_pvalue))
    sign = checked[0][1].sign_test
    both = [f"p = {wording.pvalue(p)}" for p in (sign.pvalue, sign.sign_pvalue)]
    found.append(row("Recall: shuffles and sign test", both, sign.agreement_pvalue))
    headers = ("Checks of Yeh (2000)", "First", "Second", "p if they agree")
    return [table("checks", "n##p", headers, found)]


def _of_parts(summary: Summary) -> tuple[list[str], list[Table], str]:
    """The answers for the parts, a table a metric, and what was done for their number."""
    breakdown, options, names = summary.breakdown, summary.options, summary.comparison.names
    if breakdown is None:
        return [], [], ""
    by, called, found, tables = options.by or "", Names(reversed(names)), {}, []
    for metric in breakdown.metrics:
        corrected = breakdown.corrected(metric, options.alpha)
        outcomes_of = [(row, outcome(row.result, row.verdict)) for row in corrected]
        found[metric] = [(str(row.name), own) for row, own in outcomes_of]
        whole = summary.every.get(metric)
        shown = [row.result for row in corrected] if whole is None else [whole]
        figures = verdict.figures(*shown)
        numbers = Numbers.of([figures.percents])
        headers: list[Header] = [
            wording.clean(by), *headers_of(called, numbers), *last_headers(options, holm=True)
        ]  # fmt: skip
        cells: list[list[Text]] = [
            [
                (str(row.name), "strong"),
                *numbers.scores((row.result.score_b, row.result.score_a), figures),
                numbers.difference(row.result.statistic, figures),
                wording.pvalue(row.adjusted_pvalue, row.log_adjusted_pvalue, options.alpha),
                verdict_cell(own, called),
            ]
            for row, own in outcomes_of
        ]
        title = f"{wording.metric_title(metric)} by {wording.clean(by)}"
        tables.append(table(f"parts_{metric}", "n###pv", headers, cells, title, called))
    said = conclusions.of_parts(found, summary.results, names, by)
    part = conclusions.part_noun(by)
    unsure = any(own == "undecided" for rows in found.values() for _, own in rows)
    number = wording.counted(len(breakdown.parts), part)
    each = ", separately for each metric" if len(breakdown.metrics) > 1 else ""
    settled = f"Undecided {wording.noun(part, 2)}: {_settled()}" if unsure else ""
    adjusted = f"p (Holm) is adjusted for {number}{each}."
    return said, tables, wording.joined([adjusted, wording.Line(settled)])


def _units(summaries: Sequence[Summary]) -> tuple[list[Table], list[str]]:
    """Which units make the differences, where somebody asked, and what is to be said of that."""
    if not any(summary.units for summary in summaries):
        return [], []
    from csig.comparing import report  # for those who asked

    tables = [own for summary in summaries for own in report.tables_of_units(summary)]
    return tables, report.said_of_units(summaries)


def _all_tests(summary: Summary) -> tuple[list[Table], list[str]]:
    """All tests of every metric, where somebody asked, and what is to be said of them."""
    if not summary.tests:
        return [], []
    from csig.advice import report as advised  # for those who asked

    tables = [
        advised.table_of_tests(own, f"tests_{name}", f"All tests of {wording.metric_name(name)}")
        for name, own in summary.tests.items()
    ]
    said = advised.notes_of_tests(summary.tests)
    for own in summary.tests.values():
        which = f"{wording.metric_title(own.metric)}: " if len(summary.tests) > 1 else ""
        said += [which + line for line in [advised.not_applying(own)] if line]
    return tables, said


def _lower(results: Sequence[RandomizationResult]) -> str:
    less = [wording.metric_name(own.metric) for own in results if not own.greater_is_better]
    return f"Lower is better: {wording.listed(less)}." if less else ""


def _of_two(summary: Summary, hint: str) -> Document:
    names, alpha = summary.comparison.names, summary.options.alpha
    results = {name: summary.every[name] for name in with_rows(summary)}
    whole = list(summary.results.values())
    # The answer by the results that have a row.
    outcome_by = outcomes(results, alpha)
    few = [name for name, own in outcome_by.items() if own == "few" and name in summary.results]
    known = {own.result.metric: own.comparison for own in summary.over_tasks.values()}
    known |= summary.comparisons
    of_units = {name: known.get(name, summary.comparison).units for name in results}
    totals = {name: None if own is None else own.n_total for name, own in of_units.items()}
    finer = _finer(summary, few) if few else None
    answer = conclusions.of_two(outcome_by, results, names, alpha, totals, finer)
    of_parts, tables, corrected = _of_parts(summary)
    units, every = _units([summary]), _all_tests(summary)
    intervals = {k: own for k, own in summary.every_interval.items() if k in results}
    n = sum(result.n_units > 0 for result in whole)  # of nothing there is no test
    notes = [
        *_joined(
            conclusions.tested([summary], results),
            verdict.certified(results.values()),
            conclusions.pvalue_intervals(results.values(), alpha),
            conclusions.other_units(summary),
            said_of_tasks(summary),
        ),
        *summary.input.notes,
        *(
            conclusions.undecided(result, alpha)
            for result in results.values()
            if verdict.verdict(result, alpha) == "undecided"
        ),
        *sizes.gaps(intervals, results, summary.options),
        *units[1],
        *every[1],
        *_joined(read_as(summary.input), _lower(whole), conclusions.not_corrected(n), corrected),
    ]
    return Document(
        title=f"{wording.clean(names[0])} compared with {wording.clean(names[1])}",
        doubts=summary.cautions,
        verdict=[answer, *conclusions.volumes(summary, results), *of_parts],
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
        citation=cited_systems([summary]),
        rows=rows(summary),
        record=partial(as_dict, summary),
    )


def _systems_results(systems: Systems, metric: str) -> Table:
    """A metric's scores: the baseline, and below it every system beside it."""
    corrected, options = systems.rows(metric), systems.options
    intervals = [summary.every_interval.get(metric) for summary in systems.summaries]
    figures = verdict.figures(*(row.result for row in corrected))
    numbers = Numbers.of([figures.percents])
    known = any(own is not None for own in intervals)
    below = numbers.of_differences
    said = sizes.direction(metric, corrected[0].result.greater_is_better)
    called = Names([systems.baseline, *(str(row.name) for row in corrected)])
    headers: list[Header] = [
        "System",
        wording.metric_title(metric) + numbers.of_scores + f"\n{said}" * bool(said),
        called.header(f"system - {{}}{below}", systems.baseline, short=f"difference{below}"),
        *[f"{sizes.level(options)} interval{below}"] * known,
        *last_headers(options, holm=True),
    ]
    values = [corrected[0].result.score_b, *(row.result.score_a for row in corrected)]
    of_base, *scores = numbers.scores(values, figures)
    empty = [Cell("")] * (len(headers) - 3)
    found: list[list[Text]] = [
        [
            called.cell("{}", systems.baseline, tone="strong"),
            of_base,
            *empty,
            Cell("baseline", "text", "quiet"),
        ]
    ]
    for row, score, interval in zip(corrected, scores, intervals, strict=True):
        found.append([
            called.cell("{}", str(row.name), tone="strong"),
            score,
            numbers.difference(row.result.statistic, figures),
            *[numbers.interval(interval, figures)] * known,
            wording.pvalue(row.adjusted_pvalue, row.log_adjusted_pvalue, options.alpha),
            verdict_cell(outcome(row.result, row.verdict)),
        ])  # fmt: skip
    return table(f"results_{metric}", "n##" + "i" * known + "pv", headers, found, names=called)


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


def _said_of_systems(systems: Systems, shown: Sequence[str]) -> list[str]:
    alpha, first = systems.options.alpha, systems.summaries[0]
    found = {metric: _outcomes_of_systems(systems.rows(metric), alpha) for metric in shown}
    every = {metric: [row.result for row in systems.rows(metric)] for metric in shown}
    few = {}
    for metric, own in found.items():
        results = every[metric]
        single = [verdict.least_pvalue(result) for result in results]
        adjusted = [row.adjusted_pvalue for row in holm(single, alpha)]
        which = [i for i, (_, said) in enumerate(own) if said == "few"]
        if which:
            units = first.comparisons.get(metric, first.comparison).units
            total = None if units is None else units.n_total
            only_holm = min(single[i] for i in which) <= alpha
            least = min(adjusted[i] for i in which) if only_holm else None
            few[metric] = conclusions.too_few([results[i] for i in which], alpha, total, least)
    finer = None
    if all(said == "few" for own in found.values() for _, said in own):
        finer = _finer_of_systems(systems)
    return conclusions.of_systems(found, every, systems.baseline, few, finer)


def _finer_of_systems(systems: Systems) -> conclusions.FinerOfSystems | None:
    """What the largest smaller unit says of several systems, all of which have too few units."""
    first = systems.summaries[0]
    for unit in _smaller_units(first):
        rows = {metric: systems.rows(metric, unit) for metric in systems.metrics}
        found = {
            metric: _outcomes_of_systems(own, systems.options.alpha) for metric, own in rows.items()
        }
        if not any(said == "few" for own_found in found.values() for _, said in own_found):
            known = [result for summary in systems.summaries for result in summary.results.values()]
            units_here = first.comparison.units
            total = None if units_here is None else units_here.n_total
            over = _all_units([first.comparison.at(unit)])
            results = {metric: [row.result for row in own] for metric, own in rows.items()}
            return f"{conclusions.cannot_tell(known, total)}; over {over}", found, results
    return None


def _all_pairs(source: Input, comparison: Comparison) -> str:
    """What tests all pairs, where something does; `comparison` is of two of the systems."""
    single = comparison.unit in ("response", "conflict") or source.format == "statistics"
    if single or comparison.runs is not None:
        return ""
    files = source.files or source.systems if source.table is None else source.table.files
    how = "csig systems" if files else "csig.compare_systems"
    return f" {how} tests all pairs."


def _of_systems(systems: Systems, hint: str) -> Document:
    n, base = len(systems.summaries), wording.clean(systems.baseline)
    metrics, shown = systems.metrics, with_rows(systems)
    units = _units(systems.summaries)
    holm = f"p (Holm) is adjusted for {n} comparisons with {base}"
    if len(metrics) > 1:
        holm += f", not for testing {wording.count(len(metrics))} metrics"
    if any(summary.intervals for summary in systems.summaries):
        holm += "; the intervals are not"
    holm += "."
    where = _all_pairs(systems.input, systems.summaries[0].comparison)
    results = list(systems.summaries[0].results.values())
    notes = [
        *_joined(
            conclusions.tested(systems.summaries, shown),
            conclusions.other_units_of_systems(systems),
            said_of_tasks(systems),
        ),
        *systems.input.notes,
        *(
            line
            for own in systems.summaries
            for line in conclusions.volumes(
                own, shown, f", {wording.clean(own.comparison.names[0])}"
            )
        ),
        *[wording.Line(f"Undecided: {_settled()}")] * ("undecided" in systems.verdicts),
        *systems.gaps,
        *units[1],
        *_joined(read_as(systems.input), _lower(results), wording.Line(f"{holm}{where}", holm)),
    ]
    return Document(
        title=f"{wording.counted(n, 'system')} compared with {base}",
        doubts=systems.cautions,
        verdict=_said_of_systems(systems, shown),
        tables=[*(_systems_results(systems, metric) for metric in shown), *units[0]],
        notes=_with_hint(notes, hint),
        explanation=explanation_of_systems(systems, notes),
        signature=systems.signature,
        citation=cited_systems(systems.summaries),
        rows=rows_of_systems(systems),
        record=partial(systems_as_dict, systems),
    )


def _estimates_table(found: Estimates, metric: str) -> Table:
    """A metric's systems and differences, of shares in percent and points."""
    rows, figures = found.rows[metric], found.figures(metric)
    called = Names(dict.fromkeys(name for row in rows for name in row.systems))
    share = figures.percents
    cells: list[list[Text]] = []
    for row in rows:
        difference, interval = len(row.systems) == 2, row.interval
        name = " - ".join(["{}"] * len(row.systems)) + " (points)" * (difference and share)
        estimate = figures.score(row.estimate)
        if difference:
            estimate = figures.difference(row.estimate, sign=True)
        cells.append([called.cell(name, *row.systems, tone="strong"), estimate])
        if isinstance(interval, str):
            cells[-1] += [Cell("no interval", "text", "quiet"), Cell(""), Cell("")]
            continue
        error = interval.standard_error
        cells[-1] += [
            sizes.ends(interval, figures, sign=difference),
            "" if error is None else figures.difference(error),
            wording.count(interval.n_units)
            if row.n_differ is None
            else f"{wording.count(row.n_differ)} differ",
        ]
    title, said = wording.metric_title(metric), sizes.direction(metric, rows[0].greater_is_better)
    headers = [
        (f"{title}, {said}", f"{title}\n{said}") if said else title,
        "%" if figures.percents else "score",
        f"{sizes.level(found.options)} interval",
        "standard error",
        "units",
    ]
    return table(f"intervals-{metric}", "n#i##", headers, cells, names=called)


def document_of_estimates(found: Estimates) -> Document:
    """The intervals of ``csig interval``: of all scores and differences."""
    methods, options = Methods(), found.options
    level = options.confidence_level
    methods.intervals((row.interval for rows in found.rows.values() for row in rows), level)
    names = (
        "low", "high", "standard_error", "method", "n_units", "n_runs", "n_resamples", "instead",
    )  # fmt: skip

    return Document(
        title=f"{sizes.level(options)} intervals of scores and differences",
        doubts=found.cautions,
        verdict=found.answer,
        tables=[_estimates_table(found, metric) for metric in found.rows],
        notes=[f"Read as {source_line(found.input)}.", *found.notes],
        signature=found.signature,
        citation=methods.end(),
        rows=[
            {
                "metric": metric,
                "what": "score" if len(row.systems) == 1 else "difference",
                "system": row.systems[0],
                "minus": row.systems[1] if len(row.systems) == 2 else None,
                "estimate": row.estimate,
                "confidence_level": level,
                "unit": found.unit,
                **{name: getattr(row.interval, name, None) for name in names},
                "reason": row.interval if isinstance(row.interval, str) else None,
            }
            for metric, rows in found.rows.items()
            for row in rows
        ],
        record=partial(estimates_as_dict, found),
    )


# ---- records ----------------------------------------------------------------------------------

#: Raised when a field is removed or changes its meaning; a new field does not raise it.
SCHEMA_VERSION = 3

#: Which differences count as extreme, by the alternative of the system minus the baseline.
TAILS = {"two-sided": "both", "greater": "upper", "less": "lower"}


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _comparison(comparison: Comparison) -> dict[str, Any]:
    units, exclusions = comparison.units, comparison.exclusions
    counts = None
    if units is None:  # they carry the whole test where responses are swapped one by one
        correct, spurious = comparison.responses
        sums = comparison.sums("a")
        counts = {
            "gold": sums["gold"],
            "both_correct": sums["tp"] - correct.only_a,
            "only_baseline_correct": correct.only_b,
            "only_system_correct": correct.only_a,
            "both_spurious": sums["predicted"] - sums["tp"] - spurious.only_a,
            "only_baseline_spurious": spurious.only_b,
            "only_system_spurious": spurious.only_a,
        }
    return {
        **picked(comparison, "unit baseline=names.1 system=names.0 columns"),
        "baseline_sums": [str(total) for total in comparison.sums("b").values()],
        "sums": [str(total) for total in comparison.sums("a").values()],
        "scale": [str(value) for value in comparison.scale],
        "tau": str(comparison.tau),
        "counts": counts,
        "n_units": comparison.n_units,
        "n_total": None if units is None else units.n_total,
        "identical": comparison.identical,
        "exclusions": None if exclusions is None else asdict(exclusions),
    }


def _interval(
    interval: Interval | str | None, n_differ: int | None = None
) -> dict[str, Any] | None:
    """An interval, where it can be given."""
    if not isinstance(interval, Interval):
        return None
    names = "low high standard_error confidence_level method unit n_units n_runs n_resamples"
    return {
        **picked(interval, names),
        "seed": record_of_seed(interval.seed),
        "instead": interval.instead is not None,
        "few": sizes.few(interval, n_differ) is not None,
    }


def _scores(result: RandomizationResult) -> dict[str, float]:
    return picked(result, "score=score_a baseline_score=score_b difference=statistic")


def _outcome(result: RandomizationResult, alpha: float) -> dict[str, Any]:
    """What every test has."""
    names = "pvalue log_pvalue pvalue_interval method engine n_resamples n_hits tau n_within_tau"
    return {
        **picked(result, names),
        "exact_count": _text(result.exact_count),
        "total_count": _text(result.total_count),
        "verdict": verdict.verdict(result, alpha),
    }


def _adjusted(row: Row) -> dict[str, Any]:
    return picked(row, "adjusted_pvalue log_adjusted_pvalue verdict")


def _effect(summary: Summary, metric: str) -> dict[str, Any] | None:
    """On how many units each system is better."""
    effect = summary.effects.get(metric)
    if effect is None:
        return None
    names = "unit n_units system_better=a_better baseline_better=b_better ties "
    names += "share_system_better=share_a_better share_baseline_better=share_b_better"
    flips = "both only_system=only_a only_baseline=only_b neither"
    own = None if effect.flips is None else picked(effect.flips, flips)
    return {**picked(effect, names), "flips": own}


def _result(result: RandomizationResult, summary: Summary) -> dict[str, Any]:
    """The test by one metric, and all that is known of its difference."""
    alpha, metric = summary.options.alpha, result.metric
    decision, studentized = result.decision, result.studentized
    over_tasks, runs = summary.over_tasks.get(metric), summary.runs.get(metric)
    answers = summary.answers.get(metric)
    names = "n_units n_runs paired scores=scores_a baseline_scores=scores_b "
    names += "between_units=between_units.0 baseline_between_units=between_units.1 error_units "
    names += "error_runs standard_error degrees_of_freedom share_of_runs"
    between = (None, None) if runs is None or runs.between_runs is None else runs.between_runs
    return {
        "metric": metric,
        **_scores(result),
        **_outcome(result, alpha),
        "confidence_level": result.pvalue_confidence,
        "tail": TAILS[result.alternative],
        **picked(
            result,
            "error_bound unit greater_is_better n_units n_moving n_correct n_spurious "
            "zero_division zero_denominator",
        ),
        "seed": record_of_seed(result.seed),
        "checks": None if result.checks is None else asdict(result.checks),
        "decision": None if decision is None else asdict(decision),
        "certificate": None if result.certificate is None else asdict(result.certificate),
        "studentized": None
        if studentized is None
        else {
            **picked(studentized, "expected_count effective_units volumes apart"),
            "plain": _outcome(studentized.plain, alpha),
        },
        "shuffles_to_decide": verdict.shuffles_to_decide(result, alpha),
        "interval": _interval(summary.intervals.get(metric), result.n_moving),
        "effect": _effect(summary, metric),
        "runs": None
        if runs is None
        else {
            **picked(runs, names),
            "between_runs": between[0],
            "baseline_between_runs": between[1],
        },
        "answers": answers
        and picked(
            answers,
            "n_questions fewest_answers most_answers between within standard_error error_answers "
            "share_of_answers",
        ),
        "over_tasks": None
        if over_tasks is None
        else {
            "n_tasks": over_tasks.n_tasks,
            **_scores(over_tasks.result),
            **_outcome(over_tasks.result, alpha),
            "interval": _interval(over_tasks.interval, over_tasks.result.n_moving),
        },
    }


def _sensitivity(summary: Summary) -> list[dict[str, Any]] | None:
    found = []
    for unit, known in summary.sensitivity.items():
        at, results = summary.comparison.at(unit), list(known.values())
        own = [{"metric": r.metric, **_outcome(r, summary.options.alpha)} for r in results]
        most = max(result.n_units for result in results) if summary.comparisons else at.n_units
        total = None if at.units is None else at.units.n_total
        found.append({"unit": unit, "n_units": most, "n_total": total, "results": own})
    return found or None


def _breakdown(summary: Summary) -> dict[str, Any] | None:
    breakdown, alpha = summary.breakdown, summary.options.alpha
    if breakdown is None:
        return None
    rows = [breakdown.corrected(metric, alpha) for metric in breakdown.metrics]
    return {
        "by": summary.options.by,
        "correction": "holm",
        "median_r12": breakdown.median_r12,
        "parts": [
            {
                "label": str(part.label),
                **picked(part, "n_units n_total r12"),
                "results": [
                    {
                        "metric": row.result.metric,
                        **_scores(row.result),
                        **_outcome(row.result, alpha),
                        **_adjusted(row),
                    }
                    for row in own
                ],
            }
            for part, *own in zip(breakdown.parts, *rows, strict=True)
        ],
    }


def _asked(summary: Summary) -> dict[str, Any]:
    """The units that make the differences, and all tests, where somebody asked for them."""
    units, tests = None, None
    if summary.options.worst is not None:
        from csig.comparing.report import record_of_units

        units = [record_of_units(own, summary.options.worst) for own in summary.units.values()]
    if summary.options.all_tests:
        from csig.advice.report import records_of_tests

        tests = [
            {
                "metric": metric,
                "recommended": own.test.test,
                "seed": record_of_seed(own.seed),
                "tests": [
                    {name: one[name] for name in one if name not in ("reason", "source")}
                    for one in records_of_tests(own)
                ],
            }
            for metric, own in summary.tests.items()
        ]
    return {"units": units, "tests": tests}


def as_dict(summary: Summary) -> dict[str, Any]:
    """The record of two systems, of what JSON can hold; fields that mean nothing are None."""
    options = {
        **asdict(summary.options),
        "metrics": list(summary.options.metrics),
        "seed": _text(summary.options.seed),
    }
    found = plain(
        {
            "schema": "csig.compare",
            "schema_version": SCHEMA_VERSION,
            "csig_version": summary.version,
            "baseline": summary.comparison.names[1],
            "system": summary.comparison.names[0],
            "input": summary.input.as_dict(),
            "comparison": _comparison(summary.comparison),
            "comparisons": [
                {"metric": name, **_comparison(own)} for name, own in summary.comparisons.items()
            ]
            or None,
            "options": options,
            "results": [_result(result, summary) for result in summary.results.values()],
            "sensitivity": _sensitivity(summary),
            "breakdown": _breakdown(summary),
            **_asked(summary),
            "doubts": record_of_doubts(summary.cautions),
            **picked(summary, "signature digest"),
        }
    )
    assert isinstance(found, dict)
    return found


def systems_as_dict(systems: Systems) -> dict[str, Any]:
    """The record of several systems and their baseline."""
    return {
        "schema": "csig.compare.systems",
        "schema_version": SCHEMA_VERSION,
        "csig_version": systems.summaries[0].version,
        "baseline": systems.baseline,
        "correction": "holm",
        "results": [
            {
                "metric": metric,
                "system": row.name,
                **_scores(row.result),
                "pvalue": row.result.pvalue,
                **_adjusted(row),
                "interval": _interval(summary.intervals.get(metric), row.result.n_moving),
                "effect": _effect(summary, metric),
            }
            for metric in systems.metrics
            for row, summary in zip(systems.rows(metric), systems.summaries, strict=True)
        ],
        "comparisons": [as_dict(summary) for summary in systems.summaries],
        **picked(systems, "signature digest"),
    }


def estimates_as_dict(found: Estimates) -> dict[str, Any]:
    """The record of ``csig interval``."""
    options = "unit method=options.interval confidence_level=options.confidence_level "
    return {
        "schema": "csig.interval",
        "schema_version": SCHEMA_VERSION,
        "csig_version": found.version,
        "input": found.input.as_dict(),
        **picked(found, options + "zero_division=options.zero_division"),
        "results": [
            {
                "metric": metric,
                "what": "score" if len(row.systems) == 1 else "difference",
                "system": row.systems[0],
                "baseline": row.systems[1] if len(row.systems) > 1 else None,
                "estimate": row.estimate,
                "interval": _interval(row.interval, row.n_differ),
            }
            for metric, rows in found.rows.items()
            for row in rows
        ],
        "doubts": record_of_doubts(found.cautions),
        **picked(found, "signature digest"),
    }
