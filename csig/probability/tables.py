"""Tests on tables of one score of every system on every data set, and what they say of the order.

Tests on ranks within data sets are Friedman's, Iman and Davenport's, Quade's and that on aligned
ranks: every data set gives every system a number that sums to zero over the systems, and
:func:`rank_chi2` and :func:`f_form` are those of any such numbers. :func:`repeated_anova` is of the
scores themselves. ``docs/theory.md``, "Systems over data sets", has the
formulas.

Wilcoxon signed-rank tests of many pairs at once are exact with ties and zeros:
:func:`csig.classical.wilcoxon_test` tests any number of units; here are few units and many pairs.
The distribution of a rank sum depends on the ranks alone, and most pairs have the same ones: it is
found once for each set of ranks, by adding one rank after the other. Probabilities are sums of
positive numbers, exact in doubles up to 52 units, and beyond to a relative 1e-13.

Last, what significant differences say about the order of systems: possible ranks, and letters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.probability.alike import alike


class RankTest(NamedTuple):
    """A statistic, its degrees of freedom, and its p-value."""

    statistic: float
    df: tuple[float, ...]
    pvalue: float


def midranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """The ranks of every row from 1, the smallest; equal values share the mean of their ranks."""
    # Exact, of any kind of numbers; scipy.stats takes a second to import.
    ranks = np.empty(values.shape)
    for row, numbers in zip(ranks, values, strict=True):
        _, place, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
        row[:] = (np.cumsum(sizes) - (sizes - 1) / 2)[place]
    return ranks


def rank_chi2(scores: NDArray[np.float64], ties: bool = True) -> RankTest:
    """Chi-square of numbers that sum to zero in every row: ranks minus their mean, or others."""
    # Without `ties` the variance of Friedman's ranks is that without any, N k (k + 1)(k - 1) / 12,
    # as in Demsar (2006). 0 and p = 1 if all systems are tied in every data set.
    from scipy.special import chdtrc

    n, k = scores.shape
    total = float((scores**2).sum()) if ties else n * k * (k * k - 1) / 12
    if total == 0:
        return RankTest(0.0, (k - 1,), 1.0)
    sums = scores.sum(axis=0)
    # Means of a row's aligned ranks are rounded: what is nothing but that is 0.
    sums[np.abs(sums) <= 4 * np.finfo(float).eps * np.abs(scores).sum()] = 0.0
    statistic = (k - 1) * math.fsum((sums**2).tolist()) / total
    return RankTest(statistic, (k - 1,), alike(float(chdtrc(k - 1, statistic))))


def f_form(chi2: float, n: int, k: int, orders: int) -> RankTest:
    """The F form of a chi-square on ranks of n data sets (Iman and Davenport 1980; Quade 1979)."""
    # If all data sets order the systems alike F is infinite, and p is orders^-(n - 1), the
    # probability of that (Conover 1999); `orders` of a data set's ranks are k!, and fewer with
    # ties. Those of 171 systems or more are no double, nor is 1 over them.
    from scipy.special import fdtrc

    df = (k - 1, (k - 1) * (n - 1))
    rest = n * (k - 1) - chi2
    if rest <= 1e-12 * n * k:
        return RankTest(math.inf, df, alike(float(orders) ** (1 - n)) if orders < 1e308 else 0.0)
    statistic = (n - 1) * chi2 / rest
    return RankTest(statistic, df, alike(float(fdtrc(*df, statistic))))


def pair_t(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """T of every pair, with what the F form takes for the variance (Conover 1999)."""
    # With (k - 1)(N - 1) degrees of freedom, positive where the first system's sum is greater; None
    # if all data sets order the systems alike, so that nothing is left to compare with.
    n, k = scores.shape
    sums, total = scores.sum(axis=0), float((scores**2).sum())
    rest = total - float((sums**2).sum()) / n
    apart: NDArray[np.float64] = sums[:, None] - sums[None, :]
    if rest <= 1e-12 * total:
        return None if total else apart
    return apart / math.sqrt(2 * n * rest / ((n - 1) * (k - 1)))


def quade_scores(ranks: NDArray[np.float64], ranges: NDArray[Any]) -> NDArray[np.float64]:
    """Ranks minus their mean, weighted by the rank of every data set's range (Quade 1979)."""
    weights = midranks(ranges[None, :])[0]
    return np.asarray(weights[:, None] * (ranks - (ranks.shape[1] + 1) / 2))


