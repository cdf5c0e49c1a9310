"""What the tests return: frozen, printable, and complete enough to reproduce the run.

The null distribution is that of T, the difference score_A - score_B after a shuffle under the null
hypothesis. An engine knows T by its support, by its tails, or by a sample of it; a
:class:`NullDistribution` answers the same questions in all three cases. (The separation of
distribution and statistic is that of the R package coin: Hothorn et al. 2008.)
"""

from __future__ import annotations

import functools
import math
import numbers
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csig.base import wording
from csig.base.defaults import METRICS
from csig.base.errors import InputError
from csig.base.shown import Shown, ShownRows
from csig.base.validation import Alternative, between, check_alternative
from csig.base.wording import documented
from csig.data.comparison import PairedError
from csig.probability.binomial import clopper_pearson, sequential_interval
from csig.probability.distributions import Grid, Listed, Tails, Weight

#: How far a sum of probabilities may be from 1.
ROUNDING = 1e-9

#: Distance from an exact rational difference to its neighbours, unless told otherwise.
GAP = Fraction(1, 2**1000)

#: The largest finite double.
LARGEST = sys.float_info.max

_Floats = NDArray[np.float64]


def _check_statistic(statistic: float | Fraction) -> float | Fraction:
    if not isinstance(statistic, numbers.Real) or not -LARGEST <= statistic <= LARGEST:
        raise InputError(f"statistic must be a finite number, found {statistic!r}")
    return statistic if isinstance(statistic, Fraction) else float(statistic)


def _doubles(name: str, values: object) -> _Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # an integer may be beyond all doubles
        raise InputError(f"{name} must be numbers, found {type(values).__name__}") from None


def _check_list(name: str, values: object) -> _Floats:
    array = _doubles(name, values)
    if array.ndim != 1 or not len(array):
        raise InputError(f"{name} must be a list of numbers, found shape {array.shape}")
    if not np.isfinite(array).all():
        index = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(f"{name}[{index}]: expected a finite number, found {array[index]}")
    return array + 0.0  # a copy; and -0 becomes 0


def _check_points(name: str, points: object, low: float, high: float) -> _Floats:
    """Where to evaluate: a number or an array of them."""
    array = _doubles(name, points)
    bad = np.flatnonzero(~((array >= low) & (array <= high)).ravel())  # NaN is bad, too
    if bad.size:
        where = f"[{bad[0]}]" if array.ndim else ""
        what = "a number" if math.isinf(low) else f"a number from {low:g} to {high:g}"
        raise InputError(f"{name}{where}: expected {what}, found {array.ravel()[bad[0]]}")
    return array


def _check_probabilities(weights: object, n: int) -> _Floats:
    array = _check_list("weights", weights)
    if array.shape != (n,):
        raise InputError(f"weights: expected one for each of {n} values, found {array.shape}")
    negative = np.flatnonzero(array < 0)
    if negative.size:
        raise InputError(f"weights[{negative[0]}] is negative: {array[negative[0]]}")
    total = (sum if array.max() > 1 else math.fsum)(array.tolist())
    if abs(total - 1) > ROUNDING:
        raise InputError(f"weights: the probabilities sum to {total}, not to 1")
    return array


def _read_only(array: _Floats) -> _Floats:
    view = array.view()
    view.flags.writeable = False
    return view


def _shaped(values: _Floats) -> float | _Floats:
    return float(values) if values.ndim == 0 else values


