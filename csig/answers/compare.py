"""``csig.compare``: from anything that holds scores to the results of all systems and metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, get_args

from csig import streams
from csig.answers import answer
from csig.answers.gathering import gather
from csig.base import defaults, wording
from csig.base.errors import InputError, in_python, warn
from csig.base.progress import shown
from csig.base.shown import Library, Shown, ShownTuple
from csig.base.validation import (
    METHODS,
    STATISTICS,
    Alternative,
    Method,
    Statistic,
    between,
    check_alternative,
    check_executor,
    check_zero_division,
    one_of,
    positive,
)
from csig.comparing import verdict
from csig.comparing.effects import UnitContributions, unit_contributions
from csig.comparing.options import Options
from csig.comparing.report import of_randomization
from csig.comparing.summary import Systems
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.probability.corrections import holm
from csig.readers.objects import check_reading, read_of, several
from csig.readers.reading import ReadOptions
from csig.report.document import Document
from csig.report.identity import short_line
from csig.report.shown import document_of, drawable
from csig.results.randomization import Interval, figures

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from csig.comparing.breakdowns import Breakdown
    from csig.comparing.effects import Effect
    from csig.comparing.runs import RunVariance
    from csig.comparing.summary import Summary
    from csig.data.repeats import AnswerVariance
    from csig.probability.corrections import Corrected
    from csig.results.randomization import RandomizationResult


#: How the intervals of the differences are made.
IntervalMethod: TypeAlias = Literal[
    "auto", "inverted", "linearized", "bca", "percentile", "basic", "studentized", "none"
]


def compare(
    *inputs: object,
    systems: str | Sequence[str] | None = None,
    metric: str | Metric | Iterable[str | Metric] | None = None,
    baseline: str | None = None,
    id: object = None,
    cluster: object = None,
    gold: object = None,
    positive: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    lower_is_better: bool | None = None,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    statistic: Statistic = "auto",
    n_resamples: int | None = None,
    decide: bool = False,
    risk: float | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    zero_division: Literal[0, 1] = 0,
    alpha: float = 0.05,
    pvalue_confidence: float = 0.99,
    interval: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    paired_runs: bool = False,
    sensitivity: bool = True,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
    **reading: Unpack[ReadOptions],
) -> Compared:
    """Compare systems: every one with the first, by all metrics, with all that is to be said.

    Parameters
    ----------
    *inputs
        What holds the scores, one of:

        - files, as ``csig compare`` takes them: the gold and the systems, one table, or one file
          per system; or a data frame with one row per unit;
        - scores: a mapping {name: scores} or {name: {id: score}}, or the scores of each system;
        - comparisons of several systems, A of each, with the same baseline, B of each; a single
          one may be followed by its metric;
        - or what :func:`csig.read` gives.
    systems : str or sequence of str, optional
        The columns, or systems, to take, in this order; of scores without names their names. By
        default all.
    metric : str, Metric, or several of them, optional
        By default those that suit the data.
    baseline : str, optional
        The system that the others are compared with; by default the first.
    id, cluster, gold : str or sequence, optional
        Of a table or frame the columns with the ids of the units, with the clusters that are
        swapped whole, and with the gold labels; of scores one label per unit, or for clusters and
        gold {id: label}, as beside {id: score} they must be.
    positive : str, optional
        The positive class, for labels.
    unit : str, optional
        The unit to swap; by default the largest known.
    by : str, optional
        A label, field or column that divides the data into parts: see `Compared.breakdown`.
    lower_is_better : bool, optional
        Which scores are better; by default lower where a name says so (wer, loss, ...).
    alternative : {"two-sided", "greater", "less"}
        "greater" asks whether the others are better than the baseline, "less" whether they are
        worse.
    method, n_resamples, threads, zero_division, pvalue_confidence, executor, progress
        As for :func:`csig.randomization_test`.
    statistic : {"auto", "difference", "studentized"}
        As there; "auto" asks whether the metric itself differs, but with method "yeh2000", and
        `ComparedResult.test.studentized.plain` is the other test.
    decide, risk : bool and float
        Whether to draw shuffles until it is settled on which side of `alpha` p lies, `n_resamples`
        at most; and the probability of a wrong verdict, by default 1e-6.
    rng : None, int, SeedSequence, BitGenerator or Generator
        The seed, of one integer; with None a new one, which the result names.
    bit_generator : str, optional
        "PCG64DXSM" (default), "PCG64", "Philox", "SFC64", "MT19937".
    alpha : float
        The significance level of the verdicts.
    interval : {"auto", "inverted", "linearized", "bca", "percentile", "basic", "studentized", \
"none"}
        The intervals of the differences. "auto" takes the inverted one for means of scores that
        are not all 0 or 1, which excludes 0 exactly where the two-sided p-value is at most 1 -
        `confidence_level`, and the linearized one for everything else; where the first cannot be
        given the linearized one stands in its place, and `Interval.instead` says why.
    confidence_level, paired_runs : float and bool
        The share of test sets whose interval should hold the true difference; and whether runs of
        the same name belong together.
    sensitivity : bool
        Whether to test with every unit that is known, to show how much depends on it.
    **reading
        How files are read: the other keywords of :func:`csig.read`.

    Returns
    -------
    Compared
        A mapping {metric: result} of two systems, {(system, metric): result} of more. In every
        result the difference is the system's score minus the baseline's.

    Warns
    -----
    DataWarning
        Once for every doubt about the data, which `Compared.doubts` has as well.

    Raises
    ------
    InputError
        For anything that cannot be used, in one line with the way out.

    Notes
    -----
    The numbers are those of ``csig compare`` with the same files, options and seed. With several
    systems p-values are adjusted for their number by Holm's method, separately for each metric.

    Examples
    --------
    >>> import csig
    >>> scores = {
    ...     "base": {"q1": 0.2, "q2": 0.5, "q3": 0.5, "q4": 0.2, "q5": 0.5, "q6": 0.7, "q7": 0.5},
    ...     "new": {"q1": 0.4, "q2": 0.7, "q3": 0.7, "q4": 0.4, "q5": 0.7, "q6": 0.9, "q7": 0.7},
    ... }
    >>> found = csig.compare(scores)
    >>> found
    <Compared new - base, mean: p = 0.0156>
    >>> result = found["mean"]
    >>> round(result.difference, 9), result.pvalue, result.better
    (0.2, 0.015625, 'new')
    >>> print(found.summary().splitlines()[0])
    new beats base on the mean by 20.00 points.
    """
    given = {**locals()}  # every parameter
    inputs = check_reading("csig.compare", inputs, given, reading)
    with in_python():
        options = _options(given)
        read = read_of(inputs, options.metrics, given, reading)
        if method == "yeh2000" and read.unit not in (None, "response"):
            raise InputError("unit: method 'yeh2000' is the paper's, for responses")
        report = gather(
            read.data,
            replace(
                options,
                unit=read.unit,
                metrics=read.metric,
                by=read.by,
                lower_is_better=read.lower_is_better,
            ),
            executor=check_executor(executor),
            watch=lambda: shown(progress),
        )
    found = Compared(report)
    for doubt in verdict.of_bad_data(found.doubts):
        warn(doubt)
    return found


def _options(given: Mapping[str, Any]) -> Options:
    """The options of the test, checked."""
    check_alternative(given["alternative"])
    check_zero_division(given["zero_division"])
    one_of("method", given["method"], METHODS)
    one_of("statistic", given["statistic"], STATISTICS)
    one_of("interval", given["interval"], get_args(IntervalMethod))
    for name in ("alpha", "pvalue_confidence", "confidence_level"):
        between(name, given[name])
    decide, risk, n_resamples = given["decide"], given["risk"], given["n_resamples"]
    if risk is not None and not decide:
        raise InputError("risk goes with decide=True")
    papers = given["method"] == "yeh2000"
    if papers and (decide or n_resamples not in (None, defaults.YEH_RESAMPLES)):
        raise InputError(f"method 'yeh2000' always draws {defaults.YEH_RESAMPLES} shuffles")
    if n_resamples is None:
        n_resamples = defaults.MOST_RESAMPLES if decide else defaults.YEH_RESAMPLES
    seed, generator = given["rng"], given["bit_generator"]
    if seed is not None and not (type(seed) is int and seed >= 0):  # as the command line has it
        source = streams.make_source(seed, generator)
        if source.spawn_key or not isinstance(source.entropy, int):
            raise InputError("rng: csig.compare needs one integer, which is printed as the seed")
        seed, generator = source.entropy, source.name
    risk = defaults.RISK if risk is None else between("risk", risk, 0, 0.5)
    own = {
        "metrics": several("metric", given["metric"], (str, Metric), "names or csig.Metrics"),
        "n_resamples": positive("n_resamples", n_resamples, 2**48),
        "seed": seed,
        "bit_generator": generator,
        "risk": risk if decide else None,
        "sensitivity": given["sensitivity"] and not papers,
    }
    same = {own.name: given[own.name] for own in fields(Options) if own.name in given}
    return Options(**same | own)


class _NoResult(InputError, KeyError):
    """There is no such metric or system among the results."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, kw_only=True, repr=False)
