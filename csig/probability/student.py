r"""Student's t without scipy; Tukey's range and Dunnett's maximum.

``scipy.special.stdtrit`` takes a microsecond, and the import of scipy.special 0.1 s or more: longer
than a whole exact test with its intervals. So :func:`t_quantile` is here. For at least `MANY`
degrees of freedom it is the asymptotic series in :math:`1/\nu` around the normal quantile (Fisher
and Cornish 1960; Abramowitz and Stegun 1964, 26.7.5), whose fifth term, the first that is left out,
is below 1e-12 of it there for tails above 1e-12. Otherwise the tail

.. math:: P(T > t) = \tfrac12 I_x(\nu/2, \tfrac12), \quad x = \nu / (\nu + t^2)

is solved by Newton's method in :math:`\log t`, and the incomplete beta function is its continued
fraction (DLMF 8.17.22), from whichever side it converges fast.

``scipy.stats.studentized_range`` gives the same as :func:`range_tail` to 1e-10, but takes
milliseconds for a tail and seconds for a quantile. ``docs/theory.md``, "Systems over data sets",
has the integrals of both. All integrands are analytic and vanish fast at both ends, where the
trapezoidal rule converges like :math:`\exp(-c / h)` or faster; and they are positive, so that small
tails keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.probability.alike import alike, all_alike

Floats: TypeAlias = NDArray[np.float64]

#: Degrees of freedom from which on the series is used.
MANY = 4_000

#: Newton's method doubles the digits with every step: after one this small nothing is left to gain.
SMALL = 1e-9


def normal_quantile(tail: float) -> float:
    """The z above which a standard normal variable lies with probability `tail`, below 1/2."""
    # Abramowitz and Stegun 26.2.23, wrong by 4.5e-4; then Newton on the logarithm, whose tail is
    # almost a parabola.
    root = math.sqrt(-2 * math.log(tail))
    above = 2.515517 + root * (0.802853 + root * 0.010328)
    below = 1 + root * (1.432788 + root * (0.189269 + root * 0.001308))
    z = root - above / below
    for _ in range(6):
        reached = math.erfc(z / math.sqrt(2)) / 2
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        step = reached * math.log(reached / tail) / density
        z += step
        if abs(step) <= SMALL:
            break
    return alike(z)


def _ratio_of_gammas(a: float) -> float:
    """Gamma(a + 1/2) / Gamma(a)."""
    factor = 1.0
    while a < 20:
        factor *= a / (a + 0.5)
        a += 1
    # Of log: -1/8a + 1/192a^3 - 1/640a^5 + 17/14336a^7 (Tricomi and Erdelyi 1951).
    u = 1 / (a * a)
    series = (-1 / 8 + u * (1 / 192 + u * (-1 / 640 + u * 17 / 14336))) / a
    return factor * math.sqrt(a) * math.exp(series)


def _continued(a: float, b: float, x: float) -> float:
    """The continued fraction of I_x(a, b), by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    fraction = d
    for m in range(1, 10_000):
        for upper in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + upper * d or tiny)
            c = 1 + upper / c or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return fraction


def _tail(t: float, df: float) -> float:
    """P(T > t), t > 0."""
    a, square = df / 2, t * t / df
    x, y = 1 / (1 + square), square / (1 + square)
    # x^a y^(1/2) / B(a, 1/2)
    front = math.exp(-a * math.log1p(square)) * math.sqrt(y) * _ratio_of_gammas(a)
    front /= math.sqrt(math.pi)
    if x < (a + 1) / (a + 2.5):
        return front * _continued(a, 0.5, x) / a / 2
    return 0.5 - front * _continued(0.5, a, y)


def _series(z: float, df: float) -> float:
    """The quantile around the normal one."""
    s = z * z
    terms = (
        (s + 1) / 4,
        ((5 * s + 16) * s + 3) / 96,
        (((3 * s + 19) * s + 17) * s - 15) / 384,
        ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160,
    )
    total = 0.0
    for term in reversed(terms):
        total = (total + term) / df
    return z + z * total


