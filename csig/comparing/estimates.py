"""Intervals and effects of a comparison, and everything about one ``csig interval``.

Where an interval cannot be given, the reason stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from numpy.random import SeedSequence

from csig._version import __version__
from csig.base import wording
from csig.base.defaults import INTERVALS as METHODS
from csig.base.defaults import NO_INTERVAL as NONE
from csig.base.defaults import RESAMPLES
from csig.base.defaults import UNDRAWN_INTERVALS as UNDRAWN
from csig.base.errors import InputError, NoInterval, argument
from csig.base.progress import ProgressBar
from csig.comparing import signature, sizes, verdict
from csig.comparing.effects import Effect, effect_of
from csig.comparing.intervals import (
    What,
    all_units,
    alpha_of,
    check_differing,
    interval_of,
    inverted_of,
    is_mean_of_scores,
)
from csig.comparing.options import Options
from csig.data import metrics
from csig.data.comparison import Comparison, paired_error
from csig.data.digests import data_digest
from csig.data.metrics import Metric
from csig.data.repeats import AnswerVariance, is_of_answers, variance_of
from csig.engines.questions import make_question
from csig.probability.corrections import Corrected
from csig.probability.resampled import fewest
from csig.readers.data import Data, TableData
from csig.readers.request import Input, OptionError, Request
from csig.results.randomization import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.comparing.runs import RunVariance

#: The first is linearized where the second is not for the metric, or cannot be given.
AUTO, INVERTED = METHODS[:2]

#: Of more systems beside the baseline the answer has no intervals, and names so many of each kind.
MOST_PAIRS, NAMED = 2, 6

#: Those that know of runs.
OF_RUNS = (AUTO, "linearized")


def seed_of(options: Options) -> int:
    """One for all that is drawn: the one that is asked for, or a new one."""
    if options.seed is not None:
        return options.seed
    entropy = SeedSequence().entropy
    assert isinstance(entropy, int)
    return entropy


def intervals(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    seed: int,
    n_resamples: int | None = None,
    tests: Mapping[str, RandomizationResult] | None = None,
    option: str = "interval",
) -> dict[str, Interval | str]:
    """The intervals by all metrics; instead of one the reason why it cannot be given.

    Tests of the comparison by metric, where they have been run, are those that inverted intervals
    agree with; `option` is the one that says the method, if the command has one.
    """
    if options.interval == NONE:
        return {}
    runs = comparison.runs
    if runs is not None and runs.n == 1 and options.interval == AUTO:
        alone = _undrawn(comparison, wanted, what, options, tests or {}, option)
        return {
            k: own if isinstance(own, str) else replace(own, n_runs=1) for k, own in alone.items()
        }
    if runs is None and options.interval in UNDRAWN:
        return _undrawn(comparison, wanted, what, options, tests or {}, option)
    keywords: dict[str, Any] = {
        "confidence_level": options.confidence_level,
        "zero_division": options.zero_division,
    }
    if runs is not None:  # for other units and other runs
        from csig.comparing.runs import crossed_interval  # for those who have several

        keywords["paired"] = options.paired_runs
        return {
            metrics.get(metric, comparison.columns).name: _or_reason(
                crossed_interval, comparison, metric, what, **keywords
            )
            for metric in wanted
        }
    from csig.comparing.bootstrap import intervals_or_reasons  # all metrics from the same resamples

    keywords |= {
        "method": options.interval,
        "rng": seed,
        "bit_generator": options.bit_generator,
        "threads": options.threads,
        **({} if n_resamples is None else {"n_resamples": n_resamples}),
    }
    with ProgressBar() as bar:
        keywords["progress"] = bar if bar.wanted else None
        found = intervals_or_reasons(comparison, wanted, what, **keywords)
    return {name: str(own) if isinstance(own, NoInterval) else own for name, own in found.items()}


def check_method(data: Data, options: Options, n_resamples: int | None = None) -> None:
    """Refuse intervals that do not know of runs, where there are some, and too few resamples."""
    runs = isinstance(data, TableData) and data.table.run_column is not None
    if options.metrics and all(isinstance(m, str) and is_of_answers(m) for m in options.metrics):
        runs = False
    if options.paired_runs and not runs:
        raise OptionError(f"{argument('paired_runs')} goes with {argument('run')}")
    if runs and options.interval not in (NONE, *OF_RUNS):
        raise OptionError(
            f"intervals by {options.interval} do not draw runs; with {argument('run')} they are "
            "linearized, over units and runs"
        )
    if options.interval in (NONE, *UNDRAWN):
        return
    number = n_resamples or RESAMPLES
    level = options.confidence_level
    if number < fewest(level):
        raise OptionError(
            f"{number} resamples do not show the {(1 - level) / 2:.3g} beyond each end of the "
            f"interval; it takes at least {fewest(level)}, or a lower level"
        )


def _or_reason(make: Any, *arguments: Any, **keywords: Any) -> Interval | str:
    try:
        found = make(*arguments, **keywords)
    except NoInterval as error:
        return wording.Line(str(error), error.why)
    assert isinstance(found, Interval)
    return found


def _undrawn(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    tests: Mapping[str, RandomizationResult],
    option: str,
) -> dict[str, Interval | str]:
    """Inverted or linearized, of units that are laid out once for all metrics."""
    known = [metrics.get(metric, comparison.columns) for metric in wanted]
    try:
        units = all_units(comparison)
    except NoInterval as reason:  # a record keeps the units that differ only
        return {metric.name: str(reason) for metric in known}

    def inverted(metric: Metric) -> Interval:
        """The shifts that the test does not reject, if it can say so."""
        if what != "difference":
            raise NoInterval("only differences have an inverted interval")
        test, rejected = tests.get(metric.name), None
        drawn = test is not None and test.n_resamples is not None
        if drawn and options.interval == AUTO:  # who asks for it has it, and a note if they differ
            raise NoInterval("the p-value is of shuffles")
        if test is not None and not drawn and test.alternative == "two-sided":
            rejected = test.pvalue <= alpha_of(options.confidence_level)
        return inverted_of(units, comparison, metric, options.confidence_level, rejected)

    found: dict[str, Interval | str] = {}
    for own in known:
        if options.interval == INVERTED:
            found[own.name] = _or_reason(inverted, own)
            continue
        level, zero = options.confidence_level, options.zero_division
        other = argument(option or "interval", "percentile")
        other = other if option else f"csig compare {other}"
        made = _or_reason(interval_of, units, comparison, own, what, level, zero, other)
        found[own.name] = made
        if isinstance(made, str) or made.standard_error is None:  # the units do not vary
            continue
        if options.interval == AUTO and what == "difference" and is_mean_of_scores(comparison, own):
            try:
                check_differing(comparison, own, units, level)
                found[own.name] = inverted(own)
            except NoInterval as reason:
                found[own.name] = replace(made, instead=str(reason))
    return found


def of_verdicts(
    rows: Sequence[Corrected[RandomizationResult]],
    comparisons: Sequence[Comparison],
    metric: str | Metric,
    options: Options,
) -> list[Interval | str | None]:
    """Intervals that hold for all differences at once, as Holm's verdicts do: Bonferroni's.

    None excludes 0 beside "not significant": there p is above alpha / n, so that 0 is a value that
    the test does not reject, and an interval made otherwise is extended to it; not from the side on
    which a one-sided test does not look.
    """
    level = 1 - (1 - options.confidence_level) / len(rows)
    own, seed, made = replace(options, confidence_level=level), seed_of(options), []
    for row, comparison in zip(rows, comparisons, strict=True):
        name = metrics.get(metric, comparison.columns).name
        needed = fewest(level)
        drawn = None if needed <= RESAMPLES else needed
        tests = {name: row.result}
        found = intervals(comparison, [metric], "difference", own, seed, drawn, tests).get(name)
        agrees = options.confidence_level >= alpha_of(options.alpha) - 1e-9
        if isinstance(found, Interval) and row.verdict == "not significant" and agrees:
            if row.result.alternative != "less":  # differences above 0 can be significant
                found = replace(found, low=min(found.low, 0.0))
            if row.result.alternative != "greater":
                found = replace(found, high=max(found.high, 0.0))
        made.append(found)
    return made


def effects(
    comparison: Comparison, wanted: Sequence[str | Metric], options: Options
) -> dict[str, Effect]:
    """The units on which each system is better, by all metrics for which they are known."""
    found: dict[str, Effect] = {}
    known = [metrics.get(metric, comparison.columns) for metric in wanted]
    with suppress(NoInterval):  # a record keeps the units that differ only
        units = all_units(comparison)
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


def variances(
    comparison: Comparison, wanted: Sequence[str | Metric], options: Options
) -> dict[str, RunVariance]:
    """How much runs differ, by all metrics for which that is known; none without runs."""
    found: dict[str, RunVariance] = {}
    if comparison.runs is None:
        return found
    from csig.comparing.runs import run_variance  # for those who have several

    for metric in wanted:
        own = metrics.get(metric, comparison.columns)
        with suppress(InputError):  # the interval says why
            found[own.name] = run_variance(
                comparison, own, paired=options.paired_runs, zero_division=options.zero_division
            )
    return found


def answer_variances(
    data: Data, pair: tuple[int, int], comparison: Comparison, wanted: Sequence[str | Metric]
) -> dict[str, AnswerVariance]:
    """What more answers to each question would do, by all metrics; runs are no answers."""
    answers = list(data.answers.values()) if isinstance(data, TableData) else []
    if not answers or comparison.runs is not None or comparison.unit != comparison.levels[0]:
        return {}
    with suppress(NoInterval):
        known = variance_of([answers[i] for i in pair])
        return {metrics.get(metric, comparison.columns).name: known for metric in wanted}
    return {}


@dataclass(frozen=True)
class Row:
    """A system's score, or the difference of two, by one metric."""

    #: One name, or two: the system and the baseline, whose score is subtracted.
    systems: tuple[str, ...]
    estimate: float  #: What was observed.
    interval: Interval | str  #: Or the reason why there is none.
    n_differ: int | None = None  #: Units that differ, of differences.
    greater_is_better: bool = True  #: Whether higher scores are better.
    error: float | None = None  #: About that of a difference, as digits follow it.

    @property
    def title(self) -> str:
        return " - ".join(map(wording.clean, self.systems))

    @property
    def few(self) -> str | None:
        if isinstance(self.interval, str):
            return None
        return sizes.few(self.interval, self.n_differ)


