"""Fisher's exact test of a 2 x 2 table, of any size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from csig.validation import Alternative

__all__ = ["fisher_pvalue", "least_pvalue"]

#: Tables whose probabilities differ by less, relatively, are equally probable: as scipy has it.
SAME = 1e-7


def _logs(right: int, size_a: int, n: int) -> tuple[int, NDArray[np.float64]]:
    """The least count of A that the margins allow, and log probabilities from there on."""
    least, most = max(0, right + size_a - n), min(right, size_a)
    k = np.arange(least, most, dtype=np.float64)
    wrong = n - right
    up = (right - k) * (size_a - k)
    steps = np.log(up / ((k + 1) * (wrong - size_a + k + 1)))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    logs -= logs.max()
    return least, np.asarray(logs - np.log(np.exp(logs).sum()))


def fisher_pvalue(
    a: tuple[int, int], b: tuple[int, int], alternative: Alternative = "two-sided"
) -> float:
    """Whether two groups have the same share of right ones, given all margins.

    Parameters
    ----------
    a, b : pair of int
        Right and wrong of each.
    alternative : {"two-sided", "less", "greater"}
        Of A's share minus B's. Two-sided: all tables that are at most as probable as this one.

    Examples
    --------
    The lady tasting tea.

    >>> round(fisher_pvalue((3, 1), (1, 3)), 6), round(fisher_pvalue((3, 1), (1, 3), "greater"), 6)
    (0.485714, 0.242857)
    """
    least, logs = _logs(a[0] + b[0], sum(a), sum(a) + sum(b))
    here = a[0] - least
    if alternative == "greater":
        found = logs[here:]
    elif alternative == "less":
        found = logs[: here + 1]
    else:
        found = logs[logs <= logs[here] + SAME]
    return 1.0 if len(found) == len(logs) else min(1.0, float(np.exp(found).sum()))


def least_pvalue(
    a: tuple[int, int], b: tuple[int, int], alternative: Alternative = "two-sided"
) -> float:
    """The smallest p-value that groups of these sizes and so many right ones can have.

    Parameters
    ----------
    a, b : pair of int
        Right and wrong of each.
    alternative : {"two-sided", "less", "greater"}
        As for :func:`fisher_pvalue`.

    Examples
    --------
    >>> round(least_pvalue((2, 1), (1, 2)), 6), least_pvalue((5, 0), (5, 0))
    (0.1, 1.0)
    """
    right, size_a, n = a[0] + b[0], sum(a), sum(a) + sum(b)
    ends = max(0, right + size_a - n), min(right, size_a)
    tables = [((k, size_a - k), (right - k, n - size_a - right + k)) for k in ends]
    return min(fisher_pvalue(*own, alternative) for own in tables)
