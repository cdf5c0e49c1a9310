"""Shares: tails, tests and intervals of one count of hits, and limits of many at once.

One count has binomial tails, Clopper and Pearson's interval and exact tests against a rate; two
have Fisher's exact test. Limits of many counts are those of each alone, or of all n of a growing
list together. And hits of shuffles that are added in chunks may prove, up to a risk chosen before,
on which side of alpha their share lies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.validation import Alternative
from csig.probability.alike import alike, all_alike
from csig.streams import CHUNK

#: Tables whose probabilities differ by less, relatively, are equally probable: as scipy has it.
SAME = 1e-7

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]

#: The steepest exponent of the band: it decides where lists have few candidates.
STEEPEST = 8.0

#: Limits in one block of the band, which stays in the cache; and of polynomials, so few that BLAS
#: takes one thread: several wait for each other where something else is running.
BLOCK, FEW = 1 << 13, 400

#: Counts from which on a polynomial gives quantiles, and its coefficients for each variable.
FEWEST, DEGREE = 16, 24

#: Trials from which on scipy's quantiles of fewer counts are nearer after a step of Newton's, and
#: the binomial probabilities that are enough for the tail above so few hits.
MANY, TERMS = 10**5, 64

#: Clopper-Pearson limits are this near to Wilson's, times the trials; up to 99.9% it is below 4.
NEAR = 12.0


def at_most(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p)."""
    # Not scipy.special.bdtr, whose continued fraction loses seven digits for large n.
    from scipy.special import betaincc

    return 1.0 if k >= n else alike(float(betaincc(k + 1, n - k, p)))


def at_least(k: int, n: int, p: float) -> float:
    """P(X >= k) for X ~ Binomial(n, p)."""
    from scipy.special import betainc

    if not 0 < k <= n:
        return float(k <= 0)
    return alike(float(betainc(k, n - k + 1, p)))


def clopper_pearson(hits: int, trials: int, confidence_level: float) -> tuple[float, float]:
    """The exact binomial interval for a probability (Clopper and Pearson 1934)."""
    from scipy.special import betainc, betaincc, betainccinv, betaincinv

    tail, share = (1 - confidence_level) / 2, hits / trials

    def limit(inverse: Any, reached: Any, a: int, b: int, end: float) -> float:
        """The inverse if it is right, else a bisection: scipy's fails for some counts."""
        quantile = float(inverse(a, b, tail))
        if abs(reached(a, b, quantile) / tail - 1) < 1e-6:
            return alike(quantile)
        small, large = end, share  # where `reached` is less and more than the tail
        for _ in range(200):
            middle = (small + large) / 2
            small, large = (middle, large) if reached(a, b, middle) < tail else (small, middle)
        return alike((small + large) / 2)

    return (
        limit(betaincinv, betainc, hits, trials - hits + 1, 0.0) if hits else 0.0,
        limit(betainccinv, betaincc, hits + 1, trials - hits, 1.0) if hits < trials else 1.0,
    )


def same_rate_pvalue(hits: int, other: int, trials: int) -> float:
    """Two-sided exact test that two runs of ``trials`` have the same hit probability."""
    # Given both runs' hits together, the first run's are hypergeometric (Fisher's exact test); with
    # equal trials that distribution is symmetric.
    from scipy.special import gammaln

    low, total = min(hits, other), hits + other
    if hits == other:
        return 1.0
    # Terms further out than 60 standard deviations do not show in a double.
    spread = math.sqrt(total * (2 * trials - total) / (4.0 * (2 * trials - 1)))
    k = np.arange(max(0, total - trials, low - int(60 * spread) - 60), low + 1, dtype=np.float64)

    def choose(n: float, of: NDArray[np.float64] | float) -> NDArray[np.float64]:
        return np.asarray(gammaln(n + 1) - gammaln(of + 1.0) - gammaln(n - of + 1.0))

    logs = choose(trials, k) + choose(trials, total - k) - choose(2 * trials, float(total))
    return alike(min(1.0, 2 * float(np.exp(logs).sum())))


def rate_pvalue(hits: int, trials: int, probability: float) -> float:
    """Two-sided exact binomial test (twice the smaller tail) of hits against a rate."""
    if probability >= 1:
        return 1.0 if hits == trials else 0.0
    if probability <= 0:
        return 1.0 if hits == 0 else 0.0
    below, above = (tail(hits, trials, probability) for tail in (at_most, at_least))
    return min(1.0, 2 * min(below, above))