@dataclass(frozen=True, eq=False)
class NullDistribution(ShownRows, report="csig.comparing.report"):
    """The distribution of the difference of the scores under the null hypothesis.

    Where the p-value is certified probabilities are upper bounds, :meth:`sf_bounds` has both, and
    quantiles and critical differences are those of the upper bounds: no critical difference is
    too small.

    Made by :meth:`from_support`, :meth:`from_tail` or :meth:`from_sample`. Two-sided
    means the test on the absolute difference.

    Examples
    --------
    Six items that only A has right and one that only B has: the difference in correct
    items is 2 k - 7, k of seven fair coins.

    >>> null = NullDistribution.from_support(5, "two-sided", range(-7, 8, 2),
    ...     [ways / 2**7 for ways in (1, 7, 21, 35, 35, 21, 7, 1)])
    >>> null.pvalue(), null.pvalue("greater"), null.midp("greater")
    (0.125, 0.0625, 0.03515625)
    >>> null.critical_difference(0.05)
    7.0
    >>> null.quantile([0.025, 0.5, 0.975])
    array([-5., -1.,  5.])
    """

    statistic: float  #: The observed difference, A minus B.
    alternative: Alternative  #: The test's.
    n_resamples: int | None  #: Trials, for a sample; None when the distribution is exact.
    _observed: float | Fraction = field(repr=False)
    _known: Listed | Tails = field(repr=False)
    _std: float | None = field(default=None, repr=False)
    #: The test's own p-value, where it is an upper bound.
    _bound: float | None = field(default=None, repr=False)

    def _rows(self) -> list[dict[str, Any]]:
        return [super()._rows()[0] | {"pvalue": self.pvalue()}]

    # -- constructors

    @classmethod
    @documented
    def from_support(
        cls,
        statistic: float,
        alternative: Alternative,
        values: ArrayLike,
        weights: ArrayLike,
    ) -> NullDistribution:
        """Exact, by all values of the difference and their probabilities.

        Parameters
        ----------
        statistic : float
            The observed difference; one of the values.
        %(alternative)s
        values : (k,) array of float
            In any order. Equal values are merged; values that ought to be equal must be
            equal doubles.
        weights : (k,) array
            Their probabilities.

        Raises
        ------
        InputError
            For anything that is not a distribution with the statistic in its support.

        Examples
        --------
        >>> NullDistribution.from_support(1.0, "greater", [-1.0, 1.0], [0.5, 0.5]).pvalue()
        0.5
        """
        observed = float(_check_statistic(statistic))
        alternative = check_alternative(alternative)
        array = _check_list("values", values)
        shares = _check_probabilities(weights, len(array)).astype(np.longdouble)
        # In order; equal values once, those without weight not at all.
        order = np.argsort(array, kind="stable")
        order = order[shares[order] > 0]
        array, shares = array[order], shares[order]
        first = np.flatnonzero(np.concatenate([[True], array[1:] != array[:-1]]))
        array, shares = array[first], np.add.reduceat(shares, first)
        if observed not in array:
            raise InputError(f"statistic: {observed!r} is none of the values that have a weight")
        return cls(observed, alternative, None, observed, Listed(array, array, shares, 1.0))

    @classmethod
    @documented
    def from_tail(
        cls,
        statistic: float | Fraction,
        alternative: Alternative,
        tail: Callable[[float | Fraction], tuple[float, int]],
        largest: float,
        *,
        gap: Fraction | None = None,
        std: float | None = None,
        grid: Grid | None = None,
        lower_bound: Callable[[float | Fraction], tuple[float, int]] | None = None,
    ) -> NullDistribution:
        """Exact, by its tails, where the support is too large to list.

        Parameters
        ----------
        statistic : float or Fraction
            The observed difference. A Fraction is compared exactly.
        %(alternative)s
        tail : callable
            P(T >= t) as ``mantissa, exponent``: mantissa * 2**exponent. T is symmetric
            about 0. Every t is asked for once; answers are kept.
        largest : float
            A bound on abs(T), best its largest value.
        gap : Fraction, optional
            Less than the distance from the statistic to the possible differences next to
            it, for :meth:`midp`. By default 2^-1000 for a Fraction; a float's neighbours are
            the next doubles.
        std : float, optional
            The standard deviation, where the engine knows it.
        grid : Grid, optional
            Where the possible differences can lie: quantiles and critical differences are then
            possible differences themselves.
        lower_bound : callable, optional
            A lower bound of P(T >= t), where `tail` is an upper one and not the number itself.

        Examples
        --------
        >>> tails = lambda t: (1.0, 0) if t <= -1 else (0.5, 0) if t <= 1 else (0.0, 0)
        >>> NullDistribution.from_tail(Fraction(1), "greater", tails, 1.0).midp()
        0.25
        """
        observed = _check_statistic(statistic)
        alternative = check_alternative(alternative)
        if not callable(tail):
            raise InputError(f"tail must be a function, found {tail!r}")
        for name, value in (("largest", largest), ("std", 0.0 if std is None else std)):
            if not isinstance(value, numbers.Real) or not 0 <= value <= LARGEST:
                raise InputError(f"{name} must be a finite number from 0, found {value!r}")
        if gap is not None and not (isinstance(gap, Fraction) and gap > 0):
            raise InputError(f"gap must be a positive Fraction, found {gap!r}")
        if gap is None and isinstance(observed, Fraction):
            gap = GAP
        bound = None if lower_bound is None else functools.cache(lower_bound)
        known = Tails(functools.cache(tail), float(largest), gap, grid, lower_bound=bound)
        return cls(
            float(observed), alternative, None, observed, known, None if std is None else float(std)
        )

    @classmethod
    @documented
    def from_sample(
        cls, statistic: float, alternative: Alternative, differences: ArrayLike
    ) -> NullDistribution:
        """Approximate, by the differences of random trials.

        Parameters
        ----------
        statistic : float
            The observed difference.
        %(alternative)s
        differences : (trials,) array of float
            One of each trial. Ties must be equal doubles, ties with the statistic too.

        Examples
        --------
        >>> null = NullDistribution.from_sample(2.0, "greater", [0.0, 2.0, -1.0])
        >>> null.pvalue()  # (1 hit + 1) / (3 trials + 1)
        0.5
        """
        observed = float(_check_statistic(statistic))
        alternative = check_alternative(alternative)
        array = _check_list("differences", differences)
        values, counts = np.unique(array, return_counts=True)
        listed = Listed(values, values, counts.astype(np.int64), len(array))
        return cls(observed, alternative, len(array), observed, listed)

    # -- tests

    def _extreme(
        self, t: float | Fraction, alternative: Alternative, strict: bool = False
    ) -> Weight:
        """The weight of differences as extreme as t, or (strictly) more extreme."""
        if alternative == "greater":
            return self._known.upper(t, strict)
        if alternative == "less":
            return self._known.lower(t, strict)
        if t == 0 and not strict:
            return self._known.total
        size = t if t > 0 else -t
        return self._known.upper(size, strict) + self._known.lower(-size, strict)

    def _pvalue(self, t: float | Fraction, alternative: Alternative) -> float:
        if self._bound is not None and (t, alternative) == (self._observed, self.alternative):
            return self._bound
        weight = self._extreme(t, alternative)
        if self.n_resamples is not None:
            return float((weight + 1) / (self.n_resamples + 1))
        return min(1.0, weight / self._known.total)

    def _which(self, alternative: Alternative | None) -> Alternative:
        return self.alternative if alternative is None else check_alternative(alternative)

    @documented
    def pvalue(self, alternative: Alternative | None = None) -> float:
        """The probability of a difference at least as extreme as the observed one.

        Parameters
        ----------
        %(own_alternative)s

        Returns
        -------
        float
            Exact; the upper bound where the test is certified; for a sample
            (hits + 1) / (trials + 1) (Noreen 1989).
        """
        return self._pvalue(self._observed, self._which(alternative))

    @documented
    def midp(self, alternative: Alternative | None = None) -> float:
        """The mid-p-value: more extreme differences, and half of those as extreme.

        Its mean under the null hypothesis is 1/2, where that of the p-value of a discrete
        test is more (Lancaster 1961). P(midp <= alpha) can exceed alpha.

        Parameters
        ----------
        %(own_alternative)s

        Returns
        -------
        float
            For a sample (g + (e + 1) / 2) / (trials + 1), with g trials more extreme and e
            as extreme as observed: the observed arrangement counts as one of the trials,
            here as in the p-value, and is as extreme as itself.
        """
        which = self._which(alternative)
        at_least = self._extreme(self._observed, which)
        more = min(self._extreme(self._observed, which, strict=True), at_least)  # of two bounds
        if self.n_resamples is not None:
            return float((at_least + more + 1) / (2 * (self.n_resamples + 1)))
        return min(1.0, (at_least + more) / (2 * self._known.total))

    @documented
    def critical_difference(
        self, alpha: float = 0.05, alternative: Alternative | None = None
    ) -> float:
        """The smallest difference that would have been significant.

        It is conditional on the units that differ and on how much they differ: the same shuffles,
        another observed difference. It says nothing about other data.

        Parameters
        ----------
        alpha : float
            Significance level, between 0 and 1.
        %(own_alternative)s

        Returns
        -------
        float
            The smallest possible absolute difference, in the direction of the alternative,
            whose p-value is at most alpha; infinity if there is none. For a sample, one of the
            differences that occurred; for tails whose grid is unknown, below the possible
            difference by at most 1e-9 of the largest.
        """
        between("alpha", alpha)
        which = self._which(alternative)
        return self._known.critical(which, lambda t: self._pvalue(t, which) <= alpha)

    # -- the distribution

    @overload
    def sf(self, t: float) -> float: ...
    @overload
    def sf(self, t: ArrayLike) -> float | _Floats: ...
    def sf(self, t: ArrayLike) -> float | _Floats:
        """P(T >= t), ties included; for a sample, the share of the trials.

        Parameters
        ----------
        t : float or array of float
            Compared as it is.
        """
        return _shaped(self._known.sf(_check_points("t", t, -math.inf, math.inf)))

    @overload
    def cdf(self, t: float) -> float: ...
    @overload
    def cdf(self, t: ArrayLike) -> float | _Floats: ...
    def cdf(self, t: ArrayLike) -> float | _Floats:
        """P(T <= t), otherwise as :meth:`sf`."""
        return _shaped(self._known.cdf(_check_points("t", t, -math.inf, math.inf)))

    def sf_bounds(self, t: ArrayLike) -> tuple[float | _Floats, float | _Floats]:
        """Proven bounds of P(T >= t), where that is certified; twice :meth:`sf` elsewhere."""
        points = _check_points("t", t, -math.inf, math.inf)
        high = self._known.sf(points)
        low = self._known.sf_at_least(points) if isinstance(self._known, Tails) else high
        return _shaped(low), _shaped(high)

    @overload
    def quantile(self, q: float) -> float: ...
    @overload
    def quantile(self, q: ArrayLike) -> float | _Floats: ...
    def quantile(self, q: ArrayLike) -> float | _Floats:
        """The smallest possible t with P(T <= t) >= q.

        Parameters
        ----------
        q : float or array of float
            From 0 to 1; 0 asks for the smallest possible difference, 1 for the largest.

        Returns
        -------
        float or array, as q
            Possible differences; for a sample, differences that occurred. For tails whose grid is
            unknown, above the possible difference by at most 1e-9 of the largest.
        """
        return _shaped(self._known.quantile(_check_points("q", q, 0, 1)))

    @property
    def exact(self) -> bool:
        """Whether the distribution is known, not sampled."""
        return self.n_resamples is None

    def _listed(self, what: str) -> Listed:
        if isinstance(self._known, Tails):
            raise InputError(f"{what}: the support of this distribution is too large to list")
        return self._known

    @property
    def support(self) -> NDArray[np.float64]:
        """The possible differences in ascending order; for a sample, those that occurred."""
        return _read_only(self._listed("support").support)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each difference in :attr:`support`.

        For a sample: its share of the trials, an estimate.
        """
        return _read_only(self._listed("probabilities").probabilities)

    @property
    def std(self) -> float:
        """The standard deviation of the difference; for a sample, that of the trials."""
        if self._std is not None:
            return self._std
        return self._listed("std").std


@dataclass(frozen=True)
class Seed:
    """What reproduces a run of shuffles: pass it back as ``rng`` and ``bit_generator``.

    A generator that is not numpy's is recorded by its module and name; to reproduce the run,
    pass the class or function itself.
    """

    bit_generator: str
    entropy: int | tuple[int, ...]
    spawn_key: tuple[int, ...]
    run: int


#: The systems of results whose comparison names none.
UNNAMED = ("A", "B")

R = TypeVar("R")


class Results(Shown, dict[str, R], report="csig.comparing.report"):
    """The results of several metrics: a dictionary ``{metric name: result}`` that shows itself.

    One result can be unpacked, ``statistic, pvalue = results["f1"]``; of several at once, as of any
    dictionary, that gives the names of the metrics.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> results = csig.randomization_test(c, ["recall", "f1"])
    >>> results
    <Results recall: p = 0.000195, f1: p = 0.0296>
    >>> round(results["f1"].pvalue, 6)
    0.029551
    """

    __slots__ = ()

    def _line(self) -> str:
        def short(result: object) -> str:
            if hasattr(result, "pvalue"):
                return f"p = {wording.pvalue(result.pvalue, getattr(result, 'log_pvalue', None))}"
            if isinstance(result, Interval):
                return result.text
            return result._line() if isinstance(result, Shown) else str(result)

        return ", ".join(f"{name}: {short(result)}" for name, result in self.items()) or "empty"


class Unpacked:
    """A result of a test that can be taken apart as scipy's: ``statistic, pvalue = result``."""

    __slots__ = ()

    statistic: float
    pvalue: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> float:
        return (self.statistic, self.pvalue)[place]


