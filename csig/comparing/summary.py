"""Everything about one ``csig compare``, before it is printed or written."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from csig.base import wording
from csig.base.wording import Doubt, coded
from csig.comparing import doubts, signature, sizes, verdict
from csig.comparing.options import Options
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.readers.request import Input
from csig.results.randomization import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.advice.base import Recommendation
    from csig.comparing.breakdowns import Breakdown
    from csig.comparing.contributions import UnitContributions
    from csig.comparing.effects import Effect
    from csig.comparing.runs import RunVariance


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
    units: Mapping[str, UnitContributions] = field(default_factory=dict)  #: Where asked for.
    metrics: Sequence[str | Metric] = ()  #: What was tested, where a name does not say it.
    parts: Mapping[Hashable, Comparison] = field(default_factory=dict)  #: Of the breakdown.
    tests: Mapping[str, Recommendation] = field(default_factory=dict)  #: Where asked for.
    over_tasks: Mapping[str, OverTasks] = field(default_factory=dict)  #: Where tasks are known.

    @property
    def every(self) -> dict[str, RandomizationResult]:
        """The results by all metrics, and those of the means over tasks by their names."""
        over_tasks = [own.result for own in self.over_tasks.values()]
        return {**self.results, **{own.metric: own for own in over_tasks}}

    @property
    def every_interval(self) -> dict[str, Interval | str]:
        """The same of the intervals."""
        known = {own.result.metric: own.interval for own in self.over_tasks.values()}
        return {**self.intervals, **{k: own for k, own in known.items() if own is not None}}

    def _said(
        self, say: Callable[[Comparison, Sequence[RandomizationResult]], list[str]]
    ) -> list[str]:
        """What is to be said of the comparison, or of every metric's, with its name."""
        if not self.comparisons:
            return say(self.comparison, list(self.results.values()))
        found: dict[str, list[str]] = {}
        for name, own in self.comparisons.items():
            for line in say(own, [self.results[name]]):
                found.setdefault(line, []).append(name)
        said = []
        for line, names in found.items():
            whole = line
            if len(names) < len(self.comparisons) and not any(
                wording.clean(name) in line for name in names
            ):
                whole = f"{', '.join(map(wording.metric_title, names))}: {line}"
            said += (
                coded(line.code, [whole], **line.numbers) if isinstance(line, Doubt) else [whole]
            )
        return said

    @property
    def trust(self) -> str | None:
        """Which of the units in the table of sensitivity to trust, and why."""
        if not self.sensitivity:
            return None
        known = [own for own in self.comparisons.values() if own.n_units]
        return doubts.trust((*known, self.comparison)[0], self.sensitivity, self.options.alpha)

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
        """What is special about these data."""
        results = list(self.results.values())
        limits = verdict.limits(self.verdicts, bool(self.intervals))
        found = [*self.input.notes, *limits, *self._said(doubts.notes)]
        found += sizes.notes(self.intervals, self.results, self.options)
        found += doubts.notes_of_runs(self.comparison, self.options.paired_runs)
        if self.comparisons:
            found.append(verdict.ONE_BY_ONE)
        if self.options.method == "yeh2000" and results[0].method == "exact":
            found.append(f"yeh2000: {results[0].reason}, so that there is nothing to check.")
        return found

    @property
    def cautions(self) -> list[str]:
        """What to know before believing the p-values."""
        own = self._said(lambda c, found: doubts.cautions(c, found, self.options.alpha))
        if self.breakdown is not None:
            own += doubts.cautions_of_parts(self.breakdown, self.options)
        alpha = self.options.alpha
        own += coded("other-runs", doubts.cautions_of_runs(self.intervals, self.results, alpha))
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
        """The SHA-256 of the data."""
        return signature.digest_of_systems([self])

    @cached_property
    def signature(self) -> str:
        """One line for a paper: the same for results that must be the same."""
        return signature.of_systems([self], self.digest)
