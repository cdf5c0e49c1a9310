"""The results as flat rows, for CSV and data frames: ``docs/output.md`` lists the keys."""

from __future__ import annotations

from collections.abc import Iterator

from csig.comparison import Comparison
from csig.effects import Effect
from csig.report.document import Scalar
from csig.report.summary import Summary
from csig.report.systems import Systems
from csig.report.tasks import shown
from csig.report.verdict import verdict
from csig.results import Interval, RandomizationResult

__all__ = ["rows", "rows_of_systems"]

#: A flat row.
Row = dict[str, Scalar]


def _of_interval(interval: Interval | str | None) -> Row:
    if not isinstance(interval, Interval):
        return dict.fromkeys(("low", "high", "confidence_level", "interval_method"))
    return {
        "low": interval.low,
        "high": interval.high,
        "confidence_level": interval.confidence_level,
        "interval_method": interval.method,
    }


def _of_result(
    summary: Summary, result: RandomizationResult, said: str, adjusted: float | None
) -> Row:
    """What a test found."""
    names = summary.comparison.names
    better = None
    if said == "significant":
        better = names[0] if (result.statistic > 0) == result.greater_is_better else names[1]
    low, high = result.pvalue_interval
    return {
        "pvalue": result.pvalue,
        "log_pvalue": result.log_pvalue,
        "adjusted_pvalue": adjusted,
        "pvalue_low": low,
        "pvalue_high": high,
        "alpha": summary.options.alpha,
        "alternative": summary.options.alternative,
        "verdict": said,
        "better": better,
    }


def _of_units(
    summary: Summary, result: RandomizationResult, n_units: int | None, effect: Effect | None
) -> Row:
    """What was swapped, and how."""
    seed = result.seed
    return {
        "unit": result.unit,
        "n_differ": result.n_units,
        "n_units": n_units,
        "n_system_better": None if effect is None else effect.a_better,
        "n_baseline_better": None if effect is None else effect.b_better,
        "n_ties": None if effect is None else effect.ties,
        "method": result.method,
        "n_resamples": result.n_resamples,
        "n_hits": result.n_hits,
        "bit_generator": None if seed is None else seed.bit_generator,
        "seed": None if seed is None else str(seed.entropy),
        "csig_version": summary.version,
    }


def _row(
    summary: Summary,
    result: RandomizationResult,
    said: str,
    *,
    part: str | None = None,
    adjusted: float | None = None,
    n_units: int | None = None,
) -> Row:
    whole, metric = part is None, result.metric
    names = summary.comparison.names
    return {
        "metric": metric,
        "baseline": names[1],
        "system": names[0],
        "by": None if whole else summary.options.by,
        "part": part,
        "baseline_score": result.score_b,
        "score": result.score_a,
        "difference": result.statistic,
        "greater_is_better": result.greater_is_better,
        **_of_interval(summary.every_interval.get(metric) if whole else None),
        **_of_result(summary, result, said, adjusted),
        **_of_units(summary, result, n_units, summary.effects.get(metric) if whole else None),
    }


def _total(comparison: Comparison) -> int | None:
    return None if comparison.units is None else comparison.units.n_total


def _of_parts(summary: Summary) -> Iterator[Row]:
    breakdown = summary.breakdown
    if breakdown is None:
        return
    for metric in breakdown.metrics:
        corrected = breakdown.corrected(metric, summary.options.alpha)
        for part, row in zip(breakdown.parts, corrected, strict=True):
            yield _row(
                summary,
                row.result,
                row.verdict,
                part=str(part.label),
                adjusted=row.adjusted,
                n_units=part.n_total,
            )


def rows(summary: Summary) -> list[Row]:
    """One row a metric, and one a metric and part of the data."""
    found = []
    for name in shown(summary):
        result = summary.every[name]
        total = _total(summary.comparisons.get(name, summary.comparison))
        found.append(_row(summary, result, verdict(result, summary.options.alpha), n_units=total))
    return [*found, *_of_parts(summary)]


def rows_of_systems(systems: Systems) -> list[Row]:
    """One row a metric and system beside the baseline."""
    found = []
    for metric in shown(systems):
        for row, summary in zip(systems.rows(metric), systems.summaries, strict=True):
            total = _total(summary.comparisons.get(metric, summary.comparison))
            found.append(
                _row(summary, row.result, row.verdict, adjusted=row.adjusted, n_units=total)
            )
    return found