def figures(*shown: Any) -> wording.Figures:
    """How the scores of results in one table, their differences and intervals are printed."""
    scores = [
        score
        for own in shown
        for score in ([own.estimate] if isinstance(own, Interval) else [own.score_a, own.score_b])
    ]
    percents = all(own.in_percent for own in shown)
    errors = [own._error.value for own in shown if own._error is not None and not percents]
    return wording.figures(scores, percents, errors)


def _difference(result: RandomizationResult | BootstrapResult) -> str:
    """A - B in words."""
    a, b = wording.short_names(result.names)
    return f"{a} - {b} = {figures(result).sized(result.statistic)}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Interval(Shown, report="csig.comparing.report"):
    """An interval for a score, or for the difference of two."""

    low: float  #: low, high: its ends.
    high: float
    #: What was observed: the difference, A's score minus B's, or one system's score.
    estimate: float
    #: Its standard deviation over other test sets, estimated; None where the units show no spread,
    #: so that it cannot be.
    standard_error: float | None
    confidence_level: float  #: The share of test sets whose interval should hold the true value.
    #: How it was made: "linearized", "jackknife", "clopper-pearson", "bca", "percentile", "basic",
    #: "studentized", "inverted", "components".
    method: str
    what: str  #: What it is an interval for: "difference", "a", "b".
    metric: str  #: The metric's name.
    unit: str  #: What another test set would have others of.
    n_units: int  #: How many of them there are, those without a difference too.
    n_resamples: int | None = None  #: Resamples drawn; None where none were needed.
    seed: Seed | None = None  #: What repeats them.
    #: Where the interval is for other units and other runs of both systems: how many runs of each
    #: were known. With 1 it is for other units only.
    n_runs: int | None = None
    #: Where it stands in the place of the inverted interval: why that one cannot be given.
    instead: str | None = None
    names: tuple[str, str] = field(default=UNNAMED, compare=False)  #: The systems' names.
    #: Whether all units' scores lie from 0 to 1; None where that is not known.
    _shares: bool | None = field(default=None, repr=False, compare=False)
    #: About the standard error of the difference of both systems, which decides digits.
    _error: PairedError | None = field(default=None, repr=False, compare=False)

    @property
    def in_percent(self) -> bool:
        """Whether its scores are shares, which are printed in percent."""
        if self.what == "difference" and not self._shares and self.metric not in METRICS:
            return False  # of which scores, it does not say
        return wording.in_percent([abs(self.estimate)], self.metric, self._shares)

    @property
    def of(self) -> str:
        """What it is an interval for, by the systems' names."""
        a, b = self.names
        return {"a": a, "b": b}.get(self.what, f"{a} - {b}")

    @property
    def text(self) -> str:
        """The estimate and the ends, with the digits of tables."""
        own, level = figures(self), wording.decimal(100 * self.confidence_level)
        sign = self.what == "difference"
        estimate, low, high = (own.score(x, sign) for x in (self.estimate, self.low, self.high))
        unit = (" points" if sign else "%") * own.percents
        return f"{estimate}{unit}, {level}% {low} to {high}"

    def _line(self) -> str:
        return f"{self.metric}: {self.of} = {self.text} ({self.method})"