def t_quantile(df: float, probability: float) -> float:
    """The t below which a variable of Student's distribution lies with probability 1/2 or more."""
    # It is infinite where no double can hold it.
    # Doubles above 1 - 2^-54 are rounded to 1, which is taken for that.
    tail = (1 - probability) or 2.0**-54
    if tail >= 0.5:
        return 0.0
    z = normal_quantile(tail)
    if df >= MANY:
        return alike(_series(z, df))
    # Between the normal quantile and the power law of the far tail, from whose side Newton's
    # method in logarithms comes without passing the solution.
    low = math.log(z) if z > 0 else -math.inf
    t = max(z, _series(z, df)) if df > 4 else max(z, 1 / (math.pi * tail) if df >= 1 else z)
    for _ in range(200):
        reached = _tail(t, df)
        if reached <= 0:
            return math.inf
        density = _ratio_of_gammas(df / 2) / math.sqrt(df * math.pi)
        density *= math.exp(-(df + 1) / 2 * math.log1p(t * t / df))
        if density * t == 0:
            return math.inf
        step = reached * math.log(reached / tail) / (density * t)
        logarithm = math.log(t) + max(-2.0, min(2.0, step))
        if logarithm > 709:
            return math.inf
        t = math.exp(max(low, logarithm))
        if abs(step) <= SMALL:
            break
    return alike(t)


#: Standard deviations beyond which nothing counts.
FAR = 9.0

#: Beyond this a tail of the normal distribution is no double.
NOTHING = 80.0

#: Points between which an estimated standard deviation is integrated, at least.
NODES = 64

#: Numbers in a block.
CELLS = 2**20


def _outside(
    values: Floats, k: int, z: Floats, weights: Floats, share: Callable[[Floats], Floats]
) -> Floats:
    """The sum over z of weights and of the probability that any of k shares is reached."""
    sums, rows = np.zeros(len(values)), max(1, CELLS // len(z))
    for start in range(0, len(values), rows):
        shares = np.minimum(share(values[start : start + rows, None]), 1.0)
        with np.errstate(divide="ignore"):
            rest = -np.expm1(k * np.log1p(-shares))
        sums[start : start + rows] = (weights * rest).sum(axis=1)
    return sums


def _normal_range(q: Floats, k: int) -> Floats:
    """P(R > q), for q > 0."""
    from scipy.special import ndtr

    step, q = min(0.25, 0.6 / math.sqrt(k)), np.minimum(q, NOTHING)
    z = np.arange(-FAR, FAR + float(q.max(initial=0)) / 2 + math.sqrt(2 * math.log(k)), step)
    density, below = np.exp(-z * z / 2) / math.sqrt(2 * math.pi), ndtr(z)
    weights = density * below ** (k - 1)
    sums = _outside(q, k - 1, z, weights, lambda distance: ndtr(z - distance) / below)
    return np.minimum(sums * k * step, 1.0)


def _normal_maximum(d: Floats, k: int) -> Floats:
    """P(M > d), for d > 0."""
    from scipy.special import ndtr

    step, d = min(0.25, 0.6 / math.sqrt(k)), np.minimum(d, NOTHING)
    z = np.arange(0, FAR + float(d.max(initial=0)), step)
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    density[0] /= 2  # both sides are the same
    root = math.sqrt(2)
    sums = _outside(
        d, k, z, density, lambda distance: ndtr(-z - root * distance) + ndtr(z - root * distance)
    )
    return np.minimum(sums * 2 * step, 1.0)


def _log_factor(df: float) -> float:
    """Of log s, whose density is 2 (df / 2)^(df / 2) / Gamma(df / 2) exp(df (u - e^(2u) / 2))."""
    # Of that without e^(-df / 2), which then has no large numbers to lose digits in.
    half = df / 2
    if half < 100:
        return math.log(2) + half * math.log(half) - math.lgamma(half) - half
    rest = -1 / (12 * half) + 1 / (360 * half**3)  # Stirling's series; the next is below 1e-13
    return math.log(2) + 0.5 * math.log(half / (2 * math.pi)) + rest


def _estimated(tail: Callable[[Floats, int], Floats], values: Floats, k: int, df: float) -> Floats:
    """The tail with an estimated standard deviation."""
    log_factor = _log_factor(df)
    known = np.linspace(math.log(1e-3), math.log(NOTHING), 400)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(tail(np.exp(known), k)), -1e4)
    wide = 1 / math.sqrt(2 * df)
    tails = np.empty(len(values))
    for i, value in enumerate(values.tolist()):
        # The product is largest where s^2 is 1, or less if the value is large.
        least = -45 * max(wide, 1 / df) - math.log(math.hypot(1, value / math.sqrt(df)))
        coarse = np.linspace(least, 8 * wide, 2000)
        weights = log_factor + df * (coarse - np.expm1(2 * coarse) / 2)
        both = weights + np.interp(coarse + math.log(value), known, logs)
        there = np.flatnonzero(both > both.max() - 42)
        low, high = coarse[max(0, there[0] - 1)], coarse[min(len(coarse), there[-1] + 2) - 1]
        u = np.linspace(low, high, max(NODES, math.ceil((high - low) / 0.04)))
        weight = np.exp(log_factor + df * (u - np.expm1(2 * u) / 2))
        tails[i] = (weight * tail(value * np.exp(u), k)).sum() * (u[1] - u[0])
    return np.minimum(tails, 1.0)


