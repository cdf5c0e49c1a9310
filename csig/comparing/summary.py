"""Everything about one ``csig compare``, before it is printed or written.

Of two systems it is a `Summary`; of more each is compared with the first, with Holm's correction.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from csig.base import wording
from csig.comparing import signature, sizes, verdict
from csig.comparing.options import Options
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.probability.corrections import Corrected, holm
from csig.readers.request import Input
from csig.report.document import Scalar, picked
from csig.results.randomization import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.advice.base import Recommendation
    from csig.comparing.breakdowns import Breakdown
    from csig.comparing.effects import Effect, UnitContributions
    from csig.comparing.runs import RunVariance
    from csig.data.repeats import AnswerVariance


@dataclass(frozen=True)
class OverTasks:
    """A metric's mean over tasks, each counted alike: the same swaps, other weights."""

    n_tasks: int
    comparison: Comparison
    result: RandomizationResult
    interval: Interval | str | None


@dataclass(frozen=True)
class Summary:
    """A comparison, its results and what they mean; by metric, where there is no other key."""

    version: str
    input: Input
    comparison: Comparison  #: The first of `comparisons`, where there are some.
    options: Options
    results: Mapping[str, RandomizationResult] = field(default_factory=dict)
    #: {unit: {metric: result}} with every unit that is known; empty where there is only one.
    sensitivity: Mapping[str, Mapping[str, RandomizationResult]] = field(default_factory=dict)
    breakdown: Breakdown | None = None
    #: Where every metric has scores of its own.
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    #: Of the differences, or why one cannot be given.
    intervals: Mapping[str, Interval | str] = field(default_factory=dict)
    effects: Mapping[str, Effect] = field(default_factory=dict)
    runs: Mapping[str, RunVariance] = field(default_factory=dict)  #: Where there are several.
    answers: Mapping[str, AnswerVariance] = field(default_factory=dict)  #: Likewise of answers.
    units: Mapping[str, UnitContributions] = field(default_factory=dict)  #: Where asked for.
    metrics: Sequence[str | Metric] = ()  #: What was tested, where a name does not say it.
    parts: Mapping[Hashable, Comparison] = field(default_factory=dict)  #: Of the breakdown.
    tests: Mapping[str, Recommendation] = field(default_factory=dict)  #: Where asked for.
    over_tasks: Mapping[str, OverTasks] = field(default_factory=dict)  #: Where tasks are known.

    @property
    def summaries(self) -> Sequence[Summary]:
        """As `Systems` has them."""
        return (self,)

    @property
    def every(self) -> dict[str, RandomizationResult]:
        """The results by all metrics, and those of the means over tasks by their names."""
        return {**self.results, **{o.result.metric: o.result for o in self.over_tasks.values()}}

    @property
    def every_interval(self) -> dict[str, Interval | str]:
        known = {own.result.metric: own.interval for own in self.over_tasks.values()}
        return {**self.intervals, **{k: own for k, own in known.items() if own is not None}}

    def tested(self, name: str) -> str | Metric:
        """The metric of this name, where the name does not say it."""
        known = {own if isinstance(own, str) else own.name: own for own in self.metrics}
        return known.get(name, name)

    def _said(
        self, say: Callable[[Comparison, Sequence[RandomizationResult]], list[str]]
    ) -> list[str]:
        """What is to be said of the comparison, or of every metric's, with its name."""
        if not self.comparisons:
            return say(self.comparison, list(self.results.values()))
        found = verdict.gathered(
            (line, name)
            for name, own in self.comparisons.items()
            for line in say(own, [self.results[name]])
        )
        said = []
        for line, names in found.items():
            whole = [line]
            named = any(wording.clean(name) in line for name in names)
            if len(names) < len(self.comparisons) and not named:
                whole = [wording.about([*map(wording.metric_title, names)], line)]
            said += whole
        return said

    @property
    def trust(self) -> str | None:
        if not self.sensitivity:
            return None
        known = [own for own in self.comparisons.values() if own.n_units]
        return verdict.trust((*known, self.comparison)[0], self.sensitivity, self.options.alpha)

    @property
    def verdicts(self) -> set[str]:
        """All that occur; of systems that do not differ at all there is none."""
        alpha, results = self.options.alpha, self.results.values()
        found = {verdict.verdict(result, alpha) for result in results if result.n_units}
        if self.breakdown is not None:
            rows = (self.breakdown.corrected(metric, alpha) for metric in self.breakdown.metrics)
            found |= {row.verdict for own in rows for row in own}
        return found

    @property
    def notes(self) -> list[str]:
        limits = verdict.limits(self.verdicts, bool(self.intervals))
        found = [*self.input.notes, *limits, *self._said(verdict.notes)]
        found += sizes.notes(self.intervals, self.results, self.options)
        found += verdict.notes_of_runs(self.comparison, self.options.paired_runs)
        if self.comparisons:
            found.append(verdict.ONE_BY_ONE)
        first = next(iter(self.results.values()))
        if self.options.method == "yeh2000" and first.method == "exact":
            found.append(f"yeh2000: {first.reason}, so that there is nothing to check.")
        return found

    @property
    def cautions(self) -> list[str]:
        own = self._said(lambda c, found: verdict.cautions(c, found, self.options.alpha))
        if self.breakdown is not None:
            own += verdict.cautions_of_parts(self.breakdown, self.options)
        own += verdict.cautions_of_runs(self.intervals, self.results, self.options.alpha)
        own += sizes.few_data(
            (wording.metric_title(name), sizes.few(interval, self.results[name].n_moving))
            for name, interval in self.intervals.items()
            if isinstance(interval, Interval)
        )
        return [*self.input.cautions, *own]

    @property
    def draws(self) -> bool:
        """Whether anything was drawn: shuffles, or resamples of an interval."""
        results = [*self.every.values()]
        results += [own for beside in self.sensitivity.values() for own in beside.values()]
        if self.breakdown is not None:
            results += [own for part in self.breakdown.parts for own in part.results.values()]
        intervals = [own for own in self.every_interval.values() if not isinstance(own, str)]
        drawn = any(own.n_resamples is not None for own in results)
        return drawn or any(own.seed is not None for own in intervals) or bool(self.tests)

    @cached_property
    def digest(self) -> str:
        return signature.digest_of_systems([self])

    @cached_property
    def signature(self) -> str:
        return signature.of_systems([self], self.digest)