@dataclass(frozen=True, kw_only=True, repr=False)
class BootstrapResult(Unpacked, Shown, report="csig.comparing.report"):
    """The result of a bootstrap test for one metric; ``statistic, pvalue = result`` works too."""

    metric: str  #: The metric's name.
    statistic: float  #: ``score_a - score_b``, d.
    score_a: float  #: score_a, score_b: the observed scores.
    score_b: float
    pvalue: float  #: (hits + 1) / (resamples + 1); twice that, and at most 1, where `doubled`.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    method: str  #: "shift", "berg-kirkpatrick" or "koehn".
    null: str  #: The hypothesis that the p-value is computed under, in words.
    #: Which resamples are hits: d is the observed difference, d* that of a resample.
    inequality: str
    doubled: bool  #: The p-value is twice that of one side.
    unit: str  #: What was resampled.
    greater_is_better: bool  #: False for errors and losses.
    n_units: int  #: Units resampled: all, those without a difference too.
    n_resamples: int  #: n_resamples, n_hits: resamples drawn, and those that are hits.
    n_hits: int
    #: Resamples in which a score had a denominator of 0 and became `zero_division`.
    n_undefined: int
    zero_division: int  #: The score a zero denominator gives.
    pvalue_confidence: float  #: Of `pvalue_interval`.
    seed: Seed  #: What reproduces the resamples.
    names: tuple[str, str] = field(default=UNNAMED, compare=False)  #: The systems' names.
    #: Whether all units' scores lie from 0 to 1; None where that is not known.
    _shares: bool | None = field(default=None, repr=False, compare=False)
    #: About the standard error of the difference of both systems, which decides digits.
    _error: PairedError | None = field(default=None, repr=False, compare=False)

    @property
    def in_percent(self) -> bool:
        """Whether its scores are shares, which are printed in percent."""
        return wording.in_percent((self.score_a, self.score_b), self.metric, self._shares)

    def _line(self) -> str:
        how = f"{self.method}, {wording.count(self.n_resamples)} resamples"
        p = wording.pvalue(self.pvalue)
        return f"{self.metric}: {_difference(self)}, p = {p} ({how})"

    @cached_property
    def pvalue_interval(self) -> tuple[float, float]:
        """Clopper-Pearson interval for the p-value of infinitely many resamples."""
        low, high = clopper_pearson(self.n_hits, self.n_resamples, self.pvalue_confidence)
        return (min(1.0, 2 * low), min(1.0, 2 * high)) if self.doubled else (low, high)