@dataclass(frozen=True)
class Estimates:
    """Everything about one ``csig interval``: rows by metric, the systems, then the differences."""

    version: str
    input: Input
    options: Options
    unit: str
    rows: Mapping[str, Sequence[Row]]
    tests: Sequence[tuple[tuple[str, ...], Comparison]] = ()  #: Every pair, with its metrics.

    def figures(self, metric: str) -> wording.Figures:
        """How a metric's scores and differences are printed: with the decimals of csig compare."""
        rows = self.rows[metric]
        scores = [row.estimate for row in rows if len(row.systems) == 1]
        known = all(own.shares is not False for names, own in self.tests if metric in names)
        share = wording.in_percent(scores, metric, known)
        return wording.figures(scores, share, [row.error for row in rows])

    @property
    def answer(self) -> list[str]:
        """How much better than the baseline each system is; of many which are better."""
        of_pairs: dict[tuple[str, ...], list[str]] = {}
        of_metrics, level = [], f"{sizes.level(self.options)} interval"
        for metric, rows in self.rows.items():
            figures, on = self.figures(metric), f"on {wording.metric_name(metric)}"
            pairs = [own for own in rows if len(own.systems) == 2]
            outcomes: dict[str, list[str]] = {}
            for row in pairs:
                gain, than, outcome = "has no interval", "beside", "has no interval"
                if isinstance(row.interval, Interval):
                    gain, than = sizes.gain(row.interval, figures, row.greater_is_better), "than"
                    outcome = sizes.side(row.interval, row.greater_is_better)
                system, base = map(wording.clean, row.systems)
                parts = of_pairs.setdefault(row.systems, [])
                parts.append(f"{gain} {on}" if parts else f"{system} {gain} {than} {base} {on}")
                outcomes.setdefault(outcome, []).append(system)
            adjusted = f"{level}s, not adjusted for {len(pairs)} systems"
            of_metrics.append(
                f"{_gathered(outcomes, base, wording.metric_name(metric))} ({adjusted})."
            )
        if len(of_pairs) > MOST_PAIRS:
            return of_metrics
        some = any(" no interval" not in part for parts in of_pairs.values() for part in parts)
        level = f" ({level}{'s' * (len(self.rows) > 1)})" * some
        return [f"{'; '.join(parts)}{level}." for parts in of_pairs.values()]

    @property
    def notes(self) -> list[str]:
        which = f"{sizes.level(self.options)} intervals"
        missing = self._said(
            lambda row: (
                wording.joined(["an interval cannot be given: ", row.interval, "."], "")
                if isinstance(row.interval, str)
                else None
            )
        )
        return [*self.input.notes, *(f"{which}{of}: {how}." for how, of in self._made), *missing]

    @property
    def _made(self) -> list[tuple[str, str]]:
        made = verdict.gathered(
            (sizes.made(row.interval), (name, "scores" if len(row.systems) == 1 else "differences"))
            for name, own in self.rows.items()
            for row in own
            if isinstance(row.interval, Interval)
        )
        every = {one for rows in made.values() for one in rows}
        found = []
        for how, rows in made.items():
            kinds, names = ({one[place] for one in rows} for place in (1, 0))
            of = f" of {' and '.join(sorted(kinds, reverse=True))}" if len(made) > 1 else ""
            if {one for one in every if one[1] in kinds} != set(rows):
                titles = wording.listed([wording.metric_title(n) for n in self.rows if n in names])
                of += f" in {titles}"
            found.append((how, of))
        return found

    @property
    def cautions(self) -> tuple[str, ...]:
        """What looks wrong in what was read, and which intervals rest on too little."""
        few = sizes.few_data(
            (f"{wording.metric_title(name)} of {row.title}", row.few)
            for name, rows in self.rows.items()
            for row in rows
        )
        skewed = verdict.gathered(
            (line, wording.clean(own.names[0]))
            for names, own in self.tests
            for line in verdict.skewed_differences(own, names)
        )
        every = len({own.names for _, own in self.tests})
        of_some = [
            line if len(own) == every else wording.about(own, line) for line, own in skewed.items()
        ]
        return (
            *self.input.cautions,
            *few,
            *of_some,
        )

    def _said(self, say: Callable[[Row], str | None]) -> list[str]:
        """What is to be said of rows: once, with the metrics and systems of which it is true."""
        said = verdict.gathered(
            (line, f"{wording.metric_title(name)} of {row.title}")
            for name, own in self.rows.items()
            for row in own
            if (line := say(row)) is not None
        )
        return [wording.about(own, line) for line, own in said.items()]

    @cached_property
    def digest(self) -> str:
        many = len({names for names, _ in self.tests}) > 1
        return signature.together([
            "\t".join([*names, data_digest(own)]) if many else data_digest(own)
            for names, own in self.tests
        ])  # fmt: skip

    @cached_property
    def signature(self) -> str:
        made = [row.interval for rows in self.rows.values() for row in rows]
        tests = dict.fromkeys(names for names, _ in self.tests)
        return signature.line({
            "v": (self.version,),
            "test": ("none",),
            "unit": (self.unit,),
            "n": signature.of_sizes(own for _, own in self.tests),
            "metrics": tuple(sorted(name for names in tests for name in names)),
            **signature.of_input(self.input),
            "zd": (str(self.options.zero_division),),
            **signature.of_seeds(own.seed for own in made if isinstance(own, Interval)),
            **signature.of_intervals(self.options, made, self.tests[0][1]),
            "data": (self.digest[: signature.DIGITS],),
        })  # fmt: skip