#: One system's result by one metric: A is the system, B the baseline.
Row = Corrected[RandomizationResult]


@dataclass(frozen=True)
class Systems:
    """Comparisons of several systems with the same baseline, over the same units."""

    summaries: Sequence[Summary]

    @property
    def baseline(self) -> str:
        return self.summaries[0].comparison.names[1]

    @property
    def input(self) -> Input:
        return self.summaries[0].input

    @property
    def options(self) -> Options:
        return self.summaries[0].options

    @property
    def draws(self) -> bool:
        return any(own.draws for own in self.summaries)

    @property
    def metrics(self) -> list[str]:
        return list(self.summaries[0].results)

    def rows(self, metric: str, unit: str | None = None) -> list[Row]:
        """Every system's result, perhaps with another unit, corrected for their number."""
        found = [
            s.every[metric] if unit is None else s.sensitivity[unit][metric] for s in self.summaries
        ]
        names = (s.comparison.names[0] for s in self.summaries)  # two may have the same
        rows = zip(holm(found, self.options.alpha), names, strict=True)
        return [replace(row, name=name) for row, name in rows]

    @property
    def verdicts(self) -> set[str]:
        return {row.verdict for metric in self.metrics for row in self.rows(metric)}

    def _said(self, say: Callable[[Summary], Iterable[str]]) -> list[str]:
        """What is said of all once; what is said of some with their names."""
        said = verdict.gathered(
            (line, wording.clean(s.comparison.names[0])) for s in self.summaries for line in say(s)
        )
        return [
            line if len(names) == len(self.summaries) else wording.about(names, line)
            for line, names in said.items()
        ]

    @property
    def notes(self) -> list[str]:
        n = len(self.summaries)
        own = (
            f"Each of {n} systems is compared with {wording.clean(self.baseline)}, the first; "
            f"Holm-adjusted p-values correct for {n} comparisons, separately for each metric."
        )
        known = verdict.LIMITS.values()
        said = self._said(lambda summary: [line for line in summary.notes if line not in known])
        return [*said, *verdict.limits(self.verdicts, self.options.interval != "none"), own]

    @property
    def gaps(self) -> list[str]:
        """Where intervals are missing, rest on few data, or do not agree with the tests."""
        adjusted: list[dict[str, float]] = [{} for _ in self.summaries]
        for metric in self.metrics:
            for own, row in zip(adjusted, self.rows(metric), strict=True):
                own[metric] = row.adjusted_pvalue
        of = dict(zip(map(id, self.summaries), adjusted, strict=True))
        return self._said(
            lambda own: sizes.gaps(own.intervals, own.results, own.options, of[id(own)])
        )

    @property
    def cautions(self) -> list[str]:
        return self._said(lambda summary: summary.cautions)

    @cached_property
    def digest(self) -> str:
        return signature.digest_of_systems(self.summaries)

    @cached_property
    def signature(self) -> str:
        return signature.of_systems(self.summaries, self.digest)