def aligned_scores(scores: NDArray[np.int64]) -> NDArray[np.float64]:
    """Ranks among all scores minus their data set's mean, each minus the mean of its row."""
    # Hodges and Lehmann (1962); scores are integers, so that ties after alignment are seen.
    n, k = scores.shape
    wide = scores.astype(object)  # k times a score may not fit 64 bits
    aligned = (k * wide - wide.sum(axis=1)[:, None]).reshape(-1).tolist()
    table = midranks(np.array([aligned], dtype=object)).reshape(n, k)
    return np.asarray(table - table.mean(axis=1)[:, None])


@dataclass(frozen=True)
class RepeatedAnova:
    """One score of every system on every data set."""

    statistic: float  #: F.
    df: tuple[int, int]  #: Its degrees of freedom.
    #: Of what neither systems nor data sets explain: the variance that Tukey and Dunnett take.
    mean_square: float
    epsilons: tuple[float, float]  #: Of Greenhouse and Geisser, and of Huynh and Feldt.

    def corrected(self, epsilon: float) -> tuple[tuple[float, float], float]:
        """Degrees of freedom times epsilon, and the p-value with these."""
        from scipy.special import fdtrc

        df = (self.df[0] * epsilon, self.df[1] * epsilon)
        return df, alike(float(fdtrc(*df, self.statistic)))


