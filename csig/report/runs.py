"""Several runs of each system, in words: what the test says of them, and what it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from csig import metrics, wording
from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.report.options import Options
from csig.results import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.runs import RunVariance

__all__ = ["cautions", "notes", "variances"]


def variances(
    comparison: Comparison, wanted: Sequence[str | Metric], options: Options
) -> dict[str, RunVariance]:
    """How much runs differ, by all metrics for which that is known; none without runs."""
    found: dict[str, RunVariance] = {}
    if comparison.runs is None:
        return found
    from csig.runs import run_variance  # for those who have several

    for metric in wanted:
        own = metrics.get(metric, comparison.columns)
        try:
            found[own.name] = run_variance(
                comparison, own, paired=options.paired_runs, zero_division=options.zero_division
            )
        except InputError:  # the interval says why
            continue
    return found


def notes(comparison: Comparison, paired: bool = False) -> list[str]:
    """What runs there are, and what the test makes of them."""
    runs = comparison.runs
    if runs is None:
        return []
    if runs.n == 1:
        return [
            "Only one run of each system is known: how far other runs would differ, nothing here "
            "says, and intervals are for other test data only."
        ]
    pairs = ", in pairs" if paired else ""
    return [
        f"{runs.n} runs of each system{pairs}: the test swaps each "
        f"{wording.noun(comparison.unit)} with all its runs, and takes these runs as given; the "
        f"interval is for other runs as well."
    ]


def cautions(
    intervals: Mapping[str, Interval | str],
    results: Mapping[str, RandomizationResult],
    alpha: float,
) -> list[str]:
    """Where these runs differ, and the interval does not show that others would."""
    found = [
        name
        for name, interval in intervals.items()
        if isinstance(interval, Interval)
        and interval.n_runs is not None
        and interval.n_runs > 1
        and results[name].pvalue <= alpha
        and interval.low <= 0 <= interval.high
    ]
    if not found:
        return []
    names = ", ".join(map(wording.metric_title, found))
    return [
        f"{names}: these runs differ significantly, but the interval for other runs holds 0. That "
        f"the systems would differ in other runs is not shown; more runs of each would tell."
    ]