def _apart(found: Summary | Systems) -> list[str]:
    """The metrics for which both means do not lead to the same."""

    def outcomes(name: str) -> list[str]:
        if isinstance(found, Systems):
            return [verdict.outcome(row.result, row.verdict) for row in found.rows(name)]
        result = found.every[name]
        return [verdict.outcome(result, verdict.verdict(result, found.options.alpha))]

    return [
        metric
        for metric, own in found.summaries[0].over_tasks.items()
        if outcomes(metric) != outcomes(own.result.metric)
    ]


def with_rows(found: Summary | Systems) -> list[str]:
    """The names of all results that have a row, in their order."""
    first, differ = found.summaries[0], _apart(found)
    names = []
    for metric in first.results:
        names += [metric]
        if metric in differ:
            names.append(first.over_tasks[metric].result.metric)
    return names


def said_of_tasks(found: Summary | Systems) -> str:
    """What the mean over tasks is, and that it agrees, where it does."""
    first, differ = found.summaries[0], _apart(found)
    if not first.over_tasks:
        return ""
    n = max(own.n_tasks for own in first.over_tasks.values())
    same = [metric for metric in first.over_tasks if metric not in differ]
    if not differ:
        verdicts = "verdict" if len(same) == len(found.summaries) == 1 else "verdicts"
        own = first.over_tasks[same[0]]
        p = "" if verdicts == "verdicts" else f" (p = {verdict.pvalue_text(own.result)})"
        return f"The mean over the {n} tasks, each counted alike, gives the same {verdicts}{p}."
    names = wording.listed(list(map(wording.metric_name, same))) if same else ""
    agrees = f" On {names} it gives the same verdicts." if same else ""
    return f"The mean over tasks counts each of the {n} tasks alike.{agrees}"


def _row(
    summary: Summary,
    test: RandomizationResult | Row,
    n_units: int | None,
    part: str | None = None,
) -> dict[str, Scalar]:
    """What a test found of the whole, or of a part; one of several is corrected."""
    alpha, adjusted = summary.options.alpha, None
    if isinstance(test, Corrected):
        result, said, adjusted = test.result, test.verdict, test.adjusted_pvalue
    else:
        result, said = test, verdict.verdict(test, alpha)
    whole, metric, names = part is None, result.metric, summary.comparison.names
    interval = summary.every_interval.get(metric) if whole else None
    ends: dict[str, Scalar] = dict.fromkeys(("low", "high", "confidence_level", "interval_method"))
    if isinstance(interval, Interval):
        ends = picked(interval, "low high confidence_level interval_method=method")
    effect = summary.effects.get(metric) if whole else None
    better = verdict.better_system(result, names) if said == "significant" else None
    low, high = result.pvalue_interval
    seed = result.seed
    return {
        "metric": metric,
        "baseline": names[1],
        "system": names[0],
        "by": None if whole else summary.options.by,
        "part": part,
        **picked(result, "baseline_score=score_b score=score_a difference=statistic"),
        **picked(result, "greater_is_better"),
        **ends,
        **picked(result, "pvalue log_pvalue"),
        "adjusted_pvalue": adjusted,
        "pvalue_low": low,
        "pvalue_high": high,
        "alpha": alpha,
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


def rows(summary: Summary) -> list[dict[str, Scalar]]:
    """One row a metric, and one a metric and part of the data."""
    found = [
        _row(summary, summary.every[name], _total(summary, name)) for name in with_rows(summary)
    ]
    if summary.breakdown is not None:
        parts = summary.breakdown.parts
        for metric in summary.breakdown.metrics:
            corrected = summary.breakdown.corrected(metric, summary.options.alpha)
            found += [
                _row(summary, row, part.n_total, str(part.label))
                for part, row in zip(parts, corrected, strict=True)
            ]
    return found


def rows_of_systems(systems: Systems) -> list[dict[str, Scalar]]:
    """One row a metric and system beside the baseline."""
    return [
        _row(summary, row, _total(summary, metric))
        for metric in with_rows(systems)
        for row, summary in zip(systems.rows(metric), systems.summaries, strict=True)
    ]
