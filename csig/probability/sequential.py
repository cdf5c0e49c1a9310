r"""When hits have decided a verdict: a p-value below or above alpha, whatever the seed.

A p-value from shuffles is an estimate, and near alpha another seed may give another verdict. As
chunks of shuffles are added, their hits may prove, up to a risk chosen beforehand, on which side of
alpha the p-value of infinitely many shuffles lies: by two e-processes (Ville 1939), mixtures over a
Beta distribution of the likelihood ratio against alpha. docs/theory.md has the proof, numbers of
chunks, and why a Clopper-Pearson interval cannot do that.

Only the side on which the share of hits lies can be decided: for h <= n alpha the integrand of the
other process is nowhere greater than at alpha. On that side the incomplete beta function is no
small number, and nothing underflows. The complete one is divided by the powers of alpha and
1 - alpha on paper, with Stirling's series, so that the huge terms that cancel never appear: for
2^48 trials the logarithm is good to 1e-7, and more than that is added to the limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from csig.streams import CHUNK

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


def interval(hits: int, trials: int, confidence_level: float) -> tuple[float, float]:
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