@dataclass(frozen=True)
class SecondRun:
    """An independent run of the same test (run number 1), compared with the first."""

    n_hits: int  #: Hits of the second run, of as many shuffles as the first.
    pvalue: float  #: Its (hits + 1) / (shuffles + 1).
    #: Two-sided exact test that both runs have the same probability of a hit.
    agreement_pvalue: float


#: Systems that return at most so many times as much as each other may have less than enough.
ALIKE = 2

#: A ratio of fewer expected counts is no evidence, unless the systems' denominators are as near as
#: that, in standard deviations of what swapping gives: the test is nearly exact then.
LEAST_COUNT, NEAR = 5, 0.5

#: A ratio of fewer expected counts, or of fewer effective units, may be rejected too often.
ENOUGH_COUNTS, ENOUGH_UNITS = 10, 15


@dataclass(frozen=True)
class Grounds:
    """What a studentised test rests on."""

    #: How many units of the numerator, or of the rest of the denominator, the pooled ratio gives
    #: the system that has fewer. The test needs 10, and says little below 5. Infinite where the
    #: columns are no counts.
    expected_count: float
    #: (sum m)^2 / sum m^2 of the units' denominators m, of the system that has less; 15 are needed.
    effective_units: float
    #: How many times the denominator of the one system is that of the other. Up to 2 the test errs
    #: about as rarely as it should with 5 expected counts.
    volumes: float
    #: By how many standard deviations of what swapping gives the denominators differ. Up to 0.5 the
    #: test errs as rarely as it should with any counts.
    apart: float

    @property
    def sparse(self) -> bool:
        """Whether a ratio rests on so few counts that a low p-value is no evidence."""
        return self.apart > NEAR and self.expected_count < LEAST_COUNT

    @property
    def few(self) -> bool:
        """Whether a ratio rests on so few counts or units that the test may err too often."""
        enough = self.expected_count >= ENOUGH_COUNTS and self.effective_units >= ENOUGH_UNITS
        return self.sparse or (self.volumes > ALIKE and not enough)