class ComparedResult(Shown, report="csig.answers.compare"):
    """One system and the baseline by one metric."""

    system: str  #: system, baseline: their names.
    baseline: str
    metric: str  #: The metric's name.
    score: float  #: score, baseline_score: the observed scores.
    baseline_score: float
    difference: float  #: ``score - baseline_score``.
    pvalue: float  #: Of the randomization test.
    #: After Holm's correction for the number of systems beside the baseline, by this metric; the
    #: same as `pvalue` where there is one.
    adjusted_pvalue: float
    verdict: str  #: "significant", "not significant" or "undecided", of the adjusted p-value.
    better: str | None  #: The system that is significantly better.
    interval: Interval | None  #: Of the difference.
    interval_reason: str | None  #: Why there is none.
    #: On how many units each of the two is better; in it A is the system, B the baseline.
    effect: Effect | None
    runs: RunVariance | None  #: How much runs differ, where there are several of each system.
    test: RandomizationResult  #: All about the test; in it A is the system, B the baseline.
    #: The results with every unit that is known, finest first; empty where there is one only.
    by_unit: Mapping[str, RandomizationResult]
    corrected: Corrected[RandomizationResult]  #: What Holm's correction makes of `test`.
    #: The same for the mean over tasks, each counted alike, where tasks are known; not corrected.
    over_tasks: RandomizationResult | None = None
    #: What more answers or questions would do, where questions have several answers.
    answers: AnswerVariance | None = None

    _pictures = ("null", "forest")

    def _line(self) -> str:
        a, b = wording.short_names((self.system, self.baseline))
        own = figures(self.test)
        found = f"{self.metric}: {a} - {b} = {own.sized(self.difference)}"
        if self.interval is not None:
            low, high = (own.score(end, True) for end in (self.interval.low, self.interval.high))
            found += f" ({low} to {high})"
        return f"{found}, p = {wording.pvalue(self.adjusted_pvalue)}"

    def plot(self, kind: str | None = None, *, ax: Any = None, **options: Any) -> Any:
        """Draw the result: see `csig.plots`.

        Parameters
        ----------
        kind : {"null", "forest"}, optional
            The null distribution, by default; the difference with its interval.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        **options
            What the picture takes.
        """
        from csig.comparing.pictures import forest  # for those who draw

        if kind == "forest":
            interval = self.interval or self.interval_reason
            ends = None if interval is None else {self.metric: interval}
            return forest({self.metric: self.test}, ends, ax=ax, **options)
        return self.test.plot(kind, ax=ax, **options)


