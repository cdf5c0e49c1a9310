"""The results as flat rows, for CSV and data frames: ``docs/output.md`` lists the keys."""

from __future__ import annotations

from csig.comparing.baseline import Systems
from csig.comparing.summary import Summary
from csig.comparing.tasks import shown
from csig.comparing.verdict import verdict
from csig.report.document import Scalar
from csig.report.forms import picked
from csig.results.randomization import Interval, RandomizationResult

#: A flat row.
Row = dict[str, Scalar]


def _row(
    summary: Summary,
    result: RandomizationResult,
    said: str,
    *,
    part: str | None = None,
    adjusted: float | None = None,
    n_units: int | None = None,
) -> Row:
    """What a test found of the whole, or of a part."""
    whole, metric, names = part is None, result.metric, summary.comparison.names
    interval = summary.every_interval.get(metric) if whole else None
    ends: Row = dict.fromkeys(("low", "high", "confidence_level", "interval_method"))
    if isinstance(interval, Interval):
        ends = picked(interval, "low high confidence_level interval_method=method")
    effect = summary.effects.get(metric) if whole else None
    better = None
    if said == "significant":
        better = names[0] if (result.statistic > 0) == result.greater_is_better else names[1]
    low, high = result.pvalue_interval
    seed = result.seed
    return {
        "metric": metric,
        "baseline": names[1],
        "system": names[0],
        "by": None if whole else summary.options.by,
        "part": part,
        **picked(result, "baseline_score=score_b score=score_a difference=statistic"),
        "greater_is_better": result.greater_is_better,
        **ends,
        "pvalue": result.pvalue,
        "log_pvalue": result.log_pvalue,
        "adjusted_pvalue": adjusted,
        "pvalue_low": low,
        "pvalue_high": high,
        "alpha": summary.options.alpha,
        "alternative": summary.options.alternative,
        "verdict": said,
        "better": better,
        "unit": result.unit,
        "n_differ": result.n_units,
        "n_units": n_units,
        "n_system_better": None if effect is None else effect.a_better,
        "n_baseline_better": None if effect is None else effect.b_better,
        "n_ties": None if effect is None else effect.ties,
        **picked(result, "method n_resamples n_hits"),
        "bit_generator": None if seed is None else seed.bit_generator,
        "seed": None if seed is None else str(seed.entropy),
        "csig_version": summary.version,
    }


def _total(summary: Summary, metric: str) -> int | None:
    units = summary.comparisons.get(metric, summary.comparison).units
    return None if units is None else units.n_total


def rows(summary: Summary) -> list[Row]:
    """One row a metric, and one a metric and part of the data."""
    found, alpha = [], summary.options.alpha
    for name in shown(summary):
        result = summary.every[name]
        said, total = verdict(result, alpha), _total(summary, name)
        found.append(_row(summary, result, said, n_units=total))
    breakdown = summary.breakdown
    if breakdown is None:
        return found
    for metric in breakdown.metrics:
        corrected = breakdown.corrected(metric, alpha)
        for part, row in zip(breakdown.parts, corrected, strict=True):
            label, total = str(part.label), part.n_total
            own = _row(
                summary, row.result, row.verdict, part=label, adjusted=row.adjusted, n_units=total
            )
            found.append(own)
    return found


def rows_of_systems(systems: Systems) -> list[Row]:
    """One row a metric and system beside the baseline."""
    return [
        _row(
            summary, row.result, row.verdict, adjusted=row.adjusted, n_units=_total(summary, metric)
        )
        for metric in shown(systems)
        for row, summary in zip(systems.rows(metric), systems.summaries, strict=True)
    ]
