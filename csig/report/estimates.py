"""The intervals and effects of a comparison, or why one cannot be given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from csig import metrics
from csig.comparison import Comparison
from csig.defaults import INTERVALS as METHODS
from csig.defaults import NO_INTERVAL as NONE
from csig.defaults import UNDRAWN_INTERVALS as UNDRAWN
from csig.effects import Effect, effect_of
from csig.engines.questions import make_question
from csig.errors import InputError, NoInterval, argument
from csig.intervals import AllUnits, What, all_units, interval_of
from csig.inverted import alpha_of, check_differing, inverted_of, is_mean_of_scores
from csig.metrics import Metric
from csig.probability.resampled import enough
from csig.progress import ProgressBar
from csig.readers.data import Data, TableData
from csig.readers.request import OptionError
from csig.report.options import Options
from csig.results import Interval, RandomizationResult

__all__ = [
    "AUTO",
    "INVERTED",
    "LINEARIZED",
    "METHODS",
    "NONE",
    "UNDRAWN",
    "check_method",
    "effects",
    "intervals",
    "n_moving",
]

#: The first is linearized where the second is not for the metric, or cannot be given.
AUTO, INVERTED, LINEARIZED = METHODS[:3]

#: Why a test has no interval of its own.
OF_SHUFFLES = "the p-value is of shuffles"

#: Those that know of runs, by what csig.crossed_interval calls them.
OF_RUNS = {AUTO: "components", LINEARIZED: "components", "percentile": "bootstrap"}


def intervals(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    seed: int,
    n_resamples: int | None = None,
    tests: Mapping[str, RandomizationResult] | None = None,
) -> dict[str, Interval | str]:
    """The intervals by all metrics; instead of one the reason why it cannot be given.

    Parameters
    ----------
    comparison : Comparison
        What was tested.
    wanted : sequence of str or Metric
        The metrics.
    what : {"difference", "a", "b"}
        What for.
    options : Options
        The method, the level, and how to draw.
    seed : int
        Of resamples.
    n_resamples : int, optional
        How many to draw; by default csig.bootstrap_interval's number.
    tests : mapping {metric: RandomizationResult}, optional
        Those of the comparison, where they have been run: inverted intervals agree with them.
    """
    if options.interval == NONE:
        return {}
    if comparison.runs is not None and comparison.runs.n == 1 and options.interval == AUTO:
        alone = _undrawn(comparison, wanted, what, options, tests or {})
        return {
            k: own if isinstance(own, str) else replace(own, n_runs=1) for k, own in alone.items()
        }
    if comparison.runs is not None:
        return _of_runs(comparison, wanted, what, options, seed, n_resamples)
    if options.interval in UNDRAWN:
        return _undrawn(comparison, wanted, what, options, tests or {})
    return _resampled(comparison, wanted, what, options, seed, n_resamples)


def check_method(data: Data, options: Options, n_resamples: int | None = None) -> None:
    """Refuse intervals that do not know of runs, where there are some, and too few resamples."""
    runs = isinstance(data, TableData) and data.table.run_column is not None
    if options.paired_runs and not runs:
        raise OptionError(f"{argument('paired_runs')} goes with {argument('run')}")
    if runs and options.interval not in (NONE, *OF_RUNS):
        raise OptionError(
            f"intervals by {options.interval} do not draw runs; with {argument('run')} they are "
            "linearized (over units and runs) or percentile (the crossed bootstrap)"
        )
    if options.interval in (NONE, *UNDRAWN):
        return
    from csig.bootstrap import RESAMPLES  # for those who draw
    from csig.runs import RESAMPLES as OF_CROSSED

    number = n_resamples or (OF_CROSSED if runs else RESAMPLES)
    level = options.interval_level
    if not enough(number, level):
        raise OptionError(
            f"{number} resamples do not show the {(1 - level) / 2:.3g} beyond each end of the "
            f"interval; it takes at least {math.ceil(2 / (1 - level))}, or a lower level"
        )


def _of_runs(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    seed: int,
    n_resamples: int | None,
) -> dict[str, Interval | str]:
    """The same for other units and other runs."""
    from csig.runs import crossed_interval  # for those who have several

    keywords = _keywords(options, seed, n_resamples) | {
        "method": OF_RUNS[options.interval],
        "paired": options.paired_runs,
    }
    return {
        _name(comparison, metric): _or_reason(
            crossed_interval, comparison, metric, what, **keywords
        )
        for metric in wanted
    }


def _resampled(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    seed: int,
    n_resamples: int | None,
) -> dict[str, Interval | str]:
    """By the bootstrap; all metrics from the same resamples."""
    from csig.bootstrap import intervals_or_reasons

    keywords = _keywords(options, seed, n_resamples) | {"method": options.interval}
    with ProgressBar() as bar:
        keywords["progress"] = bar if bar.wanted else None
        found = intervals_or_reasons(comparison, wanted, what, **keywords)
    return {name: str(own) if isinstance(own, NoInterval) else own for name, own in found.items()}


def _keywords(options: Options, seed: int, n_resamples: int | None) -> dict[str, Any]:
    """What all that draw are asked."""
    drawn = {} if n_resamples is None else {"n_resamples": n_resamples}
    return {
        "confidence_level": options.interval_level,
        "zero_division": options.zero_division,
        "rng": seed,
        "bit_generator": options.bit_generator,
        "threads": options.threads,
        **drawn,
    }


def _name(comparison: Comparison, metric: str | Metric) -> str:
    return metrics.get(metric, comparison.columns).name


def _or_reason(make: Any, *arguments: Any, **keywords: Any) -> Interval | str:
    try:
        found = make(*arguments, **keywords)
    except NoInterval as reason:
        return str(reason)
    assert isinstance(found, Interval)
    return found


def _undrawn(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    tests: Mapping[str, RandomizationResult],
) -> dict[str, Interval | str]:
    """Inverted or linearized, of units that are laid out once for all metrics."""
    known = [metrics.get(metric, comparison.columns) for metric in wanted]
    try:
        units = all_units(comparison)
    except NoInterval as reason:  # a record keeps the units that differ only
        return {metric.name: str(reason) for metric in known}
    found: dict[str, Interval | str] = {}
    for own in known:
        test = tests.get(own.name)
        if options.interval == INVERTED:
            found[own.name] = _or_reason(_inverted, units, comparison, own, what, options, test)
            continue
        level, zero = options.interval_level, options.zero_division
        made = _or_reason(interval_of, units, comparison, own, what, level, zero)
        found[own.name] = made
        if isinstance(made, str) or made.standard_error is None:  # the units do not vary
            continue
        if options.interval == AUTO and what == "difference" and is_mean_of_scores(comparison, own):
            try:
                check_differing(comparison, own, units, level)
                found[own.name] = _inverted(units, comparison, own, what, options, test)
            except NoInterval as reason:
                found[own.name] = replace(made, instead=str(reason))
    return found


def _inverted(
    units: AllUnits,
    comparison: Comparison,
    metric: Metric,
    what: What,
    options: Options,
    test: RandomizationResult | None,
) -> Interval:
    """The shifts that the test does not reject, if it can say so."""
    if what != "difference":
        raise NoInterval("only differences have an inverted interval")
    drawn = test is not None and test.n_resamples is not None
    if drawn and options.interval == AUTO:  # who asks for it has it, and a note where they differ
        raise NoInterval(OF_SHUFFLES)
    rejected = None
    if test is not None and not drawn and test.alternative == "two-sided":
        rejected = test.pvalue <= alpha_of(options.interval_level)
    return inverted_of(units, comparison, metric, options.interval_level, rejected)


def effects(
    comparison: Comparison, wanted: Sequence[str | Metric], options: Options
) -> dict[str, Effect]:
    """The units on which each system is better, by all metrics for which they are known."""
    found: dict[str, Effect] = {}
    known = [metrics.get(metric, comparison.columns) for metric in wanted]
    try:
        units = all_units(comparison)
    except NoInterval:  # a record keeps the units that differ only
        return found
    for metric in known:
        with suppress(InputError):
            found[metric.name] = effect_of(units, comparison, metric, options.zero_division)
    return found


def n_moving(comparison: Comparison, metric: Metric, options: Options) -> int | None:
    """The units that differ in what a metric reads, as its test counts them."""
    try:
        question = make_question(comparison, metric, "two-sided", options.zero_division)
    except InputError:  # there is no test
        return None
    return question.n_moving(comparison)