@document_of.register
def _(result: ComparedResult) -> Document:
    return of_randomization(replace(result.test, names=(result.system, result.baseline)))


@dataclass(frozen=True, eq=False, repr=False)
class Compared(
    Shown, Mapping["str | tuple[str, str]", ComparedResult], report="csig.answers.compare"
):
    """What `csig.compare` found: a mapping of results that shows itself.

    Of two systems it is {metric: :class:`ComparedResult`}; of more, {(system, metric):
    ComparedResult}. ``str()`` is the text that ``csig compare`` prints.
    """

    report: Summary | Systems  #: What the reports are made of.

    _pictures = ("forest", "scores")

    @property
    def _summaries(self) -> Sequence[Summary]:
        return self.report.summaries if isinstance(self.report, Systems) else (self.report,)

    @property
    def baseline(self) -> str:
        """The system that all others are compared with."""
        return self._summaries[0].comparison.names[1]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems; the first is the baseline."""
        return (self.baseline, *(own.comparison.names[0] for own in self._summaries))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics' names."""
        return tuple(self._summaries[0].results)

    @property
    def unit(self) -> str:
        """What was swapped."""
        return self._summaries[0].comparison.unit

    @property
    def comparisons(self) -> dict[str, Comparison]:
        """The comparison of every system with the baseline, by the system: A is the system, B the
        baseline. Where every metric has a comparison of its own it is the first metric's.
        """
        return {own.comparison.names[0]: own.comparison for own in self._summaries}

    @property
    def breakdown(self) -> Breakdown | None:
        """The results on the parts of the data, with ``by=``."""
        return self._summaries[0].breakdown

    @property
    def doubts(self) -> tuple[str, ...]:
        """What to know before believing anything else; each is a `csig.DataWarning` as well."""
        with in_python():
            return tuple(self.report.cautions)

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is special about the data and the tests."""
        with in_python():
            return tuple(self.report.notes)

    @property
    def signature(self) -> str:
        """One line that two results share exactly when they must have the same numbers."""
        return self.report.signature

    @property
    def short_signature(self) -> str:
        """The signature as a report ends in it, with the first digits of its SHA-256."""
        return short_line(self.signature)

    @cached_property
    def results(self) -> ShownTuple[ComparedResult]:
        """All results, system by system."""
        found = []
        alpha = self._summaries[0].options.alpha
        adjusted = {
            metric: holm([own.results[metric] for own in self._summaries], alpha)
            for metric in self.metrics
        }
        for place, summary in enumerate(self._summaries):
            system, baseline = summary.comparison.names
            for metric, test in summary.results.items():
                row = adjusted[metric][place]
                interval = summary.intervals.get(metric)
                up = (test.statistic > 0) == test.greater_is_better
                better = system if up else baseline
                tasks = summary.over_tasks.get(metric)
                found.append(
                    ComparedResult(
                        system=system,
                        baseline=baseline,
                        metric=metric,
                        score=test.score_a,
                        baseline_score=test.score_b,
                        difference=test.statistic,
                        pvalue=test.pvalue,
                        adjusted_pvalue=row.adjusted_pvalue,
                        verdict=row.verdict,
                        better=better if row.significant else None,
                        interval=interval if isinstance(interval, Interval) else None,
                        interval_reason=interval if isinstance(interval, str) else None,
                        effect=summary.effects.get(metric),
                        runs=summary.runs.get(metric),
                        test=test,
                        by_unit={u: own[metric] for u, own in summary.sensitivity.items()},
                        corrected=replace(row, name=system),
                        over_tasks=None if tasks is None else tasks.result,
                        answers=summary.answers.get(metric),
                    )
                )
        return ShownTuple(found)

    @cached_property
    def _by_key(self) -> dict[str | tuple[str, str], ComparedResult]:
        if isinstance(self.report, Systems):
            return {(own.system, own.metric): own for own in self.results}
        return {own.metric: own for own in self.results}

    def __getitem__(self, key: str | tuple[str, str]) -> ComparedResult:
        found = self._by_key.get(key)
        if found is not None:
            return found
        if isinstance(key, tuple) and not isinstance(self.report, Systems):
            system, metric = key if len(key) == 2 else (None, None)
            if system == self.systems[1] and metric in self._by_key:
                return self._by_key[metric]
        raise self._no_result(key)

    def _no_result(self, key: object) -> _NoResult:
        parts = key if isinstance(key, tuple) else (key,)
        if isinstance(self.report, Systems) and len(parts) != 2:
            way = f"({self.systems[1]!r}, {self.metrics[0]!r})"
            return _NoResult(f"no result {key!r}; several systems need two names, as {way}")
        there = (*self.systems[1:], *self.metrics)
        wrong = [str(own) for own in parts if own not in there]
        hint = wording.perhaps(wrong[0], there) if wrong else ""
        return _NoResult(f"no result {key!r}{hint}; there are {wording.first_few(self, 12)}")

    def __iter__(self) -> Iterator[str | tuple[str, str]]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    def plot(
        self, kind: str | None = None, *, ax: Any = None, metric: str | None = None, **options: Any
    ) -> Any:
        """Draw the differences with their intervals, a forest plot; or the scores with theirs.

        Parameters
        ----------
        kind : {"forest", "scores"}, optional
            Other pictures are of one result: ``found["f1"].plot("null")``.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        metric : str, optional
            One metric only; needed where some metrics are shares and others are not.
        **options
            What :func:`csig.plots.forest` or :func:`csig.plots.scores` takes.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from csig.comparing.pictures import forest

        if kind not in (None, "forest", "scores"):
            key = next(iter(self))
            one_of("kind", kind, list(dict.fromkeys(["forest", "scores", *drawable(self[key])])))
            raise InputError(
                f"kind: {kind!r} is a picture of one result, such as found[{key!r}].plot({kind!r})"
            )
        if metric is not None and metric not in self.metrics:
            raise self._no_result(metric)
        wanted = self.metrics if metric is None else (metric,)
        if kind == "scores":
            from csig.comparing.pictures_pages import picture_of, scores_of

            level = options.pop("confidence_level", None)
            return picture_of([scores_of(self.report, own, level) for own in wanted], ax, **options)
        alpha = self._summaries[0].options.alpha
        if isinstance(self.report, Systems):
            from csig.comparing.pictures_pages import forest_of_systems

            return forest_of_systems(self.report, wanted, ax, **options)
        results = {name: self[name] for name in wanted}
        ends = {name: own.interval or own.interval_reason for name, own in results.items()}
        return forest(
            {name: own.test for name, own in results.items()},
            {name: end for name, end in ends.items() if end is not None} or None,
            ax=ax, **{"alpha": alpha, **options},
        )  # fmt: skip

    def _line(self) -> str:
        if not isinstance(self.report, Systems):
            said = ", ".join(
                f"{own.metric}: p = {wording.pvalue(own.pvalue)}" for own in self.results
            )
            a, b = wording.short_names((self.systems[1], self.baseline))
            return f"{a} - {b}, {said}"
        number = wording.counted(len(self.systems) - 1, "system")
        return f"{number} - {self.baseline}, {', '.join(self.metrics)}"

    def unit_contributions(self, key: str | tuple[str, str] | None = None) -> UnitContributions:
        """What every unit contributes to the difference of a result: see `unit_contributions`.

        Parameters
        ----------
        key : str or pair of str, optional
            Which result, as this mapping has it; may be left out where there is one only.

        Examples
        --------
        >>> import csig
        >>> found = csig.compare({"base": [0] * 8, "new": [1] * 6 + [0] * 2})
        >>> [(row["id"], row["contribution"]) for row in found.unit_contributions().rows(1)]
        [(0, 0.125)]
        """
        if key is None:
            if len(self) != 1:
                raise InputError(f"key: name one of {wording.first_few(self, 12)}")
            key = next(iter(self))
        result = self[key]
        summary = next(s for s in self._summaries if s.comparison.names[0] == result.system)
        named = {own.name: own for own in summary.options.metrics if not isinstance(own, str)}
        return unit_contributions(
            summary.comparisons.get(result.metric, summary.comparison),
            named.get(result.metric, result.metric),
            zero_division=summary.options.zero_division,
        )

    def units_frame(
        self,
        key: str | tuple[str, str] | None = None,
        n: int | None = None,
        library: Library | None = None,
    ) -> Any:
        """The same as a data frame, one row per unit, from the largest contribution to the least.

        Parameters
        ----------
        key : str or pair of str, optional
            As for `unit_contributions`.
        n : int, optional
            Only the `n` units that raise the difference most and the `n` that lower it most.
        library : {"pandas", "polars"}, optional
            As for `to_frame`.
        """
        return self.unit_contributions(key).units_frame(n, library)


@document_of.register
def _(found: Compared) -> Document:
    with in_python():
        document = answer.document(
            found.report, "More: summary(explain=True). For papers: summary(cite=True)."
        )

    def record() -> dict[str, Any]:
        with in_python():
            return dict(document.record())

    return replace(document, record=record)
