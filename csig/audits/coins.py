"""Fair coins, and how odd they are: what checks of a generator are built from.

A p-value here is exact, or an upper bound that is proven: the numbers of heads of fair coins are
binomial, and many of them together are judged by Bonferroni's inequality, which holds however
they depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from csig.probability.binomial import at_least

__all__ = [
    "LEAST", "Cells", "Counts", "Heads", "Odd", "coin_pvalue", "kullback_leibler_bound", "oddest",
]  # fmt: skip

Counts = NDArray[np.int64]

#: p-values are given no smaller, so that none is 0.
LEAST = 1e-300


@dataclass(frozen=True)
class Heads:
    """Heads of several fair coins, each tossed n times."""

    #: That coin {i}, or {unit}, shows heads {often}: "always ", "never " or "".
    text: str
    counts: Counts
    n: int
    unit: Callable[[int], str] = str  #: What coin i is called.

    def said(self, i: int, often: str) -> str:
        """What is said of coin i."""
        return self.text.format(i=i, unit=self.unit(i), often=often)


@dataclass(frozen=True)
class Odd:
    """The oddest of many results."""

    pvalue: float  #: Allows for their number.
    text: str
    statistic: float
    tests: int  #: How many there are.


def coin_pvalue(count: int, n: int) -> float:
    """Two-sided exact binomial test of a fair coin."""
    return min(1.0, 2 * at_least(max(count, n - count), n, 0.5))


def oddest(groups: Sequence[Heads]) -> Odd:
    """The coin that is least like a fair one, by Bonferroni's inequality."""
    groups = [group for group in groups if len(group.counts) and group.n]
    tests = sum(len(group.counts) for group in groups)
    found: list[tuple[float, float, int, int]] = []
    for number, group in enumerate(groups):
        # All coins of a group are tossed equally often: what is farthest off has the least p.
        off = np.abs(2 * group.counts - group.n)
        i = int(np.argmax(off))
        pvalue = max(coin_pvalue(int(group.counts[i]), group.n), LEAST)
        found.append((pvalue, -off[i] / group.n, number, i))  # of equal ones the most extreme
    pvalue, _, number, i = min(found)
    worst = groups[number]
    count, n = int(worst.counts[i]), worst.n
    if 0 < count < n:
        text = f"{worst.said(i, '')} in {count:,} of {n:,} cases ({100 * count / n:.5g}%)"
    else:
        text = worst.said(i, "always " if count else "never ")
        stuck = int(np.count_nonzero((worst.counts == 0) | (worst.counts == n)))
        if stuck > 1:
            text += f", and {stuck} of these {len(worst.counts)} never vary"
    return Odd(min(1.0, tests * pvalue), text, float(count), tests)


def kullback_leibler_bound(divergence: float, cells: int) -> float:
    """An upper bound on P(n KL(found || p) >= divergence) for a multinomial with `cells` cells.

    R. Agrawal, *Finite-sample concentration of the multinomial in relative entropy*, IEEE
    Transactions on Information Theory 66 (2020): n KL has no greater moment generating
    function than a gamma distribution of shape cells - 1 and rate 1. This is Chernoff's bound
    for that one. It holds for every n and every p; a chi-square distribution would not.
    """
    shape = cells - 1
    if divergence <= shape:
        return 1.0
    if shape == 0:
        return 1.0 if divergence <= 0 else LEAST
    return math.exp(shape * (1 + math.log(divergence / shape)) - divergence)


class Cells:
    """How often each Binomial(n, 1/2) number of swapped units was found, and was expected."""

    def __init__(self, given: str, n: int, cases: str = "trials") -> None:
        self.given = given
        self.n = n
        self.cases = cases
        spread = 10 * math.isqrt(n) // 2 + 10  # ten standard deviations
        self.low, self.high = max(0, n // 2 - spread), min(n, (n + 1) // 2 + spread)
        self.found = np.zeros(self.high - self.low + 1, dtype=np.int64)

    def add(self, counts: Counts) -> None:
        """The counts of some trials; what is farther out belongs to the outermost cells."""
        here = np.clip(counts, self.low, self.high) - self.low
        self.found += np.bincount(here, minlength=len(self.found))

    def odd(self) -> Odd:
        """How far the numbers are from a binomial distribution.

        Two bounds detect a large error in one cell, and a small one in all of them, and twice the
        lesser is the p-value: the exact binomial test of each cell with Bonferroni's inequality,
        and Agrawal's bound on the likelihood ratio of all.
        """
        from scipy.special import betainc, betaincc, xlogy

        trials = int(self.found.sum())
        k = np.arange(self.low, self.high, dtype=np.float64)
        below = np.concatenate([betaincc(k + 1, self.n - k, 0.5), [1.0]])  # P(X <= k)
        # Cells are joined, from below, until at least 5 of all trials are expected in each; that
        # does not depend on what was found.
        ends = [-1]
        while ends[-1] < len(below) - 1:
            passed = below[ends[-1]] if ends[-1] >= 0 else 0.0
            end = int(np.searchsorted(below, passed + 5 / trials))
            rest = 1 - below[end] if end < len(below) else 0.0
            ends.append(len(below) - 1 if rest < 5 / trials else max(end, ends[-1] + 1))
        last = np.array(ends[1:])
        p = np.diff(below[last], prepend=0.0)
        found = np.add.reduceat(self.found, np.array(ends[:-1]) + 1).astype(np.float64)
        if len(p) == 1:
            return Odd(1.0, f"{self.given}: too few {self.cases} to say", 0.0, 1)
        with np.errstate(divide="ignore"):
            few = np.where(found >= trials, 1.0, betaincc(found + 1, trials - found, p))
            many = np.where(found <= 0, 1.0, betainc(found, trials - found + 1, p))
        each = np.minimum(1.0, 2 * np.minimum(few, many))
        # Where several are below what a double can hold, the one that is farthest off.
        worst = int(np.lexsort((-np.abs(found - trials * p) / np.sqrt(trials * p), each))[0])
        divergence = float(xlogy(found, found / (trials * p)).sum())
        pvalue = 2 * min(len(p) * float(each[worst]), kullback_leibler_bound(divergence, len(p)))
        first, end = ends[worst] + 1 + self.low, int(last[worst]) + self.low
        if end == self.high:
            end = self.n
        if worst == 0:
            first = 0
        cell = f"{first}" if first == end else f"{first} to {end}"
        text = (
            f"{self.given}: {cell} of {self.n:,} in {int(found[worst]):,} of {trials:,} "
            f"{self.cases}, where {trials * p[worst]:,.1f} are expected"
        )
        return Odd(min(1.0, max(pvalue, LEAST)), text, divergence, len(p))