@dataclass(frozen=True, kw_only=True)
class Studentized(Grounds):
    """What goes with a studentised test; what it rests on."""

    plain: RandomizationResult  #: The test of the difference itself, from the same shuffles.


@dataclass(frozen=True)
class SignCheck:
    """Recall's p-value from the same shuffles, compared with the exact sign test on recall."""

    n_hits: int  #: n_hits, pvalue: of recall, from the shuffles of the first run.
    pvalue: float
    #: The sign test's exact binomial p-value. If single responses are swapped it is the p-value
    #: that infinitely many shuffles would give for recall.
    sign_pvalue: float
    agreement_pvalue: float  #: Two-sided exact binomial test of the hits against ``sign_pvalue``.


@dataclass(frozen=True)
class Yeh2000Checks:
    """The two checks of Yeh (2000), section 3.3, when shuffles were drawn."""

    second_run: SecondRun
    sign_test: SignCheck


@dataclass(frozen=True)
class Decision:
    """On which side of ``decide_at`` the p-value of infinitely many shuffles lies."""

    alpha: float  #: The level, ``decide_at``.
    risk: float  #: The maximum probability that the verdict is wrong; 0 for an exact p-value.
    verdict: str  #: "below" (p <= alpha), "above" (p > alpha) or "undecided".
    #: Shuffles after which it was settled. The result may have more, if another metric needed them.
    #: None if it is undecided, and for an exact p-value.
    n_resamples: int | None

    @property
    def guarantee(self) -> str:
        """What the verdict guarantees, in a sentence."""
        at = f"{self.alpha:.12g}"
        undecided = self.verdict == "undecided"
        if self.risk == 0 and undecided:
            return f"The proven bounds of the p-value lie on both sides of {at}."
        if self.risk == 0:
            return "The p-value is exact, so the verdict does not depend on a seed."
        if undecided:
            return (
                f"The shuffles ended before they settled on which side of {at} p lies; another "
                f"seed leads to a wrong verdict with probability at most {self.risk:.3g}."
            )
        return (
            f"Two seeds give opposite verdicts at {at} with a probability of at most "
            f"{2 * self.risk:.3g}."
        )


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What proves a p-value without counting shuffles: two bounds, and how they were computed."""

    low: float  #: low, high: the p-value over all shuffles lies between them, ends included.
    high: float
    #: log_low, log_high: their natural logarithms, finite where `low` and `high` underflow.
    log_low: float
    log_high: float
    width: float  #: Relative: (high - low) / low.
    #: Whether all differences are multiples of one number, which is then treated exactly.
    lattice: bool
    #: The exponential tilt, in units of the integers that the differences are multiples of.
    theta: float
    #: Between the frequencies at which the characteristic function is known, in the same units; 0
    #: where sums were counted instead.
    step: float
    #: nodes, evaluated: frequencies, and those of them where it was evaluated; at the others it was
    #: bounded.
    nodes: int
    evaluated: int
    factors: int  #: Factors of the characteristic function that were computed.

    @property
    def text(self) -> str:
        """The bounds in words."""
        ends = wording.enclosed((self.low, self.high), (self.log_low, self.log_high))
        return f"between {ends}"

    def overlaps(self, other: Certificate) -> bool:
        """Whether one p-value lies within both."""
        return self.log_low <= other.log_high and other.log_low <= self.log_high


@dataclass(frozen=True, kw_only=True, repr=False)
class RandomizationResult(Unpacked, Shown, report="csig.comparing.report"):
    """The result of a randomization test for one metric; ``statistic, pvalue = result`` works
    too.
    """

    metric: str  #: The metric's name.
    statistic: float  #: ``score_a - score_b``.
    score_a: float  #: score_a, score_b: the observed scores.
    score_b: float
    #: Exact; certified, the upper one of two proven bounds; or (hits + 1) / (shuffles + 1).
    pvalue: float
    log_pvalue: float  #: Its natural logarithm: finite and accurate where ``pvalue`` underflows.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    #: "exact", "certified" or "approximate". Certified bounds that are within a relative 1e-9 of
    #: each other are called exact.
    method: str
    #: "staircase", "lattice", "enumeration", "meet in the middle", "fourier" or "shuffle".
    engine: str
    reason: str  #: Why this method and engine ran.
    unit: str  #: What was swapped.
    #: False for errors and losses: the system with the lower score is better.
    greater_is_better: bool
    n_units: int  #: Units that differ and were swapped.
    #: How many of them change what the metric reads: no p-value can be below 2 / 2^n_moving, or
    #: half of that, one-sided.
    n_moving: int
    #: n_correct, n_spurious: how many of them are correct and spurious responses; None for other
    #: units.
    n_correct: int | None
    n_spurious: int | None
    #: n_resamples, n_hits: shuffles drawn and those at least as extreme as observed; None when
    #: exact or certified.
    n_resamples: int | None
    n_hits: int | None
    pvalue_confidence: float  #: Of ``pvalue_interval``, of shuffles.
    zero_division: int  #: The score a zero denominator gives.
    zero_denominator: bool  #: Whether the observed scores or any possible shuffle divide by zero.
    seed: Seed | None = None  #: What reproduces the shuffles; None when exact.
    #: The paper's checks, with method="yeh2000" and shuffles drawn.
    checks: Yeh2000Checks | None = None
    #: A bound on the relative error of an exact p-value, where the engine proves one; of a
    #: certified one the relative width of its enclosure.
    error_bound: float | None = None
    #: Differences closer than this to the observed one count as ties: 0 except for scores that had
    #: to be rounded to fixed point, and for functions. (Ties are exact for csig's own functions;
    #: their tau is the rounding of doubles.)
    tau: float = 0.0
    #: Shuffles that count as ties; None where tau is 0, and for exact results.
    n_within_tau: int | None = None
    #: With ``decide_at``: the verdict at that level, and what it guarantees.
    decision: Decision | None = None
    certificate: Certificate | None = None  #: What proves the p-value, with the engine "fourier".
    #: With ``statistic="studentized"``: the test of the difference itself, and what the studentised
    #: one rests on; None where both tests are the same.
    studentized: Studentized | None = None
    #: With ``statistic="auto"``: why the difference of a ratio could not be divided by its standard
    #: error, so that the test is that of the difference itself.
    not_studentized: str | None = None
    names: tuple[str, str] = field(default=UNNAMED, compare=False)  #: The systems' names.
    #: Whether all units' scores lie from 0 to 1; None where that is not known.
    _shares: bool | None = field(default=None, repr=False, compare=False)
    #: About the standard error of the difference of both systems, which decides digits.
    _error: PairedError | None = field(default=None, repr=False, compare=False)
    _count: Callable[[], int] | None = field(default=None, repr=False, compare=False)
    _null: Callable[[], NullDistribution] | None = field(default=None, repr=False, compare=False)

    @property
    def in_percent(self) -> bool:
        """Whether its scores are shares, which are printed in percent."""
        return wording.in_percent((self.score_a, self.score_b), self.metric, self._shares)

    @property
    def sparse(self) -> bool:
        """Whether a ratio rests on so few counts that a low p-value is no evidence."""
        return self.studentized is not None and self.studentized.sparse

    def _line(self) -> str:
        p = wording.pvalue(self.pvalue, self.log_pvalue)
        side = "" if self.alternative == "two-sided" else f", {self.alternative}"
        how = self.how
        if self.method == "certified":  # a line has no room for the bounds
            how = f"certified, {wording.counted(self.n_units, self.unit)}"
        how = f"studentised, {how}" if self.studentized is not None else how
        how = f"not studentised, {how}" if self.not_studentized is not None else how
        return f"{self.metric}: {_difference(self)}, p = {p} ({how}{side})"

    @property
    def how(self) -> str:
        """How the p-value was found, in a few words.

        >>> import csig
        >>> c = csig.Comparison.from_scores([1, 1, 1, 0], [0, 1, 0, 0])
        >>> csig.randomization_test(c, "mean").how
        'exact, 2 items'
        """
        number = wording.counted(self.n_units, self.unit)
        if self.certificate is not None and self.method == "certified":
            return f"certified: {self.certificate.text}; no shuffles; {number}"
        if self.n_resamples is None:
            return f"exact, {number}"
        return f"{wording.count(self.n_resamples)} shuffles, {number}"

    @cached_property
    def pvalue_interval(self) -> tuple[float, float]:
        """Clopper-Pearson interval for the p-value of infinitely many shuffles.

        For an exact p-value both ends are the p-value, for a certified one the two proven bounds,
        whatever the level. With ``decide_at``, where the hits decide
        when to stop, the Clopper-Pearson interval would miss too often; this one is then wider,
        and holds at every stop (Darling and Robbins 1967).
        """
        if self.certificate is not None:
            return self.certificate.low, self.certificate.high
        if self.n_hits is None or self.n_resamples is None:
            return self.pvalue, self.pvalue
        if self.decision is not None:
            return sequential_interval(self.n_hits, self.n_resamples, self.pvalue_confidence)
        return clopper_pearson(self.n_hits, self.n_resamples, self.pvalue_confidence)

    @cached_property
    def exact_count(self) -> int | None:
        """Shuffles at least as extreme, of ``total_count``: an exact integer.

        None for approximate results, where the engine sums probabilities, and for more than
        10,000 unique responses, where the integer would have thousands of digits.
        """
        return None if self._count is None else self._count()

    @property
    def total_count(self) -> int | None:
        """All 2^n shuffles; None if ``exact_count`` is None."""
        return None if self._count is None else 1 << self.n_units

    @cached_property
    def null(self) -> NullDistribution:
        """The distribution of the difference under the null hypothesis.

        For approximate results, only with ``keep_null=True``; of a studentised test that of
        ``studentized.plain``.
        """
        if self.studentized is not None:
            raise InputError("null: ask .studentized.plain, the test of the difference itself")
        if self._null is None:
            raise InputError(
                "null: the differences of the shuffles were not kept; use keep_null=True"
            )
        return self._null()
