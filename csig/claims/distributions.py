r"""Printed distributions of scores over training samples: do their numbers fit each other?

Krymolowski (2001) prints for each test set the means and standard deviations of two systems'
scores over many training samples, their correlation r, and P(a > b), the share of samples on
which A is ahead. These are not free:

*Deviation of the difference.* s_d^2 = s_a^2 + s_b^2 - 2 s_a s_b r, for any scores. The square is
convex in s_a and in s_b and falls in r, so over the intervals that printed numbers stand for it
is largest in a corner, and smallest in one or where s_a = r s_b (or the reverse).

*P, whatever the scores.* With D the mean difference, at most s_d^2 / (s_d^2 + D^2) of the samples
lie on the other side of 0 (Cantelli's inequality, for the distribution of the samples themselves,
whose variance with n is below that with n - 1).

*P of n samples* is one of 0 / n, 1 / n, ..., n / n.

*P, for normal scores,* is Phi(D / s_d), and the samples ahead are Binomial(n, P). Scores need not
be normal: what disagrees is doubtful, not wrong.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

from csig.claims.known import Known
from csig.claims.model import CONFIRMED, Finding, PrintedDistribution
from csig.claims.printed import Interval, Printed
from csig.claims.words import numbers
from csig.probability.binomial import rate_pvalue

__all__ = ["check_distributions"]


def check_distributions(known: Known) -> list[Finding]:
    """The deviations of differences, and the shares of samples on which A is ahead."""
    found: list[Finding] = []
    for said in known.claims.distributions:
        where = f" on {said.test_set}" if said.test_set else ""
        if said.sd_difference is not None:
            found.append(_deviation(said, said.sd_difference, where))
        if said.probability is not None:
            a, b = known.claims.names
            found += _shares(said, said.probability, f"P({a} > {b}){where}")
    return found


# ---- the deviation of the difference -----------------------------------------------------------


def _at_least_zero(printed: Printed) -> Interval:
    return Interval(max(printed.interval.low, Fraction(0)), printed.interval.high)


def _correlation(said: PrintedDistribution) -> Interval:
    """The correlations that are possible."""
    one = Fraction(1)
    if said.correlation is None:
        return Interval(-one, one)
    own = said.correlation.interval
    return Interval(max(own.low, -one), min(own.high, one))


def variance_of_difference(a: Interval, b: Interval, r: Interval) -> Interval:
    """The values that s_a^2 + s_b^2 - 2 s_a s_b r takes.

    >>> one = Interval(Fraction(1), Fraction(2))
    >>> found = variance_of_difference(one, one, Interval(Fraction(1, 2), Fraction(1, 2)))
    >>> found.low, found.high
    (Fraction(1, 1), Fraction(4, 1))
    """

    def square(x: Fraction, y: Fraction, rho: Fraction) -> Fraction:
        return x * x + y * y - 2 * x * y * rho

    def clamped(x: Fraction, ends: Interval) -> Fraction:
        return min(max(x, ends.low), ends.high)

    corners = list(itertools.product((a.low, a.high), (b.low, b.high)))
    lowest = [square(x, y, r.high) for x, y in corners]
    lowest += [square(clamped(r.high * y, a), y, r.high) for y in (b.low, b.high)]
    lowest += [square(x, clamped(r.high * x, b), r.high) for x in (a.low, a.high)]
    if r.high == 1 and a.meets(b):  # both may be the same
        lowest.append(Fraction(0))
    return Interval(min(lowest), max(square(x, y, r.low) for x, y in corners))


def _variance(said: PrintedDistribution) -> Interval | None:
    """The squares of the difference's deviation, from what is printed."""
    ranges = []
    if said.sd_difference is not None:
        own = _at_least_zero(said.sd_difference)
        ranges.append(Interval(own.low**2, own.high**2))
    if said.sd_a is not None and said.sd_b is not None:
        a, b = _at_least_zero(said.sd_a), _at_least_zero(said.sd_b)
        ranges.append(variance_of_difference(a, b, _correlation(said)))
    if not ranges:
        return None
    low, high = max(own.low for own in ranges), min(own.high for own in ranges)
    if low > high:  # which is said of the deviation: either may be right
        low, high = high, low
    return Interval(low, high)


def _deviation(said: PrintedDistribution, printed: Printed, where: str) -> Finding:
    """Does it follow from both deviations and their correlation?"""
    common: dict[str, Any] = {
        "check": "deviation of the difference",
        "claim": f"deviation of the difference{where}: {printed.text}",
        **numbers(printed),
    }
    if said.sd_a is None or said.sd_b is None:
        return Finding(
            **common,
            verdict="unknown",
            sentence="It needs the deviations of both systems.",
        )
    found = variance_of_difference(
        _at_least_zero(said.sd_a), _at_least_zero(said.sd_b), _correlation(said)
    )
    own = _at_least_zero(printed)
    ends = tuple(math.sqrt(end) for end in (found.low, found.high))
    texts = " to ".join(printed.show(end) for end in ends)
    fits = Interval(own.low**2, own.high**2).meets(found)
    if said.correlation is None:
        given, verdict = "any correlation of the two", "possible"
    else:
        given, verdict = f"a correlation of {said.correlation.text}", "confirmed"
    return Finding(
        **common,
        verdict=verdict if fits else "inconsistent",
        sentence=f"Deviations of {said.sd_a.text} and {said.sd_b.text} with {given} give {texts}.",
        expected_interval=(ends[0], ends[1]),
    )


