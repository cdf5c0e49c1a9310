"""Wilcoxon signed-rank tests of many pairs at once, exact with ties and zeros.

:func:`csig.wilcoxon_test` tests any number of units; here are few units and many pairs. The
distribution of a rank sum depends on the ranks alone, and most pairs have the same ones: it is
found once for each set of ranks, by adding one rank after the other. Probabilities are sums of
positive numbers, exact in doubles up to 52 units, and beyond to a relative 1e-13.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_UNITS", "rank_sum_tests", "signed_ranks"]

#: With more units one test at a time is as quick.
MOST_UNITS = 128


def signed_ranks(
    differences: NDArray[np.int64], zero_method: Literal["wilcox", "pratt", "zsplit"]
) -> NDArray[np.int64]:
    """Twice the midranks of differences by size, with their signs; 0 for those without a sign.

    Parameters
    ----------
    differences : array of int, (units,)
        Of one pair.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Whether zeros have the first ranks, of "zsplit" without one of an odd number of them.

    Examples
    --------
    >>> signed_ranks(np.array([3, -1, 0, 1]), "wilcox").tolist()
    [6, -3, 0, 3]
    >>> signed_ranks(np.array([3, -1, 0, 1]), "pratt").tolist()
    [8, -5, 0, 5]
    """
    sizes = np.abs(differences)
    below = (sizes[None, :] < sizes[:, None]).sum(axis=1)
    equal = (sizes[None, :] == sizes[:, None]).sum(axis=1)
    n_zero = int((sizes == 0).sum())
    left_out = {"wilcox": n_zero, "pratt": 0, "zsplit": n_zero % 2}[zero_method]
    found: NDArray[np.int64] = np.sign(differences) * (2 * (below - left_out) + equal + 1)
    return found


@lru_cache(maxsize=1024)
def _at_least(ranks: tuple[int, ...]) -> NDArray[np.float64]:
    """The probability that the positive ranks have a sum of s or more, for every s."""
    found = np.zeros(sum(ranks) + 1)
    found[0] = 1
    for rank in ranks:
        found[rank:] += found[: len(found) - rank].copy()
        found /= 2
    return found[::-1].cumsum()[::-1]


def rank_sum_tests(
    differences: NDArray[np.int64], zero_method: Literal["wilcox", "pratt", "zsplit"]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Two-sided exact p-values of many pairs, and the rank sums that they come from.

    Parameters
    ----------
    differences : array of int, (units, pairs)
        At most 128 units.
    zero_method : {"wilcox", "pratt", "zsplit"}
        As for :func:`csig.wilcoxon_test`.

    Returns
    -------
    tuple of array, (pairs,)
        The p-values; and twice the sum of positive ranks minus that of negative ones.

    Examples
    --------
    >>> pvalues, sums = rank_sum_tests(np.array([[1, 2], [2, 0], [3, -1]]), "wilcox")
    >>> pvalues.tolist(), sums.tolist()
    ([0.25, 1.0], [12, 2])
    """
    n = differences.shape[1]
    pvalues, sums = np.ones(n), np.zeros(n, dtype=np.int64)
    for i in range(n):
        signed = signed_ranks(differences[:, i], zero_method)
        moving = np.sort(np.abs(signed[signed != 0]))
        total, sums[i] = int(moving.sum()), int(signed.sum())
        if sums[i]:
            beyond = (total + abs(int(sums[i]))) // 2
            pvalues[i] = min(1.0, 2 * float(_at_least(tuple(moving.tolist()))[beyond]))
    return pvalues, sums