def sign_tails(
    ahead: NDArray[np.int64], behind: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two-sided sign tests of many pairs at once, and the logarithms of their p-values."""
    from scipy.special import betaincc, gammaln

    n, k = ahead + behind, np.minimum(ahead, behind)
    pvalues = np.ones(n.shape)
    uneven = 2 * k < n
    pvalues[uneven] = all_alike(
        np.minimum(1.0, 2 * betaincc(k[uneven] + 1.0, (n - k)[uneven], 0.5))
    )
    logs = np.log(np.maximum(pvalues, 1e-300))
    for i in np.flatnonzero(pvalues < 1e-290).tolist():
        # Far below the middle the terms fall fast: summed from the largest one.
        size, low = int(n[i]), int(k[i])
        ratio, term = 1.0, 1.0
        for j in range(low, 0, -1):
            term *= j / (size - j + 1)
            ratio += term
            if term < 1e-18:
                break
        choose = float(gammaln(size + 1.0) - gammaln(low + 1.0) - gammaln(size - low + 1.0))
        logs[i] = choose - (size - 1) * math.log(2) + math.log(ratio)
    return pvalues, all_alike(logs)


def fisher_pvalue(
    a: tuple[int, int], b: tuple[int, int], alternative: Alternative = "two-sided"
) -> float:
    """Whether two groups (right, wrong) have the same share of right ones, given all margins."""
    # `alternative` is of A's share minus B's; two-sided are all tables at most as probable as this.
    right, size_a, n = a[0] + b[0], sum(a), sum(a) + sum(b)
    # The least count of A that the margins allow, and probabilities from there on, as multiples of
    # the largest.
    least, most = max(0, right + size_a - n), min(right, size_a)
    k = np.arange(least, most, dtype=np.float64)
    above, below = (right - k) * (size_a - k), (k + 1) * (n - right - size_a + k + 1)
    top = np.count_nonzero(above > below)
    weights = np.ones(len(k) + 1)
    weights[top + 1 :] = np.cumprod((above / below)[top:])
    weights[:top] = np.cumprod((below / above)[:top][::-1])[::-1]
    here = a[0] - least
    if alternative == "greater":
        extreme = weights[here:]
    elif alternative == "less":
        extreme = weights[: here + 1]
    else:
        extreme = weights[weights <= weights[here] * (1 + SAME)]
    if len(extreme) == len(weights):
        return 1.0
    return min(1.0, float(extreme.sum()) / float(weights.sum()))


def least_pvalue(
    a: tuple[int, int], b: tuple[int, int], alternative: Alternative = "two-sided"
) -> float:
    """The smallest p-value that groups of these sizes and so many right ones can have."""
    right, size_a, n = a[0] + b[0], sum(a), sum(a) + sum(b)
    ends = max(0, right + size_a - n), min(right, size_a)
    groups = [((k, size_a - k), (right - k, n - size_a - right + k)) for k in ends]
    return min(fisher_pvalue(*table, alternative) for table in groups)


def wilson_limits(
    low: NDArray[np.int64], high: NDArray[np.int64], n: NDArray[np.int64], confidence_level: float
) -> Limits:
    """Wilson's score limits: the lower of `low` hits of n, the upper of `high`."""
    from scipy.special import ndtri

    z = alike(float(-ndtri((1 - confidence_level) / 2)))

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
    polynomials = np.ones((DEGREE, len(x)))
    polynomials[1] = x
    for i in range(2, DEGREE):
        polynomials[i] = 2 * x * polynomials[i - 1] - polynomials[i - 2]
    return polynomials


def _nearer(
    x: NDArray[np.float64], a: NDArray[np.int64], b: NDArray[np.int64], tail: float, upper: bool
) -> NDArray[np.float64]:
    """Quantiles of (a, b) with few a and many b after a step of Newton's on the binomial tail."""
    # Of n = a + b - 1 trials with probability x, a or more are hits with the probability I_x(a, b);
    # scipy's inverse is no nearer than 1e-8 for n = 10^9, and 1e-10 for 10^7.
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
    """Quantiles of beta distributions, to a relative 1e-10, and 5e-12 up to 10^5 trials."""
    # `upper` gives one less the quantile of (b, a), without its rounding: ``betainccinv``.
    # The logit is that of a / (a + b), plus r w with r^2 = 1/a + 1/b. The factor w is a smooth
    # function of r and of the angle t with tan t = sqrt(a / b): the logarithms of two gamma
    # variables have cumulants that are power series in 1/a and in 1/b. So one polynomial in r and t
    # gives w for all a and b of 16 or more; a search for every single one takes thirty times as
    # long.
    from scipy.special import betainccinv, betaincinv, expit

    quantiles = np.empty(a.shape)
    small = np.minimum(a, b) < FEWEST
    quantiles[small] = (betainccinv if upper else betaincinv)(a[small], b[small], tail)
    rare = small & (b > MANY)
    quantiles[rare] = _nearer(quantiles[rare], a[rare], b[rare], tail, upper)
    if upper:
        a, b = b, a
    large = np.flatnonzero(~small)
    for start in range(0, len(large), FEW):
        block = large[start : start + FEW]
        one, other = 1 / a[block], 1 / b[block]
        radius, angle = np.sqrt(one + other), np.arctan2(np.sqrt(other), np.sqrt(one))
        along = _chebyshev(radius * math.sqrt(2 * FEWEST) - 1)
        around = _chebyshev(angle * (4 / np.pi) - 1)
        w = np.einsum("ij,ij->j", _surface(tail).T @ along, around)
        logit = np.log(a[block] / b[block]) + radius * w
        quantiles[block] = expit(-logit if upper else logit)
    return quantiles


def clopper_pearson_limits(
    low: NDArray[np.int64], high: NDArray[np.int64], n: NDArray[np.int64], confidence_level: float
) -> Limits:
    """The exact binomial limits: the lower of `low` hits of n, the upper of `high`."""
    # What is found at once is compared with Wilson's limits, and found by bisection where it is far
    # from them.
    tail = (1 - confidence_level) / 2
    lower, upper = np.zeros(n.shape), np.ones(n.shape)
    some, open_ = low > 0, high < n
    lower[some] = _beta_quantiles(low[some], (n - low + 1)[some], tail)
    upper[open_] = _beta_quantiles((high + 1)[open_], (n - high)[open_], tail, upper=True)
    near = wilson_limits(low, high, n, confidence_level)
    for side, (limits, hits) in enumerate(((lower, low), (upper, high))):
        wrong = ~(np.abs(limits - near[side]) * n < NEAR)  # NaN, too
        for i in np.flatnonzero(wrong).tolist():
            limits[i] = clopper_pearson(int(hits[i]), int(n[i]), confidence_level)[side]
    return all_alike(lower), all_alike(upper)


def slopes(longest: int, confidence_level: float) -> list[float]:
    """The exponents of the band of lists up to `longest`: 8, 4, 2, ... as far as they serve."""
    # The best exponent for a list of n whose proportion is 1/2 is sqrt(8 c / n), with c the
    # logarithm of 1 over the error rate; the last one is not above that of the longest list.
    least = math.sqrt(8 * math.log(2 / (1 - confidence_level)) / longest)
    number = 1 + max(0, math.ceil(math.log2(STEEPEST / least)))
    return [STEEPEST / 2**i for i in range(number)]


def simultaneous_limits(
    hits: NDArray[np.float64], n: NDArray[np.int64], longest: int, confidence_level: float
) -> Limits:
    """Limits of the expected proportions of a growing list, for all its lengths at once."""
    # `hits` are those among the first n, (lengths,), with ties their mean over all orders of the
    # tied; the band holds for all lengths up to `longest`, whichever are asked for.
    #
    # Let X_1, X_2, ... be independent, 1 with probabilities p_1, p_2, ..., which may all differ;
    # T_n the sum of the first n, and q_n the mean of p_1 ... p_n, which the band is for. (It is
    # enough that p_i is the probability of X_i given those before.) For a fixed s > 0 the product
    # of exp(s X_i) / (1 + p_i (e^s - 1)) over i <= n is a martingale with mean 1. By Ville's
    # inequality it stays below 1/d for all n at once with probability at least 1 - d. As log(1 + p
    # (e^s - 1)) is concave in p, the sum of the logarithms of the denominators is at most n log(1 +
    # q_n (e^s - 1)). So with that probability, for all n,
    #
    #     s T_n - n log(1 + q_n (e^s - 1)) < log(1/d)                                         (1)
    #
    # which is q_n > (exp((s T_n - log(1/d)) / n) - 1) / (e^s - 1). With m slopes s and d = (1 -
    # confidence_level) / (2 m) for each, all of these hold at once, the lower limit is the largest
    # of them, and the upper limits are the same of the misses n - T_n.
    #
    # Ties: let the candidates n0 + 1 ... n1 be tied, and T_n and n q_n between them be the means
    # over all orders: both are linear in n there. (1) holds at n0 and at n1, whatever the order.
    # Its left side is convex in (T_n, n q_n, n) jointly, because n log(1 + (e^s - 1) (n q_n) / n)
    # is the perspective of a concave function; on the line between the ends it is at most its
    # larger end. So (1) holds inside, at no cost.
    #
    # Darling and Robbins (1967), "Confidence sequences for mean, variance, and median"; Howard,
    # Ramdas, McAuliffe and Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic confidence
    # sequences", Annals of Statistics 49.
    steep = slopes(longest, confidence_level)
    c = math.log(2 * len(steep) / (1 - confidence_level))
    lower, upper = np.zeros(n.shape), np.ones(n.shape)
    for start in range(0, len(n), BLOCK):
        here = slice(start, start + BLOCK)
        total, length = hits[here], n[here].astype(np.float64)
        share, rest = total / length, c / length
        for s in steep:
            scale = 1 / math.expm1(s)
            low = np.expm1(s * share - rest) * scale
            high = 1 - np.expm1(s * (1 - share) - rest) * scale
            np.maximum(lower[here], low, out=lower[here])
            np.minimum(upper[here], high, out=upper[here])
    return all_alike(lower), all_alike(upper)


# ---- hits that decide -------------------------------------------------------------------------

# Two e-processes (Ville 1939), mixtures over a Beta distribution of the likelihood ratio against
# alpha; docs/theory.md has the proof. Only the side on which the share of hits lies can be decided:
# for h <= n alpha the integrand of the other process is nowhere greater than at alpha. On that side
# the incomplete beta function is no small number, and nothing underflows. The complete one is
# divided by the powers of alpha and 1 - alpha on paper, with Stirling's series, so that the huge
# terms that cancel never appear: for 2^48 trials the logarithm is good to 1e-7, and more than that
# is added to the limit.

#: The weight in trials m of the prior Beta(m alpha + 1/2, m (1 - alpha) + 1/2).
STRENGTH = 2**13

#: Added to the limit of log E, more than its rounding errors.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Rule:
    """When to stop."""

    alpha: float  #: alpha, risk: the level, and how likely a wrong verdict may be.
    risk: float
    chunks: int  #: At most this many.

    @property
    def enough(self) -> float:
        """The logarithm of the evidence at which a verdict is given."""
        return -math.log(self.risk) + ROUNDING


def _stirling(x: float) -> float:
    """The rest of Stirling's formula: log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2)."""
    if x < 16:
        return math.lgamma(x) - ((x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi))
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x


def _scaled(x: float, mean: float, excess: float) -> float:
    """The value of x log(x / mean); the excess is x - mean, with more of its digits."""
    ratio = excess / mean
    return x * (math.log1p(ratio) if abs(ratio) < 0.5 else math.log(x / mean))


def log_mixture(a: float, b: float, hits: float, trials: float, q: float) -> float:
    """The logarithm of B(a + hits, b + misses) / (q^hits (1 - q)^misses)."""
    one, other, both = a + hits, b + (trials - hits), a + b + trials
    excess = (hits - trials * q) + (a - (a + b) * q)
    return (
        _scaled(one, both * q, excess)
        + _scaled(other, both * (1 - q), -excess)
        + a * math.log(q)
        + b * math.log1p(-q)
        + 0.5 * (math.log(2 * math.pi) + math.log(both / one / other))
        + (_stirling(one) + _stirling(other) - _stirling(both))
    )


def evidence(hits: float, trials: float, alpha: float) -> tuple[str, float]:
    """The verdict that the hits favour, and the logarithm of the e-process against the other."""
    from scipy.special import betainc, betaincc

    a, b = STRENGTH * alpha + 0.5, STRENGTH * (1 - alpha) + 0.5
    word, tail = ("below", betainc) if hits <= trials * alpha else ("above", betaincc)
    before = float(tail(a, b, alpha))
    after = float(tail(a + hits, b + (trials - hits), alpha))
    ratio = log_mixture(a, b, hits, trials, alpha) - log_mixture(a, b, 0, 0, alpha)
    return word, ratio + math.log(after / before)


def trials_needed(hits: int, trials: int, rule: Rule) -> int | None:
    """Whole chunks that would settle the verdict at this share of hits; None beyond `rule`."""
    share = hits / trials

    def decided(chunks: int) -> bool:
        n = chunks * CHUNK
        return evidence(share * n, n, rule.alpha)[1] >= rule.enough

    low, high = 0, rule.chunks
    if not decided(high):
        return None
    while high - low > 1:  # E grows with the trials once it is above 1
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high * CHUNK


def sequential_interval(hits: int, trials: int, confidence_level: float) -> tuple[float, float]:
    """An interval for the probability of a hit that holds whenever the run stops."""
    # All q with B(h + 1/2, n - h + 1/2) / (pi q^h (1-q)^(n-h)) < 1 / (1 - confidence_level). With q
    # the true probability that quotient is a martingale, so the intervals of all n together miss q
    # with probability 1 - confidence_level at most (Darling and Robbins 1967).
    low = _lower(hits, trials, confidence_level)
    return low, 1 - _lower(trials - hits, trials, confidence_level)


def _lower(hits: int, trials: int, confidence_level: float) -> float:
    from scipy.optimize import brentq

    if hits == 0:
        return 0.0
    limit = math.log(math.pi) - math.log1p(-confidence_level)

    def beyond(log_q: float) -> float:
        return log_mixture(0.5, 0.5, hits, trials, math.exp(log_q)) - limit

    # Next to 1 the logarithm of 1 - q needs a q that is not 1.
    top = min(math.log(hits / trials), -(2.0**-52))
    return 1.0 if beyond(top) >= 0 else math.exp(brentq(beyond, -690.0, top, xtol=1e-18))