def _tails(tail: Callable[[Floats, int], Floats], values: object, k: int, df: float) -> Floats:
    flat = np.asarray(values, dtype=np.float64).reshape(-1)
    tails = np.where(np.isnan(flat), math.nan, 1.0)
    positive = np.flatnonzero(flat > 0)
    if len(positive):
        some = flat[positive]
        tails[positive] = tail(some, k) if math.isinf(df) else _estimated(tail, some, k, df)
    return tails


def range_tail(q: object, k: int, df: float = math.inf) -> Floats:
    """The probability that a studentized range of k means is above each q, in standard errors."""
    # `df` is of the standard error; by default it is known. The relative error is 1e-10 or less,
    # down to 1e-300.
    return all_alike(_tails(_normal_range, q, k, df))


def dunnett_tail(d: object, k: int, df: float = math.inf) -> Floats:
    """The probability that the largest of k absolute t values beside one control exceeds each d."""
    return all_alike(_tails(_normal_maximum, d, k, df))


def _quantile(tail: Callable[[Floats, int], Floats], p: float, k: int) -> float:
    def beyond(x: float) -> float:
        reached = float(tail(np.array([x]), k)[0])
        # Where that is no double any more it is below all of them.
        return (math.log(reached) if reached else -1000.0) - math.log(p)

    low, high = 0.0, 4.0
    below, above = -math.log(p), beyond(high)
    while above > 0:
        low, below, high = high, above, 2 * high
        above = beyond(high)
    moved = 0
    for _ in range(100):  # false position; a side that stays twice weighs half (Illinois)
        x = (low * above - high * below) / (above - below)
        y = beyond(x)
        if abs(y) <= 1e-12:  # of the tail, relatively
            return x
        if y > 0:
            low, below = x, y
            above /= 1 + (moved > 0)
            moved = 1
        else:
            high, above = x, y
            below /= 1 + (moved < 0)
            moved = -1
    return (low + high) / 2


def range_quantile(p: float, k: int) -> float:
    """The q that the range of k means exceeds with probability p, in known standard errors."""
    return alike(_quantile(_normal_range, p, k))


def dunnett_quantile(p: float, k: int) -> float:
    """The d that Dunnett's maximum exceeds with probability p, in known standard errors."""
    return alike(_quantile(_normal_maximum, p, k))
