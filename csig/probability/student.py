r"""Quantiles of Student's t distribution, without scipy.

``scipy.special.stdtrit`` takes a microsecond, and the import of scipy.special 0.1 s or more: longer
than a whole exact test with its intervals. So this one function is here; everything else of
this kind is scipy's.

For at least `MANY` degrees of freedom the quantile is the asymptotic series in :math:`1/\nu` around
the normal quantile (Fisher and Cornish 1960; Abramowitz and Stegun 1964, 26.7.5), whose fifth
term, the first that is left out, is below 1e-12 of it there for tails above 1e-12. Otherwise the
tail

.. math:: P(T > t) = \tfrac12 I_x(\nu/2, \tfrac12), \quad x = \nu / (\nu + t^2)

is solved by Newton's method in :math:`\log t`, and the incomplete beta function is its continued
fraction (DLMF 8.17.22), from whichever side it converges fast.
"""

from __future__ import annotations

import math

__all__ = ["normal_quantile", "t_quantile"]

#: Degrees of freedom from which on the series is used.
MANY = 4_000

#: Newton's method doubles the digits with every step: after one this small nothing is left to gain.
SMALL = 1e-9


def normal_quantile(tail: float) -> float:
    """The z above which a standard normal variable lies with probability `tail`, below 1/2.

    Examples
    --------
    >>> round(normal_quantile(0.025), 12)
    1.95996398454
    """
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
    return z


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
    found = d
    for m in range(1, 10_000):
        for upper in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + upper * d or tiny)
            c = 1 + upper / c or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return found


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
    found = 0.0
    for term in reversed(terms):
        found = (found + term) / df
    return z + z * found


def t_quantile(df: float, probability: float) -> float:
    """The t below which a variable of Student's distribution lies with a probability.

    Parameters
    ----------
    df : float
        Degrees of freedom, positive; not only whole ones.
    probability : float
        From 1/2 up to 1, to which doubles above 1 - 2^-54 are rounded: it is taken for that.

    Returns
    -------
    float
        Infinite where no double can hold it.

    Examples
    --------
    >>> round(t_quantile(9, 0.975), 10), round(t_quantile(1, 0.75), 10)
    (2.2621571628, 1.0)
    """
    tail = (1 - probability) or 2.0**-54
    if tail >= 0.5:
        return 0.0
    z = normal_quantile(tail)
    if df >= MANY:
        return _series(z, df)
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
    return t
