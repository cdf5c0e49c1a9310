"""Limits of many proportions at once: of each alone, and of all n of a growing list together."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from csig.probability.binomial import clopper_pearson

__all__ = ["clopper_pearson_limits", "simultaneous_limits", "slopes", "wilson_limits"]

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]

#: The steepest exponent of the band: it decides where lists have few candidates.
STEEPEST = 8.0

#: Limits in one block of the band, and of polynomials: they stay in the cache.
BLOCK, FEW = 1 << 13, 1 << 10

#: Counts from which on a polynomial gives quantiles, and its coefficients for each variable.
FEWEST, DEGREE = 16, 24

#: Trials from which on scipy's quantiles of fewer counts are nearer after a step of Newton's, and
#: the binomial probabilities that are enough for the tail above so few hits.
MANY, TERMS = 10**5, 64

#: Clopper-Pearson limits are this near to Wilson's, times the trials; up to 99.9% it is below 4.
NEAR = 12.0


def wilson_limits(
    low: NDArray[np.int64], high: NDArray[np.int64], n: NDArray[np.int64], confidence_level: float
) -> Limits:
    """Wilson's score limits: the lower of `low` hits of n, the upper of `high`.

    >>> one = np.array([27])
    >>> [round(float(own[0]), 6) for own in wilson_limits(one, one, np.array([100]), 0.95)]
    [0.192696, 0.364321]
    """
    from scipy.special import ndtri

    z = float(-ndtri((1 - confidence_level) / 2))

    def limit(hits: NDArray[np.int64], sign: int) -> NDArray[np.float64]:
        spread = np.sqrt(hits * (n - hits) / n + z * z / 4)
        return np.asarray((hits + z * z / 2 + sign * z * spread) / (n + z * z))

    lower, upper = limit(low, -1), limit(high, 1)
    return np.where(low > 0, lower, 0.0), np.where(high < n, upper, 1.0)


@lru_cache(maxsize=8)
def _surface(tail: float) -> NDArray[np.float64]:
    """Coefficients of the polynomial in `_beta_quantiles`, from quantiles at Chebyshev points."""
    from scipy.special import betainc, betainccinv, betaincinv, betaln, expit

    points = np.cos(np.pi * (np.arange(DEGREE) + 0.5) / DEGREE)
    radius, angle = np.meshgrid(
        math.sqrt(2 / FEWEST) * (points + 1) / 2, np.pi / 4 * (points + 1), indexing="ij"
    )
    a, b = (radius * np.cos(angle)) ** -2.0, (radius * np.sin(angle)) ** -2.0
    logit = np.log(betaincinv(a, b, tail) / betainccinv(b, a, tail))
    # Some of these are no nearer than 1e-8 times the radius; a step of Newton's.
    x, rest = expit(logit), expit(-logit)
    logit -= (betainc(a, b, x) - tail) / np.exp(a * np.log(x) + b * np.log(rest) - betaln(a, b))
    basis = _chebyshev(points)
    inner = np.linalg.solve(basis.T, (logit - np.log(a / b)) / radius)
    return np.asarray(np.linalg.solve(basis.T, inner.T).T)


def _chebyshev(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The polynomials of every degree, (DEGREE, points)."""
    found = np.ones((DEGREE, len(x)))
    found[1] = x
    for i in range(2, DEGREE):
        found[i] = 2 * x * found[i - 1] - found[i - 2]
    return found


def _nearer(
    x: NDArray[np.float64], a: NDArray[np.int64], b: NDArray[np.int64], tail: float, upper: bool
) -> NDArray[np.float64]:
    """Quantiles of (a, b) with few a and many b after a step of Newton's on the binomial tail.

    Of n = a + b - 1 trials with probability x, a or more are hits with the probability I_x(a, b);
    scipy's inverse is no nearer than 1e-8 for n = 10^9, and 1e-10 for 10^7.
    """
    n = (a + b - 1).astype(np.float64)
    term, odds = np.exp(n * np.log1p(-x)), x / (1 - x)
    below, above, last = (np.zeros(x.shape) for _ in range(3))
    for i in range(FEWEST + TERMS):
        below += np.where(i < a, term, 0)
        above += np.where(i < a, 0, term)
        last = np.where(i == a - 1, term, last)
        term = term * (n - i) / (i + 1) * odds
    rest = tail - below if upper else above - tail
    return np.asarray(x - rest * (1 - x) / (b * last))


def _beta_quantiles(
    a: NDArray[np.int64], b: NDArray[np.int64], tail: float, upper: bool = False
) -> NDArray[np.float64]:
    """Quantiles of beta distributions, to a relative 1e-10, and 5e-12 up to 10^5 trials.

    `upper` gives one less the quantile of (b, a), without its rounding: ``betainccinv``.

    Its logit is that of a / (a + b), plus r w with r^2 = 1/a + 1/b. The factor w is a smooth
    function of r and of the angle t with tan t = sqrt(a / b): the logarithms of two gamma variables
    have cumulants that are power series in 1/a and in 1/b. So one polynomial in r and t gives w for
    all a and b of 16 or more; a search for every single one takes thirty times as long.
    """
    from scipy.special import betainccinv, betaincinv, expit

    found = np.empty(a.shape)
    small = np.minimum(a, b) < FEWEST
    found[small] = (betainccinv if upper else betaincinv)(a[small], b[small], tail)
    rare = small & (b > MANY)
    found[rare] = _nearer(found[rare], a[rare], b[rare], tail, upper)
    if upper:
        a, b = b, a
    large = np.flatnonzero(~small)
    for start in range(0, len(large), FEW):
        own = large[start : start + FEW]
        one, other = 1 / a[own], 1 / b[own]
        radius, angle = np.sqrt(one + other), np.arctan2(np.sqrt(other), np.sqrt(one))
        along = _chebyshev(radius * math.sqrt(2 * FEWEST) - 1)
        around = _chebyshev(angle * (4 / np.pi) - 1)
        w = np.einsum("ij,ij->j", _surface(tail).T @ along, around)
        logit = np.log(a[own] / b[own]) + radius * w
        found[own] = expit(-logit if upper else logit)
    return found