def _gathered(outcomes: Mapping[str, Sequence[str]], base: str, on: str) -> str:
    """Which systems are better than the baseline by their intervals, and which are not."""
    parts = []
    for outcome in sorted(outcomes):  # better, either, no interval, worse
        names = outcomes[outcome]
        which = wording.listed(names)
        if len(names) > NAMED:
            which = wording.counted(len(names), "system")
        verb, have = ("is", "has") if len(names) == 1 else ("are", "have")
        said = {
            "either": "may be better or worse",
            "has no interval": f"{have} no interval",
        }
        parts.append(f"{which} {said.get(outcome, f'{verb} {outcome}')}")
    return f"Beside {base} on {on}, {'; '.join(parts)}"


def estimated(request: Request, options: Options, n_resamples: int | None = None) -> Estimates:
    """Read, and make the intervals of every system's score and of the differences."""
    from csig.readers.forms import read  # for those who have files
    from csig.readers.reading import Reading

    data = read(request, [metric for metric in options.metrics if isinstance(metric, str)])
    check_method(data, options, n_resamples)
    reading = Reading(
        data, options.unit, options.metrics, options.lower_is_better, baseline=options.baseline
    )
    options = replace(options, seed=seed_of(options))
    systems: dict[str, dict[int, Row]] = {}
    differences: dict[str, list[Row]] = {}
    tests, baselines = [], set()
    for one, other in reading.pairs:
        for place, (wanted, comparison) in enumerate(reading.tests(one, other)):
            sides: list[tuple[int, What]] = [(one, "a")]
            if (place, other) not in baselines:
                sides.append((other, "b"))
                baselines.add((place, other))
            for system, what in sides:
                for name, row in _rows(comparison, wanted, what, options, n_resamples).items():
                    systems.setdefault(name, {})[system] = row
            found = _rows(comparison, wanted, "difference", options, n_resamples)
            for name, row in found.items():
                differences.setdefault(name, []).append(row)
            tests.append((tuple(found), comparison))
    unit = tests[0][1].unit
    every = {
        name: [*(own[place] for place in sorted(own)), *differences[name]]
        for name, own in systems.items()
    }
    options = replace(options, metrics=tuple(every), unit=unit)
    return Estimates(__version__, data.source, options, unit, every, tests)


def _rows(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    n_resamples: int | None,
) -> dict[str, Row]:
    found = intervals(
        comparison, wanted, what, options, seed_of(options), n_resamples, option="method"
    )
    rows = {}
    for metric in wanted:
        own = metrics.get(metric, comparison.columns)
        a, b = comparison.scores(own, zero_division=options.zero_division)
        estimate = {"difference": a - b, "a": a, "b": b}[what]
        names = comparison.names if what == "difference" else (comparison.names["ab".index(what)],)
        differ = n_moving(comparison, own, options) if what == "difference" else None
        interval = found[own.name]
        if isinstance(interval, Interval):
            estimate = interval.estimate
        error = paired_error(comparison, own, options.zero_division)
        rows[own.name] = Row(names, estimate, interval, differ, own.greater_is_better, error)
    return rows