def near_one(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores divided by a power of two, which no F notices: their squares stay finite."""
    exponent = int(np.frexp(np.abs(scores).max())[1])
    return np.asarray(np.ldexp(scores, -exponent))


def repeated_anova(scores: NDArray[np.float64]) -> RepeatedAnova | None:
    """The analysis of variance of a table of two data sets and two systems at least."""
    # None if systems differ by the same on every data set, but for rounding: nothing is left that
    # they could be compared with.
    n, k = scores.shape
    df = (k - 1, (k - 1) * (n - 1))
    centred = scores - scores.mean()
    rows, columns = centred.mean(axis=1, keepdims=True), centred.mean(axis=0, keepdims=True)
    rest = centred - rows - columns
    reach = 8 * np.finfo(float).eps * float(np.abs(scores).max())
    if float(np.abs(rest).max()) <= reach:
        if float(np.abs(columns).max()) <= reach:
            return RepeatedAnova(0.0, df, 0.0, (1.0, 1.0))
        return None
    square = float((rest**2).sum()) / df[1]
    statistic = n * float((columns**2).sum()) / df[0] / square
    # From the covariances of scores that are centred by row and column.
    covariance = (rest[:, :, None] * rest[:, None, :]).sum(axis=0) / (n - 1)
    geisser = float(np.trace(covariance)) ** 2 / ((k - 1) * float((covariance**2).sum()))
    above = n * (k - 1) * geisser - 2
    below = (k - 1) * (n - 1 - (k - 1) * geisser)
    feldt = 1.0 if below <= 0 else min(1.0, above / below)
    epsilons = min(1.0, geisser), max(feldt, min(1.0, geisser))
    return RepeatedAnova(statistic, df, square, epsilons)


#: With more units one test at a time is as quick, but for ranks without ties, which all pairs have
#: in common: of these as many.
MOST_UNITS, MOST_UNTIED = 256, 1000


def signed_ranks(
    differences: NDArray[np.int64],
    zero_method: Literal["wilcox", "pratt", "zsplit"],
    band: int,
) -> NDArray[np.int64]:
    """Twice the midranks of one pair's differences by size, with their signs; 0 without a sign.

    Differences that lie within the band of each other are tied, and of zero they are zeros.
    """
    # Zeros have the first ranks, of "zsplit" without one of an odd number of them; none of
    # "wilcox".
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    n_zero = int(np.searchsorted(sizes[order], band, side="right"))
    below = {"wilcox": 0, "pratt": n_zero, "zsplit": n_zero - n_zero % 2}[zero_method]
    order = order[n_zero:]
    starts = np.flatnonzero(np.append(True, np.diff(sizes[order]) > band)[: len(order)])
    equal = np.diff(starts, append=len(order))
    twice = np.zeros(len(sizes), dtype=np.int64)
    twice[order] = np.repeat(2 * (below + starts) + equal + 1, equal)
    return twice * np.sign(differences)


def _at_least(ranks: Sequence[int]) -> NDArray[np.float64]:
    """The probability that the positive ones of these, in increasing order, have a sum of s or
    more, for every s.
    """
    ways, end = np.zeros(sum(ranks) + 1), 1
    ways[0] = 1
    for rank in ranks:
        ways[rank : end + rank] += ways[:end].copy()
        end += rank
    return np.asarray(np.ldexp(ways[::-1].cumsum()[::-1], -len(ranks)))


def rank_sum_tests(
    differences: NDArray[np.int64],
    zero_method: Literal["wilcox", "pratt", "zsplit"],
    bands: Sequence[int] | None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Two-sided exact p-values of many pairs, and the rank sums that they come from; NaN where
    there are too many ranks with ties.
    """
    # `differences` are (units, pairs), and a band of each pair is what :func:`signed_ranks` takes;
    # a sum is twice that of positive ranks minus that of negative ones.
    n_units, n = differences.shape
    pvalues, sums = np.ones(n), np.zeros(n, dtype=np.int64)
    pairs_of: dict[bytes, list[int]] = {}  # by their ranks
    for i in range(n):
        signed = signed_ranks(differences[:, i], zero_method, 0 if bands is None else bands[i])
        sums[i] = int(signed.sum())
        if sums[i]:
            pairs_of.setdefault(np.sort(np.abs(signed[signed != 0])).tobytes(), []).append(i)
    for key, pairs in pairs_of.items():
        ranks = np.frombuffer(key, dtype=np.int64)
        most = MOST_UNITS if (np.diff(ranks) != 2).any() else MOST_UNTIED
        if n_units > most:
            pvalues[pairs] = np.nan
            continue
        step = int(np.gcd.reduce(ranks))
        beyond = (int(ranks.sum()) + np.abs(sums[pairs])) // (2 * step)
        tail = _at_least((ranks // step).tolist())
        pvalues[pairs] = np.minimum(1.0, 2 * tail[beyond])
    return pvalues, sums


#: Letters that there are.
MOST_LETTERS = 26

#: Groups on the way to the letters: beyond this the end has more than 26, or takes too long.
MOST_GROUPS = 4096


def rank_intervals(better: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The ranks that every system may have, from 1, the best."""
    # ``better[j, k]`` says that system j is significantly better than system k: one comes after all
    # that are better and before all that are worse. If no such claim is false, every interval holds
    # every rank that ties permit (Mogstad, Romano, Shaikh and Wilhelm 2024).
    n = len(better)
    above, below = better.sum(axis=0), better.sum(axis=1)
    return [(1 + int(up), n - int(down)) for up, down in zip(above, below, strict=True)]


def letter_groups(differ: NDArray[np.bool_], order: Sequence[int]) -> list[list[int]]:
    """The largest groups of systems without a significant difference between any two."""
    # `order` are the systems, the best first: it orders the groups and what is in them. More than
    # 26 groups are refused.
    # Piepho (2004): start with one group of all; split every group that holds a pair that differs,
    # and drop groups that lie in others.
    n = len(order)
    place = np.asarray(order)
    groups = [(1 << n) - 1]
    for i, j in zip(*np.nonzero(np.triu(differ[np.ix_(place, place)], 1)), strict=True):
        pair = 1 << int(i) | 1 << int(j)
        both = [group for group in groups if group & pair == pair]
        if not both:
            continue
        kept = [group for group in groups if group & pair != pair]
        split = [group & ~(1 << int(one)) for group in both for one in (i, j)]
        # What is new may lie in what is kept, or in another that is new; never the other way round.
        split = sorted(set(split), key=int.bit_count, reverse=True)
        fresh: list[int] = []
        for group in split:
            if not any(group & other == group for other in (*kept, *fresh)):
                fresh.append(group)
        groups = kept + fresh
        if len(groups) > MOST_GROUPS:
            break
    if len(groups) > MOST_LETTERS:
        raise InputError(
            f"letters: these systems need more than {MOST_LETTERS} letters; use the rank intervals"
        )
    members = [[k for k in range(n) if group >> k & 1] for group in groups]
    return [[order[k] for k in group] for group in sorted(members)]