# ---- how often A is ahead ----------------------------------------------------------------------


def _difference(said: PrintedDistribution) -> Interval | None:
    """The mean difference."""
    if said.mean_a is None or said.mean_b is None:
        return None
    a, b = said.mean_a.interval, said.mean_b.interval
    return Interval(a.low - b.high, a.high - b.low)


def _shares(said: PrintedDistribution, printed: Printed, name: str) -> list[Finding]:
    """Is it a share of the samples, can it be, and is it that of normal scores?"""
    found = []
    claim = f"{name}: {printed.text}"
    common: dict[str, Any] = {"claim": claim, **numbers(printed)}
    n = said.samples
    ks = range(0) if n is None else _counts(printed.interval, n)
    if n is not None:
        say = "none gives" if not ks else f"{ks[0]:,} gives"
        say = f"{ks[0]:,} to {ks[-1]:,} give" if len(ks) > 1 else say
        found.append(
            Finding(
                check="share of samples",
                **common,
                verdict="confirmed" if ks else "impossible",
                sentence=f"Of {n:,} samples, {say} {printed.text}.",
            )
        )
    apart, variance = _difference(said), _variance(said)
    if apart is None or variance is None:
        return found
    found.append(_bounded(printed, apart, variance, common))
    if found[-1].verdict != "inconsistent" and (ks or n is None):
        found.append(_normal(said, printed, ks, common))
    return found


def _counts(interval: Interval, n: int) -> range:
    """The numbers of n samples whose share rounds to what is printed."""
    low, high = math.ceil(interval.low * n), math.floor(interval.high * n)
    low += not interval.low_closed and low == interval.low * n
    high -= not interval.high_closed and high == interval.high * n
    return range(max(low, 0), min(high, n) + 1)


def _bounded(
    printed: Printed, apart: Interval, variance: Interval, common: dict[str, Any]
) -> Finding:
    """Cantelli's inequality, with the smallest difference and the largest deviation."""
    low, high = Fraction(0), Fraction(1)
    nearest = max(apart.low, -apart.high, Fraction(0))  # to a difference of 0
    if nearest:
        other_side = variance.high / (variance.high + nearest**2)
        low, high = (1 - other_side, high) if apart.low > 0 else (low, other_side)
    fits = printed.interval.meets(Interval(low, high))
    return Finding(
        check="share and moments",
        **common,
        verdict="possible" if fits else "inconsistent",
        sentence="With these means and deviations, whatever the scores, it lies from "
        f"{printed.show(low)} to {printed.show(high)}.",
        expected_interval=(float(low), float(high)),
    )


def _phi(apart: Fraction, deviation: float) -> float:
    from scipy.special import ndtr

    if not deviation:
        return 0.5 if not apart else float(apart > 0)
    return float(ndtr(float(apart) / deviation))


def _normal(
    said: PrintedDistribution, printed: Printed, ks: range, common: dict[str, Any]
) -> Finding:
    """Phi(D / s_d), allowing for the chance of n samples."""
    apart, variance = _difference(said), _variance(said)
    assert apart is not None
    assert variance is not None
    ends = [math.sqrt(end) for end in (variance.low, variance.high)]
    values = [_phi(d, s) for d in (apart.low, apart.high) for s in ends]
    low, high = min(values), max(values)
    common = {**common, "check": "share of normal scores", "expected_interval": (low, high)}
    shown = " to ".join(dict.fromkeys(printed.show(end) for end in (low, high)))
    say = f"Normal scores with these means and deviations give {shown}"
    if said.samples is None:
        fits = printed.interval.meets(Interval(Fraction(low), Fraction(high)))
        return Finding(
            **common,
            verdict="confirmed" if fits else "unknown",
            sentence=f"{say}." if fits else f"{say}; how many samples there were is not said.",
        )
    n = said.samples
    wanted = (math.ceil(low * n), math.floor(high * n))
    nearest = {min(max(k, ks[0]), ks[-1]) for k in wanted}
    pvalue = max(_chance(k, n, low, high) for k in nearest)
    fits = pvalue >= CONFIRMED
    more = "" if fits else ", so the scores are not normal, or a number is wrong"
    return Finding(
        **common,
        verdict="confirmed" if fits else "doubtful",
        sentence=f"{say}; a deviation this large has probability {pvalue:.2g}{more}.",
        pvalue=pvalue,
        log_pvalue=math.log(pvalue) if pvalue else None,
    )


def _chance(k: int, n: int, low: float, high: float) -> float:
    """The probability of a deviation this large, for the nearest of the possible shares."""
    return rate_pvalue(k, n, min(max(k / n, low), high))
