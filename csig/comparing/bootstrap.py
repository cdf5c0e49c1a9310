"""The bootstrap: how large a difference is on other test data, by resampling the units.

What the methods do, and when they fail, is in ``docs/bootstrap.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, get_args, overload

import numpy as np

from csig import streams
from csig.base.defaults import RESAMPLES
from csig.base.errors import InputError, NoInterval
from csig.base.progress import shown
from csig.base.validation import (
    Alternative,
    between,
    check_alternative,
    check_executor,
    check_zero_division,
    instance,
    no_argument,
    one_of,
    positive,
)
from csig.base.wording import counted, documented, noun
from csig.comparing.intervals import WHAT, What, interval_for
from csig.data.comparison import Comparison, PairedError
from csig.data.metrics import Metric, get_all
from csig.engines.pool import Progress, default_threads
from csig.engines.resample import Prepared, Replicates, Scored, StandardErrors, Taker, draw_scores
from csig.engines.tasks import warn_of_slow
from csig.probability import resampled
from csig.results.randomization import BootstrapResult, Interval, Results, Seed

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

#: More are not drawn: chunks are numbered by 32 bits. An interval keeps 8 bytes of each resample.
MOST_RESAMPLES, MOST_KEPT = 2**32, 2**28

IntervalMethod = Literal["bca", "percentile", "basic", "studentized"]
TestMethod = Literal["shift", "berg-kirkpatrick", "koehn"]
INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
TEST_METHODS: tuple[TestMethod, ...] = get_args(TestMethod)


class BootstrapOptions(TypedDict, total=False):
    """What :func:`bootstrap_interval` and :func:`bootstrap_test` have in common."""

    n_resamples: int
    rng: streams.Seed
    bit_generator: str | streams.Factory | None
    threads: int | None
    zero_division: int
    executor: Executor | None
    progress: Progress | bool | None


class _IntervalOptions(BootstrapOptions, total=False):
    method: IntervalMethod
    confidence_level: float


class _TestOptions(BootstrapOptions, total=False):
    method: TestMethod
    alternative: Alternative
    pvalue_confidence: float


class _Run:
    """The checked arguments of what is drawn."""

    def __init__(
        self,
        function: str,
        kind: type[_IntervalOptions] | type[_TestOptions],
        n_resamples: int | None = None,
        rng: streams.Seed = None,
        bit_generator: str | streams.Factory | None = None,
        threads: int | None = None,
        zero_division: int = 0,
        executor: Executor | None = None,
        progress: Progress | bool | None = None,
        **unknown: object,
    ) -> None:
        for name in unknown:
            raise no_argument(f"csig.intervals.{function}", name, kind.__annotations__)
        check_zero_division(zero_division)
        if threads is not None:
            threads = positive("threads", threads, 1024)
        self.source = streams.make_source(rng, bit_generator)
        n_resamples = RESAMPLES if n_resamples is None else n_resamples
        self.n_resamples = positive("n_resamples", n_resamples, MOST_RESAMPLES)
        self.executor = check_executor(executor)
        self.threads = threads or (1 if executor is not None else default_threads())
        self.zero_division, self.progress = zero_division, progress
        self.seed = Seed(self.source.name, self.source.entropy, self.source.spawn_key, 0)

    def draw(self, prepared: Prepared, takers: Sequence[Taker]) -> None:
        for metric in prepared.replicates.values():
            warn_of_slow([metric], self.n_resamples)
        with shown(self.progress) as notify:
            draw_scores(
                prepared, self.source, self.n_resamples, takers, self.threads, self.executor, notify
            )


class _Kept:
    """The scores of all resamples, and for studentized intervals their standard errors."""

    def __init__(self, replicates: Replicates, n: int, errors: StandardErrors | None) -> None:
        self.replicates, self.standard_errors = replicates, errors
        self.estimate = replicates.observed
        self.scored = Scored(replicates, (self.estimate,), errors)
        try:
            self.values = np.empty(n)
            self.errors = None if errors is None else np.empty(n)
        except MemoryError:
            raise InputError(
                f"n_resamples: the scores of {n} resamples do not fit the memory; draw fewer"
            ) from None
        self._undefined: list[int] = []

    def take(
        self,
        start: int,
        values: NDArray[np.float64],
        undefined: int,
        errors: NDArray[np.float64] | None,
    ) -> None:
        here = slice(start, start + len(values))
        self.values[here] = values
        self._undefined.append(undefined)
        if self.errors is not None and errors is not None:
            self.errors[here] = errors

    def ends(self, method: IntervalMethod, level: float) -> tuple[float, float, float]:
        """Both ends and the standard error."""
        values = self.values
        resampled.check_defined(sum(self._undefined), len(values), level)
        spread = values.max() - values.min()
        if spread == 0:
            raise NoInterval("it is the same in all resamples, which tell nothing of other data")
        error = float((values / spread).std(ddof=1) * spread)  # tiny numbers have no squares
        if method == "percentile":
            low, high = resampled.percentile(values, level)
        elif method == "basic":
            low, high = resampled.basic(values, self.estimate, level)
        elif method == "bca":
            changes = self.replicates.left_out()
            low, high = resampled.bca(values, self.estimate, changes, level)
        else:
            assert self.errors is not None
            assert self.standard_errors is not None
            error = self.standard_errors.observed
            low, high = resampled.studentized(values, self.errors, self.estimate, error, level)
        if low == high:
            raise NoInterval(
                "both ends would be equal, as if it were certain: too few units differ"
            )
        return low, high, error


@overload
def bootstrap_interval(  # type: ignore[overload-overlap]
    comparison: Comparison,
    metric: str | Metric,
    what: What = ...,
    **options: Unpack[_IntervalOptions],
) -> Interval: ...


@overload
def bootstrap_interval(
    comparison: Comparison,
    metric: Iterable[str | Metric],
    what: What = ...,
    **options: Unpack[_IntervalOptions],
) -> Results[Interval]: ...


@documented
def bootstrap_interval(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    what: What = "difference",
    *,
    method: IntervalMethod = "bca",
    confidence_level: float = 0.95,
    **options: Unpack[BootstrapOptions],
) -> Interval | Results[Interval]:
    """An interval for the difference of two systems, or for one system's score.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data. Its unit is resampled: clusters, where it has them.
    %(metrics)s
    %(what)s
    method : {"bca", "percentile", "basic", "studentized"}
        How the interval is made of the scores of the resamples.
    %(level)s
    n_resamples : int
        Resamples drawn; 8 bytes of each are kept per metric, 16 for "studentized". The default,
        100,000, gives ends that move by about 0.3% of the interval's width with another seed.
    %(drawing)s
    %(zero_division)s

    Returns
    -------
    Interval, or {metric name: Interval} for several metrics.

    Raises
    ------
    NoInterval
        The data are sound, but allow no such interval: one unit, units that are all alike, a
        score of 100%, no difference in any unit, or what a method cannot do.

    Notes
    -----
    docs/bootstrap.md has the methods, and when each has no interval. `standard_error` is the
    standard deviation of the scores of the resamples; for "studentized", which is for metrics with
    weights only, that of the delta method.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([3, 5, 4, 8, 6, 7, 2, 5], [2, 5, 3, 6, 6, 5, 3, 1])
    >>> found = csig.intervals.bootstrap_interval(c, "mean", rng=1)
    >>> found.estimate, found.low, found.high
    (1.125, 0.25, 2.25)
    """
    found = intervals_or_reasons(
        comparison, metric, what, method=method, confidence_level=confidence_level, **options
    )
    intervals: Results[Interval] = Results()
    for name, interval in found.items():
        if isinstance(interval, NoInterval):
            raise interval
        intervals[name] = interval
    one = isinstance(metric, (str, Metric))
    return next(iter(intervals.values())) if one else intervals


def intervals_or_reasons(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    what: What = "difference",
    *,
    method: IntervalMethod = "bca",
    confidence_level: float = 0.95,
    **options: Unpack[BootstrapOptions],
) -> dict[str, Interval | NoInterval]:
    """The same by metric, with the reasons where there is none; all from the same resamples."""
    instance("comparison", comparison, Comparison)
    wanted = get_all(metric, comparison.columns)
    one_of("what", what, WHAT)
    one_of("method", method, INTERVAL_METHODS)
    level = between("confidence_level", confidence_level)
    run = _Run("bootstrap_interval", _IntervalOptions, **options)
    positive("n_resamples", run.n_resamples, MOST_KEPT)
    resampled.check_number(run.n_resamples, level)
    sides = "ab" if what == "difference" else what
    found: dict[str, Interval | NoInterval] = {}
    prepared = _prepared(comparison, wanted, sides, run.zero_division, found)
    if prepared is None:
        return {own.name: found[own.name] for own in wanted}
    kept = []
    rows = prepared.rows
    for name, replicates in prepared.replicates.items():
        try:  # units that are all alike are refused before anything is drawn
            if len(replicates.sides) == 2 and np.array_equal(rows.a, rows.b):
                raise NoInterval(
                    f"metric {name!r}: no {noun(comparison.unit)} differs between the systems, so "
                    f"that resamples never do; that is not certainty"
                )
            if replicates.constant:
                raise NoInterval(
                    f"metric {name!r}: all {counted(rows.n, comparison.unit)} have the same "
                    f"score, {replicates.observed:.6g}, so that resamples have it too; that is "
                    f"not certainty"
                )
            errors = StandardErrors(prepared, replicates) if method == "studentized" else None
        except NoInterval as reason:
            found[name] = reason
            continue
        kept.append(_Kept(replicates, run.n_resamples, errors))
    if kept:
        run.draw(prepared, [(one.scored, one.take) for one in kept])
    for one in kept:
        own = one.replicates.metric
        try:
            low, high, error = one.ends(method, level)
        except NoInterval as reason:
            found[own.name] = NoInterval(f"metric {own.name!r}: {reason}")
            continue
        found[own.name] = interval_for(
            comparison, own, low=low, high=high, estimate=one.estimate, standard_error=error,
            confidence_level=level, what=what, method=method, n_units=rows.n,
            n_resamples=run.n_resamples, seed=run.seed,
        )  # fmt: skip
    return {own.name: found[own.name] for own in wanted}


def _prepared(
    comparison: Comparison,
    wanted: Sequence[Metric],
    sides: str,
    zero_division: int,
    reasons: dict[str, Interval | NoInterval],
) -> Prepared | None:
    """What is drawn for the metrics that can be; the reasons of the others are added."""
    try:
        prepared = Prepared(comparison, wanted, sides, zero_division)
        if prepared.rows.n > 1:
            return prepared
        reason = NoInterval(f"{counted(1, comparison.unit)} only: resampling needs at least two")
    except NoInterval as found:
        reason = found
    if len(wanted) == 1:
        reasons[wanted[0].name] = reason
        return None
    possible = [m for m in wanted if _prepared(comparison, [m], sides, zero_division, reasons)]
    return Prepared(comparison, possible, sides, zero_division) if possible else None


#: Assumed by both tests that shift the resamples.
_SHIFTED = (
    "the systems are equally good, and their difference on other test sets then varies about 0 as "
    "d* does about d"
)

_NULLS: dict[TestMethod, str] = {
    "shift": _SHIFTED,
    "berg-kirkpatrick": _SHIFTED,
    "koehn": "none: the share of resamples in which the system that is better here is not",
}

#: Which resamples are hits.
_INEQUALITIES: dict[TestMethod, dict[Alternative, str]] = {
    "shift": {"two-sided": "|d* - d| >= |d|", "greater": "d* - d >= d", "less": "d* - d <= d"},
    "berg-kirkpatrick": {"two-sided": "|d* - d| > |d|", "greater": "d* > 2 d", "less": "d* < 2 d"},
    "koehn": {
        "two-sided": "d* <= 0 if d > 0, else d* >= 0",
        "greater": "d* <= 0",
        "less": "d* >= 0",
    },
}


def studentized_resamples(
    comparison: Comparison, metric: Metric, n_resamples: int, rng: streams.Seed
) -> tuple[NDArray[np.float64], float, float]:
    """(value - estimate) / (its standard error) of every resample, infinite without an error; the
    estimate, and its standard error.
    """
    run = _Run("studentized_resamples", _IntervalOptions, n_resamples, rng)
    prepared = Prepared(comparison, [metric], "ab", 0)
    replicates = prepared.replicates[metric.name]
    errors = StandardErrors(prepared, replicates)
    kept = _Kept(replicates, n_resamples, errors)
    run.draw(prepared, [(kept.scored, kept.take)])
    assert kept.errors is not None
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(kept.errors > 0, (kept.values - kept.estimate) / kept.errors, np.inf)
    return t, kept.estimate, errors.observed


class _Hits:
    """Counts the resamples that are hits."""

    def __init__(self, replicates: Replicates, method: TestMethod, alternative: Alternative):
        self.replicates, self.method, self.alternative = replicates, method, alternative
        self.d = replicates.observed
        self.scored = Scored(replicates, (0.0, 2 * self.d))
        self.counts: list[tuple[int, int]] = []  # hits and undefined resamples

    def take(
        self,
        start: int,
        found: NDArray[np.float64],
        undefined: int,
        errors: NDArray[np.float64] | None,
    ) -> None:
        # d* = 2d and d* = 0 are exact.
        d, alternative = self.d, self.alternative
        beyond = np.greater_equal if self.method == "shift" else np.greater  # ties are hits, or not
        if self.method == "koehn":
            above = d > 0 if alternative == "two-sided" else alternative == "greater"
            hits = found <= 0 if above else found >= 0
        elif self.method == "berg-kirkpatrick" and d == 0:  # neither is the better one
            hits = np.ones(len(found), dtype=np.bool_)
        elif alternative == "two-sided":
            hits = beyond(found, max(0.0, 2 * d)) | beyond(min(0.0, 2 * d), found)
        else:
            hits = beyond(found, 2 * d) if alternative == "greater" else beyond(2 * d, found)
        self.counts.append((int(np.count_nonzero(hits)), undefined))


@overload
def bootstrap_test(  # type: ignore[overload-overlap]
    comparison: Comparison, metric: str | Metric, **options: Unpack[_TestOptions]
) -> BootstrapResult: ...


@overload
def bootstrap_test(
    comparison: Comparison, metric: Iterable[str | Metric], **options: Unpack[_TestOptions]
) -> Results[BootstrapResult]: ...


@documented
def bootstrap_test(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    *,
    method: TestMethod = "shift",
    alternative: Alternative = "two-sided",
    pvalue_confidence: float = 0.99,
    **options: Unpack[BootstrapOptions],
) -> BootstrapResult | Results[BootstrapResult]:
    """Test by the paired bootstrap whether two systems differ: to compare with published tests.

    For a test of your own prefer :func:`csig.randomization_test`: its p-value is exact under its
    null hypothesis whatever the data, while the bootstrap's is right for many units only
    (docs/bootstrap.md has both in a simulation). The bootstrap is for intervals.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data. Its unit is resampled: clusters, where it has them.
    %(metrics)s
    method : {"shift", "berg-kirkpatrick", "koehn"}
        Which resamples are hits; see Notes.
    alternative : {"two-sided", "less", "greater"}
        A differs from B, is less, is greater. The papers' tests are one-sided, for the system that
        is better here: "greater" where that is A and more is better.
    pvalue_confidence : float
        Of the interval around the p-value.
    n_resamples : int
        Resamples drawn; memory does not grow with them.
    %(drawing)s
    %(zero_division)s

    Returns
    -------
    BootstrapResult, or {metric name: BootstrapResult} for several metrics.
        One result can be unpacked: ``statistic, pvalue = bootstrap_test(...)``.

    Notes
    -----
    With d the observed difference and d* that of a resample, these are hits; the p-value is
    (hits + 1) / (resamples + 1), for a two-sided "koehn" twice that (docs/bootstrap.md):

    - "shift" (Noreen 1989; Riezler and Maxwell 2005): the null is that the systems are equally
      good, and that d then varies about 0 as d* does about d. ``|d* - d| >= |d|``; "greater":
      d* - d >= d. Ties are hits.
    - "berg-kirkpatrick" (Berg-Kirkpatrick, Burkett and Klein 2012, figure 1): the same null.
      ``|d* - d| > |d|``; "greater": d* > 2 d, as they print it. Ties are not hits, so that p is too
      small where d* takes few values.
    - "koehn" (Koehn 2004): no null; the share of resamples in which the system that is better here
      is not. "greater": d* <= 0.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([3, 5, 4, 8, 6, 7, 2, 5], [2, 5, 3, 6, 6, 5, 3, 1])
    >>> found = csig.intervals.bootstrap_test(c, "mean", rng=1)
    >>> found.inequality, found.n_hits, round(found.pvalue, 5)
    ('|d* - d| >= |d|', 3625, 0.03626)
    """
    instance("comparison", comparison, Comparison)
    wanted = get_all(metric, comparison.columns)
    one_of("method", method, TEST_METHODS)
    check_alternative(alternative)
    level = between("pvalue_confidence", pvalue_confidence)
    run = _Run("bootstrap_test", _TestOptions, **options)
    prepared = Prepared(comparison, wanted, "ab", run.zero_division, conventional=True)
    if prepared.rows.n == 1:
        raise InputError(f"{counted(1, comparison.unit)} only: resampling needs at least two")
    counters = [_Hits(one, method, alternative) for one in prepared.replicates.values()]
    run.draw(prepared, [(one.scored, one.take) for one in counters])
    found: Results[BootstrapResult] = Results()
    doubled = method == "koehn" and alternative == "two-sided"
    for one in counters:
        hits, undefined = (sum(own) for own in zip(*one.counts, strict=True))
        own = one.replicates.metric
        score_a, score_b = (side.score for side in one.replicates.sides.values())
        pvalue = (hits + 1) / (run.n_resamples + 1)
        found[own.name] = BootstrapResult(
            metric=own.name, statistic=one.d, score_a=score_a, score_b=score_b,
            pvalue=min(1.0, 2 * pvalue) if doubled else pvalue, alternative=alternative,
            method=method, null=_NULLS[method], inequality=_INEQUALITIES[method][alternative],
            doubled=doubled, unit=comparison.unit, greater_is_better=own.greater_is_better,
            n_units=prepared.rows.n, n_resamples=run.n_resamples, n_hits=hits,
            n_undefined=undefined, zero_division=run.zero_division, pvalue_confidence=level,
            seed=run.seed, names=comparison.names, _shares=comparison.shares,
            _error=PairedError(comparison, own, run.zero_division),
        )  # fmt: skip
    return found[wanted[0].name] if isinstance(metric, (str, Metric)) else found