def clopper_pearson_limits(
    low: NDArray[np.int64], high: NDArray[np.int64], n: NDArray[np.int64], confidence_level: float
) -> Limits:
    """The exact binomial limits: the lower of `low` hits of n, the upper of `high`.

    As :func:`csig.probability.binomial.clopper_pearson` of each. What is found at once is compared
    with Wilson's limits, and found by bisection where it is far from them.

    >>> one = np.array([27])
    >>> [round(float(own[0]), 6) for own in clopper_pearson_limits(one, one, np.array([100]), 0.95)]
    [0.186066, 0.368016]
    """
    tail = (1 - confidence_level) / 2
    lower, upper = np.zeros(n.shape), np.ones(n.shape)
    some, open_ = low > 0, high < n
    lower[some] = _beta_quantiles(low[some], (n - low + 1)[some], tail)
    upper[open_] = _beta_quantiles((high + 1)[open_], (n - high)[open_], tail, upper=True)
    near = wilson_limits(low, high, n, confidence_level)
    for side, (found, other, hits) in enumerate(
        zip((lower, upper), near, (low, high), strict=True)
    ):
        wrong = ~(np.abs(found - other) * n < NEAR)  # NaN, too
        for i in np.flatnonzero(wrong).tolist():
            found[i] = clopper_pearson(int(hits[i]), int(n[i]), confidence_level)[side]
    return lower, upper


def slopes(longest: int, confidence_level: float) -> list[float]:
    """The exponents of the band of lists up to `longest`: 8, 4, 2, ... as far as they serve.

    The best exponent for a list of n whose proportion is 1/2 is sqrt(8 c / n), with c the logarithm
    of 1 over the error rate; the last one is not above that of the longest list.

    >>> slopes(100, 0.95)
    [8.0, 4.0, 2.0, 1.0, 0.5]
    """
    least = math.sqrt(8 * math.log(2 / (1 - confidence_level)) / longest)
    number = 1 + max(0, math.ceil(math.log2(STEEPEST / least)))
    return [STEEPEST / 2**i for i in range(number)]


def simultaneous_limits(
    hits: NDArray[np.float64], n: NDArray[np.int64], longest: int, confidence_level: float
) -> Limits:
    """Limits of the expected proportions of a growing list, for all its lengths at once.

    Parameters
    ----------
    hits : array of float, (lengths,)
        The hits among the first n; with ties their mean over all orders of the tied.
    n : array of int64, (lengths,)
        Lengths from 1 to `longest`.
    longest : int
        The band holds for all lengths up to this, whichever are asked for.
    confidence_level : float
        Of all limits together.

    Notes
    -----
    Let X_1, X_2, ... be independent, 1 with probabilities p_1, p_2, ..., which may all differ; T_n
    the sum of the first n, and q_n the mean of p_1 ... p_n, which the band is for. (It is enough
    that p_i is the probability of X_i given those before.) For a fixed s > 0 the product of
    exp(s X_i) / (1 + p_i (e^s - 1)) over i <= n is a martingale with mean 1. By Ville's inequality
    it stays below 1/d for all n at once with probability at least 1 - d. As log(1 + p (e^s - 1)) is
    concave in p, the sum of the logarithms of the denominators is at most
    n log(1 + q_n (e^s - 1)). So with that probability, for all n,

        s T_n - n log(1 + q_n (e^s - 1)) < log(1/d)                                         (1)

    which is  q_n > (exp((s T_n - log(1/d)) / n) - 1) / (e^s - 1). With m slopes s and d = (1 -
    confidence_level) / (2 m) for each, all of these hold at once, the lower limit is the largest of
    them, and the upper limits are the same of the misses n - T_n.

    Ties: let the candidates n0 + 1 ... n1 be tied, and T_n and n q_n between them be the means over
    all orders: both are linear in n there. (1) holds at n0 and at n1, whatever the order. Its left
    side is convex in (T_n, n q_n, n) jointly, because n log(1 + (e^s - 1) (n q_n) / n) is the
    perspective of a concave function; on the line between the ends it is at most its larger end. So
    (1) holds inside, at no cost.

    References
    ----------
    Darling and Robbins (1967), "Confidence sequences for mean, variance, and median"; Howard,
    Ramdas, McAuliffe and Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic confidence
    sequences", Annals of Statistics 49.

    Examples
    --------
    >>> low, high = simultaneous_limits(np.array([27.0]), np.array([100]), 100, 0.95)
    >>> round(float(low[0]), 4), round(float(high[0]), 4)
    (0.1411, 0.4355)
    """
    steep = slopes(longest, confidence_level)
    c = math.log(2 * len(steep) / (1 - confidence_level))
    lower, upper = np.zeros(n.shape), np.ones(n.shape)
    for start in range(0, len(n), BLOCK):
        here = slice(start, start + BLOCK)
        own, size = hits[here], n[here].astype(np.float64)
        share, rest = own / size, c / size
        for s in steep:
            scale = 1 / math.expm1(s)
            low = np.expm1(s * share - rest) * scale
            high = 1 - np.expm1(s * (1 - share) - rest) * scale
            np.maximum(lower[here], low, out=lower[here])
            np.minimum(upper[here], high, out=upper[here])
    return lower, upper
