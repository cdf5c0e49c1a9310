r"""When hits have decided a verdict: a p-value below or above alpha, whatever the seed.

A p-value from shuffles is an estimate, and near alpha another seed may give another verdict.
As chunks of shuffles are added, their hits may eventually prove, up to a risk chosen beforehand,
on which side of alpha the p-value of infinitely many shuffles lies. A Clopper-Pearson interval
cannot do that: it holds for a number of trials that was fixed in advance, and if it is checked
again and again it will miss sooner or later.

**The e-processes.** Let p be the probability of a hit, and let n trials have had h hits. Choose
a distribution pi on (0, 1) once and for all, and

    E-(n) = int_[0,alpha] q^h (1-q)^(n-h) dpi(q)  /  (pi[0,alpha] alpha^h (1-alpha)^(n-h))
    E+(n) = int_[alpha,1] q^h (1-q)^(n-h) dpi(q)  /  (pi[alpha,1] alpha^h (1-alpha)^(n-h))

E- is evidence against p >= alpha, E+ against p <= alpha. Both are 1 at n = 0. One trial more
multiplies the integrand of E- at q by (q/alpha)^X ((1-q)/(1-alpha))^(1-X), where X is 1 for a
hit, and the mean of that is

    p q/alpha + (1-p) (1-q)/(1-alpha)

It is linear in p, is 1 at p = alpha, and has the slope q/alpha - (1-q)/(1-alpha), which is not
positive for q <= alpha and not negative for q >= alpha. So if p >= alpha, E- is a mixture of
supermartingales that are not negative, hence one itself, and by Ville's inequality (1939)

    P(E-(n) >= 1/risk for any n) <= risk

and the same holds for E+ if p <= alpha. The verdict is "below" when E- reaches 1/risk, "above" when
E+ does. At most one of the two verdicts is wrong, and a run gives it with probability at most risk,
however long it is and whenever one looks. Two runs with different verdicts cannot both be right, so
this happens with probability at most 2 risk. If p is alpha itself, hardly any run ends with a
verdict.

**The mixture.** pi is Beta(m alpha + 1/2, m (1 - alpha) + 1/2) with m = 2^13. It makes the
integrals incomplete beta functions, and puts its mass where decisions are hard. With a small m
it is spread over shares far from alpha, which one chunk of 2^16 trials decides anyway; with
m = n / (2 log(1/risk)) it is about the best for decisions after n trials, and a wrong m costs
little. For alpha = 0.05 and risk = 1e-6 the mean numbers of chunks are

    p             0.055  0.051  0.0505  0.0495  0.049  0.048  0.046  0.045  0.03
    m = 2^13        1.4   23.3    93.1    95.7   23.6    6.2    2.0    1.4   1.0
    m = 2^9         1.4   25.2   101.5   103.5   25.5    6.6    2.0    1.4   1.0
    m = 2^17        2.2   23.2    87.1    89.7   23.5    7.2    2.8    2.2   1.0
    Beta(1/2,1/2)   1.7   31.0   124.9   116.3   28.6    7.4    2.1    1.5   1.0
    least           0.8   20.2    80.4    79.9   19.9    4.9    1.2    0.8   0.0

"Least" is log(1/risk) / KL(p, alpha) trials: on average no test with this risk takes fewer
(Wald 1945), even if it knows p and may stop inside a chunk. ``docs/theory.md`` has more.

**Numbers.** Only the side on which the share of hits lies can be decided: for h <= n alpha the
integrand of E+ is nowhere greater than at alpha, so that E+ <= 1. On that side the incomplete beta
function is no small number, and nothing underflows. The complete one is divided by the powers of
alpha and 1 - alpha on paper, with Stirling's series, so that the huge terms that cancel never
appear: for 2^48 trials the logarithm of E is good to 1e-7, and more than that is added to the
limit.

References
----------
Ville, J. (1939). Etude critique de la notion de collectif. Gauthier-Villars.

Darling, D. A. and Robbins, H. (1967). Confidence sequences for mean, variance, and median.
Proceedings of the National Academy of Sciences 58.

Wald, A. (1945). Sequential tests of statistical hypotheses. Annals of Mathematical
Statistics 16.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from csig.streams import CHUNK

__all__ = ["STRENGTH", "Rule", "evidence", "interval", "trials_needed"]

#: The prior's weight in trials: m in the text above.
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
    """The verdict that the hits favour, and the logarithm of the e-process against the other.

    Examples
    --------
    >>> said, log_evidence = evidence(3000, 65536, 0.05)
    >>> said, round(log_evidence, 3)
    ('below', 10.809)
    """
    from scipy.special import betainc, betaincc

    a, b = STRENGTH * alpha + 0.5, STRENGTH * (1 - alpha) + 0.5
    said, tail = ("below", betainc) if hits <= trials * alpha else ("above", betaincc)
    before = float(tail(a, b, alpha))
    after = float(tail(a + hits, b + (trials - hits), alpha))
    whole = log_mixture(a, b, hits, trials, alpha) - log_mixture(a, b, 0, 0, alpha)
    return said, whole + math.log(after / before)


def trials_needed(hits: int, trials: int, rule: Rule) -> int | None:
    """Whole chunks that would settle the verdict if the share of hits stayed the same.

    None if `rule` allows fewer.
    """
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
    """An interval for the probability of a hit that holds whenever the run stops.

    All q with B(h + 1/2, n - h + 1/2) / (pi q^h (1-q)^(n-h)) < 1 / (1 - confidence_level). With q
    the true probability that quotient is a martingale, so the intervals of all n together miss
    q with probability 1 - confidence_level at most (Darling and Robbins 1967).

    Examples
    --------
    >>> low, high = interval(50, 1000, 0.99)
    >>> round(low, 4), round(high, 4)
    (0.0268, 0.0831)
    """
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
