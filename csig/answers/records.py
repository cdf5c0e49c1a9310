"""The JSON records of comparisons and intervals: ``docs/json.md`` lists every field.

Every difference is the score of a system minus that of the baseline, which is the first system or
was asked for; in a comparison the system is A, the baseline B. Fields that have one value for each
are called after what they hold, the baseline's with ``baseline_`` before it. Records hold codes
and numbers, no sentences.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from csig.comparing import sizes, verdict
from csig.comparing.estimates import Estimates
from csig.comparing.options import record_of_seed
from csig.comparing.summary import Row, Summary, Systems
from csig.data.comparison import Comparison
from csig.report.document import picked, plain, record_of_doubts
from csig.results.randomization import Interval, RandomizationResult

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
