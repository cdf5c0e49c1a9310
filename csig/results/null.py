"""The null distribution of a randomization test, whichever engine made it.

T is the difference score_A - score_B after a shuffle under the null hypothesis. An
engine knows T by its support, by its tails, or by a sample of it; a
:class:`NullDistribution` answers the same questions in all three cases. (The separation of
distribution and statistic is that of the R package coin: Hothorn et al. 2008.)
"""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csig.base.errors import InputError
from csig.base.validation import Alternative, as_integer, between, check_alternative
from csig.base.wording import documented
from csig.probability.distributions import Grid, Listed, Tails, Weight

#: How far a sum of probabilities may be from 1.
ROUNDING = 1e-9

#: Distance from an exact rational difference to its neighbours, unless told otherwise.
GAP = Fraction(1, 2**1000)

_Floats = NDArray[np.float64]


# ---- validation ---------------------------------------------------------------------------


def _check_statistic(statistic: object) -> float | Fraction:
    if isinstance(statistic, Fraction):
        return statistic
    if not isinstance(statistic, numbers.Real) or not math.isfinite(statistic):
        raise InputError(f"statistic must be a finite number, found {statistic!r}")
    return float(statistic)


def _doubles(name: str, values: object) -> _Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
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


def _check_weights(weights: object, total: object, n: int) -> tuple[NDArray[Any], int | float]:
    array: NDArray[Any]
    array = _check_list("weights", weights) if total is None else np.asarray(weights)
    if array.shape != (n,):
        raise InputError(f"weights: expected one for each of {n} values, found {array.shape}")
    if total is not None and array.dtype.kind not in "iu":
        for index, weight in enumerate(array.tolist()):
            if as_integer(weight) is None:
                raise InputError(f"weights[{index}]: expected an integer, found {weight!r}")
    negative = np.flatnonzero(array < 0)
    if negative.size:
        raise InputError(f"weights[{negative[0]}] is negative: {array[negative[0]]}")
    if total is None:
        whole = math.fsum(array.tolist())
        if abs(whole - 1) > ROUNDING:
            raise InputError(f"weights: the probabilities sum to {whole}, not to 1")
        return array.astype(np.longdouble), 1.0
    expected, found = as_integer(total), sum(array.tolist())
    if expected is None or expected < 1:
        raise InputError(f"total must be a positive integer, found {total!r}")
    if found != expected:
        raise InputError(f"weights: they sum to {found}, not to the total of {expected}")
    return array.astype(np.int64 if expected < 2**62 else object), expected


def _read_only(array: _Floats) -> _Floats:
    view = array.view()
    view.flags.writeable = False
    return view


def _shaped(found: _Floats) -> float | _Floats:
    return float(found) if found.ndim == 0 else found


# ---- the public class ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NullDistribution:
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
    ...     [1, 7, 21, 35, 35, 21, 7, 1], total=2**7)
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

    # -- constructors

    @classmethod
    @documented
    def from_support(
        cls,
        statistic: float,
        alternative: Alternative,
        values: ArrayLike,
        weights: ArrayLike,
        total: int | None = None,
    ) -> NullDistribution:
        """Exact, by all values of the difference and their weights.

        Parameters
        ----------
        statistic : float
            The observed difference; one of the values.
        %(alternative)s
        values : (k,) array of float
            In any order. Equal values are merged; values that ought to be equal must be
            equal doubles.
        weights : (k,) array
            Probabilities; or, with a total, integers of any size.
        total : int, optional
            The sum of the integers, 2^n for n units. Everything is then exact, and probabilities
            are rounded once.

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
        shares, whole = _check_weights(weights, total, len(array))
        # In order; equal values once, those without weight not at all.
        order = np.argsort(array, kind="stable")
        order = order[shares[order] > 0]
        array, shares = array[order], shares[order]
        first = np.flatnonzero(np.concatenate([[True], array[1:] != array[:-1]]))
        array, shares = array[first], np.add.reduceat(shares, first)
        if observed not in array:
            raise InputError(f"statistic: {observed!r} is none of the values that have a weight")
        return cls(observed, alternative, None, observed, Listed(array, array, shares, whole))

    @classmethod
    def _from_keys(
        cls,
        statistic: float,
        alternative: Alternative,
        key: int,
        listed: Listed,
        trials: int | None,
    ) -> NullDistribution:
        """By integers in the order of the differences, which a double cannot tell apart."""
        return cls(statistic, alternative, trials, key, listed)

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
            A bound on abs(T): no t beyond it is asked for. Best its largest value.
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
        for name, value in (("largest", largest), ("std", std)):
            if value is None and name == "std":
                continue
            if not isinstance(value, numbers.Real) or not 0 <= value < math.inf:
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
