r"""Tests on ranks within data sets: Friedman, Iman and Davenport, Quade, aligned ranks.

All are of one form. Every data set i gives every system j a number :math:`s_{ij}` that sums to
zero over the systems: a rank minus the mean rank, for Quade times the rank of the data set's range,
for aligned ranks the rank among all aligned scores. If the systems of a data set are
interchangeable, sums :math:`S_j = \sum_i s_{ij}` have covariances of known size, and

.. math:: \chi^2 = (k - 1) \sum_j S_j^2 / A, \qquad A = \sum_{ij} s_{ij}^2

is asymptotically chi-square with k - 1 degrees of freedom, ties included. The same numbers in an
analysis of variance give F with k - 1 and (k - 1)(N - 1) degrees of freedom:

.. math:: F = (N - 1) \chi^2 / (N (k - 1) - \chi^2).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "RankTest",
    "aligned_scores",
    "f_form",
    "midranks",
    "pair_t",
    "quade_scores",
    "rank_chi2",
]


class RankTest(NamedTuple):
    """A statistic, its degrees of freedom, and its p-value."""

    statistic: float
    df: tuple[float, ...]
    pvalue: float


def midranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """The ranks of every row from 1, the smallest; equal values share the mean of their ranks.

    Parameters
    ----------
    values : array, (rows, columns)
        Compared exactly.

    Examples
    --------
    >>> midranks(np.array([[3, 1, 3, 0]])).tolist()
    [[3.5, 2.0, 3.5, 1.0]]
    """
    found = np.empty(values.shape)
    for row, own in zip(found, values, strict=True):
        _, place, sizes = np.unique(own, return_inverse=True, return_counts=True)
        row[:] = (np.cumsum(sizes) - (sizes - 1) / 2)[place]
    return found


def _chi2_tail(statistic: float, df: float) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))


def rank_chi2(scores: NDArray[np.float64], ties: bool = True) -> RankTest:
    """Chi-square of numbers that sum to zero in every row.

    Parameters
    ----------
    scores : array of float, (data sets, systems)
        Ranks minus their mean; or :func:`quade_scores`, :func:`aligned_scores`.
    ties : bool
        Of Friedman's ranks: whether their variance is that of the ranks with their ties, or that
        without any, N k (k + 1)(k - 1) / 12, as in Demsar (2006).

    Returns
    -------
    RankTest
        0 and p = 1 if all systems are tied in every data set.

    Examples
    --------
    >>> ranks = np.array([[1, 2, 3], [1, 2, 3], [1, 3, 2], [1, 2, 3]])
    >>> found = rank_chi2(ranks - 2.0)
    >>> found.statistic, found.df, round(found.pvalue, 6)
    (6.5, (2,), 0.038774)
    """
    n, k = scores.shape
    total = float((scores**2).sum()) if ties else n * k * (k * k - 1) / 12
    if total == 0:
        return RankTest(0.0, (k - 1,), 1.0)
    sums = scores.sum(axis=0)
    # Means of a row's aligned ranks are rounded: what is nothing but that is 0.
    sums[np.abs(sums) <= 4 * np.finfo(float).eps * np.abs(scores).sum()] = 0.0
    statistic = (k - 1) * math.fsum((sums**2).tolist()) / total
    return RankTest(statistic, (k - 1,), _chi2_tail(statistic, k - 1))


def f_form(chi2: float, n: int, k: int, orders: int | None = None) -> RankTest:
    """The F form of a chi-square on ranks (Iman and Davenport 1980; Quade 1979).

    Parameters
    ----------
    chi2 : float
        Of :func:`rank_chi2`.
    n, k : int
        Data sets and systems.
    orders : int, optional
        Of a data set's ranks, by default k!; fewer with ties.

    Returns
    -------
    RankTest
        If all data sets order the systems alike F is infinite, and p is orders^-(n - 1), the
        probability of that (Conover 1999).

    Examples
    --------
    >>> found = f_form(9.28, 14, 4)
    >>> round(found.statistic, 2), found.df
    (3.69, (3, 39))
    """
    from scipy.special import fdtrc

    df = (k - 1, (k - 1) * (n - 1))
    rest = n * (k - 1) - chi2
    if rest <= 1e-12 * n * k:
        number = math.factorial(k) if orders is None else orders
        return RankTest(math.inf, df, float(number) ** (1 - n))
    statistic = (n - 1) * chi2 / rest
    return RankTest(statistic, df, float(fdtrc(*df, statistic)))


def pair_t(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """T of every pair, with what the F form takes for the variance (Conover 1999).

    Parameters
    ----------
    scores : array of float, (data sets, systems)
        As for :func:`rank_chi2`.

    Returns
    -------
    array of float, (systems, systems), or None
        With (k - 1)(N - 1) degrees of freedom, positive where the first system's sum is greater;
        None if all data sets order the systems alike, so that nothing is left to compare with.

    Examples
    --------
    >>> ranks = np.array([[1, 2, 3], [1, 2, 3], [1, 3, 2], [1, 2, 3]])
    >>> pair_t(ranks - 2.0).round(4).tolist()
    [[0.0, -3.5355, -4.9497], [3.5355, 0.0, -1.4142], [4.9497, 1.4142, 0.0]]
    """
    n, k = scores.shape
    sums, total = scores.sum(axis=0), float((scores**2).sum())
    rest = total - float((sums**2).sum()) / n
    apart: NDArray[np.float64] = sums[:, None] - sums[None, :]
    if rest <= 1e-12 * total:
        return None if total else apart
    return apart / math.sqrt(2 * n * rest / ((n - 1) * (k - 1)))


def quade_scores(ranks: NDArray[np.float64], ranges: NDArray[Any]) -> NDArray[np.float64]:
    """Ranks minus their mean, weighted by the rank of every data set's range (Quade 1979).

    Parameters
    ----------
    ranks : array of float, (data sets, systems)
        Midranks.
    ranges : array, (data sets,)
        The largest score of every data set minus its smallest; compared exactly.

    Examples
    --------
    >>> quade_scores(np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([5, 3])).tolist()
    [[-1.0, 1.0], [0.5, -0.5]]
    """
    weights = midranks(ranges[None, :])[0]
    found: NDArray[np.float64] = weights[:, None] * (ranks - (ranks.shape[1] + 1) / 2)
    return found


def aligned_scores(scores: NDArray[np.int64]) -> NDArray[np.float64]:
    """Ranks among all scores minus their data set's mean, each minus the mean of its row.

    Hodges and Lehmann (1962).

    Parameters
    ----------
    scores : array of int, (data sets, systems)
        In the same steps, so that ties after alignment are seen.

    Examples
    --------
    >>> aligned_scores(np.array([[1, 2], [7, 3]])).tolist()
    [[-0.5, 0.5], [1.5, -1.5]]
    """
    n, k = scores.shape
    wide = scores.astype(object)  # k times a score may not fit 64 bits
    aligned = (k * wide - wide.sum(axis=1)[:, None]).reshape(-1).tolist()
    table = midranks(np.array([aligned], dtype=object)).reshape(n, k)
    found: NDArray[np.float64] = table - table.mean(axis=1)[:, None]
    return found
