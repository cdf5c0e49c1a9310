"""Read, test, gather: everything about ``csig compare`` but its options and its output."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy.random import SeedSequence

from csig._version import __version__
from csig.comparison import Comparison
from csig.defaults import YEH_RESAMPLES
from csig.metrics import Metric, get
from csig.progress import ProgressBar
from csig.randomization import randomization_test
from csig.readers.data import Data, TableData
from csig.readers.forms import read
from csig.readers.reading import Reading, check_two
from csig.readers.request import OptionError, Request
from csig.report import estimates, runs
from csig.report.options import Options
from csig.report.summary import OverTasks, Summary
from csig.report.systems import Systems
from csig.results import Interval, RandomizationResult
from csig.validation import Alternative

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from csig.advice.outcome import Recommendation
    from csig.breakdowns import Breakdown
    from csig.contributions import UnitContributions
    from csig.effects import Effect
    from csig.runs import RunVariance

__all__ = ["Watch", "directions", "gather", "gathered", "on_terminal"]

#: What is called as (done, total).
Progress: TypeAlias = Callable[[int, int], object]

#: Makes a context of a test, with what is called with its progress.
Watch: TypeAlias = Callable[[], "AbstractContextManager[Progress | None]"]

#: Metrics with the comparison that they are of.
_Test: TypeAlias = tuple[list[str | Metric], Comparison]

#: Random words that a test of another unit may draw: a few seconds' worth.
BESIDE_WORDS = 2**31


def gathered(
    request: Request,
    options: Options,
    *,
    executor: Executor | None = None,
) -> Summary | Systems:
    """Read, test and gather what is to be reported.

    Parameters
    ----------
    request : Request
        What to read.
    options : Options
        What to ask of it.
    executor : Executor, optional
        Draws the shuffles.

    Returns
    -------
    Summary or Systems
        Of two systems, or of more.

    Raises
    ------
    InputError
        If the data cannot be read, or do not have what was asked for.
    """
    names = [metric for metric in options.metrics if isinstance(metric, str)]
    return gather(read(request, names), options, executor=executor)


@contextmanager
def on_terminal() -> Iterator[ProgressBar | None]:
    """A bar on standard error, if that is a terminal."""
    with ProgressBar() as bar:
        yield bar if bar.wanted else None


def gather(
    data: Data,
    options: Options,
    *,
    executor: Executor | None = None,
    watch: Watch = on_terminal,
) -> Summary | Systems:
    """Test and gather what is to be reported of data that are read already.

    Parameters
    ----------
    data : Data
        The systems.
    options, executor
        As for :func:`gathered`.
    watch : callable
        Makes a context of every test, with what is called with its progress.
    """
    unit = "response" if options.method == "yeh2000" else options.unit
    _check_options(data, options)
    reading = Reading(
        data, unit, options.metrics, options.lower_is_better, options.by, options.baseline
    )
    pairs = reading.pairs
    compared = [reading.tests(a, b) for a, b in pairs]
    metrics = reading.metrics
    seed = _seed(options)
    options = replace(
        options,
        metrics=tuple(map(_name, metrics)),
        unit=compared[0][0][1].unit,
    )
    parts = reading.parts_of(*pairs[0])  # refused before the work, if they have to be
    summaries = []
    for pair, tests in zip(pairs, compared, strict=True):
        results: dict[str, RandomizationResult] = {}
        intervals: dict[str, Interval | str] = {}
        effects: dict[str, Effect] = {}
        variances: dict[str, RunVariance] = {}
        units: dict[str, UnitContributions] = {}
        others: dict[str, dict[str, RandomizationResult]] = {}
        every: dict[str, Recommendation] = {}
        over_tasks: dict[str, OverTasks] = {}
        for (own, comparison), (_, part) in zip(tests, reading.groups, strict=True):
            units |= _units(comparison, own, options)  # refused before the work, if need be
            own_results, beside = _results(comparison, own, options, seed, executor, watch)
            results |= own_results
            intervals |= estimates.intervals(
                comparison, own, "difference", options, seed, tests=own_results
            )
            effects |= estimates.effects(comparison, own, options)
            variances |= runs.variances(comparison, own, options)
            every |= _all_tests(comparison, own, options, seed, executor, watch)
            over_tasks |= _over_tasks(part, pair, comparison, own, options, seed, executor, watch)
            for level, at_level in beside.items():
                others.setdefault(level, {}).update(at_level)
        rows = _breakdown(parts, metrics, options, seed, executor, watch) if parts else None
        several = {_name(own[0]): comparison for own, comparison in tests} if tests[1:] else {}
        made = (results, others, rows, several, intervals, effects, variances, units)
        found = Summary(
            __version__, data.source, tests[0][1], options, *made, metrics, parts, every, over_tasks
        )
        summaries.append(found)
    return summaries[0] if len(data.names) == 2 else Systems(summaries)


def directions(
    comparison: Comparison, wanted: Sequence[str | Metric], alternative: Alternative
) -> dict[Alternative, list[str | Metric]]:
    """The metrics by the alternative that their differences are tested against.

    Parameters
    ----------
    comparison : Comparison
        What is tested; A is the system, B the baseline.
    wanted : sequence of str or Metric
        The metrics.
    alternative : {"two-sided", "greater", "less"}
        Whether the system is better than the baseline, or worse. Where less is better the
        difference of the scores has the other sign.

    Returns
    -------
    dict
        The metrics of each kind, in their order, by the alternative of A minus B.
    """
    if alternative == "two-sided":
        return {alternative: list(wanted)}
    found: dict[Alternative, list[str | Metric]] = {}
    for metric in wanted:
        better = get(metric, comparison.columns).greater_is_better
        own: Alternative = "greater" if (alternative == "greater") == better else "less"
        found.setdefault(own, []).append(metric)
    return found


def _seed(options: Options) -> int:
    """One for all tests: the one that is asked for, or a new one."""
    if options.seed is not None:
        return options.seed
    entropy = SeedSequence().entropy
    assert isinstance(entropy, int)
    return entropy


def _check_options(data: Data, options: Options) -> None:
    """Refuse what cannot be done with these data, or with so many systems."""
    if options.method == "yeh2000" and isinstance(data, TableData):
        raise OptionError("--method yeh2000 is the paper's, for responses, not for tables")
    n = len(data.names)
    check_two(data)
    estimates.check_method(data, options)
    if options.risk is not None and (n > 2 or options.by is not None):
        raise OptionError(
            "--decide is for one comparison of two systems: Holm's correction of several tests has "
            "other levels than --alpha"
        )
    if options.all_tests and n > 2:
        raise OptionError(
            f"--all-tests is for two systems, found {n}; give two, or choose them with --system; "
            "csig recommend has the tests of many systems"
        )
    if options.by is not None and n > 2:
        raise OptionError(
            f"--by is for two systems, found {n}; give two, or choose them with --system"
        )
    if options.by is not None and options.method == "yeh2000":
        raise OptionError("--by does not go with --method yeh2000")


def _units(
    comparison: Comparison, metrics: Sequence[str | Metric], options: Options
) -> dict[str, UnitContributions]:
    """What every unit contributes, where somebody asked."""
    if options.worst is None:
        return {}
    from csig.contributions import unit_contributions  # for those who asked

    found = (
        unit_contributions(comparison, m, zero_division=options.zero_division) for m in metrics
    )
    return {own.metric: own for own in found}


def _all_tests(
    comparison: Comparison,
    metrics: Sequence[str | Metric],
    options: Options,
    seed: int,
    executor: Executor | None,
    watch: Watch,
) -> dict[str, Recommendation]:
    """All tests that apply, by metric, where somebody asked."""
    if not options.all_tests:
        return {}
    from csig.advice.outcome import all_tests_of  # for those who asked

    most = YEH_RESAMPLES if options.risk is not None else options.n_resamples
    found = {}
    with watch() as notify:
        for alternative, own in directions(comparison, metrics, options.alternative).items():
            for metric in own:
                made = all_tests_of(
                    comparison, metric, alternative=alternative, n_resamples=most, rng=seed,
                    bit_generator=options.bit_generator, threads=options.threads,
                    zero_division=options.zero_division, executor=executor, notify=notify,
                )  # fmt: skip
                found[made.metric] = made
    return {name: found[name] for name in _names(comparison, metrics)}


def _name(metric: str | Metric) -> str:
    return metric if isinstance(metric, str) else metric.name


def _names(comparison: Comparison, wanted: Sequence[str | Metric]) -> list[str]:
    """As results have them."""
    return [get(metric, comparison.columns).name for metric in wanted]


def _results(
    comparison: Comparison,
    metrics: Sequence[str | Metric],
    options: Options,
    seed: int,
    executor: Executor | None,
    watch: Watch,
) -> tuple[dict[str, RandomizationResult], dict[str, dict[str, RandomizationResult]]]:
    """The results by all metrics, and those with every unit that is known."""
    results = _test(comparison, metrics, options, seed, executor, watch)
    others = {}
    if options.sensitivity and len(comparison.levels) > 1:
        for level in comparison.levels:
            others[level] = results
            if level != comparison.unit:
                other = comparison.at(level)
                beside = _beside(other, options)
                others[level] = _test(other, metrics, beside, seed, executor, watch)
    return results, others


def _over_tasks(
    data: Data,
    pair: tuple[int, int],
    whole: Comparison,
    metrics: Sequence[str | Metric],
    options: Options,
    seed: int,
    executor: Executor | None,
    watch: Watch,
) -> dict[str, OverTasks]:
    """The means over tasks by metric, where there are tasks; their shuffles are the same."""
    found = {}
    for own in metrics:
        known = data.over_tasks(*pair, whole.unit, get(own, whole.columns))
        if known is None:
            continue
        n, metric, comparison = known
        results = _test(comparison, [metric], _beside(comparison, options), seed, executor, watch)
        intervals = estimates.intervals(
            comparison, [metric], "difference", options, seed, tests=results
        )
        interval = intervals.get(metric.name)
        found[_name(own)] = OverTasks(n, comparison, results[metric.name], interval)
    return found


def _test(
    comparison: Comparison,
    metrics: Sequence[str | Metric],
    options: Options,
    seed: int,
    executor: Executor | None,
    watch: Watch,
) -> dict[str, RandomizationResult]:
    """The results by all metrics."""
    with watch() as notify:
        keywords = _keywords(options, seed, notify, executor)
        found: dict[str, RandomizationResult] = {}
        for alternative, own in directions(comparison, metrics, options.alternative).items():
            keywords["alternative"] = alternative
            found |= randomization_test(comparison, own, method=options.method, **keywords)
    return {name: found[name] for name in _names(comparison, metrics)}


def _beside(comparison: Comparison, options: Options) -> Options:
    """What is only shown beside the results need not be exact, nor take longer than they do."""
    enough = max(YEH_RESAMPLES // 16, BESIDE_WORDS * 64 // max(1, comparison.n_units))
    return replace(
        options,
        method="auto" if options.method in ("exact", "certified") else options.method,
        n_resamples=min(options.n_resamples, enough),
    )


def _breakdown(
    parts: Mapping[Hashable, Comparison],
    metrics: Sequence[str | Metric],
    options: Options,
    seed: int,
    executor: Executor | None,
    watch: Watch,
) -> Breakdown:
    from csig.breakdowns import Breakdown, breakdown

    found = []
    with watch() as notify:
        keywords = _keywords(options, seed, notify, executor)
        one = next(iter(parts.values()))
        for alternative, own in directions(one, metrics, options.alternative).items():
            keywords["alternative"] = alternative
            found.append(breakdown(parts, own, method=options.method, **keywords).parts)
    names = _names(one, metrics)
    merged = []
    for same in zip(*found, strict=True):
        results = {name: result for part in same for name, result in part.results.items()}
        merged.append(replace(same[0], results={name: results[name] for name in names}))
    return Breakdown(tuple(merged))


def _keywords(
    options: Options, seed: int, notify: Progress | None, executor: Executor | None
) -> dict[str, Any]:
    if options.risk is None:
        drawn: dict[str, Any] = {"n_resamples": options.n_resamples}
    else:
        drawn = {
            "decide_at": options.alpha,
            "risk": options.risk,
            "max_resamples": options.n_resamples,
        }
    return {
        **drawn,
        "rng": seed,
        "bit_generator": options.bit_generator,
        "threads": options.threads,
        "zero_division": options.zero_division,
        "statistic": options.statistic,
        "confidence_level": options.confidence_level,
        "executor": executor,
        "progress": notify,
    }
