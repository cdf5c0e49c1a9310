"""Hits of random trials against the probability of a hit, for up to 10^18 trials.

The hits of t shuffles are X ~ Binomial(t, p): z = (h - t p) / sqrt(t p (1 - p)) standard errors
from what is expected, and the p-value of h is twice the smaller tail. Tails are the
incomplete beta function while they are above 1e-290 and hits, or misses, at most 2^40. Beyond,
with b(k) = P(X = k), a geometric series gives

    P(X >= k) <= b(k) (k + 1) (1 - p) / (k + 1 - (t + 1) p),

too large by a relative 1 / z^2; or, within 30 standard errors,

    P(X <= k) <= Phi(s sqrt(2 t KL(x || p))),   x = (k + 1) / t,   s the sign of x - p

(Zubkov and Serov 2013, Theory of Probability and its Applications 57), too large by a relative
z / sqrt(t p (1 - p)) or so. KL(x || p) = x log(x / p) + (1 - x) log((1 - x) / (1 - p)).

Where p is not known, it may be any with t KL(h / t || p) <= log(2 / 10^-6): by Chernoff's bound
this holds for all but 10^-6 of all runs.
"""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from fractions import Fraction

from csig.claims.model import Interval
from csig.probability.binomial import at_least, at_most

#: A tail below the first is computed from its first term; above the second number of hits it is
#: bounded.
_SMALLEST, _MANY = 1e-290, 2**40

#: Standard errors beyond which the first term of a tail suffices.
_FAR = 30

#: Chance allowed for where no exact p is known.
_CHANCE = Decimal(2) / Decimal("1e-6")

#: Digits enough for numbers near 10^18 whose difference counts, and for any power of ten.
_CONTEXT = decimal.Context(prec=60, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


# A probability p comes with q = 1 - p, because either may be too small to be seen in the other.


def _divergence(x: Decimal, p: Decimal, q: Decimal) -> Decimal:
    """KL(x || p), for 0 < p < 1."""
    with decimal.localcontext(_CONTEXT):
        found = Decimal(0)
        if x > 0:
            found += x * (x / p).ln()
        if x < 1:
            found += (1 - x) * ((1 - x) / q).ln()
        return max(found, Decimal(0))


def _stirling_error(n: int) -> float:
    """Log n! less Stirling's n log n - n + log(2 pi n) / 2."""
    if n < 16:
        return math.lgamma(n + 1) - (n * math.log(n) - n + math.log(2 * math.pi * n) / 2)
    return 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5)


def _log_term(k: int, n: int, p: Decimal, q: Decimal) -> float:
    """Log P(X = k) for 0 < k < n, as Loader (2000) has it, to some 1e-14 for any n."""
    with decimal.localcontext(_CONTEXT):
        main = -n * _divergence(Decimal(k) / n, p, q)
        main -= (2 * Decimal(math.pi) * k * (n - k) / n).ln() / 2
    errors = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    return float(main) + errors


def _log_tail(k: int, n: int, p: Decimal, q: Decimal, upper: bool) -> float:
    """Log P(X >= k), or log P(X <= k); for a k that does not lie on the other side of n p."""
    with decimal.localcontext(_CONTEXT):
        if 2 * k > n:  # the failures are as binomial, and their probability keeps its digits
            k, p, q, upper = n - k, q, p, not upper
        if k == 0:  # the logarithm of 1 - p is -p where 1 - p is 1
            return float(n * min(q.ln(), -p))
        if k <= _MANY:
            value = (at_least if upper else at_most)(k, n, float(p))
            if value > _SMALLEST:
                return math.log(value)
        return _log_tail_beyond(k, n, p, q) if upper else _log_tail_beyond(n - k, n, q, p)


def _log_tail_beyond(k: int, n: int, p: Decimal, q: Decimal) -> float:
    """A bound on log P(X >= k)."""
    from scipy.special import log_ndtr

    with decimal.localcontext(_CONTEXT):
        spread = (n * p * q).sqrt()
        if k - n * p > _FAR * spread:
            series = (k + 1) * q / (k + 1 - (n + 1) * p)
            return _log_term(k, n, p, q) + float(series.ln())
        x = (k - 1) / Decimal(n)  # P(X >= k) = 1 - P(X <= k - 1) <= 1 - Phi(...)
        root = (2 * n * _divergence(x, p, q)).sqrt()
        return float(log_ndtr(-float(root) if x > p else float(root)))


def hits_pvalue(hits: int, trials: int, log_p: float) -> tuple[float | None, float, float]:
    """Compare the hits of shuffles with an exact p-value."""
    with decimal.localcontext(_CONTEXT):
        p = min(Decimal(log_p).exp(), Decimal(1))
        q = 1 - p
        spread = (trials * p * q).sqrt()
        if not spread:
            right = hits == (trials if p else 0)
            return None, float(right), 0.0 if right else -math.inf
        apart = hits - trials * p
        z = float(apart / spread)
        log_tail = _log_tail(hits, trials, p, q, upper=apart > 0)
    log_pvalue = min(0.0, log_tail + math.log(2))
    return (z if math.isfinite(z) else None), math.exp(log_pvalue), log_pvalue


def allowing_chance(interval: Interval, trials: int) -> Interval:
    """The p-values whose shuffles may give a share in the interval, at a risk of 10^-6."""

    def furthest(x: Fraction, toward: int) -> Fraction:
        with decimal.localcontext(_CONTEXT):
            share = Decimal(x.numerator) / x.denominator
            allowed = _CHANCE.ln() / trials
            near, far = share, Decimal(toward)
            for _ in range(80):  # each halves the distance
                middle = (near + far) / 2
                if not 0 < middle < 1 or _divergence(share, middle, 1 - middle) > allowed:
                    far = middle
                else:
                    near = middle
            return Fraction(far)

    # (h + 1) / (t + 1) is above h / t by at most 1 / t.
    low = max(Fraction(0), interval.low - Fraction(1, trials))
    high = min(Fraction(1), interval.high)
    return Interval(furthest(low, 0) if low > 0 else low, furthest(high, 1) if high < 1 else high)
